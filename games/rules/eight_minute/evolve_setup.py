"""The writers for setup events, drawn or by hand. By hand, the position determines the next choice (R1)."""

from collections.abc import Callable
from typing import Any, TypeVar

from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import Laid, layout_text
from games.rules.eight_minute.layouts import boards_needed
from games.rules.eight_minute.options import BY_HAND, shape
from games.rules.eight_minute.state import BID, DEAL, LAY, NEUTRAL, OUTPOST, START, TOKENS, State
from games.rules.eight_minute.tokens import FACE_DOWN, MERCHANTS, PORTAL, on_regions

T = TypeVar("T")


def _setup_begun(state: State, event: e.SetupBegun) -> None:
    state.setter = event.setter
    go_on_by_hand(state)


def _boards_laid(state: State, event: e.BoardsLaid) -> None:
    state.setter = event.setter
    _clear(state, event.layout)
    go_on_by_hand(state)


def _board_laid(state: State, event: e.BoardLaid) -> None:
    laid = (*state.map.laid, Laid(event.place, event.side, event.turns))
    _clear(state, layout_text(laid))
    go_on_by_hand(state)


def _clear(state: State, layout: str) -> None:
    """Empty the map."""
    state.layout = layout
    regions = len(state.map.regions)
    state.armies = [0] * (regions * state.colours)
    state.cities = state.armies[:]
    state.tokens = ("",) * regions if on_regions(state.options) else ()
    state.faces = ("",) * regions if state.options.poison_swamp else ()
    state.towns = (0,) * regions if state.options.merchants else ()


def _leaders_dealt(state: State, event: e.LeadersDealt) -> None:
    state.leaders = event.leaders
    state.captives = (0,) * state.colours


def _start_chosen(state: State, event: e.StartChosen) -> None:
    state.start = state.map.index[event.region]
    _muster(state, state.start, event.armies)
    go_on_by_hand(state)


def _outpost_chosen(state: State, event: e.OutpostChosen) -> None:
    state.outpost = state.map.index[event.region]
    _muster(state, state.outpost, event.armies)
    go_on_by_hand(state)


def _token_laid(state: State, event: e.TokenLaid) -> None:
    region = state.map.index[event.region]
    state.tokens = replaced(state.tokens, region, event.token)
    if event.token == FACE_DOWN:
        state.unseen = tuple((*regions, region) for regions in state.unseen)
    state.unlaid = without(state.unlaid, event.token)
    if event.token == PORTAL and state.tokens.count(PORTAL) == 2:
        joined = [r for r, token in zip(state.map.regions, state.tokens, strict=True) if token == PORTAL]
        state.layout = ";".join((state.layout, *joined))
    go_on_by_hand(state)


def _town_laid(state: State, event: e.TownLaid) -> None:
    state.towns = replaced(state.towns, state.map.index[event.region], event.coins)
    state.unlaid = without(state.unlaid, MERCHANTS)
    go_on_by_hand(state)


def _muster(state: State, region: int, armies: tuple[int, ...]) -> None:
    for seat, n in enumerate(armies):
        put(state, region, seat, n)


def _neutral_placed(state: State, event: e.NeutralPlaced) -> None:
    put(state, state.map.index[event.region], state.players, 1)
    go_on_by_hand(state)


def _row_dealt(state: State, event: e.RowDealt) -> None:
    for card in event.cards:
        state.deck.remove(card)
    state.row = list(event.cards)
    state.phase, state.turn = BID, -1


def go_on_by_hand(state: State) -> None:
    """In a setup by hand, set the phase and the seat that makes the next choice (R4)."""
    if state.options.setup != BY_HAND:
        return
    state.phase = _stage(state)
    others_first = 1 + state.rules.third_colour - state.supply[-1] if state.phase == NEUTRAL else 0
    state.turn = (state.setter + others_first) % state.players


def _stage(state: State) -> str:
    if len(state.map.laid) < boards_needed(shape(state.rules, state.options, state.players)):
        return LAY
    if state.start < 0:
        return START
    if state.outpost < 0 and state.rules.outpost_armies:
        return OUTPOST
    if state.unlaid:
        return TOKENS
    return NEUTRAL if state.colours > state.players and state.supply[-1] else DEAL


def put(state: State, region: int, colour: int, n: int) -> None:
    """Move armies from the supply to a region, or back if `n` is negative."""
    state.armies[region * state.colours + colour] += n
    state.supply[colour] -= n


def replaced(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """Return the tuple with `thing` at index `place`."""
    return (*things[:place], thing, *things[place + 1 :])


def without(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    """Return the tuple without the first such thing, if there is one."""
    if thing not in things:
        return things
    place = things.index(thing)
    return (*things[:place], *things[place + 1 :])


SETUP_WRITERS: dict[type, Callable[[State, Any], None]] = {
    e.SetupBegun: _setup_begun,
    e.BoardsLaid: _boards_laid,
    e.BoardLaid: _board_laid,
    e.LeadersDealt: _leaders_dealt,
    e.StartChosen: _start_chosen,
    e.OutpostChosen: _outpost_chosen,
    e.TokenLaid: _token_laid,
    e.TownLaid: _town_laid,
    e.NeutralPlaced: _neutral_placed,
    e.RowDealt: _row_dealt,
}
