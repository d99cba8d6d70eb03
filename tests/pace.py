"""Processor time of this process, so that other load on the machine doesn't matter."""

from collections.abc import Callable
from time import process_time


def seconds(doing: Callable[[], object], *, tries: int = 1) -> float:
    """Return the time of the quickest of several tries. Use one try if the code caches its result."""
    return min(_once(doing) for _try in range(tries))


def _once(doing: Callable[[], object]) -> float:
    begun = process_time()
    doing()
    return process_time() - begun
