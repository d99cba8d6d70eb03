"""What a seat may do now, in a stable order.

Hands of forty cards allow millions of purchases, gifts and choices of face-up cards. `decide` accepts all of them; this
lists only their building blocks (K101): irreducible purchases, gifts of one card, the default face-up cards, and the
first of equal cards (K105).
"""

from collections.abc import Iterator
from functools import lru_cache

from games.rules.kingdoms import actions as a
from games.rules.kingdoms.allowed import (
    is_before_battle,
    may_attack_again,
    may_build,
    may_burn,
    may_give_to,
    may_pick_up,
    must_attack,
    pickable,
    targets,
)
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.market import purchases
from games.rules.kingdoms.powers import answers, in_burn_pile, spied_on
from games.rules.kingdoms.state import (
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    PROTECT,
    TIE,
    TURN,
    State,
    next_rank,
    to_act,
)
from games.rules.kingdoms.troops import not_so_secret_sets, troop_hands
from games.rules.kingdoms.worth import SHOWN_FROM, default_shown

DRAW, END, PICK_UP, STOP = a.Draw(), a.End(), a.PickUp(), a.Stop()
NOTHING = a.Defend(())


def legal(state: State, seat: int) -> list[a.Action]:
    """Return the legal actions of the seat, without the combinations described in the module's docstring."""
    if seat not in to_act(state):
        return []
    phase, hand = state.phase, state.hands[seat]
    if phase == TURN:
        return list(_turn(state, seat))
    if phase == FLOPDRAW:
        return [a.DrawFromFlop(one) for one in state.flop]
    if phase == EPIC:
        return [*answers(state)]
    if phase == INFILTRATE:
        return [a.Take(one) for one in state.hands[state.look]]
    if phase == PROTECT:
        return [a.Protect(mode) for mode in a.MODES]
    if phase == DEFEND:
        picks = map(a.BlindPick, pickable(state, seat))
        return [*picks, *map(a.Defend, troop_hands(hand)), NOTHING]
    if phase == TIE:
        return [STOP, *map(a.Wave, troop_hands(hand))]
    return list(_attacks(state, seat))  # the Final Showdown


def _turn(state: State, seat: int) -> Iterator[a.Action]:
    hand = state.hands[seat]
    if is_before_battle(state):
        yield from _free(state, seat)
        if not state.flags.drawn:
            yield DRAW
            return
        if may_burn(state):
            yield from map(a.Burn, state.flop)
        yield from (a.Buy(give, take) for give, take in purchases(hand, state.flop))
    if may_attack_again(state):
        yield from _attacks(state, seat)
    if not must_attack(state):
        yield END


def _free(state: State, seat: int) -> Iterator[a.Action]:
    """Yield what can be done at any point before the battle, even before drawing (section 5)."""
    hand = state.hands[seat]
    if may_build(state):
        rank = next_rank(state, seat)
        yield from (a.Build(one) for one in hand if card(one).rank == rank is not None)
    if may_pick_up(state):
        yield PICK_UP
    yield from map(a.BlindPick, pickable(state, seat))
    towers = [
        (other, rank) for other, standing in enumerate(state.towers) if other != seat for rank in RANKS[: len(standing)]
    ]
    if towers and not state.flags.not_so_secret:
        for cards in not_so_secret_sets(hand):
            yield from (a.NotSoSecret(cards, other, rank) for other, rank in towers)
    for one in hand:
        hero = card(one)
        if hero.power == "infiltrate":
            yield from (a.Boss(one, seat=other) for other in spied_on(state, seat))
        elif hero.power == "walls":
            yield from [a.Boss(one, taken=found) for found in in_burn_pile(state)] or [a.Boss(one)]
        elif hero.kind == "boss":
            yield a.Boss(one)
    if state.bands[seat] >= SHOWN_FROM:
        cards = default_shown(hand)
        if cards != state.shown[seat]:
            yield a.Show(cards)
    yield from (a.Gift(other, (one,)) for other in may_give_to(state, seat) for one in hand)


def _attacks(state: State, seat: int) -> Iterator[a.Action]:
    for other in targets(state, seat):
        yield from _attacks_on(other, state.hands[seat])


@lru_cache(maxsize=1 << 5)
def _attacks_on(other: int, hand: tuple[str, ...]) -> tuple[a.Attack, ...]:
    return tuple(a.Attack(other, cards) for cards in troop_hands(hand))
