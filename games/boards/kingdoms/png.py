"""Realms as pixels, for emails and previews: the parts of their SVG, pasted together from sprites."""

from collections.abc import Sequence
from math import ceil

from PIL import Image

from games.boards.kingdoms.realm import NARROW, all_defs, common_parts, forest_of, parts
from games.boards.png import PAPERS, WIDEST
from games.boards.sprites import Frame, paste, places, sprite
from games.boards.themes import shade_of
from games.rules.kingdoms.view import View
from games.rules.words import Translate, untranslated

SCALE, LARGE = 4 / 3, 2.0  # pixels of a unit: the picture of emails and previews is 480 pixels wide, of reviews 720


def picture(
    view: View, theme: str = "light", *, names: Sequence[str] = (), translate: Translate = untranslated,
    language: str = "en", widest: int = WIDEST,
) -> Image.Image:  # fmt: skip
    """Draw who rules whom, in rows, on the paper of emails. `language` is that of the texts."""
    scale = SCALE if widest < LARGE * NARROW else LARGE
    forest = forest_of(view, names, wide=False, translate=translate)
    canvas = Image.new("RGB", (ceil(forest.width * scale), ceil(forest.height * scale)), PAPERS[shade_of(theme)])
    drawn = parts(view, forest, names, wide=False, translate=translate, theme=theme, language=language)
    paste(canvas, Frame(0, 0, scale), drawn, all_defs)
    return canvas


def prepare(theme: str, translate: Translate, language: str) -> int:
    """Draw the sprites that most pictures need, so that they are stored, and return their number."""
    common = [part for at in places(SCALE) for part in common_parts(at, theme, translate, language)]
    for part in common:
        sprite(Frame(0, 0, SCALE), part, all_defs)
    return len(common)
