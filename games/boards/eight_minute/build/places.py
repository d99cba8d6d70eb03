"""What goes where on a region: its name, pieces and token, which stay upright and are placed for each quarter turn; and
the glyphs, unique ones where the drawing says, the rest where there is room, none on names or pieces.
"""

from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from games.boards.eight_minute.build.drawing import Point, width
from games.boards.eight_minute.build.glyphs import Glyph, variants

QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # cosine and sine
CELL = 14.0  # width of an army badge
TOKEN = (17.0, 16.0)  # size of a token with the mark below it
CROWD = (74.0, 60.0)  # size of six pieces on a phone, next to a name
NAME = 10.0  # height of the letters of a name, in units of the board
BLOCKS = ((3, 2), (2, 3), (2, 2), (4, 1))  # badges per row, rows
POSES = (0, 1, 2, 3)  # quarter turns clockwise

TRIES = 90
# The share of its width and height that a glyph keeps free; the rest may overlap others of its kind.
CORES = {
    "mountain": (0.72, 0.42), "snowpeak": (0.72, 0.42), "needles": (0.9, 0.5), "tree": (0.8, 0.5),
    "pine": (0.75, 0.42), "snowpine": (0.75, 0.42), "fern": (0.75, 0.5), "thistle": (0.7, 0.4), "bush": (0.9, 0.7),
    "dune": (0.8, 0.8), "reed": (0.8, 0.6), "wheat": (0.85, 0.6),
}  # fmt: skip
LONERS = {"tuft", "crack", "cactus", "hill", "wave", "rock", "floe", "berg", "sheep"}  # kinds that keep apart

Fit = tuple[float, float, float]  # air around a box, and its middle


def turn(shape: BaseGeometry, pose: int) -> BaseGeometry:
    """Return the shape as shown on the page, turned clockwise around the origin by a number of quarter turns."""
    a, b = QUARTERS[pose]
    return shapely.affinity.affine_transform(shape, [a, -b, b, a, 0, 0])


def forward(point: Point, pose: int) -> Point:
    """Convert a point of the upright board to the page."""
    a, b = QUARTERS[pose]
    return a * point[0] - b * point[1], b * point[0] + a * point[1]


def back(point: Point, pose: int) -> Point:
    """Convert a point of the page back to the upright board."""
    x, y = forward(point, -pose % 4)
    return round(x, 1), round(y, 1)


def around(x: float, y: float, wide: float, high: float) -> Polygon:
    return box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


# Names, pieces and tokens


@dataclass
class Places:
    """A region's places on the page; `boxes` are the areas of pieces, name and token."""

    label: Point
    lines: list[str]
    spots: list[Point]
    boxes: list[Polygon]
    token: Point | None = None


def places(region: Polygon, name: str, closed: list[Polygon], token: bool) -> Places | None:
    """Return a region's places on the page, clear of what is closed and of each other; None if it is too full."""
    free = _whole(region.buffer(-1.5).difference(shapely.union_all(closed)))
    for block in BLOCKS:
        found = _best(free, name, block)
        if found and (not token or with_token(found, region, closed)):
            return found
    return None


def _best(free: BaseGeometry, name: str, block: tuple[int, int]) -> Places | None:
    """Return the block of badges and the name that leave each other and the coast the most space."""
    columns, rows = block
    roomy = _roomy(free, columns * CELL, rows * CELL, 2)
    settings = []  # the lines of the name, and their size
    for lines in [[name], name.split(" ", 1)] if " " in name else [[name]]:
        settings.append((lines, (max(width(line, NAME) for line in lines) + 3, NAME * 0.95 * len(lines) + 1)))
    found = []
    for air, x, y in roomy[:12] + roomy[12 :: max(1, len(roomy) // 18)]:  # the best dozen, and some of the others
        area = around(x, y, columns * CELL, rows * CELL)
        rest = _whole(free.difference(area))
        for lines, size in settings:
            for room, *label in _roomy(rest, *size, 2.5)[:40]:
                far = abs(label[0] - x) * 0.5 + abs(label[1] - y)
                score = min(air, 6) + min(room, 3) - 0.05 * far - 1.5 * (len(lines) - 1)
                found.append((score, (label[0], label[1]), lines, size, area))
    if not found:
        return None
    _, at, lines, size, area = max(found, key=lambda one: one[0])
    (left, top, _, _), middle = area.bounds, area.centroid
    cells = [(left + (i + 0.5) * CELL, top + (j + 0.5) * CELL) for j in range(rows) for i in range(columns)]
    cells.sort(key=lambda cell: (round(abs(cell[0] - middle.x) + abs(cell[1] - middle.y), 1), cell[1], cell[0]))
    return Places(at, lines, cells, [area, around(*at, *size)])


def with_token(found: Places, region: Polygon, closed: list[Polygon], size: tuple[float, float] = TOKEN) -> bool:
    """Find a token's place in the region, near its pieces and clear of what is closed. Return whether there is one."""
    free = region.buffer(-1.5).difference(shapely.union_all([*closed, *found.boxes]))
    x, y = (sum(spot[axis] for spot in found.spots) / len(found.spots) for axis in (0, 1))

    def worth(room: Fit) -> float:
        air, across, down = room[0], abs(room[1] - x), abs(room[2] - y)
        apart = across >= (CROWD[0] + size[0]) / 2 or down >= (CROWD[1] + size[1]) / 2
        return min(air, 3) + 5 * apart - 0.05 * hypot(across, down)

    best = max(_roomy(free, *size, 1.5), key=worth, default=None)
    if best is None:
        return False
    found.token = best[1:]
    found.boxes.append(around(*found.token, *size))
    return True


def _roomy(free: BaseGeometry, wide: float, high: float, step: float) -> list[Fit]:
    """Return the centers at which a box fits, those with the most space around it first."""
    shapely.prepare(free)
    left, top, right, bottom = free.bounds
    x, y = (
        grid.ravel() for grid in np.meshgrid(np.arange(left + step, right, step), np.arange(top + step, bottom, step))
    )
    boxes = shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    fits = shapely.contains(free, boxes)
    air = shapely.distance(boxes[fits], free.boundary)
    return sorted(zip(air.tolist(), x[fits].tolist(), y[fits].tolist(), strict=True), reverse=True)


def _whole(shape: BaseGeometry) -> BaseGeometry:
    return max(shape.geoms, key=lambda part: part.area) if isinstance(shape, MultiPolygon) else shape


def nearest(want: Point, size: tuple[float, float], free: BaseGeometry) -> Point | None:
    """Return the closest point to the wanted one where a box of this size fits."""
    shapely.prepare(free)
    steps = np.arange(-120, 121, 3)
    x, y = (grid.ravel() for grid in np.meshgrid(np.round(want[0] + steps), np.round(want[1] + steps)))
    boxes = shapely.box(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)
    fits = shapely.contains(free, boxes)
    if not fits.any():
        return None
    best = np.hypot(x[fits] - want[0], y[fits] - want[1]).argmin()
    return float(x[fits][best]), float(y[fits][best])


# Glyphs


class GlyphPlace(NamedTuple):
    """A glyph on the page: the middle of its box, and its size as a factor."""

    name: str
    x: float
    y: float
    size: float

    def box(self, glyph: Glyph, air: float = 0) -> Polygon:
        wide, high = glyph.width * self.size / 2 + air, glyph.height * self.size / 2 + air
        return shapely.box(self.x - wide, self.y - high, self.x + wide, self.y + high)

    def core(self, glyph: Glyph, kind: str) -> Polygon:
        """Return the foot, which no other glyph may cover."""
        wide, high = CORES.get(kind, (1.0, 1.0))
        w, h = glyph.width * self.size * wide / 2, glyph.height * self.size * high
        foot = self.y + glyph.height * self.size / 2
        return shapely.box(self.x - w, foot - h, self.x + w, foot)


class Ground:
    """A page being filled: what is taken, and what is where."""

    def __init__(self, glyphs: dict[str, Glyph], hand: np.random.Generator) -> None:
        self.glyphs, self.hand = glyphs, hand
        self.taken: list[Polygon] = []
        self.cores: list[Polygon] = []
        self.placed: list[GlyphPlace] = []

    def set_down(self, one: GlyphPlace, kind: str) -> None:
        self.placed.append(one)
        self.cores.append(one.core(self.glyphs[one.name], kind))

    def scatter(self, kind: str, count: int, home: BaseGeometry, size: float = 1, clump: int = 7) -> None:
        """Add up to `count` glyphs of a kind: in clumps, or as far apart as possible for kinds that keep apart."""
        mine: list[Point] = []
        names, (left, top, right, bottom) = variants(kind), home.bounds
        shapely.prepare(home)
        for number in range(count):
            found = []
            for _ in range(TRIES):
                name = names[self.hand.integers(len(names))]
                x, y = self.hand.uniform(left, right), self.hand.uniform(top, bottom)
                one = GlyphPlace(name, round(x), round(y), size)
                if self.is_free(one, kind, home):
                    found.append(one)
            if not found:
                return
            if number % clump == 0 or kind in LONERS:
                others = mine or [(one.x, one.y) for one in self.placed]
                best = max(found, key=lambda one: min((np.hypot(one.x - x, one.y - y) for x, y in others), default=0))
            else:
                # The place closest to the clump, preferably at its side rather than above, like woods and ranges.
                latest = mine[-(number % clump) :]
                best = min(found, key=lambda one: sum(np.hypot(one.x - x, 1.3 * (one.y - y)) for x, y in latest))
            mine.append((best.x, best.y))
            self.set_down(best, kind)

    def is_free(self, one: GlyphPlace, kind: str, home: BaseGeometry) -> bool:
        """Return whether a glyph's foot and its middle third, up to the top, are at home and its box is not taken."""
        glyph = self.glyphs[one.name]
        core = one.core(glyph, kind)
        spire = around(one.x, one.y, glyph.width * one.size / 3, glyph.height * one.size)
        if not (home.contains(core) and home.contains(spire)):
            return False
        return not (_hits(one.box(glyph, 0.4), self.taken) or _hits(core, self.cores))


def _hits(area: Polygon, others: list[Polygon]) -> bool:
    return bool(others) and bool(shapely.intersects(others, area).any())
