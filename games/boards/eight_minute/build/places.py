"""Places of names and pieces in a region, computed for each quarter turn of a board, since they stay upright."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from games.boards.eight_minute.build.drawing import Point
from games.boards.eight_minute.build.lettering import width

QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # cosine and sine
CELL = 14.0  # width of an army badge
TOKEN = (17.0, 16.0)  # size of a token with the mark below it
CROWD = (74.0, 60.0)  # size of six pieces on a phone, next to a name
NAME = 10.0  # height of the letters of a name, in units of the board
BLOCKS = ((3, 2), (2, 3), (2, 2), (4, 1))  # badges per row, rows
POSES = (0, 1, 2, 3)  # quarter turns clockwise


Fit = tuple[float, float, float]  # air around a box, and its middle


@dataclass
class Places:
    """A region's places on the page; `boxes` are the areas of pieces, name and token."""

    label: Point
    lines: list[str]
    spots: list[Point]
    boxes: list[Polygon]
    token: Point | None = None


def turn(shape: BaseGeometry, pose: int) -> BaseGeometry:
    """Return the shape as shown on the page, turned clockwise around the origin by a number of quarter turns."""
    a, b = QUARTERS[pose]
    return shapely.affinity.affine_transform(shape, [a, -b, b, a, 0, 0])


def forward(point: Point, pose: int) -> Point:
    a, b = QUARTERS[pose]
    return a * point[0] - b * point[1], b * point[0] + a * point[1]


def back(point: Point, pose: int) -> Point:
    """Convert a point of the page back to the upright board."""
    x, y = forward(point, -pose % 4)
    return round(x, 1), round(y, 1)


def _settings(name: str) -> Iterator[list[str]]:
    yield [name]
    if " " in name:
        yield name.split(" ", 1)


def _size(lines: list[str]) -> tuple[float, float]:
    return max(width(line, NAME) for line in lines) + 3, NAME * 0.95 * len(lines) + 1


def _around(x: float, y: float, wide: float, high: float) -> Polygon:
    return box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _roomy(free: BaseGeometry, wide: float, high: float, step: float) -> list[Fit]:
    """Return the centres at which a box fits, those with the most space around it first."""
    shapely.prepare(free)
    left, top, right, bottom = free.bounds
    x, y = (
        grid.ravel() for grid in np.meshgrid(np.arange(left + step, right, step), np.arange(top + step, bottom, step))
    )
    boxes = shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    fits = shapely.contains(free, boxes)
    air = shapely.distance(boxes[fits], free.boundary)
    return sorted(zip(air.tolist(), x[fits].tolist(), y[fits].tolist(), strict=True), reverse=True)


def _some(found: list[Fit]) -> list[Fit]:
    """Return the best dozen, and eighteen of the others."""
    return found[:12] + found[12 :: max(1, len(found) // 18)]


def _whole(shape: BaseGeometry) -> BaseGeometry:
    return max(shape.geoms, key=lambda part: part.area) if isinstance(shape, MultiPolygon) else shape


def _best(free: BaseGeometry, name: str, block: tuple[int, int]) -> Places | None:
    """Return the block of badges and the name that leave each other and the coast the most space."""
    found = []
    for air, x, y in _some(_roomy(free, block[0] * CELL, block[1] * CELL, 2)):
        area = _around(x, y, block[0] * CELL, block[1] * CELL)
        rest = _whole(free.difference(area))
        for lines in _settings(name):
            for room, *label in _roomy(rest, *_size(lines), 2.5)[:40]:
                far = abs(label[0] - x) * 0.5 + abs(label[1] - y)
                score = min(air, 6) + min(room, 3) - 0.05 * far - 1.5 * (len(lines) - 1)
                found.append((score, label, lines, area))
    if not found:
        return None
    _, (lx, ly), lines, area = max(found, key=lambda one: one[0])
    return Places((lx, ly), lines, _cells(area, block), [area, _around(lx, ly, *_size(lines))])


def _cells(area: Polygon, block: tuple[int, int]) -> list[Point]:
    left, top, _, _ = area.bounds
    cells = [(left + (i + 0.5) * CELL, top + (j + 0.5) * CELL) for j in range(block[1]) for i in range(block[0])]
    middle = area.centroid
    return sorted(
        cells, key=lambda cell: (round(abs(cell[0] - middle.x) + abs(cell[1] - middle.y), 1), cell[1], cell[0])
    )


def places(region: Polygon, name: str, closed: list[Polygon], token: bool) -> Places | None:
    """Return a region's places on the page, clear of what is closed; None if it is too full.

    Nothing else may cover the token's place.
    """
    free = _whole(region.buffer(-1.5).difference(shapely.union_all(closed)))
    settled = (_best(free, name, block) for block in BLOCKS)
    return next((one for one in settled if one and (not token or with_token(one, region, closed))), None)


def with_token(found: Places, region: Polygon, closed: list[Polygon], size: tuple[float, float] = TOKEN) -> bool:
    """Find a token's place in the region, near its pieces and clear of what is closed. Return whether there is one."""
    free = region.buffer(-1.5).difference(shapely.union_all([*closed, *found.boxes]))
    rooms = _roomy(free, *size, 1.5)
    if not rooms:
        return False
    x, y = (sum(spot[axis] for spot in found.spots) / len(found.spots) for axis in (0, 1))

    def worth(room: Fit) -> float:
        air, across, down = room[0], abs(room[1] - x), abs(room[2] - y)
        apart = across >= (CROWD[0] + size[0]) / 2 or down >= (CROWD[1] + size[1]) / 2
        return min(air, 3) + 5 * apart - 0.05 * hypot(across, down)

    _, *best = max(rooms, key=worth)
    found.token = (best[0], best[1])
    found.boxes.append(_around(*found.token, *size))
    return True
