"""`evolve`: the only writer of a position. One small function for each kind of event; none of them can refuse."""

from collections.abc import Callable
from typing import Any

from games.rules.empire import events as e
from games.rules.empire.state import BID, FIRST, OVER, REFILL, SCORING, TURN, State
from games.rules.protocol import Event


def evolve(state: State, event: Event) -> None:
    """Make the event so."""
    _WRITERS[type(event)](state, event)


def _boards_laid(state: State, event: e.BoardsLaid) -> None:
    state.layout = event.layout
    state.armies = [0] * (len(state.map.regions) * state.colours)
    state.cities = state.armies[:]


def _start_chosen(state: State, event: e.StartChosen) -> None:
    state.start = state.map.index[event.region]
    _muster(state, state.start, event.armies)


def _outpost_chosen(state: State, event: e.OutpostChosen) -> None:
    _muster(state, state.map.index[event.region], event.armies)


def _muster(state: State, region: int, armies: tuple[int, ...]) -> None:
    for seat, n in enumerate(armies):
        _put(state, region, seat, n)


def _put(state: State, region: int, colour: int, n: int) -> None:
    state.armies[region * state.colours + colour] += n
    state.supply[colour] -= n


def _neutral_placed(state: State, event: e.NeutralPlaced) -> None:
    _put(state, state.map.index[event.region], state.players, 1)


def _row_dealt(state: State, event: e.RowDealt) -> None:
    for card in event.cards:
        state.deck.remove(card)
    state.row = list(event.cards)
    state.phase = BID


def _bid_made(state: State, event: e.BidMade) -> None:
    state.bids[event.seat] = event.coins


def _bids_revealed(state: State, event: e.BidsRevealed) -> None:
    state.bids = list(event.bids)
    state.coins[event.winner] -= event.bids[event.winner]
    state.turn = event.winner
    state.phase = FIRST


def _first_named(state: State, event: e.FirstNamed) -> None:
    state.turn = event.first
    state.phase = TURN


def _card_taken(state: State, event: e.CardTaken) -> None:
    seat = event.seat
    state.row.remove(event.card)
    state.owned[seat].append(event.card)
    state.taken, state.part, state.used = event.card, -1, [0, 0]
    state.coins[seat] -= event.price
    for ability in state.rules.cards[event.card].abilities:
        _GAINS.get(ability.kind, _keep)(state, seat, ability.n)


def _keep(state: State, seat: int, n: int) -> None:
    """An ability that only the score asks about."""


def _gain_immunity(state: State, seat: int, n: int) -> None:
    state.immune[seat] = True


def _gain(purse: str) -> Callable[[State, int, int], None]:
    def add(state: State, seat: int, n: int) -> None:
        getattr(state, purse)[seat] += n

    return add


_GAINS: dict[str, Callable[[State, int, int], None]] = {
    "army": _gain("more_armies"),
    "movement": _gain("more_movement"),
    "flying": _gain("flying"),
    "elixir": _gain("elixirs"),
    "coins": _gain("coins"),
    "immune": _gain_immunity,
}


def _use(state: State, part: int, cost: int) -> None:
    state.part = part
    state.used[part] += cost


def _army_placed(state: State, event: e.ArmyPlaced) -> None:
    _put(state, state.map.index[event.region], event.seat, 1)
    _use(state, event.part, 1)


def _army_moved(state: State, event: e.ArmyMoved) -> None:
    index, colours, seat = state.map.index, state.colours, event.seat
    state.armies[index[event.origin] * colours + seat] -= 1
    state.armies[index[event.target] * colours + seat] += 1
    _use(state, event.part, event.cost)


def _city_built(state: State, event: e.CityBuilt) -> None:
    state.cities[state.map.index[event.region] * state.colours + event.seat] += 1
    state.city_supply[event.seat] -= 1
    _use(state, event.part, 1)


def _army_destroyed(state: State, event: e.ArmyDestroyed) -> None:
    colour = event.owner if event.owner >= 0 else state.players
    _put(state, state.map.index[event.region], colour, -1)
    _use(state, event.part, 1)


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.taken, state.part, state.used = "", -1, [0, 0]
    if min(map(len, state.owned)) >= state.cards_owned:
        state.phase = SCORING
    elif state.deck:
        state.phase = REFILL
    else:
        _pass_turn(state)


def _card_drawn(state: State, event: e.CardDrawn) -> None:
    state.deck.remove(event.card)
    state.row.append(event.card)
    _pass_turn(state)


def _pass_turn(state: State) -> None:
    state.turn = (state.turn + 1) % state.players
    state.phase = TURN


def _game_ended(state: State, event: e.GameEnded) -> None:
    state.result = event.scoresheet
    state.phase = OVER


_WRITERS: dict[type, Callable[[State, Any], None]] = {
    e.BoardsLaid: _boards_laid,
    e.StartChosen: _start_chosen,
    e.OutpostChosen: _outpost_chosen,
    e.NeutralPlaced: _neutral_placed,
    e.RowDealt: _row_dealt,
    e.BidMade: _bid_made,
    e.BidsRevealed: _bids_revealed,
    e.FirstNamed: _first_named,
    e.CardTaken: _card_taken,
    e.ArmyPlaced: _army_placed,
    e.ArmyMoved: _army_moved,
    e.CityBuilt: _city_built,
    e.ArmyDestroyed: _army_destroyed,
    e.TurnEnded: _turn_ended,
    e.CardDrawn: _card_drawn,
    e.GameEnded: _game_ended,
}
