"""The reader's hand in words for emails: by class, strongest first, equal cards grouped, and the total value."""

from collections.abc import Iterator
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.boards.kingdoms.faces import hero
from games.rules.kingdoms.deck import card, place
from games.rules.kingdoms.troops import best_ordinary
from games.rules.kingdoms.view import View
from games.rules.kingdoms.worth import value

KINDS = ("kingdom", "champion", "attack", "support", "epic", "boss")
NAMES = {
    "kingdom": gettext_noop("Kingdom Heroes"),
    "champion": gettext_noop("Champions"),
    "attack": gettext_noop("Attack Heroes"),
    "support": gettext_noop("Support Heroes"),
    "epic": gettext_noop("Epics"),
    "boss": gettext_noop("Bosses"),
}


def hand_words(view: View) -> tuple[str, ...]:
    """Return a line for each class and one for the value; none for an empty hand."""
    hand = view.players[view.seat].hand if view.seat is not None else ()
    if not hand:
        return ()
    lines = (_line(kind, list(group)) for kind, group in groupby(_sorted(hand), key=lambda one: card(one).kind))
    return (*lines, _sum(hand))


def _sorted(hand: tuple[str, ...]) -> list[str]:
    return sorted(hand, key=lambda one: (KINDS.index(card(one).kind), -card(one).value, place(one)))


def _line(kind: str, cards: list[str]) -> str:
    return _("{kind}: {cards}").format(kind=_(NAMES[kind]), cards=", ".join(_counted(cards)))


def _counted(cards: list[str]) -> Iterator[str]:
    """Yield each group of equal cards, as in `2 × Sun Archer (4)`."""
    for (name, worth), equal in groupby(cards, key=lambda one: (hero(one, _), card(one).value)):
        n = len(list(equal))
        yield (f"{n} × " if n > 1 else "") + f"{name} ({worth})"


def _sum(hand: tuple[str, ...]) -> str:
    best = value(best_ordinary(hand))
    template = _("Total value {value}. Your best hand without an Epic or a Boss is worth {best}.")
    return template.format(value=value(hand), best=best)
