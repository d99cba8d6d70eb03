"""The layer over the land, and the whole board as a standalone SVG: for history, files and tests."""

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
    """Draw the whole board."""
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
    """Draw the layer over the land of `shown(view)`: the pieces or, while boards are being laid, the free places.

    Targets are by region, or by place.
    """
    if view.setup and view.setup.places:
        return laying(view, marks.targets, translate=translate, theme=theme)
    return pieces(view, marks, names=names, translate=translate, theme=theme)


def framed(text: str, drawings: str) -> str:
    """Lay drawings over each other in a picture of the text's size."""
    drawn = geometry(text)
    size = f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" width="{drawn.width:g}" height="{drawn.height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawings}</svg>'
