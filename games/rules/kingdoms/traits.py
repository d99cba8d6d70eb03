"""What statistics count about a player's game: who went first, Towers built, battles won, Castles taken."""

from collections import Counter
from collections.abc import Iterable

from games.rules.kingdoms.events import BattleEnded, CastleFallen, Dealt, TowerBuilt
from games.rules.kingdoms.state import State
from games.rules.protocol import Event, Traits
from games.rules.words import gettext_noop

NAMES = {
    "first": gettext_noop("Turn order"),
    "towers": gettext_noop("Towers built"),
    "battles": gettext_noop("Battles won"),
    "castles": gettext_noop("Castles taken"),
}
MANY = 6  # counts from here on are combined


def traits(events: Iterable[Event], position: State) -> tuple[Traits, ...]:
    """Return each seat's place in the turn order at the first deal, and how much it built and won."""
    first, counts = 0, {kind: Counter[int]() for kind in ("towers", "battles", "castles")}
    for event in events:
        if isinstance(event, Dealt) and event.deal == 0:
            first = event.first
        elif isinstance(event, TowerBuilt):
            counts["towers"][event.seat] += 1
        elif isinstance(event, BattleEnded):
            counts["battles"][event.winner] += 1
        elif isinstance(event, CastleFallen):
            counts["castles"][event.other] += 1
    return tuple(
        {"first": (str((seat - first) % position.players + 1),)}
        | {kind: (_so_many(count[seat]),) for kind, count in counts.items()}
        for seat in range(position.players)
    )


def trait_name(kind: str, value: str) -> str:
    """Return players' name for a value."""
    return value


def _so_many(count: int) -> str:
    return str(count) if count < MANY else f"{MANY}+"
