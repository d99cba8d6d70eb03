"""Cards that add up to a sum: the fewest, and of those the first. Used for troop hands and face-up cards."""

from collections.abc import Sequence
from functools import lru_cache

NEVER = 1 << 20


@lru_cache(maxsize=1 << 10)
def fewest(values: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """Return a table whose `[i][s]` is the smallest number of `values[i:]` with the sum s, up to `most`, or `NEVER`."""
    rows = [(0, *(NEVER,) * most)]
    for value in reversed(values):
        rest = rows[-1]
        with_it = (*(NEVER,) * value, *(n + 1 for n in rest))
        rows.append(tuple(map(min, rest, with_it)))
    return tuple(reversed(rows))


def first(values: Sequence[int], total: int) -> tuple[int, ...]:
    """Return the indexes of the fewest values that add up to the total; of several such sets, the first in order.

    The total must be possible.
    """
    table = fewest(tuple(values), total)
    needed, chosen = table[0][total], []
    for place, value in enumerate(values):
        if value <= total and needed and table[place + 1][total - value] == needed - 1:
            chosen.append(place)
            total, needed = total - value, needed - 1
    return tuple(chosen)
