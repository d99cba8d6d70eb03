"""Fixes for Kombu's queues, whose faults stop workers; they have no settings for it.

Filesystem queue: Kombu creates a message file before writing its content, so a worker may read an empty one; on a full
disk the content never comes, and a worker ends at the first message it gets. Redis: a worker that loses the connection
during a task gets an error about a closed connection, does not treat it as a lost connection, and continues without
doing anything.
"""

import logging
import os
import tempfile
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

LOOKS = 50  # attempts to read a table being written, 0.01 seconds apart


class Channel(filesystem.Channel):
    """A channel with atomic message files, which reads half-written tables again."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # as Kombu does
        name = f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        appear(Path(self.data_folder_out) / name, dumps(payload))

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # as Kombu does
        """Return the next message.

        Kombu moves it through the temporary directory, and Python finds none while the disk is full.
        """
        try:
            tempfile.gettempdir()
        except FileNotFoundError:
            tempfile.tempdir = str(self.control_folder)  # moving on one disk needs no space
        return super()._get(queue)

    def get_table(self, exchange: str) -> Any:
        """Return the bindings from the shared file, or if unreadable those declared by this process."""
        try:
            table = patiently(lambda: super(Channel, self).get_table(exchange))
        except (ValueError, ChannelError):
            table = []
        return table or (self.state.exchanges or {}).get(exchange, {}).get("table", [])

    def _queue_bind(self, exchange: str, *args: Any) -> None:
        """Bind a queue. A permanently unreadable table, after a full disk or power loss, is started again."""
        table = Path(self._exchange_file(exchange))  # type: ignore[attr-defined]  # Kombu's
        try:
            appear(table, "[]")
            patiently(lambda: super(Channel, self)._queue_bind(exchange, *args))
        except ValueError:
            table.unlink(missing_ok=True)
        except ChannelError as error:
            logger.warning("Only this process knows the queue %s: %s", exchange, error)


def appear(file: Path, text: str) -> None:
    """Create the file atomically with its text unless it exists. Raises `ChannelError` if it cannot be written."""
    part = file.with_name(f"{file.name}.{uuid.uuid4()}.part")  # a name that readers ignore
    try:
        if not file.exists():
            private.write(part, text.encode())
            os.link(part, file)
    except FileExistsError:
        pass  # another process was quicker
    except OSError as error:
        raise ChannelError(f"Cannot write {file.name}: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def patiently(read: Callable[[], Any]) -> Any:
    for _look in range(LOOKS):
        try:
            return read()
        except ValueError:  # incomplete JSON
            time.sleep(0.01)
    return read()


class Transport(filesystem.Transport):
    Channel = Channel


class RedisChannel(redis.Channel):
    """A channel whose closed connection raises an error that makes workers reconnect."""

    def _connparams(self, *args: Any, **kwargs: Any) -> Any:
        if self.connection.client is None:
            raise ConnectionError("The connection to the queue is closed.")
        return super()._connparams(*args, **kwargs)  # type: ignore[misc]  # Kombu's


class RedisTransport(redis.Transport):
    Channel = RedisChannel


def install() -> None:
    """Register these transports for `filesystem://` and `redis://`."""
    TRANSPORT_ALIASES["filesystem"] = "empire.queue:Transport"
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "empire.queue:RedisTransport"
