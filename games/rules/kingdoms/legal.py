"""What a seat may do now: first predicates, shared by `decide` and the pages, then all legal actions in a stable order.

Hands of forty cards allow millions of purchases, gifts and choices of face-up cards. `decide` accepts all of them; this
lists only their building blocks (K101): irreducible purchases, gifts of one card, the default face-up cards, and the
first of equal cards (K105).
"""

from collections.abc import Iterator
from functools import lru_cache

from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.market import purchases
from games.rules.kingdoms.options import QUICK_ROUNDS
from games.rules.kingdoms.powers import answers, in_burn_pile, spied_on
from games.rules.kingdoms.realm import above, direct
from games.rules.kingdoms.state import (
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    NOBODY,
    PROTECT,
    TIE,
    TURN,
    WITH,
    State,
    clockwise,
    next_rank,
    to_act,
)
from games.rules.kingdoms.troops import not_so_secret_sets, troop_hands
from games.rules.kingdoms.worth import SHOWN_FROM, default_shown


def targets(state: State, seat: int) -> list[int]:
    """Return whom the seat may attack, in turn order: nobody below it, nobody under an active Truce (K4, K33)."""
    if is_opening_truce(state):
        return []
    return [other for other in clockwise(state, seat) if is_target(state, seat, other)]


def is_target(state: State, seat: int, other: int) -> bool:
    """Return whether the seat may attack the other, once the opening truce is over."""
    if seat == other or above(state.rulers, seat, other):
        return False
    return not state.truces[other] or above(state.rulers, other, seat)


def is_opening_truce(state: State) -> bool:
    """Return whether the opening truce lasts (K4). The Final Showdown has no truces (K90)."""
    return not state.showdown and state.round <= state.options.truce_rounds(state.players)


def must_attack(state: State) -> bool:
    """Return whether the active player must attack before ending the turn: in the last of three rounds (K60)."""
    seat = state.active
    return (
        state.options.quick
        and state.round == QUICK_ROUNDS
        and not state.attacked[seat]
        and bool(state.hands[seat])
        and bool(targets(state, seat))
    )


def may_attack_again(state: State) -> bool:
    """Return whether the active player has another battle to fight, and can (K73)."""
    flags, seat = state.flags, state.active
    return flags.battles < flags.battles_allowed and bool(state.hands[seat]) and bool(targets(state, seat))


def pickable(state: State, seat: int) -> list[int]:
    """Return the direct sub-kingdoms from which the seat may pick a card now, in its turn or to defend (K39)."""
    if state.showdown:  # K89
        return []
    battle, barred = state.battle, state.flags.picked_from
    if battle is not None:
        # Not from the attacker, the partner in defence, or a seat already picked from for this hand (K81).
        partner = battle.target if battle.mode == WITH else NOBODY
        barred = (battle.attacker, partner, *(sub for picker, sub in battle.picked if picker == seat))
    return [sub for sub in direct(state.rulers, seat) if state.hands[sub] and sub not in barred]


def can_lay(state: State, seat: int) -> bool:
    """Return whether the seat has cards to defend with, or someone to pick from (K83, K84)."""
    return bool(state.hands[seat]) or bool(pickable(state, seat))


def is_before_battle(state: State) -> bool:
    """Return whether the active player may still do anything other than fight (K72)."""
    return state.phase == TURN and not state.flags.battles


def may_build(state: State) -> bool:
    """Return whether a Tower may be built: one per turn and Master Builder, none after a pick-up (K14, K15, K80)."""
    return not state.flags.picked_up and state.flags.builds < state.flags.builds_allowed


def may_pick_up(state: State) -> bool:
    """Return whether a Tower may be picked up: once, and not in a turn in which one was built (K15, K16)."""
    return not state.flags.picked_up and not state.flags.builds and bool(state.towers[state.active])


def may_burn(state: State) -> bool:
    """Return whether a card may be burned: once, after drawing, before buying, if it can be replaced (K8, K69)."""
    flags = state.flags
    return flags.drawn and not flags.burned and not flags.bought and bool(state.deck or state.burn)


def may_give_to(state: State, seat: int) -> list[int]:
    """Return the ruler and direct sub-kingdoms, if collusion is allowed (K62), in seat order."""
    if not state.options.collusion:
        return []
    ruler = state.rulers[seat]
    return sorted([*direct(state.rulers, seat), *([] if ruler is None else [ruler])])


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
