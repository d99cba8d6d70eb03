"""Who may be attacked, picked from and asked: what `decide`, `legal` and the pages all ask."""

from games.rules.kingdoms.realm import above, direct
from games.rules.kingdoms.state import NOBODY, TURN, WITH, State, clockwise


def targets(state: State, seat: int) -> list[int]:
    """Whom the seat may attack, in playing order: nobody below it, nobody under a Truce that holds (K4, K33)."""
    if is_opening_truce(state):
        return []
    return [other for other in clockwise(state, seat) if is_target(state, seat, other)]


def is_target(state: State, seat: int, other: int) -> bool:
    """Whether the seat may attack the other, once the opening truce is over."""
    if seat == other or above(state.rulers, seat, other):
        return False
    return not state.truces[other] or above(state.rulers, other, seat)


def is_opening_truce(state: State) -> bool:
    """K4; the Final Showdown knows no truce of any kind (K90)."""
    return not state.showdown and state.round <= state.options.truce_rounds(state.players)


def must_attack(state: State) -> bool:
    """Whether the active player cannot end the turn without attacking: round 3 of three (K60)."""
    seat = state.active
    return (
        state.options.quick
        and state.round == 3
        and not state.attacked[seat]
        and bool(state.hands[seat])
        and bool(targets(state, seat))
    )


def may_attack_again(state: State) -> bool:
    """Whether the active player has another battle to fight, and can (K73)."""
    flags, seat = state.flags, state.active
    return flags.battles < flags.battles_allowed and bool(state.hands[seat]) and bool(targets(state, seat))


def pickable(state: State, seat: int) -> list[int]:
    """The direct sub-kingdoms from which the seat may pick a card now, on its turn or for its defence (K39)."""
    if state.showdown:  # K89
        return []
    barred = state.flags.picked_from if state.battle is None else _barred_in_battle(state, seat)
    return [sub for sub in direct(state.rulers, seat) if state.hands[sub] and sub not in barred]


def _barred_in_battle(state: State, seat: int) -> list[int]:
    """Never the attacker, none twice for one hand, and not the one with whom the seat defends (K81)."""
    battle = state.battle
    assert battle is not None
    partner = battle.target if battle.mode == WITH else NOBODY
    return [battle.attacker, partner, *(sub for picker, sub in battle.picked if picker == seat)]


def can_lay(state: State, seat: int) -> bool:
    """Whether the seat has anything to defend with, or somebody to pick from (K83, K84)."""
    return bool(state.hands[seat]) or bool(pickable(state, seat))


def is_before_battle(state: State) -> bool:
    """Whether the active player may still do anything else than fight (K72)."""
    return state.phase == TURN and not state.flags.battles


def may_build(state: State) -> bool:
    """K14, K15, K80: one Tower a turn and one more for each Master Builder, none after a pick-up."""
    return not state.flags.picked_up and state.flags.builds < state.flags.builds_allowed


def may_pick_up(state: State) -> bool:
    """K15, K16: once, and not in a turn in which a Tower was built."""
    return not state.flags.picked_up and not state.flags.builds and bool(state.towers[state.active])


def may_burn(state: State) -> bool:
    """K8, K69: once, after drawing, before the first purchase, while there is a card to turn."""
    flags = state.flags
    return flags.drawn and not flags.burned and not flags.bought and bool(state.deck or state.burn)


def may_give_to(state: State, seat: int) -> list[int]:
    """One's ruler and direct sub-kingdoms, where the table colludes (K62), in seat order."""
    if not state.options.collusion:
        return []
    ruler = state.rulers[seat]
    return sorted([*direct(state.rulers, seat), *([] if ruler is None else [ruler])])
