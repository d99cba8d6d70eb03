"""What `make bench` measures, one module for each layer. Each gives rows for the table."""

import gc
import socket
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple


class Row(NamedTuple):
    """A line of the table: what was measured, what came out, and what it may cost at most (design, section 7)."""

    what: str
    measured: str
    budget: str = ""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Rate(NamedTuple):
    """How often a second of processor time, and how many steps in it."""

    games: float
    steps: float


def rate(play: Callable[[int], int], seconds: float) -> Rate:
    """Play number 0, 1, 2 … until the time is used up, on one core; `play` returns its number of steps."""
    gc.collect()
    play(0)
    games = steps = 0
    started = process_time()
    while (spent := process_time() - started) < seconds:
        steps += play(games)
        games += 1
    return Rate(games / spent, steps / spent)


class Time(NamedTuple):
    """Milliseconds that a call took: by the wall clock, and of this process's processor time."""

    wall: float
    own: float


def times(call: Callable[[], object], n: int) -> list[Time]:
    """How long each of `n` calls took, after one that does not count."""
    call()
    return [timed(call) for _ in range(n)]


def timed(call: Callable[[], object]) -> Time:
    wall, own = perf_counter(), process_time()
    call()
    return Time((perf_counter() - wall) * 1000, (process_time() - own) * 1000)


def ms(measured: list[Time]) -> str:
    """The median, and behind it the processor time, which says more on a machine that does other work beside."""
    wall, own = (median(values) for values in zip(*measured, strict=True))
    return f"{wall:.1f} ms ({own:.1f} of processor)"
