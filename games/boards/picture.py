"""Land and pieces as one standalone SVG: for history pictures, for files, and for tests."""

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
    laid = pieces(view, marks, names=names, translate=translate, theme=theme)
    return framed(view.layout, land(view.layout, theme) + laid)


def framed(layout: str, drawings: str) -> str:
    """Drawings laid over each other in a picture of the layout's size."""
    drawn = geometry(layout)
    size = f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" width="{drawn.width:g}" height="{drawn.height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawings}</svg>'
