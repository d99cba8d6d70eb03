"""What a seat may suppose about hidden cards: positions like those of `ruleset.sample`, but more likely ones.

A sample deals hidden cards at random and lays any legal troops. But nobody is dealt an Epic or a Boss, everyone sees
who turns over an Epic, those who hold a Boss or the next Tower soon use it, and players attack with the best they have.
"""

from msgspec.structs import replace

from games.bots.kingdoms.rollout import Troops, menu
from games.rules.kingdoms.deck import CARDS, COMMANDING, RANKS, in_order
from games.rules.kingdoms.state import State
from games.rules.kingdoms.troops import GOAL
from games.rules.kingdoms.values import VALUES, WINS, band, hand_value
from games.rules.kingdoms.view import View
from games.rules.protocol import Chance, Ruleset

TRIES = 6  # samples, to find one with likely troops
WEAK, EVEN = 10, 40  # chances in a hundred that troops below 21, and of 21, are kept; stronger ones always are
BOSS, NEXT = 35, 60  # chances in a hundred that a hidden Boss, and the next Tower to build, stay in a sampled hand


def sample(ruleset: Ruleset, view: View, chance: Chance) -> State:
    """Return a full position that the view's seat may suppose."""
    state: State = ruleset.sample(view, chance)
    battle = view.battle
    if battle is not None and not battle.waves[-1].hands[0].revealed:
        for place, hand in enumerate(battle.waves[-1].hands):
            if len(hand.cards) < hand.count:
                state = _with_troops(ruleset, view, state, place, chance)
    for seat in range(state.players):
        if seat != view.seat and seat != view.looked_at and not state.showdown:
            _exchange(state, seat, chance)
    return state


def _exchange(state: State, seat: int, chance: Chance) -> None:
    """Exchange most of the seat's hidden cards that it would hardly hold for cards of the deck."""
    built, hand = len(state.towers[seat]), state.hands[seat]
    wanted = RANKS[built] if built < len(RANKS) and state.round > 1 else ""
    for card_id in hand:
        card = CARDS[card_id]
        if not card.commands and card.rank != wanted:
            continue
        stays = 0 if card.kind == "epic" else BOSS if card.commands else NEXT
        if card_id in state.traced[seat] or chance.below(100) < stays:
            continue
        others = [other for other in state.deck if other not in COMMANDING and CARDS[other].rank != wanted]
        if not others:
            return
        other = others[chance.below(len(others))]
        worth = hand_value(state.hands[seat])
        after = worth - VALUES[card_id] + VALUES[other]
        if band(worth) == band(after) and after < WINS:
            state.hands[seat] = in_order([other, *(mine for mine in state.hands[seat] if mine != card_id)])
            state.deck = [*in_order([card_id, *(left for left in state.deck if left != other)])]


# Troops that lie face down


def _with_troops(ruleset: Ruleset, view: View, state: State, place: int, chance: Chance) -> State:
    """Return a sample in which the hand laid at this place is a likely one, if there is any."""
    likely = _relaid(state, place, chance)
    for _ in range(TRIES):
        if likely is not None:
            state, total = likely
            if chance.below(100) < (100 if total > GOAL else EVEN if total == GOAL else WEAK):
                break
        likely = _relaid(ruleset.sample(view, chance), place, chance) or likely
    return state


def _relaid(state: State, place: int, chance: Chance) -> tuple[State, int] | None:
    """Return the position with good troops of as many of the owner's cards, and their total; None if it has none."""
    assert state.battle is not None
    wave = state.battle.wave
    laid = wave.hands[place]
    own, shown = in_order((*laid.cards, *state.hands[laid.seat])), state.shown[laid.seat]

    def may_be(troops: Troops) -> bool:
        hidden = set(troops.cards).difference(laid.open)
        return len(hidden) == len(laid.cards) - len(laid.open) and hidden.isdisjoint(shown)

    likely = [
        option
        for option in menu(own, len(state.towers[laid.seat]))
        if len(option.cards) == len(laid.cards) and may_be(option)
    ]
    if not likely:
        return None
    troops = likely[-1] if chance.below(3) else likely[chance.below(len(likely))]
    hands = (*wave.hands[:place], replace(laid, cards=troops.cards), *wave.hands[place + 1 :])
    state.hands[laid.seat] = tuple([card_id for card_id in own if card_id not in troops.cards])
    state.battle = replace(state.battle, waves=(*state.battle.waves[:-1], replace(wave, hands=hands)))
    return state, troops.total
