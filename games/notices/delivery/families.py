"""The parts of a message that depend on the family of games. To add a family, add an entry to `FAMILIES`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from games.boards.themes import BANNERS, SEATS, Colour
from games.notices.delivery import eight_minute, kingdoms
from games.notices.outbox.words import Lead, Offer
from games.rules.protocol import Event, View
from games.tables.models import Seat

Names = Sequence[str]


@dataclass(frozen=True)
class Family:
    """Functions that write the family's parts of a message.

    `lead`: title and opening sentence for a kind of notice. `offers`: a heading and the cards the reader can take.
    `hand`: the reader's hand in lines of text, if any. `standing`: the standing of each seat in words, in seat order,
    shown under the heading `now` while the game runs. `picture`: the position as PNG, `width` pixels wide, with the
    effects of these events marked; empty if there is nothing to draw. `paints`: the colors of the seats.
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
        offers=eight_minute.offers,
        hand=lambda view: (),
        standing=eight_minute.points,
        now=gettext_noop("Current points"),
        picture=eight_minute.picture,
        paints=SEATS,
    ),
    "kingdoms": Family(
        lead=kingdoms.lead_words,
        offers=lambda view: ("", ()),
        hand=kingdoms.hand_words,
        standing=kingdoms.standing,
        now=gettext_noop("Kingdoms"),
        picture=kingdoms.picture,
        paints=BANNERS,
    ),
}
