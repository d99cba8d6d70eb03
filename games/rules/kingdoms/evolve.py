"""`evolve`: the only code that changes a position. One small function for each kind of event; none can refuse."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.evolve_battle import BATTLE_WRITERS
from games.rules.kingdoms.hands import burn, gain, lose, pass_on, turn_towers
from games.rules.kingdoms.options import HAND
from games.rules.kingdoms.scoring import final
from games.rules.kingdoms.state import FRESH, NOBODY, State, all_cards
from games.rules.protocol import Event


def evolve(state: State, event: Event) -> None:
    """Apply the event to the state."""
    _WRITERS[type(event)](state, event)


def _dealt(state: State, event: e.Dealt) -> None:
    """Reset the position to the beginning of a game, whatever it was (K91)."""
    n, dealt = state.players, {one for cards in (*event.hands, event.flop) for one in cards}
    state.deck = tuple(one for one in all_cards(state.options, n) if one not in dealt)
    state.flop, state.burn, state.out = event.flop, (), ()
    state.hands = [in_order(hand) for hand in event.hands]
    state.shown, state.towers = [()] * n, [()] * n
    state.bands, state.truces, state.attacked = [0] * n, [False] * n, [False] * n
    state.rulers = (None,) * n
    state.queue, state.owed, state.flags = (), 0, FRESH
    state.battle, state.passing, state.showdown = None, True, False
    state.deal, state.shuffle = event.deal, state.shuffle + 1
    state.round, state.first, state.active = 1, event.first, event.first


def _turn_begun(state: State, event: e.TurnBegun) -> None:
    state.active, state.round = event.seat, event.round
    state.flags, state.passing = FRESH, False
    state.truces[event.seat] = False


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.passing = True


# Piles


def _reshuffled(state: State, event: e.Reshuffled) -> None:
    state.deck, state.burn = in_order(state.burn), ()
    state.shuffle += 1


def _leave_deck(state: State, one: str) -> None:
    place = state.deck.index(one)
    state.deck = state.deck[:place] + state.deck[place + 1 :]


def _flop_turned(state: State, event: e.FlopTurned) -> None:
    _leave_deck(state, event.card)
    state.flop += (event.card,)


def _hero_turned(state: State, event: e.HeroTurned) -> None:
    _leave_deck(state, event.card)
    _take_in(state, event.seat, event.card)


def _take_in(state: State, seat: int, one: str) -> None:
    """Add a card to the hand; an Epic also waits for its move (K49)."""
    gain(state, seat, (one,))
    if card(one).kind == "epic":
        state.queue += (one,)


def _leave_flop(state: State, cards: tuple[str, ...]) -> None:
    state.flop = tuple(one for one in state.flop if one not in cards)


# The turn


def _draw_begun(state: State, event: e.DrawBegun) -> None:
    state.flags = replace(state.flags, drawn=True)


def _card_drawn(state: State, event: e.CardDrawn) -> None:
    _leave_deck(state, event.card)
    _take_in(state, event.seat, event.card)


def _flop_owed(state: State, event: e.FlopOwed) -> None:
    state.owed = event.count


def _flop_drawn(state: State, event: e.FlopDrawn) -> None:
    _leave_flop(state, (event.card,))
    gain(state, event.seat, (event.card,))
    state.owed -= 1


def _card_burned(state: State, event: e.CardBurned) -> None:
    _leave_flop(state, (event.card,))
    burn(state, (event.card,))
    state.flags = replace(state.flags, burned=True)


def _bought(state: State, event: e.Bought) -> None:
    """Put the cards that pay into the Flop or, by option, on the Burn pile (K11)."""
    lose(state, event.seat, event.give)
    _leave_flop(state, event.take)
    gain(state, event.seat, event.take)
    if state.options.pay_to == "flop":
        state.flop += event.give
    else:
        burn(state, event.give)
    state.flags = replace(state.flags, bought=True)


def _tower_built(state: State, event: e.TowerBuilt) -> None:
    lose(state, event.seat, (event.card,))
    state.towers[event.seat] += (event.card,)
    state.flags = replace(state.flags, builds=state.flags.builds + 1)


def _tower_picked_up(state: State, event: e.TowerPickedUp) -> None:
    state.towers[event.seat] = state.towers[event.seat][:-1]
    gain(state, event.seat, (event.card,))
    state.flags = replace(state.flags, picked_up=True)


def _card_picked(state: State, event: e.CardPicked) -> None:
    pass_on(state, event.other, event.seat, (event.card,))
    if state.battle is None:
        state.flags = replace(state.flags, picked_from=(*state.flags.picked_from, event.other))
    else:
        state.battle = replace(state.battle, picked=(*state.battle.picked, (event.seat, event.other)))


def _secret_moved(state: State, event: e.SecretMoved) -> None:
    """Move the Towers (K45, K46)."""
    lose(state, event.seat, event.cards)
    burn(state, event.cards)
    turn_towers(state, event.other, (event.tower, *event.broken))
    gain(state, event.seat, (event.tower,))
    if event.broken_to == HAND:
        gain(state, event.other, event.broken)
    else:
        burn(state, event.broken)
    state.flags = replace(state.flags, not_so_secret=True)


def _given(state: State, event: e.Given) -> None:
    pass_on(state, event.seat, event.other, event.cards)


# Epics and Bosses


def _epic_moved(state: State, event: e.EpicMoved) -> None:
    state.queue = state.queue[1:]
    if event.taken and event.others:
        turn_towers(state, event.others[0], (event.taken,))
        burn(state, (event.taken,))
    elif event.taken:
        _leave_flop(state, (event.taken,))
        gain(state, event.seat, (event.taken,))


def _tribute_taken(state: State, event: e.TributeTaken) -> None:
    pass_on(state, event.other, event.seat, (event.card,))


def _boss_played(state: State, event: e.BossPlayed) -> None:
    lose(state, event.seat, (event.card,))
    burn(state, (event.card,))
    power = card(event.card).power
    if power == "strike":
        state.flags = replace(state.flags, battles_allowed=2)
    elif power == "walls":
        state.flags = replace(state.flags, builds_allowed=state.flags.builds_allowed + 1)
    elif power == "truce":
        state.truces[event.seat] = True


def _hand_seen(state: State, event: e.HandSeen) -> None:
    state.look = event.other


def _card_stolen(state: State, event: e.CardStolen) -> None:
    pass_on(state, event.other, event.seat, (event.card,))
    state.look = NOBODY


def _hero_recovered(state: State, event: e.HeroRecovered) -> None:
    place = state.burn.index(event.card)
    state.burn = state.burn[:place] + state.burn[place + 1 :]
    gain(state, event.seat, (event.card,))


# Public knowledge about hands, and the end


def _hand_shown(state: State, event: e.HandShown) -> None:
    state.shown[event.seat] = event.cards


def _band_reached(state: State, event: e.BandReached) -> None:
    state.bands[event.seat] = event.band


def _showdown_begun(state: State, event: e.ShowdownBegun) -> None:
    state.showdown, state.truces = True, [False] * state.players


def _showdown_turn(state: State, event: e.ShowdownTurn) -> None:
    state.active, state.flags, state.passing = event.seat, FRESH, False


def stop(state: State) -> None:
    """End the game at the staff's request; places are decided as they are after a winner (K95)."""
    state.result, state.won_by = final(state, ()), "house"


def _game_ended(state: State, event: e.GameEnded) -> None:
    state.result, state.won_by = event.scoresheet, event.won_by


_WRITERS: dict[type, Callable[[State, Any], None]] = {
    e.Dealt: _dealt,
    e.TurnBegun: _turn_begun,
    e.TurnEnded: _turn_ended,
    e.Reshuffled: _reshuffled,
    e.FlopTurned: _flop_turned,
    e.HeroTurned: _hero_turned,
    e.DrawBegun: _draw_begun,
    e.CardDrawn: _card_drawn,
    e.FlopOwed: _flop_owed,
    e.FlopDrawn: _flop_drawn,
    e.CardBurned: _card_burned,
    e.Bought: _bought,
    e.TowerBuilt: _tower_built,
    e.TowerPickedUp: _tower_picked_up,
    e.CardPicked: _card_picked,
    e.SecretMoved: _secret_moved,
    e.Given: _given,
    e.EpicMoved: _epic_moved,
    e.TributeTaken: _tribute_taken,
    e.BossPlayed: _boss_played,
    e.HandSeen: _hand_seen,
    e.CardStolen: _card_stolen,
    e.HeroRecovered: _hero_recovered,
    e.HandShown: _hand_shown,
    e.BandReached: _band_reached,
    e.ShowdownBegun: _showdown_begun,
    e.ShowdownTurn: _showdown_turn,
    e.GameEnded: _game_ended,
    **BATTLE_WRITERS,
}
