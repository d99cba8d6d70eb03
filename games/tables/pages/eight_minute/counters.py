"""What the card in play still allows, by part, and how the draft changes the points."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.view import PartView, View


@dataclass(frozen=True)
class Counter:
    """A part of the card in play: `left` of `amount`, with words."""

    kind: str
    left: int
    amount: int
    words: str
    open: bool

    @property
    def pips(self) -> list[bool]:
        """One item for each army, move or city; true for those that are left."""
        return [n < self.left for n in range(self.amount)]


@dataclass(frozen=True)
class Effect:
    """How the draft changes a seat's points."""

    seat: int
    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before

    @property
    def words(self) -> str:
        return _("{before} to {after} points").format(before=self.before, after=self.after)


def counters(view: View) -> tuple[Counter, ...]:
    return tuple(counter(part, edition(view.edition)) for part in view.parts)


def counter(part: PartView, rules: Edition) -> Counter:
    """Return a part with words such as “2 of 4 armies to place”."""
    words = _left(part, rules).format(left=part.left, n=part.amount)
    return Counter(part.kind, part.left, part.amount, words, part.open)


def _left(part: PartView, rules: Edition) -> str:
    if part.kind == "place":
        return ngettext("{left} of {n} army to place", "{left} of {n} armies to place", part.amount)
    if part.kind == "move":
        return _moves_left(part, rules)
    if part.kind == "build":
        return ngettext("{left} of {n} city to build", "{left} of {n} cities to build", part.amount)
    return ngettext("{left} of {n} army to destroy", "{left} of {n} armies to destroy", part.amount)


def _moves_left(part: PartView, rules: Edition) -> str:
    """Return the words for moves, which name land or water if only ships can cross water."""
    if part.ship:
        return _("{left} of {n} moves left, by land or water")
    return _("{left} of {n} moves left") if rules.crossing else _("{left} of {n} moves left, by land")


def order_words(view: View) -> str:
    """Return how the two parts of the card combine, while both are open."""
    if sum(part.open for part in view.parts) < 2 or not view.taken:
        return ""
    card = edition(view.edition).cards[view.taken]
    if card.joined == "or":
        return _("Choose one. Your first move decides which.")
    if card.ordered:
        return _("Finish the first part first. Once you start the second you can’t go back.")
    return _("Do both, in any order.")


def unused(left: Sequence[Counter]) -> str:
    """Return what stays unused if the turn ends now."""
    return ", ".join(one.words for one in left if one.open and one.left)


def effects(before: View, after: View, names: Sequence[str]) -> tuple[Effect, ...]:
    """Return the seats whose points change, and always the drafting seat, first."""
    pairs = zip(before.scoresheet.seats, after.scoresheet.seats, strict=True)
    found = [Effect(was.seat, names[was.seat], was.total, now.total) for was, now in pairs]
    shown = [one for one in found if one.change or one.seat == before.seat]
    return tuple(sorted(shown, key=lambda one: one.seat != before.seat))
