"""Positions of the kingdoms in a realm: rulers above, sub-kingdoms below, as rows or as a tree.

Lengths are in units, which are pixels on a page of that width.
"""

from collections.abc import Sequence
from typing import NamedTuple

INDENT = 30  # indentation of a row per ruler above
LEAF = 132  # width of a kingdom in a tree
NARROW = 360
GAP = 34  # between a ruler's words and the banners below, in a tree


class Spot(NamedTuple):
    """A kingdom's position: the middle of its Castle's foot, and its depth in the forest."""

    seat: int
    x: float
    y: float
    depth: int


class Forest(NamedTuple):
    """All spots, rulers before their sub-kingdoms, and the size of the picture."""

    spots: tuple[Spot, ...]
    width: float
    height: float


Rulers = Sequence[int | None]


def in_order(rulers: Rulers) -> list[tuple[int, int]]:
    """Return every seat and its depth, each ruler directly before its sub-kingdoms."""
    found: list[tuple[int, int]] = []
    waiting = [(seat, 0) for seat, ruler in reversed(list(enumerate(rulers))) if ruler is None]
    while waiting:
        seat, depth = waiting.pop()
        found.append((seat, depth))
        waiting += [(each, depth + 1) for each, ruler in reversed(list(enumerate(rulers))) if ruler == seat]
    return found


def rows(rulers: Rulers, heights: Sequence[float]) -> Forest:
    """Return one row for each kingdom, indented under its ruler: for narrow pages. `heights` are those of the rows."""
    spots, y = [], 4.0
    order = in_order(rulers)
    step = min(INDENT, 120 / max(1, *(depth for _, depth in order)))
    for seat, depth in order:
        y += heights[seat]
        spots.append(Spot(seat, 44 + step * depth, y - 10, depth))
    return Forest(tuple(spots), NARROW, y + 4)


def tree(rulers: Rulers, heights: Sequence[float], foot: float) -> Forest:
    """Return a forest with the rulers on top: for wide pages. `foot` is the room for words under each Castle."""
    order = in_order(rulers)
    middles = _middles(rulers, order)
    floors: list[float] = []
    for level in range(1 + max(depth for _, depth in order)):
        tallest = max(heights[seat] for seat, depth in order if depth == level)
        floors.append((floors[-1] + foot + GAP if floors else 4) + tallest)
    spots = tuple(Spot(seat, LEAF * middles[seat], floors[depth], depth) for seat, depth in order)
    leaves = sum(1 for seat in range(len(rulers)) if seat not in rulers)
    return Forest(spots, LEAF * leaves, floors[-1] + foot)


def _middles(rulers: Rulers, order: Sequence[tuple[int, int]]) -> dict[int, float]:
    """Return the middle of each kingdom, counted in leaves: a ruler is centred over their sub-kingdoms."""
    spans: dict[int, tuple[float, float]] = {}
    leaf = 0
    for seat, _ in order:
        if seat not in rulers:
            spans[seat] = (leaf, leaf + 1)
            leaf += 1
    for seat, _ in reversed(order):
        if seat in rulers:
            ruled = [spans[each] for each, ruler in enumerate(rulers) if ruler == seat]
            spans[seat] = (min(span[0] for span in ruled), max(span[1] for span in ruled))
    return {seat: (left + right) / 2 for seat, (left, right) in spans.items()}
