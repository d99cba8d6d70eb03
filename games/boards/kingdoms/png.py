"""Realms as pixels, for emails and previews: the parts of their SVG, pasted together from sprites."""

from collections.abc import Sequence
from math import ceil

from PIL import Image

from games.boards.kingdoms.realm import all_defs, forest_of, parts
from games.boards.png import PAPERS
from games.boards.sprites import Frame, paste
from games.rules.kingdoms.view import View
from games.rules.words import Translate, untranslated


def picture(
    view: View, width: int, theme: str = "light", *, names: Sequence[str] = (), wide: bool = True,
    translate: Translate = untranslated,
) -> Image.Image:  # fmt: skip
    """Draw who rules whom, `width` pixels wide, on the paper of emails."""
    forest = forest_of(view, names, wide, translate)
    scale = width / forest.width
    canvas = Image.new("RGB", (width, ceil(forest.height * scale)), PAPERS[theme])
    drawn = parts(view, forest, names, wide=wide, translate=translate, theme=theme)
    paste(canvas, Frame(0, 0, scale), drawn, all_defs)
    return canvas
