"""What the page asks of its reader: the one decision that is due, with all that its panel shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.faces import Face, face
from games.rules.empire.edition import edition
from games.rules.empire.state import BID, FIRST
from games.rules.empire.view import OfferView, PartView, View
from games.selectors.regions import region_name
from games.selectors.table import Table
from games.views.choices import Choice, Spot, choice, is_step, spots


@dataclass(frozen=True)
class Offer:
    """A card of the row as one can, or cannot, take it."""

    face: Face
    price: int
    action: str
    why_not: str

    @property
    def id(self) -> str:
        return f"do-take-{self.face.id}"


@dataclass(frozen=True)
class Counter:
    """A part of the card in play: `left` of `amount`, in words."""

    kind: str
    left: int
    amount: int
    words: str
    open: bool

    @property
    def pips(self) -> list[bool]:
        """One for each army, movement or city; true for those that are left."""
        return [n < self.left for n in range(self.amount)]


@dataclass(frozen=True)
class Effect:
    """What the draft does to a seat's points."""

    seat: int
    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before

    @property
    def words(self) -> str:
        return _("from {before} to {after} points").format(before=self.before, after=self.after)


class Chip(NamedTuple):
    """A step laid out, `times` in a row."""

    full: str
    brief: str
    times: int


@dataclass(frozen=True)
class Hand:
    """The decision due: bid, first, take, steps, complete; or sealed, wait, watch, over, past when there is none.

    `spots` are the regions where steps begin, `chosen` the one that the reader has picked; `unused` says what is
    given up when the turn ends now, `whole` is the turn as it would be handed in.
    """

    kind: str
    coins: int = 0
    bid: int | None = None
    seats: tuple[tuple[int, str], ...] = ()
    offers: tuple[Offer, ...] = ()
    card: Face | None = None
    counters: tuple[Counter, ...] = ()
    steps: tuple[Choice, ...] = ()
    spots: tuple[Spot, ...] = ()
    chosen: Spot | None = None
    effects: tuple[Effect, ...] = ()
    unused: str = ""
    whole: str = ""

    @property
    def bids(self) -> range:
        return range(self.coins + 1)

    @property
    def hint(self) -> str:
        """What to do next, for somebody who has not done this before."""
        if self.spots:
            return _("Tap a marked region of the map.")
        return _("Nothing is left to do: confirm the turn.")

    @property
    def chips(self) -> list[Chip]:
        """The steps in their order, like ones that follow one another together."""
        runs = [list(run) for _key, run in groupby(self.steps)]
        return [Chip(run[0].full, run[0].brief, len(run)) for run in runs]

    @property
    def said(self) -> list[str]:
        """The panel for the ear: the last step, what is left, the points."""
        counted = [counter.words for counter in self.counters if counter.open]
        points = [f"{effect.name}: {effect.words}" for effect in self.effects if effect.change]
        return [*(step.full for step in self.steps[-1:]), *counted, *points]

    @property
    def has_draft(self) -> bool:
        return self.card is not None

    @property
    def is_mine(self) -> bool:
        return self.kind in ("bid", "first", "take", "steps", "complete")


def hand(table: Table, chosen: str = "") -> Hand:
    """The decision that the reader owes now, with the region that they have picked."""
    view, before = table.view, table.before
    if view is None or before is None or before.over:
        return Hand("over")
    if table.seat is None:
        return Hand("watch")
    seat = table.seat.number
    if before.phase == BID:
        return _bid(before, seat)
    if seat not in before.to_act:
        return Hand("wait")
    if before.phase == FIRST:
        return Hand("first", seats=tuple(enumerate(table.names)))
    return _turn(table, view, before, chosen) if table.draft else Hand("take", offers=offers(before))


def _bid(view: View, seat: int) -> Hand:
    mine = view.players[seat]
    return Hand("bid" if mine.bid is None else "sealed", coins=mine.coins, bid=mine.bid)


def _turn(table: Table, view: View, before: View, chosen: str) -> Hand:
    done = table.turn_complete
    found = {} if done else spots(view.legal, table.names, region_name)
    counters = () if done else tuple(counter(part) for part in view.parts)
    return Hand(
        "complete" if done else "steps",
        card=card_face(view.ruleset, table.draft[0].partition(" ")[2]),
        counters=counters,
        steps=tuple(choice(step, table.names, region_name) for step in table.draft if is_step(step)),
        spots=tuple(found.values()),
        chosen=found.get(chosen),
        effects=effects(before, view, table.names),
        unused=_unused(counters),
        whole=";".join(table.draft if done else (*table.draft, "done")),
    )


def card_face(ruleset: str, card: str) -> Face:
    return face(edition(ruleset).cards[card], _)


def offers(view: View) -> tuple[Offer, ...]:
    """The row, with the reason beside each card that cannot be paid for."""
    coins = None if view.seat is None else view.players[view.seat].coins
    return tuple(_offer(view.ruleset, offer, coins) for offer in view.row)


def _offer(ruleset: str, offer: OfferView, coins: int | None) -> Offer:
    return Offer(
        face=card_face(ruleset, offer.card),
        price=offer.price,
        action=f"take {offer.card}",
        why_not="" if offer.affordable or coins is None else _too_dear(offer.price, coins),
    )


def _too_dear(price: int, coins: int) -> str:
    have = ngettext("you have {n} coin", "you have {n} coins", coins).format(n=coins)
    return _("Costs {price}, {have}").format(price=price, have=have)


def counter(part: PartView) -> Counter:
    """A part with its words, as “2 of 4 armies to place”."""
    return Counter(part.kind, part.left, part.amount, _left(part).format(left=part.left, n=part.amount), part.open)


def _left(part: PartView) -> str:
    if part.kind == "place":
        return ngettext("{left} of {n} army to place", "{left} of {n} armies to place", part.amount)
    if part.kind == "move":
        return _("{left} of {n} movement left")
    if part.kind == "build":
        return ngettext("{left} of {n} city to build", "{left} of {n} cities to build", part.amount)
    return ngettext("{left} of {n} army to destroy", "{left} of {n} armies to destroy", part.amount)


def _unused(counters: Sequence[Counter]) -> str:
    return ", ".join(one.words for one in counters if one.open and one.left)


def effects(before: View, after: View, names: Sequence[str]) -> tuple[Effect, ...]:
    """The seats whose points the draft changes, the drafting seat in any case and first."""
    pairs = zip(before.scoresheet.seats, after.scoresheet.seats, strict=True)
    found = [Effect(was.seat, names[was.seat], was.total, now.total) for was, now in pairs]
    shown = [one for one in found if one.change or one.seat == before.seat]
    return tuple(sorted(shown, key=lambda one: one.seat != before.seat))
