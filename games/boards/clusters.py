"""Where the pieces of a region lie: side by side in rows, on its own land and off its name if that can be.

What is worked out for a side holds wherever that side lies the same way, so all pictures share it. Places are counted
in steps of `GRID` units from the middle of the sheet.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil

from games.boards.geometry import NAME_LEADING, NAME_SIZE, DrawnRegion, Picture, Point, Region, Sheet, drawn, pairs

GRID = 5
SIGN = 9  # room for the signs before and behind a name
LETTER = 0.46  # how wide a letter of a name is on average, for each unit of height
# What it costs a piece to lie badly.
AT_SEA, NEXT_DOOR, ON_NAME, ON_TOKEN, NEAR, FAR, UNTIDY = 0.9, 2.5, 1.9, 1.9, 0.3, 0.02, 0.3
TOKEN = 20  # how wide and high a token is, with a margin
AWAY = 20.0  # a piece altogether somewhere else
REACH = 5  # steps beyond a region's box where pieces may still lie

Step = tuple[int, int]


def cell(picture: Picture) -> float:
    """How large a piece is with its margin, so that it stays 15 pixels high in a picture 390 pixels wide."""
    return round(max(22.0, 18.5 * picture.width / 390), 1)


def cluster(picture: Picture, region: Region, count: int, *, beside_token: bool = False) -> tuple[Point, ...]:
    """The middles of `count` cells in the picture, row by row; `beside_token` leaves the region's token in sight."""
    sheet = next(sheet for sheet in picture.sheets if sheet.side == region.side)
    spots = _on_sheet(sheet.side, sheet.turns, region.id, count, cell(picture), beside_token)
    return tuple((round(sheet.x + x, 1), round(sheet.y + y, 1)) for x, y in spots)


@lru_cache(maxsize=8192)
def _on_sheet(side: str, turns: int, region: str, count: int, size: float, beside_token: bool) -> tuple[Point, ...]:
    """The best of all arrangements at all places, measured from the middle of the sheet."""
    costs = _costs(side, turns, region, size, beside_token)
    tried = (
        (_cost(costs, place, cells, size), place, cells)
        for cells in _arrangements(count)
        for place in _land(Sheet("", side, turns, 0, 0), _shape(side, region))
        if _fits(side, turns, place, cells, size)
    )
    _, (x, y), cells = min(tried, key=lambda one: one[0])
    return tuple((x * GRID + i * size, y * GRID + j * size) for i, j in cells)


def _arrangements(count: int) -> Iterator[tuple[Point, ...]]:
    """The middles of `count` cells in rows as even as can be, in cells around their common middle."""
    for rows in range(1, min(count, 5) + 1):
        lengths = [ceil((count - row) / rows) for row in range(rows)]
        yield tuple(
            (i - (length - 1) / 2, row - (rows - 1) / 2) for row, length in enumerate(lengths) for i in range(length)
        )


def _cost(costs: dict[Step, float], place: Step, cells: tuple[Point, ...], size: float) -> float:
    x, y = place
    wide, high = max(i for i, _ in cells), max(j for _, j in cells)
    spots = ((x + round(i * size / GRID), y + round(j * size / GRID)) for i, j in cells)
    return UNTIDY * abs(wide - high) + sum(costs.get(spot, AWAY) for spot in spots)


def _fits(side: str, turns: int, place: Step, cells: tuple[Point, ...], size: float) -> bool:
    """Whether the cluster stays on its sheet."""
    wide, high = Sheet("", side, turns, 0, 0).size
    right = abs(place[0]) * GRID + (max(i for i, _ in cells) + 0.5) * size
    bottom = abs(place[1]) * GRID + (max(j for _, j in cells) + 0.5) * size
    return right <= wide / 2 and bottom <= high / 2


@lru_cache(maxsize=1024)
def _costs(side: str, turns: int, region: str, size: float, beside_token: bool) -> dict[Step, float]:
    """What it costs a single piece to lie with its middle at each place of the region's land."""
    sheet, shape = Sheet("", side, turns, 0, 0), _shape(side, region)
    land, name = _land(sheet, shape), _name(sheet, shape)
    token = _token(sheet, shape) if beside_token else set()
    others = frozenset().union(*(_land(sheet, other) for other in drawn(side).regions)) - land
    reach = round(0.42 * size / GRID)
    bad = {
        place: ON_NAME * (place in name)
        + ON_TOKEN * (place in token)
        + (NEXT_DOOR if place in others else AT_SEA) * (place not in land)
        for place in _around(land, REACH + reach + 1)
    }
    inner, outer = _ring(reach), _ring(reach + 1)
    x0, y0 = _anchor(sheet, shape)
    return {
        (x, y): 2 * bad[x, y]
        + sum(bad[x + i, y + j] for i, j in inner)
        + NEAR * sum(bad[x + i, y + j] for i, j in outer)
        + FAR * GRID * (abs(x - x0) + abs(y - y0))
        for x, y in _around(land, REACH)
    }


def _shape(side: str, region: str) -> DrawnRegion:
    return next(shape for shape in drawn(side).regions if shape.id == region)


def _around(land: frozenset[Step], margin: int) -> Iterator[Step]:
    """All places of the box around some land, and of a margin."""
    xs, ys = zip(*land, strict=True)
    for x in range(min(xs) - margin, max(xs) + margin + 1):
        for y in range(min(ys) - margin, max(ys) + margin + 1):
            yield x, y


def _ring(reach: int) -> list[Step]:
    """The corners of a square."""
    return [(x, y) for x in (-reach, reach) for y in (-reach, reach)]


@lru_cache(maxsize=512)
def _land(sheet: Sheet, shape: DrawnRegion) -> frozenset[Step]:
    """The places inside the outline, found row by row between its crossings."""
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


def _name(sheet: Sheet, shape: DrawnRegion) -> set[Step]:
    """The places that the region's name covers."""
    pose = shape.poses[sheet.turns]
    x, y = sheet.point(pose.label[0] / 10, pose.label[1] / 10)
    wide = max(map(len, pose.lines)) * LETTER * NAME_SIZE / 2 + SIGN
    high = len(pose.lines) * NAME_LEADING / 2
    return _box(x, y, wide, high)


def _token(sheet: Sheet, shape: DrawnRegion) -> set[Step]:
    """The places that a token covers."""
    token = shape.poses[sheet.turns].token
    return _box(*sheet.point(token[0] / 10, token[1] / 10), TOKEN / 2, TOKEN / 2)


def _box(x: float, y: float, wide: float, high: float) -> set[Step]:
    """The places so far around a point."""
    columns = range(ceil((x - wide) / GRID), ceil((x + wide) / GRID))
    rows = range(ceil((y - high) / GRID), ceil((y + high) / GRID))
    return {(column, row) for column in columns for row in rows}


def _anchor(sheet: Sheet, shape: DrawnRegion) -> tuple[float, float]:
    """The middle of the places that the map keeps free, in steps."""
    spots = [sheet.point(x / 10, y / 10) for x, y in shape.poses[sheet.turns].spots]
    xs, ys = zip(*spots, strict=True)
    return sum(xs) / len(xs) / GRID, sum(ys) / len(ys) / GRID
