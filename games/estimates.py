"""Numbers that several packages need to estimate something from results. PURE."""

from collections.abc import Sequence
from math import sqrt

NINETY_FIVE = 1.96  # standard errors of a 95% interval


def wilson(share: float, games: int) -> tuple[float, float]:
    """Return the 95% interval of a share by Wilson, which is right for few games and for shares near 0 and 1 too."""
    square = NINETY_FIVE**2 / games
    middle = (share + square / 2) / (1 + square)
    half = NINETY_FIVE / (1 + square) * sqrt(share * (1 - share) / games + square / games / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        lead = rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for i in range(size):
            if i != pivot and rows[i][pivot]:
                part = rows[i][pivot]
                rows[i] = [value - part * other for value, other in zip(rows[i], lead, strict=True)]
    return [row[size:] for row in rows]
