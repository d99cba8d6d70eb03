"""The shared cache, used for rate limits and nothing that a game needs.

While Redis is unavailable nothing is counted, so nobody is refused and nobody waits.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

REST = 5.0  # seconds before an unavailable Redis is tried again
T = TypeVar("T")


class ForgivingRedisCache(RedisCache):
    away_until = 0.0  # shared by the process, because each thread has its own cache object

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return self._try(lambda: super(ForgivingRedisCache, self).add(*args, **kwargs), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._try(lambda: super(ForgivingRedisCache, self).get(key, default, version), default)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._try(lambda: super(ForgivingRedisCache, self).set(*args, **kwargs), None)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return self._try(lambda: super(ForgivingRedisCache, self).delete(*args, **kwargs), False)

    def _try(self, action: Callable[[], T], otherwise: T) -> T:
        if time.monotonic() < ForgivingRedisCache.away_until:
            return otherwise
        try:
            return action()
        except (RedisError, OSError) as error:
            logger.warning("Redis does not answer, so rate limits are off: %s", type(error).__name__)
            ForgivingRedisCache.away_until = time.monotonic() + REST
            return otherwise
