"""Boards, realms and battles as PNG, lettered in our own fonts on every machine."""

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
from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.realm import realm
from games.rules.eight_minute.view import View
from games.rules.kingdoms import view as kingdoms
from games.rules.words import Translate, untranslated

GRID = 50  # units: on the grid, all edges of sheets are at multiples of this
AIR = 16  # pixels around a sheet, for what crosses its edge
PAPERS = {"light": "#f4ecd9", "dark": "#10191b"}  # background colors of realms and battles
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
    board = geometry(text)
    grain = int(width * GRID / board.width)
    edges = {edge - MARGIN for sheet in board.sheets for edge in sheet.box}
    if not grain or len(board.sheets) < 2 or any(edge % GRID for edge in edges):
        return png(framed(text, _painted(text, theme, width) + over), width)
    air, sheets = AIR * GRID / grain, ""
    for sheet in board.sheets:
        wide, high = sheet.size
        box = f'x="{sheet.x - wide / 2 - air!r}" y="{sheet.y - high / 2 - air!r}"'
        box += f' width="{wide + 2 * air!r}" height="{high + 2 * air!r}"'
        href = _tile(sheet.side, sheet.turns, theme, grain)
        sheets += f'<image {box} image-rendering="optimizeSpeed" href="{href}"/>'
    return png(fitted(text, width, below(text, theme) + sheets + over), width)


def fitted(text: str, width: int, drawings: str) -> str:
    """Lay drawings over each other in an SVG `width` pixels wide, with all edges of sheets at whole pixels."""
    drawn = geometry(text)
    scale, height = int(width * GRID / drawn.width) / GRID, ceil(width * drawn.height / drawn.width)
    # The pixels at which the first sheet begins in a centered picture.
    left = round((width - drawn.width * scale) / 2 + MARGIN * scale)
    top = round((height - drawn.height * scale) / 2 + MARGIN * scale)
    box = (MARGIN - left / scale, MARGIN - top / scale, width / scale, height / scale)
    size = f'viewBox="{" ".join(map(repr, box))}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawings}</svg>'


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


def realm_png(
    view: kingdoms.View,
    width: int,
    theme: str = "light",
    *,
    names: Sequence[str] = (),
    wide: bool = True,
    translate: Translate = untranslated,
) -> bytes:
    """Render who rules whom, `width` pixels wide."""
    return png(_on_paper(realm(view, names, wide=wide, translate=translate, theme=theme), theme), width)


def battle_png(
    battle: kingdoms.BattleView,
    width: int,
    *,
    towers: Sequence[str] = (),
    wall: int = 3,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
) -> bytes:
    """Render a battle's scene, `width` pixels wide."""
    scene = battle_scene(battle, towers=towers, wall=wall, names=names, translate=translate)
    return png(_on_paper(scene, "light"), width)


def _on_paper(svg: str, theme: str) -> str:
    """Put the picture on a background of its own, since emails can have any."""
    head, end, rest = svg.partition("</desc>")
    return f'{head}{end}<rect width="100%" height="100%" fill="{PAPERS[theme]}"/>{rest}'
