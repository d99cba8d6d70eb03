"""The reader's hand: sorted, with equal cards in piles, its value, and what the cards can do.

The helper lists troops, exact 21s, payments and Not-So-Secret sets, each selectable by one tap.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules.kingdoms.deck import SUITS, Card, card, deck_index, suit_name
from games.rules.kingdoms.market import purchases
from games.rules.kingdoms.troops import best_ordinary, best_troops, not_so_secret_sets, twenty_ones
from games.rules.kingdoms.values import WINS, value
from games.tables.pages.kingdoms.pictures import picture
from games.tables.pages.kingdoms.reader import BY_CLASS, BY_SUIT, BY_VALUE, Picked, selecting
from games.tables.pages.kingdoms.words import dots_count, hero, named, short

Cards = tuple[str, ...]
STEPS = (100, 200, WINS)
SMALL = 25  # from this many cards on they are drawn smaller
FEW_COMBINATIONS = 6  # combinations of each kind shown by default
MOST_COMBINATIONS = 400
CLASSES = {
    "kingdom": gettext_noop("Kingdom"),
    "champion": gettext_noop("Champions"),
    "attack": gettext_noop("Attack"),
    "support": gettext_noop("Support"),
    "epic": gettext_noop("Epics and Bosses"),
}
SORT_NAMES = {BY_CLASS: gettext_noop("by class"), BY_VALUE: gettext_noop("by value"), BY_SUIT: gettext_noop("by suit")}


@dataclass(frozen=True)
class HandCard:
    """A selectable card. `is_new`: it came in or after the reader's previous turn."""

    id: str
    is_picked: bool = False
    is_shown: bool = False
    is_new: bool = False

    @property
    def picture(self) -> SafeString:
        return picture(self.id)


@dataclass(frozen=True)
class Group:
    """Cards under a heading, with equal ones in piles."""

    name: str
    count: int
    value: int
    piles: tuple[tuple[HandCard, ...], ...]


@dataclass(frozen=True)
class Sort:
    """A way to sort the hand."""

    key: str
    words: str
    is_current: bool


@dataclass(frozen=True)
class MyHand:
    """The reader's hand."""

    cards: Cards
    picked: Picked
    shown: Collection[str]
    new: Collection[str]

    @property
    def value(self) -> int:
        return value(self.cards)

    @property
    def worth(self) -> str:
        return _("worth {value}").format(value=self.value)

    @property
    def gauge(self) -> int:
        """The value, at most 300."""
        return min(self.value, WINS)

    @property
    def missing(self) -> list[str]:
        """How much is missing to the next announcement and to victory."""
        ahead = [step for step in STEPS if step > self.value]
        next_and_last = dict.fromkeys((*ahead[:1], *ahead[-1:]))
        return [_("{n} short of {step}").format(n=step - self.value, step=step) for step in next_and_last]

    @property
    def is_large(self) -> bool:
        return len(self.cards) >= SMALL

    @property
    def sorts(self) -> list[Sort]:
        return [Sort(key, _(words), key == self.picked.sort) for key, words in SORT_NAMES.items()]

    @cached_property
    def groups(self) -> list[Group]:
        """The groups of the current sorting: in each high values first, then ranks in order of building."""
        sort, groups = self.picked.sort, []
        ranked = sorted(map(card, self.cards), key=lambda card: (group_of(card, sort), *order_in_group(card)))
        for (_place, name), members in groupby(ranked, lambda card: group_of(card, sort)):
            cards, piles = list(members), []
            # Equal cards form a pile; Epics and Bosses are never equal.
            for _key, pile in groupby(cards, lambda card: (card.value, card.rank, card.id if card.commands else "")):
                ids = [card.id for card in pile]
                piles.append(
                    tuple(HandCard(id_, id_ in self.picked.words, id_ in self.shown, id_ in self.new) for id_ in ids)
                )
            groups.append(Group(name, len(cards), value([card.id for card in cards]), tuple(piles)))
        return groups


def order_in_group(card: Card) -> tuple[int, int, int]:
    """Return a sort key: high values first, then ranks in order of building."""
    return -card.value, card.dots, deck_index(card.id)


def group_of(card: Card, sort: str = BY_CLASS) -> tuple[int, str]:
    """Return the place and the name of a card's group in a sorting."""
    if sort == BY_VALUE:
        return 0, _("All cards")
    if sort == BY_SUIT and card.suit:
        return SUITS.index(card.suit), suit_name(card.suit, _)
    kind = "epic" if card.commands else card.kind
    return (len(SUITS) if sort == BY_SUIT else list(CLASSES).index(kind)), _(CLASSES[kind])


# What the cards can do


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
    # The strongest troops: of all cards, without Epics and Bosses, up to 21, and with few cards.
    followers = tuple(card_id for card_id in hand if not card(card_id).commands)
    troops = [best_troops(hand), best_troops(followers), *(best_ordinary(hand, most) for most in (None, 2, 1))]
    ways_by_kind = [
        Ways("troops", _("Strongest troops"), tuple(_way(cards) for cards in dict.fromkeys(troops) if cards)),
        _ways("21", _("Exactly 21"), _all_21(hand), whole),
    ]
    for card_id in dict.fromkeys(flop):
        # Payments without unnecessary cards (K101), the cheapest first.
        key, name = f"pay-{card_id}".replace(":", "-"), _("{card} for {dots}")
        paying = sorted((give for give, take in purchases(hand, (card_id,)) if take == (card_id,)), key=value)
        shown = paying[: MOST_COMBINATIONS if whole == key else FEW_COMBINATIONS]
        ways = tuple(Way("", named(give), selecting((*give, card_id))) for give in shown)
        name = name.format(card=hero(card_id), dots=dots_count(card(card_id).dots))
        ways_by_kind.append(Ways(key, name, ways, len(paying) - len(shown)))
    ways_by_kind.append(_ways("secret", _("Not-So-Secret sets"), not_so_secret_sets(hand), whole))
    return [ways for ways in ways_by_kind if ways.ways]


@lru_cache(maxsize=1 << 6)
def _all_21(hand: Cards) -> tuple[Cards, ...]:
    return twenty_ones(hand)


def _ways(key: str, name: str, sets: Sequence[Cards], whole: str) -> Ways:
    ranked = sorted(sets, key=len)
    shown = ranked[: MOST_COMBINATIONS if whole == key else FEW_COMBINATIONS]
    return Ways(key, name, tuple(map(_way, shown)), len(ranked) - len(shown))


def _way(cards: Cards) -> Way:
    return Way(str(value(cards)), " + ".join(map(short, cards)), selecting(cards))
