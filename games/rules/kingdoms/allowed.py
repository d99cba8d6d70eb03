"""Predicates on attacks, picks and other steps, shared by `decide`, `legal` and the pages."""

from games.rules.kingdoms.options import QUICK_ROUNDS
from games.rules.kingdoms.realm import above, direct
from games.rules.kingdoms.state import NOBODY, TURN, WITH, State, clockwise


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
