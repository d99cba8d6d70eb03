"""Realms as pixels, for emails and previews: the parts of their SVG, pasted together from sprites."""

from collections.abc import Sequence
from math import ceil

from PIL import Image

from games.boards.kingdoms.realm import all_defs, common_parts, forest_of, parts
from games.boards.png import PAPERS
from games.boards.sprites import Frame, paste, places, sprite
from games.rules.kingdoms.view import View
from games.rules.words import Translate, untranslated

SCALE = 4 / 3  # pixels of a unit: the picture of emails and previews is 480 pixels wide


def picture(
    view: View, theme: str = "light", *, names: Sequence[str] = (), translate: Translate = untranslated,
    language: str = "en",
) -> Image.Image:  # fmt: skip
    """Draw who rules whom, in rows, on the paper of emails. `language` is that of the texts."""
    forest = forest_of(view, names, wide=False, translate=translate)
    canvas = Image.new("RGB", (ceil(forest.width * SCALE), ceil(forest.height * SCALE)), PAPERS[theme])
    drawn = parts(view, forest, names, wide=False, translate=translate, theme=theme, language=language)
    paste(canvas, Frame(0, 0, SCALE), drawn, all_defs)
    return canvas


def prepare(theme: str, translate: Translate, language: str) -> int:
    """Draw the sprites that most pictures need, so that they are stored, and return their number."""
    common = [part for at in places(SCALE) for part in common_parts(at, theme, translate, language)]
    for part in common:
        sprite(Frame(0, 0, SCALE), part, all_defs)
    return len(common)
