"""Boards as PNG, lettered in our own fonts on every machine."""

from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from pathlib import Path

import resvg_py

from games.boards.eight_minute.geometry import MARGIN, Sheet
from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import alone, below, land
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import framed, over_land
from games.boards.eight_minute.pieces import NO_MARKS, Marks
from games.rules.eight_minute.view import View
from games.rules.words import Translate, untranslated

GRID = 50  # units: on the grid, all edges of sheets are at multiples of this
AIR = 16  # pixels around a sheet, for what crosses its edge
FONTS = tuple(str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """Render an SVG `width` pixels wide, in its own proportions."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=list(FONTS), skip_system_fonts=True)
    return bytes(drawn)


def board_png(
    view: View,
    width: int,
    theme: str = "light",
    marks: Marks = NO_MARKS,
    *,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
) -> bytes:
    """Render the whole board. Painting land is slow and land never changes, so painted land is cached as pixels.

    There are many lands but few sides, so if the boards are on a grid, the sheets are painted separately. For that, the
    land is drawn up to 2% smaller than the available room, so that every sheet begins at a whole pixel.
    """
    text, over = shown(view), over_land(view, marks, names=names, translate=translate, theme=theme)
    grain = int(width * GRID / geometry(text).width)
    if not (grain and _is_on_grid(text)):
        return png(framed(text, _painted(text, theme, width) + over), width)
    sheets = "".join(_placed(sheet, theme, grain) for sheet in geometry(text).sheets)
    return png(fitted(text, width, below(text, theme) + sheets + over), width)


def fitted(text: str, width: int, drawings: str) -> str:
    """Lay drawings over each other in an SVG `width` pixels wide, with all edges of sheets at whole pixels."""
    drawn = geometry(text)
    scale, height = int(width * GRID / drawn.width) / GRID, ceil(width * drawn.height / drawn.width)
    left, top = (_edge(room, length, scale) for room, length in ((width, drawn.width), (height, drawn.height)))
    box = (MARGIN - left / scale, MARGIN - top / scale, width / scale, height / scale)
    size = f'viewBox="{" ".join(map(repr, box))}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawings}</svg>'


def _edge(room: int, length: float, scale: float) -> int:
    """Return the pixel at which the first sheet begins in a centred picture."""
    return round((room - length * scale) / 2 + MARGIN * scale)


def _is_on_grid(text: str) -> bool:
    sheets = geometry(text).sheets
    return len(sheets) > 1 and all((edge - MARGIN) % GRID == 0 for sheet in sheets for edge in sheet.box)


def _placed(sheet: Sheet, theme: str, grain: int) -> str:
    air, (width, height) = AIR * GRID / grain, sheet.size
    size = f'width="{width + 2 * air!r}" height="{height + 2 * air!r}"'
    place = f'x="{sheet.x - width / 2 - air!r}" y="{sheet.y - height / 2 - air!r}" {size}'
    return f'<image {place} image-rendering="optimizeSpeed" href="{_tile(sheet.side, sheet.turns, theme, grain)}"/>'


@lru_cache(maxsize=256)
def _tile(side: str, turns: int, theme: str, grain: int) -> str:
    """Render one sheet with AIR around it, as an image URL."""
    width, height = Sheet("", side, turns, 0, 0).size
    across, down = (round(length * grain / GRID) + 2 * AIR for length in (width, height))
    air = AIR * GRID / grain
    box = f"{-width / 2 - air!r} {-height / 2 - air!r} {width + 2 * air!r} {height + 2 * air!r}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{across}" height="{down}">'
    return _data(png(f"{svg}{alone(side, turns, theme)}</svg>", across))


@lru_cache(maxsize=16)
def _painted(text: str, theme: str, width: int) -> str:
    """Return the land as an SVG image of pixels, shown at its own size, so it needs no (slow) smoothing."""
    drawn = geometry(text)
    size = f'width="{drawn.width:g}" height="{drawn.height:g}" image-rendering="optimizeSpeed"'
    return f'<image {size} href="{_data(png(land(text, theme), width))}"/>'


def _data(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"
