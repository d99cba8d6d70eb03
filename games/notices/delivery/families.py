"""What a message needs from each family of games. `games.families` registers it at start-up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PIL.Image import Image

from games.boards.themes import Colour
from games.notices.outbox.words import Lead, Offer
from games.rules.protocol import Event, Ruleset, View
from games.rules.words import Translate
from games.tables.models import Seat

Names = Sequence[str]


@dataclass(frozen=True)
class MessageParts:
    """Functions that write the family's parts of a message.

    `lead`: title and opening sentence for a kind of notice. `offers`: a heading and the cards the reader can take.
    `hand`: the reader's hand in lines of text, if any. `summaries`: how each seat is doing, in words, in seat order,
    shown under the heading `now` while the game runs. `picture`: the position with the effects of these events marked,
    in a theme, at most so many pixels wide; None if there is nothing to draw. `prepare`: draw what most pictures in a
    theme and a language are pasted from, and return its number. `paints`: the colors of the seats.
    """

    lead: Callable[[str, View, Seat, list[Seat]], Lead]
    summaries: Callable[[View, Names], list[str]]
    now: str
    picture: Callable[[Any, Names, Sequence[Event], str, int], Image | None]
    prepare: Callable[[str, Translate, str], int]
    paints: tuple[Colour, ...]
    offers: Callable[[View], tuple[str, tuple[Offer, ...]]] = lambda view: ("", ())
    hand: Callable[[View], tuple[str, ...]] = lambda view: ()


PARTS: dict[str, MessageParts] = {}


def parts_of(ruleset: Ruleset) -> MessageParts:
    """Return what the ruleset's family brings to a message."""
    return PARTS[ruleset.family]
