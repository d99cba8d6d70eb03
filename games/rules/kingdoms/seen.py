"""What a seat, or a spectator, may know of an event (section 14)."""

from collections.abc import Callable
from typing import Any

import msgspec

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card
from games.rules.protocol import Event


def seen(event: Event, seat: int | None) -> Event:
    """Return the event without the cards the seat may not know. That it happened is always public."""
    mask = _MASKS.get(type(event))
    return event if mask is None else mask(event, seat)


def _dealt(event: e.Dealt, seat: int | None) -> e.Dealt:
    hands = tuple(hand if owner == seat else () for owner, hand in enumerate(event.hands))
    return msgspec.structs.replace(event, hands=hands)


def _drawn(event: e.CardDrawn, seat: int | None) -> e.CardDrawn:
    if event.seat == seat or not event.card or card(event.card).kind == "epic":
        return event
    return e.CardDrawn(event.seat)


def _between_two(event: Any, seat: int | None) -> Any:
    """Hide a card that passed between two hands from everyone else."""
    return event if seat in (event.seat, event.other) else msgspec.structs.replace(event, card="")


def _given(event: e.Given, seat: int | None) -> e.Given:
    return event if seat in (event.seat, event.other) else msgspec.structs.replace(event, cards=())


def _own(event: Any, seat: int | None) -> Any:
    return event if seat == event.seat else msgspec.structs.replace(event, cards=())


_MASKS: dict[type, Callable[[Any, int | None], Event]] = {
    e.Dealt: _dealt,
    e.CardDrawn: _drawn,
    e.CardPicked: _between_two,
    e.TributeTaken: _between_two,
    e.CardStolen: _between_two,
    e.Given: _given,
    e.HandSeen: _own,
    e.AttackDeclared: _own,
    e.TroopsLaid: _own,
}
