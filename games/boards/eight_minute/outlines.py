"""Region outlines with fewer points, for fragments sent with every turn; the difference from the coast is invisible."""

from functools import cache
from math import hypot

from games.boards.eight_minute.geometry import Region, drawn, outline, pairs, posed, starting
from games.boards.eight_minute.lying import Point

CLOSE = 6.0  # maximum distance of the shorter outline from the coast, in tenths of a unit


def short_outline(region: Region) -> str:
    """Return a region's outline as a path, within half a unit of the drawn one."""
    return starting(region.sheet.moved(region.coast[0]), _paths(region.side, region.sheet.turns)[region.id])


@cache
def _paths(side: str, turns: int) -> dict[str, str]:
    return {region.id: outline(short_points(region)) for region in posed(side, turns)}


def short_points(region: Region) -> tuple[Point, ...]:
    points = region.points
    return tuple(points[i] for i in _kept(region.side)[region.id])


@cache
def _kept(side: str) -> dict[str, tuple[int, ...]]:
    """Return the indexes of the points kept of each outline of a side."""
    return {region.id: _ring(pairs(region.outline)) for region in drawn(side).regions}


def _ring(points: list[tuple[int, int]]) -> tuple[int, ...]:
    """Simplify a closed line by Douglas-Peucker, cut at its first point and the one farthest from it."""
    x, y = points[0]
    far = max(range(len(points)), key=lambda i: (points[i][0] - x) ** 2 + (points[i][1] - y) ** 2)
    closed = [*points, points[0]]
    return (*_line(closed, 0, far), *_line(closed, far, len(points)))


def _line(points: list[tuple[int, int]], first: int, last: int) -> list[int]:
    """Return the indexes kept from `first` up to, but excluding, `last`."""
    kept, open_spans = [], [(first, last)]
    while open_spans:
        start, end = open_spans.pop()
        away, middle = max(((_away(points, start, end, i), i) for i in range(start + 1, end)), default=(0.0, start))
        if away > CLOSE:
            open_spans += [(middle, end), (start, middle)]
        else:
            kept.append(start)
    return kept


def _away(points: list[tuple[int, int]], start: int, end: int, i: int) -> float:
    """Return the distance of point `i` from the chord."""
    (ax, ay), (bx, by), (x, y) = points[start], points[end], points[i]
    dx, dy = bx - ax, by - ay
    length = hypot(dx, dy)
    return abs(dx * (y - ay) - dy * (x - ax)) / length if length else hypot(x - ax, y - ay)
