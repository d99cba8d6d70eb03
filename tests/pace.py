"""How long something takes: in seconds of this process, so that it does not matter what else the machine does."""

from collections.abc import Callable
from time import process_time


def seconds(doing: Callable[[], object], *, tries: int = 1) -> float:
    """Of several tries the quickest; one where what was found once is remembered."""
    return min(_once(doing) for _try in range(tries))


def _once(doing: Callable[[], object]) -> float:
    begun = process_time()
    doing()
    return process_time() - begun
