"""The charts' paint: the stored drawings of sides and glyphs, and the colours of each theme."""

import tomllib
from functools import cache
from typing import Any, NamedTuple

import msgspec

from games.boards.eight_minute.geometry import FOLDER

Standing = tuple[str, int, int, int]  # glyph, middle of its box in tenths, size in hundredths
Title = tuple[int, int, str]  # middle in tenths, outlines of the letters around it


class Page(msgspec.Struct, frozen=True):
    """The upright parts of a sheet for a number of quarter turns."""

    glyphs: tuple[Standing, ...]
    titles: tuple[Title, ...]


class PaintedRegion(msgspec.Struct, frozen=True):
    """A painted region. `washes`: the outline, and two areas inside its painted edge."""

    tone: int
    washes: tuple[str, str, str]


class Way(msgspec.Struct, frozen=True):
    line: tuple[int, ...]


class PaintedSide(msgspec.Struct, frozen=True):
    """The painting part of a side's JSON file. Paths are in tenths of a unit of the upright sheet."""

    regions: tuple[PaintedRegion, ...]
    routes: tuple[Way, ...]
    bridges: tuple[Way, ...]
    borders: str
    ripples: tuple[str, str, str]
    lakes: tuple[str, ...]
    cliffs: str
    pages: tuple[Page, ...]


class Glyph(NamedTuple):
    """A glyph: a box and strokes (fill, stroke, pen width, path) above the middle of its foot, in units."""

    width: float
    height: float
    strokes: tuple[tuple[str, str, float, str], ...]


@cache
def painted(side: str) -> PaintedSide:
    return msgspec.json.decode((FOLDER / f"{side}.json").read_bytes(), type=PaintedSide)


@cache
def glyphs() -> dict[str, Glyph]:
    return msgspec.json.decode((FOLDER / "_glyphs.json").read_bytes(), type=dict[str, Glyph])


@cache
def _paint(theme: str) -> dict[str, Any]:
    paint: dict[str, Any] = tomllib.loads((FOLDER / "_paint.toml").read_text())[theme]
    return paint


def ink(theme: str, name: str) -> str:
    """Return a theme's colour for a name of the paint box, or `none`."""
    return name if name == "none" else str(_paint(theme)["inks"][name])


def sea(theme: str, side: str) -> str:
    return str(_paint(theme)["sea"][side])


def tone(theme: str, side: str, number: int, wash: float = 0) -> str:
    """Return the colour of a region, mixed with a share of the edge colour."""
    return mix(str(_paint(theme)["tones"][side][number]), ink(theme, "wash"), wash)


def mix(colour: str, other: str, share: float) -> str:
    """Mix a share of the other colour into a colour; both are `#rrggbb`."""
    ours, theirs = bytes.fromhex(colour[1:]), bytes.fromhex(other[1:])
    return "#" + bytes(round(a + (b - a) * share) for a, b in zip(ours, theirs, strict=True)).hex()
