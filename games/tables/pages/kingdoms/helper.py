"""What the reader's cards can do: troops, exact 21s, payments and Not-So-Secret sets, each selectable by one tap."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.kingdoms.deck import card
from games.rules.kingdoms.market import purchases
from games.rules.kingdoms.troops import best_ordinary, best_troops, not_so_secret_sets, twenty_ones
from games.rules.kingdoms.worth import value
from games.tables.pages.kingdoms.names import hero, named, short
from games.tables.pages.kingdoms.picked import address

Cards = tuple[str, ...]
FEW = 6  # shown of each kind by default
ALL = 400


class Way(NamedTuple):
    """Cards that can be selected by one tap."""

    sum: str
    words: str
    query: str


@dataclass(frozen=True)
class Ways:
    """Ways of one kind, those with the fewest cards first; `more` of them are left out."""

    id: str
    name: str
    ways: tuple[Way, ...]
    more: int = 0

    @property
    def term(self) -> str:
        """The help term that explains these cards."""
        return {"troops": "troop-hand", "secret": "not-so-secret-move"}.get(self.id, "")


def helper(hand: Cards, flop: Cards, whole: str) -> list[Ways]:
    """Return all useful combinations. `whole` names the list to show completely."""
    found = [
        Ways("troops", _("Strongest troops"), tuple(_way(cards) for cards in strongest(hand))),
        _ways("21", _("Exactly 21"), _all_21(hand), whole),
        *(_payments(hand, one, whole) for one in dict.fromkeys(flop)),
        _ways("secret", _("Not-So-Secret sets"), not_so_secret_sets(hand), whole),
    ]
    return [ways for ways in found if ways.ways]


def strongest(hand: Cards) -> list[Cards]:
    """Return the strongest troops: of all cards, without Epics and Bosses, up to 21, and with few cards."""
    followers = tuple(one for one in hand if not card(one).commands)
    found = [
        best_troops(hand),
        best_troops(followers),
        best_ordinary(hand),
        *(best_ordinary(hand, most) for most in (2, 1)),
    ]
    return [cards for cards in dict.fromkeys(found) if cards]


@lru_cache(maxsize=1 << 6)
def _all_21(hand: Cards) -> tuple[Cards, ...]:
    return twenty_ones(hand)


def _ways(key: str, name: str, found: Sequence[Cards], whole: str) -> Ways:
    ranked = sorted(found, key=len)
    shown = ranked[: ALL if whole == key else FEW]
    return Ways(key, name, tuple(map(_way, shown)), len(ranked) - len(shown))


def _way(cards: Cards) -> Way:
    return Way(str(value(cards)), " + ".join(map(short, cards)), address(cards))


def _payments(hand: Cards, one: str, whole: str) -> Ways:
    """Return ways to pay for a card of the Flop, without unnecessary cards (K101)."""
    key = f"pay-{one}".replace(":", "-")
    found = sorted((give for give, take in purchases(hand, (one,)) if take == (one,)), key=value)
    shown = found[: ALL if whole == key else FEW]
    name = _("{card} for {dots}").format(card=hero(one), dots=_dots(card(one).dots))
    ways = tuple(Way("", named(give), address((*give, one))) for give in shown)
    return Ways(key, name, ways, len(found) - len(shown))


def _dots(n: int) -> str:
    return ngettext("{n} dot", "{n} dots", n).format(n=n)
