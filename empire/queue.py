"""The queues of Kombu, mended where workers die of them.

The folder that is the queue of one machine: Kombu gives a message its name first and its content after, and a worker
that looks in between reads nothing. Redis: a worker that loses it with a task in hand stumbles over a connection that
is closed already, does not take that for a lost connection, and lives on without doing anything.
"""

import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem, redis
from kombu.utils.json import dumps

LOOKS = 50  # at a table that somebody is writing; a hundredth of a second apart


class Channel(filesystem.Channel):
    """Messages appear by renaming, which is one step; a table that is half written is looked at again."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # as Kombu does
        name = f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        part = Path(self.data_folder_out) / f"{name}.part"  # a name that no reader looks for
        part.write_text(dumps(payload))
        part.rename(part.with_suffix(""))

    def get_table(self, exchange: str) -> Any:
        return patiently(lambda: super(Channel, self).get_table(exchange))

    def _queue_bind(self, *args: Any) -> None:
        patiently(lambda: super(Channel, self)._queue_bind(*args))


def patiently(read: Callable[[], Any]) -> Any:
    for _look in range(LOOKS):
        try:
            return read()
        except ValueError:  # JSON that is not all there yet
            time.sleep(0.01)
    return read()


class Transport(filesystem.Transport):
    Channel = Channel


class RedisChannel(redis.Channel):
    """What is closed says so, in a way that a worker knows and tries again after."""

    def _connparams(self, *args: Any, **kwargs: Any) -> Any:
        if self.connection.client is None:
            raise ConnectionError("The connection to the queue is closed.")
        return super()._connparams(*args, **kwargs)  # type: ignore[misc]  # Kombu's


class RedisTransport(redis.Transport):
    Channel = RedisChannel


def install() -> None:
    """Let `filesystem://` and `redis://` mean these transports."""
    TRANSPORT_ALIASES["filesystem"] = "empire.queue:Transport"
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "empire.queue:RedisTransport"
