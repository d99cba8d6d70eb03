"""The row of cards: what is on offer at which price, and which cards have recently left it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import Face, face
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
