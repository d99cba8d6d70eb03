"""What a seat may suppose about hidden cards: positions like those of `ruleset.sample`, but with likely troops.

A sample lays any legal troops. Players attack with the best they have, so of several samples, those are kept in which
the hidden troops are good ones of their owner's cards.
"""

from msgspec.structs import replace

from games.bots.kingdoms.rollout import menu
from games.rules.kingdoms.deck import in_order
from games.rules.kingdoms.state import State
from games.rules.kingdoms.troops import GOAL
from games.rules.kingdoms.view import View
from games.rules.protocol import Chance, Ruleset

TRIES = 12
WEAK, EVEN = 10, 40  # chances in a hundred that troops below 21, and of 21, are kept; stronger ones always are


def sample(ruleset: Ruleset, view: View, chance: Chance) -> State:
    """Return a full position that the view's seat may suppose."""
    battle = view.battle
    state: State = ruleset.sample(view, chance)
    if battle is None or battle.waves[-1].hands[0].revealed:
        return state
    laid = [place for place, hand in enumerate(battle.waves[-1].hands) if len(hand.cards) < hand.count]
    for place in laid:
        best = _relaid(state, place, chance)
        for _ in range(TRIES):
            if best is not None and chance.below(100) < _likely(best, place):
                break
            again = _relaid(ruleset.sample(view, chance), place, chance)
            best = again or best
        if best is not None:
            state = best
    return state


def _likely(state: State, place: int) -> int:
    assert state.battle is not None
    hand = state.battle.wave.hands[place]
    total = next(one.total for one in menu_of(state, place) if one.cards == hand.cards)
    return 100 if total > GOAL else EVEN if total == GOAL else WEAK


def menu_of(state: State, place: int):
    assert state.battle is not None
    hand = state.battle.wave.hands[place]
    return menu(in_order((*hand.cards, *state.hands[hand.seat])), len(state.towers[hand.seat]))


def _relaid(state: State, place: int, chance: Chance) -> State | None:
    """Return the position with good troops of as many of the owner's cards, or None if it has none."""
    assert state.battle is not None
    wave = state.battle.wave
    hand = wave.hands[place]
    shown = state.shown[hand.seat]
    fit = [
        one.cards for one in menu_of(state, place)
        if len(one.cards) == len(hand.cards) and set(hand.open) <= set(one.cards) and not set(shown) & set(one.cards)
    ]
    if not fit:
        return None
    cards = fit[-1] if chance.below(3) else fit[chance.below(len(fit))]
    own = in_order((*hand.cards, *state.hands[hand.seat]))
    hands = (*wave.hands[:place], replace(hand, cards=cards), *wave.hands[place + 1 :])
    state.hands[hand.seat] = tuple(one for one in own if one not in cards)
    state.battle = replace(state.battle, waves=(*state.battle.waves[:-1], replace(wave, hands=hands)))
    return state
