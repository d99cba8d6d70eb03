"""Lettering as outlines, so that a picture shown as an image needs no font."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from games.boards.geometry import join

FONTS = Path(__file__).parents[1] / "fonts"


class Lettering(NamedTuple):
    """A line of letters: its path, around the middle of the base line, and its width."""

    path: str
    width: float


@cache
def _font(name: str) -> Any:
    return TTFont(FONTS / f"{name}.ttf")


def _advance(name: str, letter: str) -> float:
    font = _font(name)
    return float(font["hmtx"].metrics[font.getBestCmap()[ord(letter)]][0] / font["head"].unitsPerEm)


def width(text: str, size: float, name: str = "Alegreya-Italic", spacing: float = 0) -> float:
    """How wide the text is at a size, with some more room between the letters."""
    return sum(_advance(name, letter) * size for letter in text) + spacing * (len(text) - 1)


class StepPen(BasePen):
    """Writes a path in short steps of tenths of a unit."""

    def __init__(self, glyphs: Any, scale: float, left: float, down: float) -> None:
        super().__init__(glyphs)
        self.scale, self.left, self.at = 10 * scale, left, (0, round(10 * down))
        self.base = round(10 * down)
        self.text = f"M0 {down:g}"

    def _steps(self, points: list[Any]) -> str:
        steps = []
        for x, y in points:
            there = (round(x * self.scale + 10 * self.left), round(self.base - y * self.scale))
            steps.append((there[0] - self.at[0], there[1] - self.at[1]))
        self.at = there
        return join(steps)

    def _moveTo(self, pt: Any) -> None:
        self.text += "m" + self._steps([pt])
        self.start = self.at

    def _lineTo(self, pt: Any) -> None:
        self.text += "l" + self._steps([pt])

    def _curveToOne(self, pt1: Any, pt2: Any, pt3: Any) -> None:
        self.text += "c" + self._steps([pt1, pt2, pt3])

    def _qCurveToOne(self, pt1: Any, pt2: Any) -> None:
        self.text += "q" + self._steps([pt1, pt2])

    def _closePath(self) -> None:
        self.text += "z"
        self.at = self.start


def lettering(text: str, size: float, down: float = 0, name: str = "Alegreya-Italic", spacing: float = 0) -> Lettering:
    """The outlines of a text, the middle of its base line so far down from 0 0."""
    font = _font(name)
    glyphs, cmap = font.getGlyphSet(), font.getBestCmap()
    whole = width(text, size, name, spacing)
    pen = StepPen(glyphs, size / font["head"].unitsPerEm, -whole / 2, down)
    for letter in text:
        glyphs[cmap[ord(letter)]].draw(pen)
        pen.left += _advance(name, letter) * size + spacing
    return Lettering(pen.text, whole)
