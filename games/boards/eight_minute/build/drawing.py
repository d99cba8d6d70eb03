"""A hand-made drawing, read from TOML: coarse coasts, cuts between regions, and what is where; and its lettering."""

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from shapely.geometry import LineString

from games.boards.eight_minute.geometry import join

FOLDER = Path(__file__).parent / "drawings"
SIDES = (
    *("volcano", "fern", "meadows", "citadel", "desert", "horse_shoe", "ice_islands", "tall_islands"),
    *("side-a", "side-b"),
)
SHEET = (200, 300)  # default width and height of a drawing

Point = tuple[float, float]
Line = list[Point]


@dataclass(frozen=True)
class Island:
    coast: Line
    cuts: list[Line]
    lakes: list[Line]
    inlets: list[Line]
    capes: list[Line]


@dataclass(frozen=True)
class RegionPlan:
    id: str
    name: str
    seed: Point
    tone: int


@dataclass(frozen=True)
class Lettered:
    """A name in the sea, roughly in place."""

    text: str
    at: Point


@dataclass(frozen=True)
class Facts:
    """Facts to check the drawing against: land neighbors. `triangles` are the regions for goods."""

    land: list[list[str]]
    triangles: list[str]


@dataclass(frozen=True)
class Drawing:
    """A drawing. `alone`: a single board that is never turned."""

    side: str
    title: str
    size: tuple[int, int]
    alone: bool
    names: list[Lettered]
    facts: Facts
    rough: float
    sharp: bool
    cliffs: bool
    islands: list[Island]
    regions: list[RegionPlan]
    bridges: list[dict[str, Any]]
    routes: list[dict[str, Any]]
    heroes: list[dict[str, Any]]
    cover: list[dict[str, Any]]
    sea: list[dict[str, Any]]


def points(text: str) -> Line:
    """Return `12,30 14,31` as points."""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def read(side: str) -> Drawing:
    table = tomllib.loads((FOLDER / f"{side}.toml").read_text())
    plan, title = table["plan"], table["title"]
    wide, high = table.get("size", SHEET)
    islands = []
    for one in table["islands"]:
        lines = {kind: [points(line) for line in one.get(kind, [])] for kind in ("cuts", "lakes", "inlets", "capes")}
        islands.append(Island(points(one["coast"]), **lines))
    return Drawing(
        side=side,
        title=title["text"],
        size=(wide, high),
        alone=table.get("alone", False),
        # The chart's title if it has a place in the sea, or else the names of its islands, in order.
        names=[Lettered(one["text"], tuple(one["at"])) for one in ([title] if "at" in title else table["names"])],
        facts=Facts(**{"land": [], "triangles": []} | table.get("facts", {})),
        rough=table["rough"],
        sharp=table.get("sharp", False),
        cliffs=table.get("cliffs", False),
        islands=islands,
        regions=[
            RegionPlan(region, one["name"], tuple(one["at"]), one["tone"]) for region, one in table["regions"].items()
        ],
        bridges=table.get("bridges", []),
        routes=plan["routes"],
        heroes=plan["heroes"],
        cover=plan["cover"],
        sea=plan["sea"],
    )


# Lettering: texts as outlines, because pictures load no fonts

FONTS = Path(__file__).parents[2] / "fonts"
CURVE = 6  # chords per curve


@cache
def _font() -> Any:
    return TTFont(FONTS / "Alegreya-Italic.ttf")


def _advance(letter: str) -> float:
    font = _font()
    return float(font["hmtx"].metrics[font.getBestCmap()[ord(letter)]][0] / font["head"].unitsPerEm)


def width(text: str, size: float, spacing: float = 0) -> float:
    """Return the width of a text at a size, with optional extra space between letters."""
    return sum(_advance(letter) * size for letter in text) + spacing * (len(text) - 1)


class OutlinePen(BasePen):  # type: ignore[misc]  # fontTools has no types
    """A pen that collects the letters' outlines, in units, with the page's vertical direction."""

    def __init__(self, glyphs: Any, scale: float, left: float, down: float) -> None:
        super().__init__(glyphs)
        self.scale, self.left, self.down = scale, left, down
        self.rings: list[list[tuple[float, float]]] = []

    def _put(self, x: float, y: float) -> None:
        self.rings[-1].append((x * self.scale + self.left, self.down - y * self.scale))

    def _moveTo(self, pt: Any) -> None:  # noqa: N802
        self.rings.append([])
        self._put(*pt)

    def _lineTo(self, pt: Any) -> None:  # noqa: N802
        self._put(*pt)

    def _curveToOne(self, pt1: Any, pt2: Any, pt3: Any) -> None:  # noqa: N802
        x0, y0 = self._getCurrentPoint()
        for n in range(1, CURVE + 1):
            t = n / CURVE
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            self._put(a * x0 + b * pt1[0] + c * pt2[0] + d * pt3[0], a * y0 + b * pt1[1] + c * pt2[1] + d * pt3[1])


def alphabet() -> dict[str, Any]:
    """Return the width of each Latin letter and its outlines as `x, y, x, y …`, in thousandths of the font size.

    With them a site writes the names in the sea in other languages, without a font.
    """
    font = _font()
    glyphs, cmap = font.getGlyphSet(), font.getBestCmap()
    found: dict[str, Any] = {}
    for code in sorted(cmap):
        letter = chr(code)
        if not (letter in " -’',." or (letter.isalpha() and code < 0x180)):
            continue
        pen = OutlinePen(glyphs, 1000 / font["head"].unitsPerEm, 0, 0)
        glyphs[cmap[code]].draw(pen)
        rings = []
        for ring in pen.rings:
            if len(ring) > 2:
                line = LineString([*ring, ring[0]]).simplify(5)
                rings.append([round(value) for point in line.coords[:-1] for value in point])
        found[letter] = [round(1000 * _advance(letter)), rings]
    return found


def lettering(text: str, size: float, down: float, spacing: float = 0) -> str:
    """Return a text's outlines as a path, with the middle of its baseline `down` below 0 0."""
    font = _font()
    glyphs, cmap = font.getGlyphSet(), font.getBestCmap()
    pen = OutlinePen(glyphs, size / font["head"].unitsPerEm, -width(text, size, spacing) / 2, down)
    for letter in text:
        glyphs[cmap[ord(letter)]].draw(pen)
        pen.left += _advance(letter) * size + spacing
    path = ""
    for ring in pen.rings:
        if len(ring) > 2:
            # No more corners than the eye needs.
            line = LineString([*ring, ring[0]]).simplify(0.004 * size + 0.03)
            tenths = [(round(10 * x), round(10 * y)) for x, y in line.coords[:-1]]
            steps = [(x - px, y - py) for (px, py), (x, y) in pairwise(tenths)]
            path += f"M{join(tenths[:1])}l{join([step for step in steps if step != (0, 0)])}Z"
    return path
