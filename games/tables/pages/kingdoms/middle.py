"""The middle of the table: the Flop with its prices, the Draw deck, and the open Burn pile (K65)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.kingdoms.changes import Changes
from games.boards.themes import mark
from games.rules.kingdoms.deck import card, place
from games.rules.kingdoms.view import View
from games.tables.pages.kingdoms import pictures
from games.tables.pages.kingdoms.cards import group_of
from games.tables.pages.kingdoms.offers import Choice
from games.tables.pages.kingdoms.words import dots_count, hero, named


@dataclass(frozen=True)
class Ware:
    """A card of the Flop: its price, and what a tap does if taking it is the only action."""

    id: str
    price: str
    is_picked: bool
    choice: Choice | None
    is_new: bool = False

    @property
    def picture(self) -> SafeString:
        return pictures.picture(self.id)


@dataclass(frozen=True)
class Heap:
    """Cards of a class in the Burn pile."""

    name: str
    count: int
    cards: str


@dataclass(frozen=True)
class Taken:
    """A card of the Flop that a player took."""

    seat: int
    name: str
    card: str

    @property
    def mark(self) -> SafeString:
        return mark_safe(mark(self.seat))


@dataclass(frozen=True)
class Middle:
    """The middle of the table. `is_asked`: the reader has to choose a card of the Flop. `taken` recently left it."""

    wares: tuple[Ware, ...]
    deck: int
    burn: int
    heaps: tuple[Heap, ...]
    out: int
    can_pick: bool
    taken: tuple[Taken, ...] = ()

    @property
    def is_asked(self) -> bool:
        return any(ware.choice for ware in self.wares)

    @property
    def awning(self) -> SafeString:
        return pictures.awning()

    @property
    def deck_picture(self) -> SafeString:
        return pictures.deck_pile(self.deck)

    @property
    def burn_picture(self) -> SafeString:
        return pictures.ember_pile(self.burn)


def middle(
    view: View,
    picked: frozenset[str],
    choices: Mapping[str, Choice],
    can_pick: bool,
    changes: Changes,
    names: Sequence[str],
) -> Middle:
    wares = tuple(
        Ware(one, dots_count(card(one).dots), one in picked, choices.get(one), one in changes.came) for one in view.flop
    )
    taken = tuple(Taken(seat, names[seat], hero(one)) for seat, one in changes.taken)
    heaps = []  # of the Burn pile by classes, as in a hand
    burnt = sorted(map(card, view.burn), key=lambda one: (group_of(one), -one.value, one.dots, place(one.id)))
    for (_place, name), members in groupby(burnt, group_of):
        cards = [one.id for one in members]
        heaps.append(Heap(_(name), len(cards), named(cards)))
    return Middle(wares, view.deck, len(view.burn), tuple(heaps), len(view.out), can_pick, taken)
