"""What lies over the land, and both as one standalone SVG: for history pictures, for files, and for tests."""

from collections.abc import Sequence

from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import land
from games.boards.eight_minute.laying import laying
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.pieces import NO_MARKS, Marks, pieces
from games.rules.eight_minute.view import View
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
    over = over_land(view, marks, names=names, translate=translate, theme=theme)
    return framed(shown(view), land(shown(view), theme) + over)


def over_land(
    view: View,
    marks: Marks = NO_MARKS,
    *,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
    theme: str = "light",
) -> str:
    """The fragment over the land of `shown(view)`: the pieces, or while boards are being laid the free places.

    Targets go by region, or by place.
    """
    if view.setup and view.setup.places:
        return laying(view, marks.targets, translate=translate, theme=theme)
    return pieces(view, marks, names=names, translate=translate, theme=theme)


def framed(text: str, drawings: str) -> str:
    """Drawings laid over each other in a picture as large as that of a text."""
    drawn = geometry(text)
    size = f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" width="{drawn.width:g}" height="{drawn.height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawings}</svg>'
