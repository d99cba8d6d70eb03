"""The queues of Kombu, mended where workers die of them.

The folder that is the queue of one machine: Kombu gives a message its name first and its content after, and a worker
that looks in between reads nothing; on a full disk its content never comes. Redis: a worker that loses it with a task
in hand stumbles over a connection that is closed already, does not take that for a lost connection, and lives on
without doing anything.
"""

import logging
import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem, redis
from kombu.utils.json import dumps

from empire import private

logger = logging.getLogger(__name__)

LOOKS = 50  # at a table that somebody is writing; a hundredth of a second apart


class Channel(filesystem.Channel):
    """Messages appear by renaming, which is one step; a table that is half written is looked at again."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # as Kombu does
        name = f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        appear(Path(self.data_folder_out) / name, dumps(payload))

    def get_table(self, exchange: str) -> Any:
        """Who listens there: as all have written it, or where that cannot be read what this process has declared."""
        try:
            table = patiently(lambda: super(Channel, self).get_table(exchange))
        except (ValueError, ChannelError):
            table = []
        return table or (self.state.exchanges or {}).get(exchange, {}).get("table", [])

    def _queue_bind(self, exchange: str, *args: Any) -> None:
        """A table that stays unreadable was cut off by a full disk or a loss of power: it is begun anew."""
        table = Path(self._exchange_file(exchange))  # type: ignore[attr-defined]  # Kombu's
        try:
            appear(table, "[]")
            patiently(lambda: super(Channel, self)._queue_bind(exchange, *args))
        except ValueError:
            table.unlink(missing_ok=True)
        except ChannelError as error:
            logger.warning("Only this process knows the queue %s: %s", exchange, error)


def appear(file: Path, text: str) -> None:
    """The file is there with all of the text at once, unless it was there already. Raises `ChannelError`: no room."""
    part = file.with_name(f"{file.name}.{uuid.uuid4()}.part")  # a name that no reader looks for
    try:
        if not file.exists():
            private.write(part, text.encode())
            os.link(part, file)
    except FileExistsError:
        pass  # somebody was quicker
    except OSError as error:
        raise ChannelError(f"Cannot write {file.name}: {error}") from error
    finally:
        part.unlink(missing_ok=True)


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
