"""The selected cards in words: value, troops, price, and why they cannot do more."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.rules.kingdoms.allowed import is_opening_truce
from games.rules.kingdoms.market import check_purchase, dots
from games.rules.kingdoms.state import DEFEND, SHOWDOWN, TIE, TURN
from games.rules.kingdoms.troops import COMMAND, EPIC21, ORDINARY, classify, not_so_secret
from games.rules.kingdoms.worth import value
from games.rules.protocol import IllegalAction
from games.tables.pages.kingdoms.cards import cards_count
from games.tables.pages.kingdoms.names import named
from games.tables.pages.kingdoms.place import Place

TROOPS = {
    ORDINARY: gettext_noop("troops of {total}"),
    EPIC21: gettext_noop("an Epic 21 of {total}"),
    COMMAND: gettext_noop("{total} under command"),
}


@dataclass(frozen=True)
class Selection:
    """The selected cards. `words` describe them, `hint` tells what prevents their likely use."""

    words: tuple[str, ...]
    hint: str


def selection(place: Place) -> Selection | None:
    """Return the selected cards in words; None if none is selected."""
    if not (place.mine or place.wanted):
        return None
    return Selection(tuple(_words(place.mine, place.wanted)), _hint(place))


def refusal(check: Callable[..., Any], *args: Any) -> str:
    """Return the sentence of a refusal by the rules; empty if legal."""
    try:
        check(*args)
    except IllegalAction as refused:
        return refused.say(_)
    return ""


def _words(mine: tuple[str, ...], wanted: tuple[str, ...]) -> Iterator[str]:
    if mine:
        yield _("{cards}, worth {value}").format(cards=cards_count(len(mine)), value=value(mine))
        yield from () if wanted else _troop_words(mine)
        yield from [_dots(mine)] if dots(mine) else []
    if wanted:
        yield _("{cards} from the Flop for {dots}").format(cards=named(wanted), dots=_dots(wanted))


def _troop_words(cards: tuple[str, ...]) -> Iterator[str]:
    if refusal(classify, cards):
        yield _("not valid troops")
    else:
        troop = classify(cards)
        yield _(TROOPS[troop.kind]).format(total=troop.total)
    if not_so_secret(cards):
        yield _("a Not-So-Secret set")


def _dots(cards: tuple[str, ...]) -> str:
    n = dots(cards)
    return ngettext("{n} dot", "{n} dots", n).format(n=n)


def _hint(place: Place) -> str:
    if place.phase == TURN and not place.view.flags.drawn:
        return _("Draw first. Then you can buy and attack.")
    if place.wanted:
        return _market_hint(place) if place.may_trade else ""
    return _troop_hint(place) if place.phase in (TURN, DEFEND, TIE, SHOWDOWN) else ""


def _market_hint(place: Place) -> str:
    return (
        refusal(check_purchase, place.mine, place.wanted)
        if place.mine
        else _("Choose cards from your hand to pay with.")
    )


def _troop_hint(place: Place) -> str:
    if place.phase == TURN and is_opening_truce(place.state):
        return _("Nobody can attack yet because of the opening truce.")
    return refusal(classify, place.mine) if place.phase != TURN or place.targets else ""
