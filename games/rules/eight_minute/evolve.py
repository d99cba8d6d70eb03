"""`evolve`: the only code that changes a position, one case for each kind of event. None can refuse."""

from collections.abc import Callable
from typing import Any, get_args

from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import Laid, boards_needed, layout_text
from games.rules.eight_minute.edition import Ability
from games.rules.eight_minute.effects import leads
from games.rules.eight_minute.options import BY_HAND, shape
from games.rules.eight_minute.scoring import score
from games.rules.eight_minute.state import (
    BID,
    DEAL,
    EXTRA,
    FIRST,
    LAY,
    NEUTRAL,
    OUTPOST,
    OVER,
    REFILL,
    SCORING,
    START,
    TOKENS,
    TURN,
    State,
    replaced,
    without,
)
from games.rules.eight_minute.tokens import DRAGON, FACE_DOWN, MERCHANTS, PORTAL, gifts, on_regions
from games.rules.protocol import Event

TOTALS = {  # the field of the state that sums up each kind of lasting ability
    "army": "more_armies",
    "movement": "more_movement",
    "flying": "flying",
    "elixir": "elixirs",
    "coins": "coins",
}


def evolve(state: State, event: Event) -> None:
    _WRITERS[type(event)](state, event)


def stop(state: State) -> None:
    """End the game early, at the staff's request."""
    state.result, state.phase = score(state), OVER


def _set_up(state: State, event: e.SetupEvent) -> None:
    """Apply an event of the setup, drawn or by hand."""
    match event:
        case e.SetupBegun():
            state.setter = event.setter
        case e.BoardsLaid() | e.BoardLaid():
            if isinstance(event, e.BoardsLaid):
                state.setter, state.layout = event.setter, event.layout
            else:
                state.layout = layout_text((*state.map.laid, Laid(event.place, event.side, event.turns)))
            regions = len(state.map.regions)
            state.armies = [0] * (regions * state.colours)
            state.cities = state.armies[:]
            state.tokens = ("",) * regions if on_regions(state.options) else ()
            state.faces = ("",) * regions if state.options.poison_swamp else ()
            state.towns = (0,) * regions if state.options.merchants else ()
        case e.LeadersDealt():
            state.leaders = event.leaders
            state.captives = (0,) * state.colours
        case e.StartChosen() | e.OutpostChosen():
            region = state.map.index[event.region]
            if isinstance(event, e.StartChosen):
                state.start = region
            else:
                state.outpost = region
            for seat, n in enumerate(event.armies):
                _put(state, region, seat, n)
        case e.TokenLaid():
            region = state.map.index[event.region]
            state.tokens = replaced(state.tokens, region, event.token)
            state.unlaid = without(state.unlaid, event.token)
            if event.token == FACE_DOWN:
                state.unseen = tuple((*regions, region) for regions in state.unseen)
            if event.token == PORTAL and state.tokens.count(PORTAL) == 2:
                joined = [r for r, token in zip(state.map.regions, state.tokens, strict=True) if token == PORTAL]
                state.layout = ";".join((state.layout, *joined))
        case e.TownLaid():
            state.towns = replaced(state.towns, state.map.index[event.region], event.coins)
            state.unlaid = without(state.unlaid, MERCHANTS)
        case e.NeutralPlaced():
            _put(state, state.map.index[event.region], state.players, 1)
        case e.RowDealt():
            for card in event.cards:
                state.deck.remove(card)
            state.row = list(event.cards)
            state.phase, state.turn = BID, -1
            return
    if state.options.setup == BY_HAND:
        _go_on_by_hand(state)


def _go_on_by_hand(state: State) -> None:
    """Set the phase and the seat of the next choice. The position determines both (R1)."""
    state.turn = state.setter
    if len(state.map.laid) < boards_needed(shape(state.rules, state.options, state.players)):
        state.phase = LAY
    elif state.start < 0:
        state.phase = START
    elif state.outpost < 0 and state.rules.outpost_armies:
        state.phase = OUTPOST
    elif state.unlaid:
        state.phase = TOKENS
    elif state.colours > state.players and state.supply[-1]:
        # The other seat places the first army of the third color, then they alternate (R4).
        state.phase = NEUTRAL
        state.turn = (state.setter + 1 + state.rules.third_colour - state.supply[-1]) % state.players
    else:
        state.phase = DEAL


def _change_turn(state: State, event: e.TurnEvent) -> None:
    """Apply an event of the bidding or between steps. Most events are such: comparing types is faster than matching."""
    if type(event) is e.CardTaken:
        seat = event.seat
        state.row.remove(event.card)
        state.owned[seat].append(event.card)
        state.taken, state.part, state.used = event.card, -1, [0, 0]
        state.coins[seat] -= event.price
        _gain(state, seat, state.rules.cards[event.card].abilities)
    elif type(event) is e.TurnEnded:
        state.taken, state.part, state.used = "", -1, [0, 0]
        if min(map(len, state.owned)) >= state.cards_owned:
            # A leader may take one more card after the last turn, once (R50).
            takers = [seat for seat in range(len(state.leaders)) if leads(state, seat, "extra-card")]
            if takers and state.phase == TURN and state.row:
                state.phase, state.turn = EXTRA, takers[0]
            else:
                state.phase = SCORING
        elif state.deck:
            state.phase = REFILL
        else:
            _pass_turn(state)
    elif type(event) is e.CardDrawn:
        state.deck.remove(event.card)
        state.row.append(event.card)
        _pass_turn(state)
    elif type(event) is e.BidMade:
        state.bids[event.seat] = event.coins
    elif type(event) is e.BidsRevealed:
        state.bids = list(event.bids)
        state.coins[event.winner] -= event.bids[event.winner]
        state.turn = event.winner
        state.phase = FIRST if state.rules.names_first else TURN
    elif type(event) is e.FirstNamed or type(event) is e.FirstDrawn:
        state.turn = event.first
        state.phase = TURN
    elif type(event) is e.GameEnded:
        state.result = event.scoresheet
        state.phase = OVER


def _step(state: State, event: e.StepEvent) -> None:
    """Apply a step of the taken card, which uses up a part of its action."""
    index, colours, seat, part = state.map.index, state.colours, event.seat, event.part
    state.part = part
    if type(event) is e.ArmyMoved:
        state.used[part] += event.cost
        state.armies[index[event.origin] * colours + seat] -= 1
        state.armies[index[event.target] * colours + seat] += 1
        return
    state.used[part] += 1
    if type(event) is e.ArmyPlaced:
        _put(state, index[event.region], seat, 1)
    elif type(event) is e.CityBuilt:
        state.cities[index[event.region] * colours + seat] += 1
        state.city_supply[seat] -= 1
    elif type(event) is e.ArmyDestroyed:
        _put(state, index[event.region], event.owner if event.owner >= 0 else state.players, -1)


def _take_effect(state: State, event: e.EffectEvent) -> None:
    """Apply an automatic effect of a token, a town or a leader."""
    match event:
        case e.TokenGained() | e.DragonSlain():
            region, seat = state.map.index[event.region], event.seat
            token = event.token if isinstance(event, e.TokenGained) else DRAGON
            state.tokens = replaced(state.tokens, region, "")
            state.won = replaced(state.won, seat, (*state.won[seat], token))
            if state.faces:
                if not state.faces[region]:
                    state.pile = without(state.pile, token)
                state.faces = replaced(state.faces, region, "")
                state.unseen = tuple(without(regions, region) for regions in state.unseen)
            _gain(state, seat, gifts()[token].abilities)
        case e.TokenSeen():
            # For viewers who may not see the face, it stays in the pile.
            region = state.map.index[event.region]
            state.unseen = replaced(state.unseen, event.seat, without(state.unseen[event.seat], region))
            if event.face and not state.faces[region]:
                state.faces = replaced(state.faces, region, event.face)
                state.pile = without(state.pile, event.face)
        case e.CoinsFound():
            state.towns = replaced(state.towns, state.map.index[event.region], 0)
            state.coins[event.seat] += event.coins
        case e.TollPaid():
            state.coins[event.seat] -= 1
        case e.ArmyMustered():
            _put(state, state.map.index[event.region], event.seat, 1)
        case e.ArmyCaptured():
            colour = event.owner if event.owner >= 0 else state.players
            state.supply[colour] -= 1
            state.captives = replaced(state.captives, colour, state.captives[colour] + 1)
        case e.CoinRobbed():
            state.coins[event.owner] -= 1
            state.coins[event.seat] += 1


def _put(state: State, region: int, colour: int, n: int) -> None:
    """Move armies from the supply to a region, or back if `n` is negative."""
    state.armies[region * state.colours + colour] += n
    state.supply[colour] -= n


def _gain(state: State, seat: int, abilities: tuple[Ability, ...]) -> None:
    """Give the seat lasting abilities. Those that are only scored change nothing."""
    for ability in abilities:
        if ability.kind in TOTALS:
            getattr(state, TOTALS[ability.kind])[seat] += ability.n
        elif ability.kind == "immune":
            state.immune[seat] = True


def _pass_turn(state: State) -> None:
    state.turn = (state.turn + 1) % state.players
    state.phase = TURN


_WRITERS: dict[type, Callable[[State, Any], None]] = {
    **dict.fromkeys(get_args(e.SetupEvent), _set_up),
    **dict.fromkeys(get_args(e.TurnEvent), _change_turn),
    **dict.fromkeys(get_args(e.StepEvent), _step),
    **dict.fromkeys(get_args(e.EffectEvent), _take_effect),
}
