"""`evolve`: the only code that changes a position. One small function for each kind of event; none can refuse."""

from collections.abc import Callable
from typing import Any

from games.rules.eight_minute import events as e
from games.rules.eight_minute.evolve_setup import SETUP_WRITERS, put, replaced, without
from games.rules.eight_minute.leaders import takes_extra_card
from games.rules.eight_minute.scoring import score
from games.rules.eight_minute.state import EXTRA, FIRST, OVER, REFILL, SCORING, TURN, State
from games.rules.eight_minute.tokens import DRAGON, gifts
from games.rules.protocol import Event


def evolve(state: State, event: Event) -> None:
    """Apply the event to the state."""
    _WRITERS[type(event)](state, event)


def _bid_made(state: State, event: e.BidMade) -> None:
    state.bids[event.seat] = event.coins


def _bids_revealed(state: State, event: e.BidsRevealed) -> None:
    state.bids = list(event.bids)
    state.coins[event.winner] -= event.bids[event.winner]
    state.turn = event.winner
    state.phase = FIRST if state.rules.names_first else TURN


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
    """Do nothing: only scoring uses this ability."""


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
    put(state, state.map.index[event.region], event.seat, 1)
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
    put(state, state.map.index[event.region], colour, -1)
    _use(state, event.part, 1)


def _token_gained(state: State, event: e.TokenGained) -> None:
    region = state.map.index[event.region]
    if state.faces and not state.faces[region]:
        state.pile = without(state.pile, event.token)
    _win(state, event.seat, region, event.token)


def _dragon_slain(state: State, event: e.DragonSlain) -> None:
    _win(state, event.seat, state.map.index[event.region], DRAGON)


def _win(state: State, seat: int, region: int, token: str) -> None:
    state.tokens = replaced(state.tokens, region, "")
    state.won = replaced(state.won, seat, (*state.won[seat], token))
    if state.faces:
        state.faces = replaced(state.faces, region, "")
        state.unseen = tuple(without(regions, region) for regions in state.unseen)
    for ability in gifts()[token].abilities:
        _GAINS.get(ability.kind, _keep)(state, seat, ability.n)


def _token_seen(state: State, event: e.TokenSeen) -> None:
    """Mark the token as seen. For readers who may not see the face, it stays in the pile."""
    region = state.map.index[event.region]
    state.unseen = replaced(state.unseen, event.seat, without(state.unseen[event.seat], region))
    if event.face and not state.faces[region]:
        state.faces = replaced(state.faces, region, event.face)
        state.pile = without(state.pile, event.face)


def _coins_found(state: State, event: e.CoinsFound) -> None:
    state.towns = replaced(state.towns, state.map.index[event.region], 0)
    state.coins[event.seat] += event.coins


def _army_mustered(state: State, event: e.ArmyMustered) -> None:
    put(state, state.map.index[event.region], event.seat, 1)


def _toll_paid(state: State, event: e.TollPaid) -> None:
    state.coins[event.seat] -= 1


def _army_captured(state: State, event: e.ArmyCaptured) -> None:
    colour = event.owner if event.owner >= 0 else state.players
    state.supply[colour] -= 1
    state.captives = replaced(state.captives, colour, state.captives[colour] + 1)


def _coin_robbed(state: State, event: e.CoinRobbed) -> None:
    state.coins[event.owner] -= 1
    state.coins[event.seat] += 1


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.taken, state.part, state.used = "", -1, [0, 0]
    if min(map(len, state.owned)) >= state.cards_owned:
        _close(state)
    elif state.deck:
        state.phase = REFILL
    else:
        _pass_turn(state)


def _card_drawn(state: State, event: e.CardDrawn) -> None:
    state.deck.remove(event.card)
    state.row.append(event.card)
    _pass_turn(state)


def _close(state: State) -> None:
    """Go to scoring, or first let a leader take one more card after the last turn, once (R50)."""
    queen = takes_extra_card(state) if state.phase == TURN and state.row else None
    if queen is None:
        state.phase = SCORING
    else:
        state.phase, state.turn = EXTRA, queen


def _pass_turn(state: State) -> None:
    state.turn = (state.turn + 1) % state.players
    state.phase = TURN


def stop(state: State) -> None:
    """End the game early, at the staff's request."""
    state.result, state.phase = score(state), OVER


def _game_ended(state: State, event: e.GameEnded) -> None:
    state.result = event.scoresheet
    state.phase = OVER


_WRITERS: dict[type, Callable[[State, Any], None]] = SETUP_WRITERS | {
    e.BidMade: _bid_made,
    e.BidsRevealed: _bids_revealed,
    e.FirstNamed: _first_named,
    e.CardTaken: _card_taken,
    e.ArmyPlaced: _army_placed,
    e.ArmyMoved: _army_moved,
    e.CityBuilt: _city_built,
    e.ArmyDestroyed: _army_destroyed,
    e.TokenGained: _token_gained,
    e.DragonSlain: _dragon_slain,
    e.TokenSeen: _token_seen,
    e.CoinsFound: _coins_found,
    e.ArmyMustered: _army_mustered,
    e.TollPaid: _toll_paid,
    e.ArmyCaptured: _army_captured,
    e.CoinRobbed: _coin_robbed,
    e.TurnEnded: _turn_ended,
    e.CardDrawn: _card_drawn,
    e.GameEnded: _game_ended,
}
