"""The benchmarks of `make bench`, one module per layer. Each yields rows of the table."""

import gc
import socket
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

HOST = "testserver"  # which the measured site answers to


class Row(NamedTuple):
    """A line of the table: what was measured, the result, and its budget, the most that we want to spend."""

    label: str
    measured: str
    budget: str = ""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Rate(NamedTuple):
    """Games and steps per second of processor time."""

    games: float
    steps: float


def rate(play: Callable[[int], int], seconds: float) -> Rate:
    """Call `play` with 0, 1, 2 … until the time is used up, on one core. It returns the number of steps."""
    gc.collect()
    play(0)
    games = steps = 0
    started = process_time()
    while (spent := process_time() - started) < seconds:
        steps += play(games)
        games += 1
    return Rate(games / spent, steps / spent)


class Time(NamedTuple):
    """The duration of a call in milliseconds: wall clock, and processor time of this process."""

    wall: float
    own: float


def times(call: Callable[[], object], n: int) -> list[Time]:
    """Return the durations of `n` calls, after one that does not count."""
    call()
    return [timed(call) for _ in range(n)]


def timed(call: Callable[[], object]) -> Time:
    wall, own = perf_counter(), process_time()
    call()
    return Time((perf_counter() - wall) * 1000, (process_time() - own) * 1000)


def ms(measured: list[Time]) -> str:
    """Format the medians. The processor time in parentheses is more reliable on a busy machine."""
    wall, own = (median(values) for values in zip(*measured, strict=True))
    return f"{wall:.1f} ms ({own:.1f} of processor)"
