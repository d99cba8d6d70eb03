"""The shared cache, used for allauth's rate limits and other things that no game needs, and the pause of a lost Redis.

While Redis is unavailable nothing is counted, so nobody is refused and nobody waits.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from limits.errors import StorageError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

REST = 5.0  # seconds before an unavailable Redis is tried again
T = TypeVar("T")


class Pause:
    """Leaves Redis alone for a while after it did not answer."""

    until = 0.0

    def attempt(self, action: Callable[[], T], otherwise: T) -> T:
        """Return the result of an action with Redis; `otherwise` if Redis does not answer, or did not a moment ago."""
        if time.monotonic() < self.until:
            return otherwise
        try:
            return action()
        except (RedisError, StorageError, OSError) as error:
            logger.warning("Redis does not answer, so rate limits are off: %s", type(error).__name__)
            self.until = time.monotonic() + REST
            return otherwise


pause = Pause()  # one for the process, because rate limits have connections of their own


@cache
def client(server: str, **options: Any) -> RedisCacheClient:
    return RedisCacheClient([server], **options)


class ForgivingRedisCache(RedisCache):
    """The shared cache. Django makes one of these for each request; they share the connections of the process."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._cache = client(server, **params.get("OPTIONS", {}))

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return pause.attempt(lambda: super(ForgivingRedisCache, self).add(*args, **kwargs), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return pause.attempt(lambda: super(ForgivingRedisCache, self).get(key, default, version), default)

    def set(self, *args: Any, **kwargs: Any) -> None:
        pause.attempt(lambda: super(ForgivingRedisCache, self).set(*args, **kwargs), None)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return pause.attempt(lambda: super(ForgivingRedisCache, self).delete(*args, **kwargs), False)
