"""What statistics count about a player's game: the bid, who went first, cards and leaders."""

from collections.abc import Iterable

from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.events import BidsRevealed, CardTaken, FirstNamed
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import gifts
from games.rules.protocol import Event, Traits
from games.rules.words import gettext_noop

NAMES = {
    "first": gettext_noop("Turn order"),
    "bid": gettext_noop("Bid"),
    "card": gettext_noop("Card"),
    "leader": gettext_noop("Leader"),
}


def traits(events: Iterable[Event], position: State) -> tuple[Traits, ...]:
    """Return each seat's place in the turn order, bid, cards taken and leader."""
    found: list[dict[str, tuple[str, ...]]] = [{} for _seat in position.seats]
    for event in events:
        if isinstance(event, BidsRevealed):
            _each(found, "bid", map(str, event.bids))
            _each(found, "first", _order(event.winner, position.players))
        elif isinstance(event, FirstNamed):
            _each(found, "first", _order(event.first, position.players))
        elif isinstance(event, CardTaken):
            found[event.seat]["card"] = (*found[event.seat].get("card", ()), event.card)
    _each(found, "leader", position.leaders)
    return tuple(found)


def trait_name(rules: Edition, kind: str, value: str) -> str:
    """Return players' name for a value."""
    if kind == "card":
        return rules.cards[value].name if value in rules.cards else value
    return gifts()[value].name if kind == "leader" else value


def _order(first: int, players: int) -> list[str]:
    """Return each seat's place in the turn order, from 1."""
    return [str((seat - first) % players + 1) for seat in range(players)]


def _each(found: list[dict[str, tuple[str, ...]]], kind: str, values: Iterable[str]) -> None:
    for seat, value in enumerate(values):
        found[seat][kind] = (value,)
