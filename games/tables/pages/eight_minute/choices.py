"""The actions of a seat in words: cards of the row, and steps by region, because players choose the region first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.boards.eight_minute.faces import Face, face
from games.boards.eight_minute.geometry import region_name
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.legal import crossing
from games.rules.eight_minute.tokens import FACE_DOWN
from games.rules.eight_minute.view import PartView, View


@dataclass(frozen=True)
class Offer:
    """A card of the row; `why_not` tells why it cannot be taken, else empty."""

    face: Face
    price: int
    action: str
    why_not: str

    @property
    def id(self) -> str:
        return f"do-take-{self.face.id}"


@dataclass(frozen=True)
class Taken:
    """A card that a player took."""

    face: Face
    seat: int
    name: str


def card_face(view: View, card: str) -> Face:
    """Return the face of a card in this table's edition, in the reader's language."""
    return _face(view.edition, card, get_language())


@lru_cache(maxsize=2048)
def _face(edition_id: str, card: str, language: str) -> Face:
    return face(edition(edition_id).cards[card], _)  # in `language`, which is the active one


def offers(view: View) -> tuple[Offer, ...]:
    """Return the cards of the row, with a reason for each one that is too expensive."""
    row = []
    for offer in view.row:
        why_not = ""
        if view.seat is not None and not offer.affordable:
            coins = view.players[view.seat].coins
            words = ngettext("Costs {price}, you have {n} coin", "Costs {price}, you have {n} coins", coins)
            why_not = words.format(price=offer.price, n=coins)
        row.append(Offer(card_face(view, offer.card), offer.price, f"take {offer.card}", why_not))
    return tuple(row)


STEPS = ("place", "move", "build", "destroy")


class Picked(NamedTuple):
    """The reader's selection in the URL: a region; side, place or token in the set-up; a step `then` to confirm."""

    region: str = ""
    side: str = ""
    place: str = ""
    token: str = ""
    then: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Picked":
        return cls(*(query.get(name, "") for name in cls._fields))


class Choice(NamedTuple):
    """An action in words: `words` for its button, `full` without context, `brief` for a chip.

    `gives_up` is what could no longer be used after it, in words; then a question comes first.
    """

    action: str
    words: str
    full: str
    brief: str
    gives_up: str = ""

    @property
    def id(self) -> str:
        return "do-" + self.action.replace(" ", "-").replace("--", "-third")


@dataclass
class Spot:
    """What can be done in a region: `here` (place, build, destroy), or by moving an army `away`."""

    region: str
    name: str
    here: list[Choice] = field(default_factory=list)
    away: list[Choice] = field(default_factory=list)

    @property
    def only(self) -> Choice | None:
        """The action that a tap on the region takes: the only possible one, or the only one that gives nothing up."""
        free = [choice for choice in self.here if not choice.gives_up] if len(self.here) > 1 else self.here
        return free[0] if len(free) == 1 and not self.away else None


def is_step(action: str) -> bool:
    return action.partition(" ")[0] in STEPS


def spots(view: View, names: Sequence[str], face_down: Collection[str]) -> dict[str, Spot]:
    """Return the regions where steps start, in the order of the legal texts. Moves over water say their cost."""
    spots_by_region: dict[str, Spot] = {}
    layout = view.hidden.map
    for action in filter(is_step, view.legal):
        verb, region, *rest = action.split(" ")
        spot = spots_by_region.setdefault(region, Spot(region, _(region_name(region))))
        step = choice(action, names, face_down, me=view.seat)
        if verb != "move":
            spot.here.append(step)
            continue
        if layout.index[rest[0]] not in layout.land[layout.index[region]]:
            part = next(part for part in view.parts if part.kind == "move")
            target, left, cost = _(region_name(rest[0])), part.left, crossing(view.hidden, view.hidden.turn, part.ship)
            words, full = (
                _("to {target}: {cost} of {left} moves"),
                _("{what}: uses {cost} of {left} moves and leaves {after}"),
            )
            step = step._replace(
                words=words.format(target=target, cost=cost, left=left),
                full=full.format(what=step.full, cost=cost, left=left, after=left - cost),
            )
        spot.away.append(step)
    return spots_by_region


def choice(action: str, names: Sequence[str], face_down: Collection[str] = (), me: int | None = None) -> Choice:
    """Return a step in words. Building a city in a region of `face_down` reveals its token. Seat `me` is “you”."""
    verb, region, *rest = action.split(" ")
    name = _(region_name(region))
    if verb == "place":
        return Choice(action, _("Place an army"), _("Place an army in {region}").format(region=name), f"+ {name}")
    if verb == "build":
        words, full = _("Build a city"), _("Build a city in {region}")
        if region in face_down:
            words, full = _("Build a city and reveal the token"), _("Build a city in {region} and reveal its token")
        return Choice(action, words, full.format(region=name), _("City in {region}").format(region=name))
    if verb == "move":
        target = _(region_name(rest[0]))
        full = _("Move an army from {origin} to {target}").format(origin=name, target=target)
        return Choice(action, _("to {target}").format(target=target), full, f"{name} → {target}")
    if rest[0] == "-":
        words = _("Destroy a third-color army")
    elif int(rest[0]) == me:
        words = _("Destroy one of your armies")
    else:
        words = _("Destroy one of {player}’s armies").format(player=names[int(rest[0])])
    return Choice(action, words, _("{what} in {region}").format(what=words, region=name), f"× {name}")


def advice(view: View, actions: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return short sentences that tell a player to take these actions. Equal consecutive ones are counted."""
    face_down = {region for region, contents in view.regions.items() if contents.token == FACE_DOWN}
    prices = {offer.card: offer.price for offer in view.row}
    steps = []
    for action, run in groupby(actions):
        n, (verb, _space, card) = len(list(run)), action.partition(" ")
        if verb == "take":
            price = prices.get(card, 0)
            words = ngettext("Take {card} for {n} coin", "Take {card} for {n} coins", price)
            words = (words if price else _("Take {card} for free")).format(card=card_face(view, card).name, n=price)
        else:
            words = choice(action, names, face_down, view.seat).full if is_step(action) else _("End turn")
        steps.append(f"{words} ×{n}" if n > 1 else words)
    return steps


def part_words(view: View, part: PartView, left: int) -> str:
    """Return in words how much of a part of the card in play is left, such as “2 of 4 armies to place”."""
    if part.kind == "place":
        words = ngettext("{left} of {n} army to place", "{left} of {n} armies to place", part.amount)
    elif part.kind == "build":
        words = ngettext("{left} of {n} city to build", "{left} of {n} cities to build", part.amount)
    elif part.kind == "destroy":
        words = ngettext("{left} of {n} army to destroy", "{left} of {n} armies to destroy", part.amount)
    elif part.ship:
        words = _("{left} of {n} moves left, by land or water")
    elif edition(view.edition).crossing:
        words = _("{left} of {n} moves left")
    else:  # only ships can cross water here
        words = _("{left} of {n} moves left, by land")
    return words.format(left=left, n=part.amount)
