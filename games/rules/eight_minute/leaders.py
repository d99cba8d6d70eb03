"""Automatic effects of leaders (R32). Without leaders in play, none of these do anything."""

from collections.abc import Iterable

from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import gifts
from games.rules.protocol import Event


def has(state: State, seat: int, kind: str) -> int:
    """Return the number of this ability on the seat's leader, or 0."""
    return gifts()[state.leaders[seat]].total(kind) if state.leaders else 0


def muster(state: State, seat: int, region: int) -> Iterable[Event]:
    """Add an army from the supply to White Knight's new city (R48)."""
    if state.supply[seat] and has(state, seat, "musters"):
        return (e.ArmyMustered(seat, state.map.regions[region]),)
    return ()


def spoils(state: State, seat: int, owner: int) -> Iterable[Event]:
    """Red Sorceress keeps a destroyed army; Bandit King takes a coin from its owner (R49).

    One's own armies don't count.
    """
    if owner == seat or not state.leaders:
        return
    if has(state, seat, "captures"):
        yield e.ArmyCaptured(seat, owner)
    if owner >= 0 and state.coins[owner] and has(state, seat, "robs"):
        yield e.CoinRobbed(seat, owner)


def takes_extra_card(state: State) -> int | None:
    """Return the seat that may take an extra card after everyone's last (R50), or None."""
    return next((seat for seat in range(len(state.leaders)) if has(state, seat, "extra-card")), None)
