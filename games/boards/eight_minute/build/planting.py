"""Placing glyphs: unique ones where the drawing says, the rest where there is room, and none on names or pieces."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from games.boards.eight_minute.build.drawing import Point
from games.boards.eight_minute.build.glyphs import variants
from games.boards.eight_minute.build.stroke import Glyph

TRIES = 90
# The share of its width and height that a glyph keeps free; the rest may overlap others of its kind.
CORES = {
    "mountain": (0.72, 0.42),
    "snowpeak": (0.72, 0.42),
    "needles": (0.9, 0.5),
    "tree": (0.8, 0.5),
    "pine": (0.75, 0.42),
    "snowpine": (0.75, 0.42),
    "fern": (0.75, 0.5),
    "thistle": (0.7, 0.4),
    "bush": (0.9, 0.7),
    "dune": (0.8, 0.8),
    "reed": (0.8, 0.6),
    "wheat": (0.85, 0.6),
}
LONERS = {"tuft", "crack", "cactus", "hill", "wave", "rock", "floe", "berg", "sheep"}  # kinds that keep apart


class Standing(NamedTuple):
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

    def spire(self, glyph: Glyph) -> Polygon:
        """Return the middle third, up to the top."""
        wide, high = glyph.width * self.size / 6, glyph.height * self.size / 2
        return shapely.box(self.x - wide, self.y - high, self.x + wide, self.y + high)


class Ground:
    """A page being filled: what is taken, and what is where."""

    def __init__(self, glyphs: dict[str, Glyph], hand: np.random.Generator) -> None:
        self.glyphs, self.hand = glyphs, hand
        self.taken: list[Polygon] = []
        self.cores: list[Polygon] = []
        self.standing: list[Standing] = []

    def set_down(self, one: Standing, kind: str) -> None:
        self.standing.append(one)
        self.cores.append(one.core(self.glyphs[one.name], kind))

    def reserve(self, areas: list[Polygon]) -> None:
        self.taken += areas

    def is_free(self, one: Standing, kind: str, home: BaseGeometry) -> bool:
        glyph = self.glyphs[one.name]
        if not (home.contains(one.core(glyph, kind)) and home.contains(one.spire(glyph))):
            return False
        if self._hits(one.box(glyph, 0.4), self.taken):
            return False
        return not self._hits(one.core(glyph, kind), self.cores)

    def _hits(self, area: Polygon, others: list[Polygon]) -> bool:
        return bool(others) and bool(shapely.intersects(others, area).any())

    def _candidates(self, kind: str, home: BaseGeometry, size: float) -> Iterator[Standing]:
        names = variants(kind)
        left, top, right, bottom = home.bounds
        for _ in range(TRIES):
            name = names[self.hand.integers(len(names))]
            x, y = self.hand.uniform(left, right), self.hand.uniform(top, bottom)
            one = Standing(name, round(x), round(y), size)
            if self.is_free(one, kind, home):
                yield one

    def scatter(self, kind: str, count: int, home: BaseGeometry, size: float = 1, clump: int = 7) -> None:
        """Add up to `count` glyphs of a kind: in clumps, or as far apart as possible for kinds that keep apart."""
        mine: list[Point] = []
        shapely.prepare(home)
        for number in range(count):
            found = list(self._candidates(kind, home, size))
            if not found:
                return
            fresh = number % clump == 0 or kind in LONERS
            best = self._loneliest(found, mine) if fresh else self._closest(found, mine[-(number % clump) :])
            mine.append((best.x, best.y))
            self.set_down(best, kind)

    def _loneliest(self, found: list[Standing], mine: list[Point]) -> Standing:
        every = mine or [(one.x, one.y) for one in self.standing]
        if not every:
            return found[0]
        return max(found, key=lambda one: min(np.hypot(one.x - x, one.y - y) for x, y in every))

    def _closest(self, found: list[Standing], mine: list[Point]) -> Standing:
        """Return the place closest to the clump, preferably at its side rather than above, like woods and ranges."""
        return min(found, key=lambda one: sum(np.hypot(one.x - x, 1.3 * (one.y - y)) for x, y in mine))


def nearest(want: Point, size: tuple[float, float], free: BaseGeometry, reach: float = 120) -> Point | None:
    """Return the closest point to the wanted one where a box of this size fits."""
    shapely.prepare(free)
    steps = np.arange(-reach, reach + 1, 3)
    x, y = (grid.ravel() for grid in np.meshgrid(np.round(want[0] + steps), np.round(want[1] + steps)))
    boxes = shapely.box(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)
    fits = shapely.contains(free, boxes)
    if not fits.any():
        return None
    best = np.hypot(x[fits] - want[0], y[fits] - want[1]).argmin()
    return float(x[fits][best]), float(y[fits][best])
