"""Land and pieces as one standalone SVG: for mails, for pictures of past positions, and for tests."""

from collections.abc import Sequence

from games.boards.geometry import picture as geometry
from games.boards.land import land
from games.boards.pieces import NO_MARKS, Marks, pieces
from games.rules.empire.view import View
from games.rules.words import Translate, untranslated


def picture(
    view: View,
    theme: str = "light",
    marks: Marks = NO_MARKS,
    *,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
) -> str:
    """The whole board as it lies before the reader."""
    drawn = geometry(view.layout)
    size = f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" width="{drawn.width:g}" height="{drawn.height:g}"'
    laid = pieces(view, marks, names=names, translate=translate, theme=theme)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{land(view.layout, theme)}{laid}</svg>'
