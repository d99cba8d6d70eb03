"""Boards as PNG, with the lettering of our own fonts whatever the machine has."""

from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import resvg_py

from games.boards.geometry import picture as geometry
from games.boards.land import land
from games.boards.lying import shown
from games.boards.picture import framed, over_land
from games.boards.pieces import NO_MARKS, Marks
from games.rules.empire.view import View
from games.rules.words import Translate, untranslated

FONTS = tuple(str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """A picture `width` pixels wide, as high as its own measure asks for."""
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
    """The whole board. Land takes long to paint and never changes, so the last lands painted are kept as pixels."""
    over = over_land(view, marks, names=names, translate=translate, theme=theme)
    return png(framed(shown(view), _painted(shown(view), theme, width) + over), width)


@lru_cache(maxsize=16)
def _painted(text: str, theme: str, width: int) -> str:
    """The land as an SVG image of pixels. They come out as they went in, so nothing need be smoothed: that is slow."""
    drawn = geometry(text)
    size = f'width="{drawn.width:g}" height="{drawn.height:g}" image-rendering="optimizeSpeed"'
    return f'<image {size} href="data:image/png;base64,{b64encode(png(land(text, theme), width)).decode()}"/>'
