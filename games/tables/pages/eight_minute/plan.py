"""The data that lets the browser lay out steps at once: ways, costs, words and places, worked out by the rules.

Only moving and placing armies are in it. What reveals something or draws is decided by the server alone, and so is
whether a laid-out step is legal.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.boards.eight_minute.contents import army
from games.boards.eight_minute.geometry import picture, region_name
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.marking import Drawing
from games.boards.themes import colours
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.legal import open_parts, reaches
from games.rules.eight_minute.view import PartView, View
from games.tables.pages.eight_minute.choices import part_words
from games.tables.pages.eight_minute.giving_up import gives_up

LAID_OUT = ("place", "move")  # kinds of steps that the browser lays out


def plan(view: View, draft: Sequence[str]) -> dict[str, Any]:
    """Return the plan of a turn in which a card has been taken, as data for `steps.js`.

    `parts`: for each part of the card its words for 0, 1, … left, how much is left, and the parts that stay open once
    it is used. `ways`: for each region with an army, the regions in reach, each with the cost of the whole way and the
    region before the last step. `at`: where one more piece would lie.
    """
    assert view.seat is not None
    board = picture(shown(view))
    drawing = Drawing(view, board, colours(len(view.players)), (), str)
    card = edition(view.edition).cards[view.taken]
    return {
        "laid": list(draft),
        "colour": drawing.paints[view.seat].key,
        "scale": round(drawing.scale, 2),
        "parts": [
            {
                "kind": part.kind,
                "open": part.open,
                "left": _usable(view, part),
                "words": [part_words(view, part, left) for left in range(part.left + 1)],
                "then": [n for n in open_parts(card, number) if view.parts[n].open],
            }
            for number, part in enumerate(view.parts)
        ],
        "ways": reaches(view.hidden, view.seat),
        "regions": {
            region: {"name": _(region_name(region)), "armies": contents.armies[view.seat], "at": drawing.free(region)}
            for region, contents in view.regions.items()
        },
    }


def kit(view: View) -> dict[str, Any]:
    """Return what `steps.js` needs at every turn: drawings of 1, 2, … armies of the reader, and what it says."""
    assert view.seat is not None
    paint, all_armies = colours(len(view.players))[view.seat], edition(view.edition).armies
    return {
        "armies": [army(paint, n) for n in range(1, all_armies + 1)],
        "say": {
            "move": _("Move an army from {origin} to {target}: uses {cost} of {left} moves and leaves {after}"),
            "button": _("to {target}: {cost} of {left} moves"),
            "from": _("Move from {region}"),
            "choose": _("Choose what to do in {region}"),
            "cancel": _("{region}: deselect"),
        },
    }


def _usable(view: View, part: PartView) -> int:
    """Return how much of a part is left to lay out: no more armies than the supply has.

    It is 0 while using it would give something up, because the server asks first.
    """
    if not part.open or part.kind not in LAID_OUT or view.seat is None or gives_up(view, part.kind):
        return 0
    return min(part.left, view.players[view.seat].supply) if part.kind == "place" else part.left
