"""Headlines for the state of the game."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules.eight_minute.state import BID, EXTRA, FIRST, LAY, NEUTRAL, OUTPOST, START, TOKENS
from games.rules.eight_minute.view import View
from games.tables.pages.frame import winners_words

# headlines for the seat that has to act, and for everyone else; normal turns have their own
ASKED = {
    FIRST: gettext_noop("You won the bid: choose who goes first"),
    EXTRA: gettext_noop("You may take one more card"),
    LAY: gettext_noop("Set up the game: place the boards"),
    START: gettext_noop("Set up the game: choose the start region"),
    OUTPOST: gettext_noop("Set up the game: choose the outpost"),
    TOKENS: gettext_noop("Set up the game: place the tokens"),
    NEUTRAL: gettext_noop("Place a third-color army"),
}
SETS_UP = gettext_noop("{player} is setting up the game")
AWAITED = {
    FIRST: gettext_noop("{player} is choosing who goes first"),
    EXTRA: gettext_noop("{player} may take one more card"),
    NEUTRAL: gettext_noop("{player} is placing a third-color army"),
    **dict.fromkeys((LAY, START, OUTPOST, TOKENS), SETS_UP),
}


def headline(before: View, view: View, names: Sequence[str], me: int | None, is_complete: bool = False) -> str:
    """Return the headline for the reader. `view` has their draft applied."""
    if before.over:
        return winners_words(before.scoresheet, names, me)
    if before.phase == BID:
        return _bid_words(before, me)
    if not before.to_act:
        return _("The game is being set up")
    acting = before.to_act[0]
    if acting == me:
        return _complete_words(before) if is_complete else _asked_words(view)
    return _(AWAITED.get(before.phase, gettext_noop("It is {player}’s turn"))).format(player=names[acting])


def _bid_words(view: View, me: int | None) -> str:
    if me is None:
        return _("Waiting for bids")
    return _("Your turn: place your bid") if view.players[me].bid is None else _("Your bid is in")


def _complete_words(before: View) -> str:
    return _("Your part of the set-up is done: confirm it") if before.setup else _("Your turn: confirm it")


def _asked_words(view: View) -> str:
    """Return what the reader has to do now."""
    if view.phase in ASKED:
        return _(ASKED[view.phase])
    return _("Your turn: play your card") if view.taken else _("Your turn: take a card")
