"""Positions of pieces in a region: rows side by side, on its own land and off its name if possible.

Results for a side hold wherever that side is turned the same way, so all pictures share them. The search takes about a
millisecond for each region and number of pieces, so the usual results are stored. Positions are counted in steps of
`GRID` units from the middle of the sheet.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache, reduce
from math import ceil
from operator import add

import msgspec

from games.boards.eight_minute.geometry import FOLDER, NAME_LEADING, NAME_SIZE, Picture, Region, drawn, posed
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

COLUMN = 1 << 10  # places from one column to the next: more than a sheet is high
USUAL = 6  # results for up to this number of pieces in a region are stored

Step = tuple[int, int]
Arrangement = tuple[int, int, int]  # number of rows, and the step at their middle
Costs = dict[int, float]  # by `COLUMN * x + y`, so that a number leads from each place to a neighbor


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
    dx, dy = _usual(sheet.side, sheet.turns, region.id, cell(picture)).token
    x, y = round(sheet.x + dx, 1), round(sheet.y + dy, 1)
    if all(max(abs(x - i), abs(y - j)) > IN_SIGHT * cell(picture) for i, j in spots):
        return (x, y), spots
    token, *pieces = cluster(picture, region, count + 1)
    return token, tuple(pieces)


# The stored results


class Usual(msgspec.Struct, frozen=True, array_like=True):
    """Positions in a region: of its token, and of 1, 2, 3 … pieces that may cover the token or keep it visible."""

    token: Point
    covering: tuple[Arrangement, ...] = ()
    beside: tuple[Arrangement, ...] = ()


@cache
def stored() -> dict[str, dict[str, list[dict[str, Usual]]]]:
    """Return what `searched` has found, by size of a cell, side, quarter turns and region."""
    return msgspec.json.decode(
        (FOLDER / "_clusters.json").read_bytes(), type=dict[str, dict[str, list[dict[str, Usual]]]]
    )


def searched(side: str, turns: int, region: str, size: float) -> Usual:
    """Search the positions to store."""
    covering, beside = (
        tuple(_search(side, turns, region, count, size, beside_token) for count in range(1, USUAL + 1))
        for beside_token in (False, True)
    )
    return Usual(_token_at(side, turns, region, size), covering, beside)


def _usual(side: str, turns: int, region: str, size: float) -> Usual:
    """Return what is stored; for another size of a cell, only the token's position."""
    sides = stored().get(f"{size:g}")
    return sides[side][turns][region] if sides and side in sides else Usual(_token_at(side, turns, region, size))


@lru_cache(maxsize=65_536)
def _on_sheet(side: str, turns: int, region: str, count: int, size: float, beside_token: bool) -> tuple[Point, ...]:
    """Return the best cells for pieces, measured from the middle of the sheet."""
    known = _usual(side, turns, region, size)
    arrangements = known.beside if beside_token else known.covering
    if count <= len(arrangements):
        rows, x, y = arrangements[count - 1]
    else:
        rows, x, y = _search(side, turns, region, count, size, beside_token)
    return tuple((x * GRID + i * size, y * GRID + j * size) for i, j in _cells(count, rows))


def _cells(count: int, rows: int) -> tuple[Point, ...]:
    """Return the middles of cells in rows as even as possible, around their common middle, in cells."""
    lengths = [ceil((count - row) / rows) for row in range(rows)]
    return tuple(
        (i - (length - 1) / 2, row - (rows - 1) / 2) for row, length in enumerate(lengths) for i in range(length)
    )


# The search


def _search(side: str, turns: int, region: str, count: int, size: float, beside_token: bool) -> Arrangement:
    """Return the best arrangement at the best position."""
    costs = (
        _costs_beside_token(side, turns, region, size) if beside_token else _costs(side, turns, region, _reach(size))
    )
    arrangements = []
    for rows in range(1, min(count, 5) + 1):
        cost, step = _cheapest(costs, side, turns, region, _cells(count, rows), size)
        arrangements.append((cost, rows, step))
    _, rows, (x, y) = min(arrangements)
    return rows, x, y


def _cheapest(
    costs: Costs, side: str, turns: int, region: str, cells: tuple[Point, ...], size: float
) -> tuple[float, Step]:
    """Return an arrangement's lowest cost, and the first position on the sheet with that cost."""
    steps = [COLUMN * round(i * size / GRID) + round(j * size / GRID) for i, j in cells]
    columns, rows = max(i for i, _ in cells), max(j for _, j in cells)
    wide, high = _posed(side, turns, region).sheet.size
    right, bottom = (wide / 2 - (columns + 0.5) * size) / GRID, (high / 2 - (rows + 0.5) * size) / GRID
    least, best = NOWHERE, (0, 0)
    for x, y in _land(side, turns, region):
        if abs(x) > right or abs(y) > bottom:
            continue
        place, cost = COLUMN * x + y, 0.0
        for step in steps:
            cost += costs.get(place + step, AWAY)
            if cost > least:
                break  # costs are never negative
        else:
            least, best = min((cost, (x, y)), (least, best))
    return UNTIDY * abs(columns - rows) + least, best


@lru_cache(maxsize=1024)
def _costs(side: str, turns: int, region: str, reach: int) -> Costs:
    """Return the cost of a single piece at each position on the region's land."""
    # Pieces gather around the middle of the places that the map keeps free.
    # `sum` rounds differently since Python 3.12, which would choose others of equally good positions.
    anchors = _posed(side, turns, region).anchors
    x, y = (reduce(add, along) / len(anchors) / GRID for along in zip(*anchors, strict=True))
    return _near(side, turns, region, reach, (x, y), FAR)


@lru_cache(maxsize=1024)
def _costs_beside_token(side: str, turns: int, region: str, size: float) -> Costs:
    """Return the same costs for a piece that should not cover the region's token."""
    costs, half = _costs(side, turns, region, _reach(size)), 0.5 * TOKEN * size
    columns, rows = _box(*_token_at(side, turns, region, size), half, half)
    covered = {COLUMN * x + y: ON_TOKEN for x in columns for y in rows}
    felt = _felt(covered, 0, costs, _reach(size))
    return {place: cost + more for (place, cost), more in zip(costs.items(), felt, strict=True)}


@lru_cache(maxsize=1024)
def _token_at(side: str, turns: int, region: str, size: float) -> Point:
    """Return the token's position relative to the middle of the sheet: its printed place if possible, or nearby."""
    here = _posed(side, turns, region)
    x, y = here.token
    if not drawn(side).alone:
        costs = _near(side, turns, region, _reach(size), (x / GRID, y / GRID), STRAY)
        _, (column, row) = _cheapest(costs, side, turns, region, ONE, size)
        return column * GRID, row * GRID
    # On a single board it only moves up or down if it would cover the name.
    name_x, name_y = here.label
    apart = 0.5 * TOKEN * size + (len(here.lines) - 0.6) * NAME_LEADING / 2 + 3.2
    if abs(x - name_x) > _name_width(here) / 2 + 0.5 * TOKEN * size:
        return x, y
    return (x, min(y, name_y - apart)) if y < name_y else (x, max(y, name_y + apart))


def _near(side: str, turns: int, region: str, reach: int, middle: Point, dear: float) -> Costs:
    """Return the base costs plus those of the distance from a middle."""
    columns, rows = _around(_land(side, turns, region))
    down = [dear * GRID * abs(y - middle[1]) for y in rows]
    far = (dear * GRID * abs(x - middle[0]) + more for x in columns for more in down)
    costs = _base_costs(side, turns, region, reach)
    return {place: cost + more for (place, cost), more in zip(costs.items(), far, strict=True)}


@lru_cache(maxsize=1024)
def _base_costs(side: str, turns: int, region: str, reach: int) -> Costs:
    """Return the cost of covering sea, neighbors or the name, for each position of a piece's middle, by columns."""
    here, land = _posed(side, turns, region), _land(side, turns, region)
    ground = _neighbors(side, turns) | {COLUMN * x + y: 0.0 for x, y in land}
    columns, rows = _around(land)
    places = [COLUMN * x + y for x in columns for y in rows]
    costs = dict(zip(places, _felt(ground, AT_SEA, places, reach), strict=True))
    # How many columns and rows of the name are within reach
    name = _box(*here.label, _name_width(here) / 2 + SIGN, len(here.lines) * NAME_LEADING / 2 + 2)
    across, down = (Counter(i + n for i in steps for n in range(-reach, reach + 1)) for steps in name)
    for x, wide in across.items():
        for y, high in down.items():
            if (place := COLUMN * x + y) in costs:
                costs[place] += wide * high * ON_NAME
    return costs


@lru_cache(maxsize=64)
def _neighbors(side: str, turns: int) -> Costs:
    """Return the cost of places on land for a piece of another region."""
    return {COLUMN * x + y: NEXT_DOOR for region in posed(side, turns) for x, y in _land(side, turns, region.id)}


def _felt(bad: Costs, elsewhere: float, places: Iterable[int], reach: int) -> list[float]:
    """Return the cost of each place for a piece whose middle, corners or surroundings are on bad places."""
    at, no = bad.get, elsewhere
    a, b = reach * (COLUMN + 1), reach * (COLUMN - 1)  # from the middle to the corners
    c, d = a + COLUMN + 1, b + COLUMN - 1  # to what surrounds them
    return [
        2 * at(here, no)
        + at(here - a, no) + at(here - b, no) + at(here + b, no) + at(here + a, no)
        + NEAR * (at(here - c, no) + at(here - d, no) + at(here + d, no) + at(here + c, no))
        for here in places
    ]  # fmt: skip


def _reach(size: float) -> int:
    """Return the number of steps from the middle of a piece to its edge."""
    return round(0.42 * size / GRID)


@lru_cache(maxsize=512)
def _posed(side: str, turns: int, region: str) -> Region:
    return next(posed_region for posed_region in posed(side, turns) if posed_region.id == region)


def _name_width(region: Region) -> float:
    return max(len(line.text) for line in region.lines) * LETTER * NAME_SIZE


def _around(land: Iterable[Step]) -> tuple[range, range]:
    """Return the columns and rows of the box around some land, plus a margin."""
    xs, ys = zip(*land, strict=True)
    return range(min(xs) - REACH, max(xs) + REACH + 1), range(min(ys) - REACH, max(ys) + REACH + 1)


@lru_cache(maxsize=512)
def _land(side: str, turns: int, region: str) -> frozenset[Step]:
    """Return the places inside the outline, found row by row between its crossings."""
    points, crossings = _posed(side, turns, region).coast, dict[int, list[float]]()
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        for row in range(ceil(min(ay, by) / GRID), ceil(max(ay, by) / GRID)):
            crossings.setdefault(row, []).append(ax + (row * GRID - ay) * (bx - ax) / (by - ay))
    return frozenset(
        (x, row)
        for row, crossing_rows in crossings.items()
        for left, right in zip(*[iter(sorted(crossing_rows))] * 2, strict=True)
        for x in range(ceil(left / GRID), ceil(right / GRID))
    )


def _box(x: float, y: float, wide: float, high: float) -> tuple[range, range]:
    """Return the columns and rows within this distance of a point."""
    columns = range(ceil((x - wide) / GRID), ceil((x + wide) / GRID))
    rows = range(ceil((y - high) / GRID), ceil((y + high) / GRID))
    return columns, rows
