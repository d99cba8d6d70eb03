"""The folder that is the queue of one machine: Kombu's, with messages and tables that are whole when they are read.

Kombu gives a message its name first and its content after; a worker that looks in between reads nothing and dies of it.
"""

import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
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


def install() -> None:
    """Let `filesystem://` mean this transport."""
    TRANSPORT_ALIASES["filesystem"] = "empire.queue:Transport"
