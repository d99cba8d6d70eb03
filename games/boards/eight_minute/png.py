"""The board as PNG, with its painted land kept from one picture to the next."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from games.boards import png
from games.boards.eight_minute.geometry import MARGIN, Sheet, drawn
from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import Wording, alone, below, worded, wording
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import framed, over_land
from games.boards.eight_minute.pieces import NO_MARKS, Marks
from games.rules.eight_minute.view import View
from games.rules.words import Translate, untranslated

GRID = 50  # units: on the grid, all edges of sheets are at multiples of this
AIR = 16  # pixels around a sheet, for what crosses its edge


def board_png(
    view: View, width: int, theme: str = "light", marks: Marks = NO_MARKS, *, names: Sequence[str] = (),
    translate: Translate = untranslated,
) -> bytes:  # fmt: skip
    """Render the whole board. Painting land is slow and land never changes, so painted land is cached as pixels.

    There are many lands but few sides, so if the boards are on a grid, the sheets are painted separately. For that, the
    land is drawn up to 2% smaller than the available room, so that every sheet begins at a whole pixel.
    """
    text, over = shown(view), over_land(view, marks, names=names, translate=translate, theme=theme)
    board = geometry(text)
    grain = int(width * GRID / board.width)
    edges = {edge - MARGIN for sheet in board.sheets for edge in sheet.box}
    if not grain or len(board.sheets) < 2 or any(edge % GRID for edge in edges):
        return png.png(framed(text, _painted(text, theme, width, wording(text, translate)) + over), width)
    air, sheets, said = AIR * GRID / grain, "", wording(text, translate)
    for sheet in board.sheets:
        wide, high = sheet.size
        box = f'x="{sheet.x - wide / 2 - air!r}" y="{sheet.y - high / 2 - air!r}"'
        box += f' width="{wide + 2 * air!r}" height="{high + 2 * air!r}"'
        own = tuple(one for one in said if one[0] in drawn(sheet.side).names)
        href = _tile(sheet.side, sheet.turns, theme, grain, own)
        sheets += f'<image {box} image-rendering="optimizeSpeed" href="{href}"/>'
    return png.png(fitted(text, width, below(text, theme, translate) + sheets + over), width)


def fitted(text: str, width: int, drawings: str) -> str:
    """Lay drawings over each other in an SVG `width` pixels wide, with all edges of sheets at whole pixels."""
    board = geometry(text)
    scale, height = int(width * GRID / board.width) / GRID, ceil(width * board.height / board.width)
    # The pixels at which the first sheet begins in a centered picture.
    left = round((width - board.width * scale) / 2 + MARGIN * scale)
    top = round((height - board.height * scale) / 2 + MARGIN * scale)
    box = (MARGIN - left / scale, MARGIN - top / scale, width / scale, height / scale)
    size = f'viewBox="{" ".join(map(repr, box))}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawings}</svg>'


@lru_cache(maxsize=256)
def _tile(side: str, turns: int, theme: str, grain: int, wording: Wording) -> str:
    """Render one sheet with AIR around it, as an image URL."""
    width, height = Sheet("", side, turns, 0, 0).size
    across, down = (round(length * grain / GRID) + 2 * AIR for length in (width, height))
    air = AIR * GRID / grain
    box = f"{-width / 2 - air!r} {-height / 2 - air!r} {width + 2 * air!r} {height + 2 * air!r}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{across}" height="{down}">'
    return png.data_url(png.png(f"{svg}{alone(side, turns, theme, wording)}</svg>", across))


@lru_cache(maxsize=16)
def _painted(text: str, theme: str, width: int, wording: Wording) -> str:
    """Return the land as an SVG image of pixels, shown at its own size, so it needs no (slow) smoothing."""
    board = geometry(text)
    size = f'width="{board.width:g}" height="{board.height:g}" image-rendering="optimizeSpeed"'
    return f'<image {size} href="{png.data_url(png.png(worded(text, theme, wording), width))}"/>'
