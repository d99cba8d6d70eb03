"""Realms as PNG."""

from collections.abc import Sequence

from games.boards import png
from games.boards.kingdoms.realm import realm
from games.rules.kingdoms.view import View
from games.rules.words import Translate, untranslated

PAPERS = {"light": "#f4ecd9", "dark": "#10191b"}  # background colors


def realm_png(
    view: View, width: int, theme: str = "light", *, names: Sequence[str] = (), wide: bool = True,
    translate: Translate = untranslated,
) -> bytes:  # fmt: skip
    """Render who rules whom, `width` pixels wide, with a background, because the background of an email is unknown."""
    head, end, rest = realm(view, names, wide=wide, translate=translate, theme=theme).partition("</desc>")
    return png.png(f'{head}{end}<rect width="100%" height="100%" fill="{PAPERS[theme]}"/>{rest}', width)
