"""What leaders do by themselves (R32). Nothing where none are in play."""

from collections.abc import Iterable

from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import gifts
from games.rules.protocol import Event


def has(state: State, seat: int, kind: str) -> int:
    """The number that the seat's leader has with this ability, 0 without it."""
    return gifts()[state.leaders[seat]].total(kind) if state.leaders else 0


def muster(state: State, seat: int, region: int) -> Iterable[Event]:
    """An army from the supply joins White Knight's new city (R48)."""
    if state.supply[seat] and has(state, seat, "musters"):
        return (e.ArmyMustered(seat, state.map.regions[region]),)
    return ()


def spoils(state: State, seat: int, owner: int) -> Iterable[Event]:
    """Red Sorceress keeps the army, Bandit King takes a coin of its owner (R49); nobody of one's own."""
    if owner == seat or not state.leaders:
        return
    if has(state, seat, "captures"):
        yield e.ArmyCaptured(seat, owner)
    if owner >= 0 and state.coins[owner] and has(state, seat, "robs"):
        yield e.CoinRobbed(seat, owner)


def takes_extra_card(state: State) -> int | None:
    """The seat that may take one more card when all own their last (R50)."""
    return next((seat for seat in range(len(state.leaders)) if has(state, seat, "extra-card")), None)
