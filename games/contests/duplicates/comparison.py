"""Comparison of duplicate results, seat by seat, which cancels out luck. PURE: points in, comparisons out."""

from collections.abc import Sequence

Points = Sequence[Sequence[int | None]]  # by table, then by seat; None for a bot


def compared(points: Points) -> list[list[float]]:
    """Return for each seat how many points more, or fewer, it scored than the other people in that seat on average.

    The result is by table, then by seat. It is 0 for bots, and if no other person had the seat.
    """
    return [[_against(points, table, seat) for seat in range(len(row))] for table, row in enumerate(points)]


def _against(points: Points, table: int, seat: int) -> float:
    mine = points[table][seat]
    others = [theirs for number, row in enumerate(points) if number != table and (theirs := row[seat]) is not None]
    return mine - sum(others) / len(others) if others and mine is not None else 0.0
