"""The drawings of drawings/*.toml: pen strokes, one per line, converted to SVG once and cached."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "drawings"
FIGURES = ("attack", "champion", "support", "kingdom", "epic", "boss")
INK = "#241a10"  # the color of a pen that a group need not name again
PEN = f'stroke="{INK}" stroke-linecap="round" stroke-linejoin="round"'


@cache
def sheet(name: str) -> dict[str, Any]:
    """Load one file of drawings."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def figures() -> dict[str, str]:
    """Return the strokes of every figure by its key, such as `archer`, and the Castle's."""
    drawn = {key: drawing for name in FIGURES for key, drawing in sheet(name).items()}
    drawn |= sheet("things")["figures"]
    return {key: moved(strokes(drawing), *sheet("things")["steps"].get(key, (0, 0))) for key, drawing in drawn.items()}


def strokes(drawing: str, paints: Mapping[str, str] | None = None) -> str:
    """Convert a drawing to paths. `paints` override those of the paint box."""
    box, paths = {**sheet("_paints"), **(paints or {})}, ""
    for line in drawing.strip().splitlines():
        fill, pen, width, d = line.split(maxsplit=3)
        stroke = f'{_painted("stroke", pen, box)} stroke-width="{width}"' if pen != "-" else ' stroke="none"'
        paths += f'<path{_painted("fill", fill, box)}{stroke} d="{d}"/>'
    return paths


def moved(drawing: str, across: float, down: float) -> str:
    """Move a drawing."""
    return f'<g transform="translate({across:g} {down:g})">{drawing}</g>' if across or down else drawing


def _painted(what: str, word: str, box: Mapping[str, str]) -> str:
    if word == "none" or (what, word) == ("stroke", "ink"):
        return "" if word == "ink" else f' {what}="none"'
    colour, *cover = box[word].split()
    return f' {what}="{colour}"' + "".join(f' {what}-opacity="{share}"' for share in cover)


def numeral(text: str, x: float, y: float, size: float, widest: float = 1000) -> str:
    """Draw digits centered at x on the baseline y, in the inherited color; smaller if too wide."""
    shapes = [sheet("_numerals")[letter] for letter in text]
    wide = sum(shape["wide"] for shape in shapes)
    scale = min(size, 100 * widest / wide) / 100
    left, paths = 0, ""
    for shape in shapes:
        place = f' transform="translate({left} 0)"' if left else ""
        paths += f'<path{place} d="{shape["path"]}"/>'
        left += shape["wide"]
    return f'<g transform="translate({x - wide * scale / 2:.4g} {y:g}) scale({scale:.3g})">{paths}</g>'
