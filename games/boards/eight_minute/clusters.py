"""Positions of pieces in a region: rows side by side, on its own land and off its name if possible.

Results for a side hold wherever that side is turned the same way, so all pictures share them. Positions are counted in
steps of `GRID` units from the middle of the sheet.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import ceil

from games.boards.eight_minute.geometry import (
    NAME_LEADING,
    NAME_SIZE,
    DrawnRegion,
    Picture,
    Region,
    Sheet,
    drawn,
    pairs,
)
from games.boards.eight_minute.lying import Point

GRID = 5
SIGN = 9  # room for the signs around a name
LETTER = 0.46  # average width of a letter, relative to its height
# Costs of bad positions for a piece.
AT_SEA, NEXT_DOOR, ON_NAME, ON_TOKEN, NEAR, FAR, UNTIDY = 0.9, 2.5, 0.7, 4.5, 0.3, 0.02, 0.3
STRAY = 0.05  # cost for a token away from its printed place
TOKEN = 0.95  # width and height of a token, in cells
IN_SIGHT = 0.85  # minimum distance of pieces from a visible token, in cells
ONE = ((0.0, 0.0),)  # a single cell
NOWHERE = 1e9
AWAY = 20.0  # a piece off the region's land
REACH = 5  # steps beyond a region's box where pieces are still allowed

Step = tuple[int, int]


def cell(picture: Picture) -> float:
    """Return the size of a piece with its margin, so that it is 15 pixels high in a picture 390 pixels wide."""
    return round(max(22.0, 18.5 * picture.width / 390), 1)


def cluster(picture: Picture, region: Region, count: int, *, beside_token: bool = False) -> tuple[Point, ...]:
    """Return the middles of `count` cells, row by row. `beside_token` keeps the region's token visible."""
    sheet = next(sheet for sheet in picture.sheets if sheet.side == region.side)
    spots = _on_sheet(sheet.side, sheet.turns, region.id, count, cell(picture), beside_token)
    return tuple((round(sheet.x + x, 1), round(sheet.y + y, 1)) for x, y in spots)


def beside_token(picture: Picture, region: Region, count: int) -> tuple[Point, tuple[Point, ...]]:
    """Return the position of a region's token and its pieces' cells. A token they would cover becomes the first."""
    spots = cluster(picture, region, count, beside_token=True) if count else ()
    sheet = next(sheet for sheet in picture.sheets if sheet.side == region.side)
    dx, dy = _token_at(sheet.side, sheet.turns, region.id, cell(picture))
    x, y = round(sheet.x + dx, 1), round(sheet.y + dy, 1)
    if all(max(abs(x - i), abs(y - j)) > IN_SIGHT * cell(picture) for i, j in spots):
        return (x, y), spots
    token, *pieces = cluster(picture, region, count + 1)
    return token, tuple(pieces)


@lru_cache(maxsize=65_536)
def _on_sheet(side: str, turns: int, region: str, count: int, size: float, beside_token: bool) -> tuple[Point, ...]:
    """Return the best arrangement at the best position, measured from the middle of the sheet."""
    sheet = Sheet("", side, turns, 0, 0)
    costs, land = _costs(side, turns, region, size, beside_token), _land(sheet, _shape(side, region))
    found = []
    for rows in range(1, min(count, 5) + 1):  # as even as possible, around their common middle
        lengths = [ceil((count - row) / rows) for row in range(rows)]
        cells = tuple(
            (i - (length - 1) / 2, row - (rows - 1) / 2) for row, length in enumerate(lengths) for i in range(length)
        )
        found.append(_cheapest(costs, sheet, land, cells, size))
    _, (x, y), cells = min(found, key=lambda one: one[0])
    return tuple((x * GRID + i * size, y * GRID + j * size) for i, j in cells)


def _cheapest(
    costs: dict[Step, float], sheet: Sheet, land: Iterable[Step], cells: tuple[Point, ...], size: float
) -> tuple[float, Step, tuple[Point, ...]]:
    """Return an arrangement's lowest cost, the first position on the sheet with that cost, and its cells."""
    steps = [(round(i * size / GRID), round(j * size / GRID)) for i, j in cells]
    columns, rows = max(i for i, _ in cells), max(j for _, j in cells)
    wide, high = sheet.size
    right, bottom = (wide / 2 - (columns + 0.5) * size) / GRID, (high / 2 - (rows + 0.5) * size) / GRID
    least, best = NOWHERE, (0, 0)
    for x, y in land:
        if abs(x) > right or abs(y) > bottom:
            continue
        cost = 0.0
        for i, j in steps:
            cost += costs.get((x + i, y + j), AWAY)
            if cost > least:
                break  # costs are never negative
        else:
            least, best = min((cost, (x, y)), (least, best))
    return UNTIDY * abs(columns - rows) + least, best, cells


@lru_cache(maxsize=1024)
def _costs(side: str, turns: int, region: str, size: float, beside_token: bool) -> dict[Step, float]:
    """Return the cost of a single piece at each position on the region's land."""
    sheet = Sheet("", side, turns, 0, 0)
    # Pieces gather around the middle of the places that the map keeps free.
    xs, ys = zip(*(sheet.point(x / 10, y / 10) for x, y in _shape(side, region).poses[turns].spots), strict=True)
    middle = sum(xs) / len(xs) / GRID, sum(ys) / len(ys) / GRID
    costs = _near(_worth(side, turns, region, _reach(size)), middle, FAR)
    if beside_token:
        covered = _box(*_token_at(side, turns, region, size), 0.5 * TOKEN * size, 0.5 * TOKEN * size)
        for place, cost in _spread(dict.fromkeys(covered, ON_TOKEN), _reach(size)).items():
            costs[place] = costs.get(place, AWAY) + cost
    return costs


@lru_cache(maxsize=1024)
def _token_at(side: str, turns: int, region: str, size: float) -> Point:
    """Return the token's position relative to the middle of the sheet: its printed place if possible, or nearby."""
    sheet, shape = Sheet("", side, turns, 0, 0), _shape(side, region)
    pose = shape.poses[turns]
    x, y = sheet.point(pose.token[0] / 10, pose.token[1] / 10)
    if not drawn(side).alone:
        costs = _near(_worth(side, turns, region, _reach(size)), (x / GRID, y / GRID), STRAY)
        _, (column, row), _ = _cheapest(costs, sheet, _land(sheet, shape), ONE, size)
        return column * GRID, row * GRID
    # On a single board it only moves up or down if it would cover the name.
    name_x, name_y = sheet.point(pose.label[0] / 10, pose.label[1] / 10)
    wide = max(map(len, pose.lines)) * LETTER * NAME_SIZE / 2
    apart = 0.5 * TOKEN * size + (len(pose.lines) - 0.6) * NAME_LEADING / 2 + 3.2
    if abs(x - name_x) > wide + 0.5 * TOKEN * size:
        return x, y
    return (x, min(y, name_y - apart)) if y < name_y else (x, max(y, name_y + apart))


def _near(costs: dict[Step, float], middle: Point, dear: float) -> dict[Step, float]:
    """Return the costs plus the distance from a middle."""
    return {(x, y): cost + dear * GRID * (abs(x - middle[0]) + abs(y - middle[1])) for (x, y), cost in costs.items()}


@lru_cache(maxsize=1024)
def _worth(side: str, turns: int, region: str, reach: int) -> dict[Step, float]:
    """Return the cost of covering sea, neighbors or the name, for each position of a piece's middle."""
    sheet, shape = Sheet("", side, turns, 0, 0), _shape(side, region)
    land = _land(sheet, shape)
    others = frozenset().union(*(_land(sheet, other) for other in drawn(side).regions))
    around = set(_around(land, REACH + reach + 1)) - land
    costs = _spread({place: NEXT_DOOR if place in others else AT_SEA for place in around}, reach)
    pose, steps = shape.poses[turns], range(-reach, reach + 1)
    label = sheet.point(pose.label[0] / 10, pose.label[1] / 10)
    wide = max(map(len, pose.lines)) * LETTER * NAME_SIZE / 2 + SIGN
    for x, y in _box(*label, wide, len(pose.lines) * NAME_LEADING / 2 + 2):
        for i in steps:
            for j in steps:
                costs[x - i, y - j] += ON_NAME
    return {place: costs[place] for place in _around(land, REACH)}


def _spread(bad: dict[Step, float], reach: int) -> defaultdict[Step, float]:
    """Return the cost of each position for a piece whose middle, corners or surroundings are on bad places."""
    felt = [(0, 0, 2.0), *((i, j, 1.0) for i, j in _ring(reach)), *((i, j, NEAR) for i, j in _ring(reach + 1))]
    costs: defaultdict[Step, float] = defaultdict(float)
    for (x, y), cost in bad.items():
        for i, j, share in felt:
            costs[x + i, y + j] += share * cost
    return costs


def _reach(size: float) -> int:
    """Return the number of steps from the middle of a piece to its edge."""
    return round(0.42 * size / GRID)


def _shape(side: str, region: str) -> DrawnRegion:
    return next(shape for shape in drawn(side).regions if shape.id == region)


def _around(land: frozenset[Step], margin: int) -> Iterator[Step]:
    """Yield all places in the box around some land, plus a margin."""
    xs, ys = zip(*land, strict=True)
    for x in range(min(xs) - margin, max(xs) + margin + 1):
        for y in range(min(ys) - margin, max(ys) + margin + 1):
            yield x, y


def _ring(reach: int) -> list[Step]:
    """Return the corners of a square."""
    return [(x, y) for x in (-reach, reach) for y in (-reach, reach)]


@lru_cache(maxsize=512)
def _land(sheet: Sheet, shape: DrawnRegion) -> frozenset[Step]:
    """Return the places inside the outline, found row by row between its crossings."""
    points = [sheet.point(x / 10, y / 10) for x, y in pairs(shape.outline)]
    crossings: dict[int, list[float]] = {}
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        for row in range(ceil(min(ay, by) / GRID), ceil(max(ay, by) / GRID)):
            crossings.setdefault(row, []).append(ax + (row * GRID - ay) * (bx - ax) / (by - ay))
    return frozenset(
        (x, row)
        for row, found in crossings.items()
        for left, right in zip(*[iter(sorted(found))] * 2, strict=True)
        for x in range(ceil(left / GRID), ceil(right / GRID))
    )


def _box(x: float, y: float, wide: float, high: float) -> set[Step]:
    """Return the places within this distance of a point."""
    columns = range(ceil((x - wide) / GRID), ceil((x + wide) / GRID))
    rows = range(ceil((y - high) / GRID), ceil((y + high) / GRID))
    return {(column, row) for column in columns for row in rows}
