"""Duplicate play: the same deal at several tables, so that luck cancels. PURE: points in, comparisons out."""

from collections.abc import Sequence

Points = Sequence[Sequence[int]]  # by table, and there by seat


def compared(points: Points) -> list[list[float]]:
    """For each table and seat how many points more, or fewer, than the others in that seat had on average."""
    return [[_against(points, table, seat) for seat in range(len(row))] for table, row in enumerate(points)]


def _against(points: Points, table: int, seat: int) -> float:
    others = [row[seat] for number, row in enumerate(points) if number != table]
    return points[table][seat] - sum(others) / len(others) if others else 0.0
