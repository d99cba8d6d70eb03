"""What a seat may do: take a card of the row, or steps, first where on the map, then what, as people think."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import Face, face
from games.boards.eight_minute.geometry import region_name
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.view import View


@dataclass(frozen=True)
class Offer:
    """A card of the row; `why_not` tells why it cannot be taken, if so."""

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
    """Return the face of a card in this table's edition."""
    return face(edition(view.edition).cards[card], _)


def offers(view: View) -> tuple[Offer, ...]:
    """Return the row, with a reason for each card that is too expensive."""
    found = []
    for offer in view.row:
        why_not = ""
        if view.seat is not None and not offer.affordable:
            coins = view.players[view.seat].coins
            words = ngettext("Costs {price}, you have {n} coin", "Costs {price}, you have {n} coins", coins)
            why_not = words.format(price=offer.price, n=coins)
        found.append(Offer(card_face(view, offer.card), offer.price, f"take {offer.card}", why_not))
    return tuple(found)


STEPS = ("place", "move", "build", "destroy")


class Picked(NamedTuple):
    """The reader's selection in the URL: a region; during set-up by hand a side, place or token.

    `then` is a step that needs confirmation.
    """

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
        """The only possible action here, if there is just one."""
        return self.here[0] if len(self.here) == 1 and not self.away else None


def is_step(action: str) -> bool:
    return action.partition(" ")[0] in STEPS


def spots(legal: Sequence[str], names: Sequence[str], face_down: Collection[str]) -> dict[str, Spot]:
    """Return the regions where steps start, in the order of the legal texts, see `choice`."""
    found: dict[str, Spot] = {}
    for action in filter(is_step, legal):
        verb, region = action.split(" ")[:2]
        spot = found.setdefault(region, Spot(region, region_name(region)))
        (spot.away if verb == "move" else spot.here).append(choice(action, names, face_down))
    return found


def choice(action: str, names: Sequence[str], face_down: Collection[str] = ()) -> Choice:
    """Return a step in words. Building a city in a region of `face_down` reveals the token there."""
    verb, region, *rest = action.split(" ")
    where = region_name(region)
    if verb == "place":
        return Choice(action, _("Place an army"), _("Place an army in {region}").format(region=where), f"+ {where}")
    if verb == "build":
        words, full = _("Build a city"), _("Build a city in {region}")
        if region in face_down:
            words, full = _("Build a city and reveal the token"), _("Build a city in {region} and reveal its token")
        return Choice(action, words, full.format(region=where), _("City in {region}").format(region=where))
    if verb == "move":
        target = region_name(rest[0])
        full = _("Move an army from {origin} to {target}").format(origin=where, target=target)
        return Choice(action, _("to {target}").format(target=target), full, f"{where} → {target}")
    if rest[0] == "-":
        words = _("Destroy a third-color army")
    else:
        words = _("Destroy one of {player}’s armies").format(player=names[int(rest[0])])
    return Choice(action, words, _("{what} in {region}").format(what=words, region=where), f"× {where}")
