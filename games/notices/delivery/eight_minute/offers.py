"""The cards that the reader can afford, with prices."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import Face, face
from games.notices.outbox.words import Offer
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.state import EXTRA, TURN
from games.rules.eight_minute.view import OfferView, View


def offers(view: View) -> tuple[str, tuple[Offer, ...]]:
    """Return a heading and the affordable cards; none if a card has been taken already.

    While the player is not yet taking a card, the heading only announces the first cards.
    """
    payable = [offer for offer in view.row if offer.affordable and not view.taken]
    heading = _("Cards you can take") if view.phase in (TURN, EXTRA) else _("First cards in the row")
    return heading, tuple(_offer(view, offer) for offer in payable)


def _offer(view: View, offer: OfferView) -> Offer:
    card = offer.card if f"take {offer.card}" in view.legal else ""
    return Offer(card_face(view, offer.card).name, price(offer), gives(view, offer.card), card)


def card_face(view: View, card: str) -> Face:
    return face(edition(view.edition).cards[card], _)


def gives(view: View, card: str) -> str:
    """Describe a card's ability and its action. Fairy Queen's last card comes without its action (R50)."""
    shown = card_face(view, card)
    action = f" {shown.joined_words} ".join(part.words for part in shown.parts)
    return "; ".join([*(ability.words for ability in shown.abilities), *([] if view.phase == EXTRA else [action])])


def price(offer: OfferView) -> str:
    if offer.price == 0:
        return _("for free")
    return ngettext("for {n} coin", "for {n} coins", offer.price).format(n=offer.price)
