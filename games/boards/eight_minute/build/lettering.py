"""Lettering as outlines, so that a picture shown as an image needs no font."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from shapely.geometry import LineString

from games.boards.eight_minute.geometry import join

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
