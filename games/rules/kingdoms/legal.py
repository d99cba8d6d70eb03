"""What a seat may do now: first predicates, shared by `decide` and the pages, then all legal actions in a stable order.

Hands of forty cards allow millions of purchases, gifts and choices of face-up cards. `decide` accepts all of them; this
lists only their building blocks (K101): irreducible purchases, gifts of one card, the default face-up cards, and the
first of equal cards (K105).
"""

from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import CARDS, DIFFERENT, RANKS, Card, tally, tally_mask
from games.rules.kingdoms.market import Purchase, Purchases
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
    to_act,
)
from games.rules.kingdoms.troops import TroopHands, not_so_secret_sets
from games.rules.kingdoms.values import SHOWN_FROM, default_shown
from games.rules.protocol import Chance


def targets(state: State, seat: int) -> list[int]:
    """Return the seats that the seat may attack, in turn order: none below it, none under a Truce (K4, K33)."""
    if is_opening_truce(state):
        return []
    others = clockwise(state, seat)
    if True not in state.truces and seat not in state.rulers:
        return others
    return [other for other in others if is_target(state, seat, other)]


def is_target(state: State, seat: int, other: int) -> bool:
    """Return whether the seat may attack the other, once the opening truce is over."""
    if seat == other or above(state.rulers, seat, other):
        return False
    return not state.truces[other] or above(state.rulers, other, seat)


def is_opening_truce(state: State) -> bool:
    """Return whether the opening truce lasts (K4). The Final Showdown has no truces (K90)."""
    return not state.showdown and state.round <= state.options.truce_rounds(len(state.seats))


def must_attack(state: State) -> bool:
    """Return whether the active player must attack before ending the turn: in the last of three rounds (K60)."""
    seat = state.active
    return (
        state.round == QUICK_ROUNDS
        and state.options.quick
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
    subs = direct(state.rulers, seat)
    if not subs or state.showdown:  # K89
        return []
    battle, barred = state.battle, state.flags.picked_from
    if battle is not None:
        # Not from the attacker, the partner in defense, or a seat already picked from for this hand (K81).
        partner = battle.target if battle.mode == WITH else NOBODY
        barred = (battle.attacker, partner, *(sub for picker, sub in battle.picked if picker == seat))
    return [sub for sub in subs if state.hands[sub] and sub not in barred]


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


TOWERS = [tally_mask(hero for hero in DIFFERENT if hero.rank == rank) for rank in RANKS]
BOSSES = tally_mask(hero for hero in DIFFERENT if hero.kind == "boss")
HAS_RANK = [frozenset(hero.id for hero in CARDS.values() if hero.rank == rank).__contains__ for rank in RANKS]
is_boss = frozenset(hero.id for hero in CARDS.values() if hero.kind == "boss").__contains__
DRAW, END, PICK_UP, STOP = a.Draw(), a.End(), a.PickUp(), a.Stop()
NO_DEFENCE = a.Defend(())
PROTECTIONS = tuple(map(a.Protect, a.MODES))


def legal(state: State, seat: int) -> list[a.Action]:
    """Return the legal actions of the seat, without the combinations described in the module's docstring."""
    if seat not in to_act(state):
        return []
    few, many, last = _choices(state, seat)
    return [*few, *chain.from_iterable(map(action, arguments) for action, arguments in many), *last]


def random_action(state: State, seat: int, chance: Chance) -> a.Action:
    """Return a random legal action. Purchases and troop hands are counted, and only the chosen one is built."""
    few, many, last = _choices(state, seat)
    few += last
    count = len(few)
    for _, arguments in many:
        count += arguments.count
    n = chance.below(count)
    if n < len(few):
        return few[n]
    n -= len(few)
    while n >= many[0][1].count:
        n -= many.pop(0)[1].count
    action, arguments = many[0]
    return action(arguments[n])


class Attacks:
    """Each target with each troop hand, which are only listed when they are iterated."""

    __slots__ = "count", "on", "troops"

    def __init__(self, on: list[int], troops: TroopHands) -> None:
        self.on, self.troops = on, troops
        self.count = len(on) * troops.count

    def __getitem__(self, n: int) -> tuple[int, tuple[str, ...]]:
        target, index = divmod(n, self.troops.count)
        return self.on[target], self.troops[index]

    def __iter__(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        return product(self.on, self.troops)


# The legal actions in the order of their list: a few; kinds of which there may be many, each as the function that makes
# an action and the sequence of its arguments; and the last ones.
Many = list[tuple[Callable[[Any], a.Action], Purchases | TroopHands | Attacks]]
Choices = tuple[list[a.Action], Many, list[a.Action]]


def _choices(state: State, seat: int) -> Choices:
    """Return the legal actions of a seat that must act."""
    phase, hand = state.phase, state.hands[seat]
    if phase == TURN:
        return _turn(state, seat)
    if phase == FLOPDRAW:
        return [a.DrawFromFlop(card_id) for card_id in state.flop], [], []
    if phase == EPIC:
        return [*answers(state)], [], []
    if phase == INFILTRATE:
        return [a.Take(card_id) for card_id in state.hands[state.look]], [], []
    if phase == PROTECT:
        return [*PROTECTIONS], [], []
    if phase == DEFEND:
        return [*map(a.BlindPick, pickable(state, seat))], [(a.Defend, TroopHands(hand))], [NO_DEFENCE]
    if phase == TIE:
        return [STOP], [(a.Wave, TroopHands(hand))], []
    return [], [(_attack, Attacks(targets(state, seat), TroopHands(hand)))], []  # the Final Showdown


def _attack(target_and_troops: tuple[int, tuple[str, ...]]) -> a.Attack:
    return a.Attack(*target_and_troops)


def _buy(purchase: Purchase) -> a.Buy:
    return a.Buy(*purchase)


def _turn(state: State, seat: int) -> Choices:
    flags, hand = state.flags, state.hands[seat]
    held = tally(hand)
    few: list[a.Action] = []
    many: Many = []
    if not flags.battles:
        few = _free(state, seat, held)
        if not flags.drawn:
            return few, many, [DRAW]
        if may_burn(state):
            few += map(a.Burn, state.flop)
        many.append((_buy, Purchases(hand, state.flop, held)))
    if flags.battles < flags.battles_allowed and (others := targets(state, seat)):
        many.append((_attack, Attacks(others, TroopHands(hand, held))))
    return few, many, [] if must_attack(state) else [END]


def _free(state: State, seat: int, held: int) -> list[a.Action]:
    """Return what can be done at any point before the battle, even before drawing (section 5).

    `held` is the tally of the seat's hand.
    """
    hand, flags, built = state.hands[seat], state.flags, len(state.towers[seat])
    actions: list[a.Action] = []
    if built < len(RANKS) and held & TOWERS[built] and may_build(state):
        actions += map(a.Build, filter(HAS_RANK[built], hand))
    if built and may_pick_up(state):
        actions.append(PICK_UP)
    if seat in state.rulers:
        actions += map(a.BlindPick, pickable(state, seat))
    if not flags.not_so_secret and any(state.towers) and (sets := not_so_secret_sets(hand)):
        towers = [
            (other, rank) for other, theirs in enumerate(state.towers) if other != seat for rank in RANKS[: len(theirs)]
        ]
        actions += [a.NotSoSecret(cards, other, rank) for cards in sets for other, rank in towers]
    if held & BOSSES:
        actions += [move for card_id in filter(is_boss, hand) for move in _moves_of(state, seat, CARDS[card_id])]
    if state.bands[seat] >= SHOWN_FROM:
        cards = default_shown(hand)
        if cards != state.shown[seat]:
            actions.append(a.Show(cards))
    if state.options.collusion:
        actions += [a.Gift(other, (card_id,)) for other in may_give_to(state, seat) for card_id in hand]
    return actions


def _moves_of(state: State, seat: int, boss: Card) -> list[a.Boss]:
    if boss.power == "infiltrate":
        return [a.Boss(boss.id, seat=other) for other in spied_on(state, seat)]
    heroes = in_burn_pile(state) if boss.power == "walls" else []
    return [a.Boss(boss.id, taken=hero) for hero in heroes] or [a.Boss(boss.id)]
