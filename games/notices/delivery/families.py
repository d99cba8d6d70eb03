"""What a family of games says and shows of its own in a message. A new family is one line at the end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from games.boards.kingdoms.seats import BANNERS
from games.boards.themes import SEATS, Colour
from games.notices.delivery.eight_minute import board, offers
from games.notices.delivery.eight_minute import leads as eight_minute
from games.notices.delivery.kingdoms import hand, kingdoms
from games.notices.delivery.kingdoms import leads as kingdoms_leads
from games.notices.outbox.words import Lead, Offer
from games.rules.protocol import Event, View
from games.tables.models import Seat

Names = Sequence[str]


@dataclass(frozen=True)
class Family:
    """`lead` begins a message of a kind. `offers` are what the reader can take, under a heading of their own.

    `hand`: the reader's cards in lines of words, if they hold any. `standing`: how each seat stands, in words, in seat
    order; while the game runs under the heading `now`. `picture`: the position, `width` pixels wide, with what
    these events changed marked; empty where there is nothing to draw.
    """

    lead: Callable[[str, View, Seat, list[Seat]], Lead]
    offers: Callable[[View], tuple[str, tuple[Offer, ...]]]
    hand: Callable[[View], tuple[str, ...]]
    standing: Callable[[View, Names], list[str]]
    now: str
    picture: Callable[[Any, int, Names, Sequence[Event]], bytes]
    paints: tuple[Colour, ...]


FAMILIES: dict[str, Family] = {
    "eight_minute": Family(
        lead=eight_minute.lead_words,
        offers=offers.offers,
        hand=lambda view: (),
        standing=board.points,
        now=gettext_noop("Current points"),
        picture=board.picture,
        paints=SEATS,
    ),
    "kingdoms": Family(
        lead=kingdoms_leads.lead_words,
        offers=lambda view: ("", ()),
        hand=hand.hand_words,
        standing=kingdoms.standing,
        now=gettext_noop("Kingdoms"),
        picture=kingdoms.picture,
        paints=BANNERS,
    ),
}
