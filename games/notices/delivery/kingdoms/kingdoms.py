"""The current kingdoms in words, and a picture of who rules whom."""

from collections.abc import Sequence

from django.utils.translation import gettext

from games.boards.kingdoms.describe import kingdom_words
from games.boards.png import realm_png
from games.rules.kingdoms.view import View
from games.rules.protocol import Event


def standing(view: View, names: Sequence[str]) -> list[str]:
    """Describe each kingdom in a line, without its player's name."""
    said = (kingdom_words(view, player.seat, names, gettext) for player in view.players)
    return [words.partition(": ")[2] for words in said]


def picture(view: View, width: int, names: Sequence[str], events: Sequence[Event]) -> bytes:
    return realm_png(view, width, names=names, wide=False, translate=gettext)
