"""The board picture and the points in messages about the Eight-Minute family."""

from collections.abc import Sequence

from django.utils.translation import ngettext

from games.boards import png
from games.boards.eight_minute.changes import changes
from games.boards.eight_minute.pieces import Marks
from games.rules.eight_minute.view import View
from games.rules.protocol import Event


def picture(view: View, width: int, names: Sequence[str], events: Sequence[Event]) -> bytes:
    """Return the board as the reader sees it, with the effects of these events marked; empty if there is none yet."""
    if not view.layout:
        return b""
    return png.board_png(view, width, marks=Marks(changes=changes(events, len(view.players))))


def points(view: View, names: Sequence[str]) -> list[str]:
    """Return the points of each seat in words."""
    totals = [score.total for score in view.scoresheet.seats]
    return [ngettext("{n} point", "{n} points", total).format(n=total) for total in totals]
