"""A record of the machines that this process connects to. Connections that would leave this machine are refused."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Heard:
    names: list[str] = field(default_factory=list)
    machines: list[str] = field(default_factory=list)


_ears: list[Heard] = []


def _hear(event: str, args: tuple) -> None:
    if not _ears:
        return
    if event == "socket.connect" and isinstance(args[1], tuple):
        _ears[-1].machines.append(args[1][0])
        if not args[1][0].startswith("127."):
            raise ConnectionRefusedError(f"Tests may not connect to {args[1][0]}.")


@contextmanager
def listening() -> Iterator[Heard]:
    if not _installed:
        sys.addaudithook(_hear)
        _installed.append(True)
    _ears.append(Heard())
    yield _ears[-1]
    _ears.pop()


_installed: list[bool] = []
