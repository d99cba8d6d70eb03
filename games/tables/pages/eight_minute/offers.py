"""The cards of the row, with their prices and whether they can be taken."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import Face, face
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.view import OfferView, View


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


def card_face(view: View, card: str) -> Face:
    """Return the face of a card in this table's edition."""
    return face(edition(view.edition).cards[card], _)


def offers(view: View) -> tuple[Offer, ...]:
    """Return the row, with a reason for each card that is too expensive."""
    coins = None if view.seat is None else view.players[view.seat].coins
    return tuple(_offer(view, offer, coins) for offer in view.row)


def _offer(view: View, offer: OfferView, coins: int | None) -> Offer:
    return Offer(
        face=card_face(view, offer.card),
        price=offer.price,
        action=f"take {offer.card}",
        why_not="" if offer.affordable or coins is None else _too_dear(offer.price, coins),
    )


def _too_dear(price: int, coins: int) -> str:
    words = ngettext("Costs {price}, you have {n} coin", "Costs {price}, you have {n} coins", coins)
    return words.format(price=price, n=coins)
