"""What a seat may do now, in a stable order.

Hands of forty cards allow millions of purchases, gifts and choices of face-up cards. `decide` accepts all of them; this
lists only their building blocks (K101): irreducible purchases, gifts of one card, the default face-up cards, and the
first of equal cards (K105).
"""

from collections.abc import Callable, Iterable, Iterator
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
from games.rules.kingdoms.epics import answers
from games.rules.kingdoms.market import purchases
from games.rules.kingdoms.powers import in_burn_pile, spied_on
from games.rules.kingdoms.state import (
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    PROTECT,
    SHOWDOWN,
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
PROTECTIONS = tuple(map(a.Protect, a.MODES))


def legal(state: State, seat: int) -> list[a.Action]:
    """Return the legal actions of the seat, without the combinations described in the module's docstring."""
    return list(_LISTS[state.phase](state, seat)) if seat in to_act(state) else []


def _turn(state: State, seat: int) -> Iterator[a.Action]:
    if is_before_battle(state):
        yield from _free(state, seat)
        if not state.flags.drawn:
            yield DRAW
            return
        yield from _market(state, seat)
    if may_attack_again(state):
        yield from attacks(state, seat)
    if not must_attack(state):
        yield END


def _free(state: State, seat: int) -> Iterator[a.Action]:
    """Yield what can be done at any point before the battle, even before drawing (section 5)."""
    if may_build(state):
        rank = next_rank(state, seat)
        yield from (a.Build(one) for one in state.hands[seat] if card(one).rank == rank is not None)
    if may_pick_up(state):
        yield PICK_UP
    yield from map(a.BlindPick, pickable(state, seat))
    if not state.flags.not_so_secret:
        yield from _secret_moves(state, seat)
    yield from _bosses(state, seat)
    yield from _shows(state, seat)
    yield from (a.Gift(other, (one,)) for other in may_give_to(state, seat) for one in state.hands[seat])


def _secret_moves(state: State, seat: int) -> Iterator[a.Action]:
    towers = [
        (other, rank) for other, standing in enumerate(state.towers) if other != seat for rank in RANKS[: len(standing)]
    ]
    if towers:
        for cards in not_so_secret_sets(state.hands[seat]):
            yield from (a.NotSoSecret(cards, other, rank) for other, rank in towers)


def _bosses(state: State, seat: int) -> Iterator[a.Action]:
    for one in state.hands[seat]:
        hero = card(one)
        if hero.kind != "boss":
            continue
        if hero.power == "infiltrate":
            yield from (a.Boss(one, seat=other) for other in spied_on(state, seat))
        elif hero.power == "walls":
            yield from [a.Boss(one, taken=found) for found in in_burn_pile(state)] or [a.Boss(one)]
        else:
            yield a.Boss(one)


def _shows(state: State, seat: int) -> Iterator[a.Action]:
    if state.bands[seat] >= SHOWN_FROM:
        cards = default_shown(state.hands[seat])
        if cards != state.shown[seat]:
            yield a.Show(cards)


def _market(state: State, seat: int) -> Iterator[a.Action]:
    if may_burn(state):
        yield from map(a.Burn, state.flop)
    yield from (a.Buy(give, take) for give, take in purchases(state.hands[seat], state.flop))


def attacks(state: State, seat: int) -> Iterator[a.Action]:
    for other in targets(state, seat):
        yield from _attacks(other, state.hands[seat])


@lru_cache(maxsize=1 << 5)
def _attacks(other: int, hand: tuple[str, ...]) -> tuple[a.Attack, ...]:
    return tuple(a.Attack(other, cards) for cards in troop_hands(hand))


def _infiltrate(state: State, seat: int) -> Iterator[a.Action]:
    return map(a.Take, state.hands[state.look])


def _defences(state: State, seat: int) -> Iterator[a.Action]:
    yield from map(a.BlindPick, pickable(state, seat))
    yield from map(a.Defend, troop_hands(state.hands[seat]))
    yield NOTHING


def _tie(state: State, seat: int) -> Iterator[a.Action]:
    yield STOP
    yield from map(a.Wave, troop_hands(state.hands[seat]))


_LISTS: dict[str, Callable[[State, int], Iterable[a.Action]]] = {
    TURN: _turn,
    FLOPDRAW: lambda state, seat: map(a.DrawFromFlop, state.flop),
    EPIC: lambda state, seat: answers(state),
    INFILTRATE: _infiltrate,
    PROTECT: lambda state, seat: PROTECTIONS,
    DEFEND: _defences,
    TIE: _tie,
    SHOWDOWN: attacks,
}
