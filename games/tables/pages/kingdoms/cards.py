"""The reader's hand: sorted, with equal cards in piles, its value, and what is missing to the next steps."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.rules.kingdoms.deck import SUIT_NAMES, SUITS, Card, card, place
from games.rules.kingdoms.worth import WINS, value
from games.tables.pages.kingdoms.picked import BY_CLASS, BY_SUIT, BY_VALUE, Picked
from games.tables.pages.kingdoms.pictures import picture

STEPS = (100, 200, WINS)
SMALL = 25  # from this many cards on they are drawn smaller
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

    cards: tuple[str, ...]
    picked: Picked
    shown: Collection[str] = ()
    new: Collection[str] = ()

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
        found = [step for step in STEPS if step > self.value]
        return [_("{n} short of {step}").format(n=step - self.value, step=step) for step in dict.fromkeys(
            [*found[:1], *found[-1:]]
        )]  # fmt: skip

    @property
    def is_large(self) -> bool:
        return len(self.cards) >= SMALL

    @property
    def sorts(self) -> list[Sort]:
        return [Sort(key, _(words), key == self.picked.sort) for key, words in SORT_NAMES.items()]

    @cached_property
    def groups(self) -> list[Group]:
        key, name = _SORTS[self.picked.sort]
        ranked = sorted(self.cards, key=lambda one: (key(card(one)), *_within(one)))
        return [self._group(name, list(cards)) for _key, cards in groupby(ranked, lambda one: key(card(one)))]

    def _group(self, name: Callable[[Card], str], cards: Sequence[str]) -> Group:
        piles = [tuple(map(self._card, equal)) for _key, equal in groupby(cards, _alike)]
        return Group(_(name(card(cards[0]))), len(cards), value(cards), tuple(piles))

    def _card(self, one: str) -> HandCard:
        return HandCard(one, one in self.picked.words, one in self.shown, one in self.new)


def _within(one: str) -> tuple[int, int, int]:
    """Return the sort key in a group: high values first, then ranks in order of building, then deck order."""
    found = card(one)
    return -found.value, found.dots, place(one)


def _alike(one: str) -> tuple[int, str | None, str]:
    found = card(one)
    return found.value, found.rank, one if found.commands else ""


def _class(one: Card) -> str:
    return "epic" if one.commands else one.kind


def _class_name(one: Card) -> str:
    return CLASSES[_class(one)]


def _suit_name(one: Card) -> str:
    return SUIT_NAMES[one.suit] if one.suit else CLASSES["epic"]


_SORTS: dict[str, tuple[Callable[[Card], int], Callable[[Card], str]]] = {
    BY_CLASS: (lambda one: list(CLASSES).index(_class(one)), _class_name),
    BY_VALUE: (lambda one: 0, lambda one: gettext_noop("All cards")),
    BY_SUIT: (lambda one: SUITS.index(one.suit) if one.suit else len(SUITS), _suit_name),
}


def cards_count(n: int) -> str:
    return ngettext("{n} card", "{n} cards", n).format(n=n)
