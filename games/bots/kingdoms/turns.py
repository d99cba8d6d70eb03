"""Candidates for the search in Kingdoms: Medium's choice and variations of it.

A candidate goes as far as a submission can: to the end of the turn, or up to a step that draws or reveals something.
After its own beginning, such as a purchase or an attack, the quick player of `rollout` completes it.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from games.bots.kingdoms import rollout
from games.bots.kingdoms.preferences import LEAST_GAIN, Ledger, best_purchases, me, preferences_of, rivals
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import CARDS, RANKS, first_of, in_order
from games.rules.kingdoms.legal import STOP, may_build, may_burn, may_pick_up, pickable, targets
from games.rules.kingdoms.market import Purchases, dots, purchases
from games.rules.kingdoms.powers import answers, in_burn_pile, spied_on
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, TIE, TURN, State
from games.rules.kingdoms.troops import not_so_secret_sets
from games.rules.kingdoms.view import View
from games.rules.play import apply
from games.rules.protocol import Action, Chance, IllegalAction, NeedsChance, Ruleset

Cards = tuple[str, ...]
Steps = tuple[Action, ...]
TARGETS, HANDS, PURCHASES, THEFTS, DEFENCES = 4, 4, 3, 2, 8  # most candidates of each kind
MANY = 1000  # purchases, of which only the quick player's choice is considered


def candidates(ruleset: Ruleset, view: View, chance: Chance) -> list[Steps]:
    """Return what the view's seat may do next, Medium's choice or the quick player's first."""
    seat = view.seat
    assert seat is not None
    state = ruleset.sample(view, chance)
    found: Iterable[Action]
    if state.phase == TURN:
        return list(dict.fromkeys(_of_turn(ruleset, view, state, seat)))
    if state.phase == DEFEND:
        found = _defences(state, seat)
    elif state.phase == PROTECT:
        found = map(a.Protect, a.MODES)
    elif state.phase == EPIC:
        found = answers(state)
    elif state.phase == FLOPDRAW:
        found = map(a.DrawFromFlop, _different(state.flop))
    elif state.phase == INFILTRATE:
        found = map(a.Take, _different(state.hands[state.look]))
    elif state.phase == TIE:
        assert state.battle is not None
        found = [STOP, *(a.Wave(one.cards) for one in _battles(state, seat, [state.battle.target]))]
    else:
        found = [a.Attack(one.seat, one.cards) for one in _battles(state, seat, targets(state, seat))]
    usual = rollout.decision(state, seat, state.phase)
    return list(dict.fromkeys(tuple(as_listed(state, seat, one)) for one in (usual, *found)))


def _different(cards: Iterable[str]) -> list[str]:
    """Return one of each equal cards, the most valuable first."""
    found = {(CARDS[one].kind, CARDS[one].value, CARDS[one].rank, CARDS[one].power): one for one in cards}
    return sorted(found.values(), key=lambda one: -CARDS[one].value)


def _battles(state: State, seat: int, others: Sequence[int]) -> list[rollout.Chosen]:
    """Return the best attacks on each of the likeliest targets, best first."""
    by_target: dict[int, list[rollout.Chosen]] = {}
    for one in sorted(rollout.attacks(state, seat, others), key=lambda one: -one.points):
        by_target.setdefault(one.seat, []).append(one)
    likeliest = [one for found in list(by_target.values())[:TARGETS] for one in found[:HANDS]]
    return sorted(likeliest, key=lambda one: -one.points)


def _defences(state: State, seat: int) -> list[Action]:
    if subs := pickable(state, seat):
        return [a.BlindPick(subs[0])]
    found = sorted(rollout.defences(state, seat, rollout.my_stake(state, seat)), key=lambda one: -one[0])
    return [a.Defend(cards) for _points, cards in found[:DEFENCES]]


# Turns


def _of_turn(ruleset: Ruleset, view: View, state: State, seat: int) -> list[Steps]:
    flags, begun = state.flags, list[Steps]()
    if flags.battles:
        begun += [(a.Attack(one.seat, one.cards),) for one in _battles(state, seat, targets(state, seat))]
        begun.append((a.End(),))
        return [steps for one in begun if (steps := completed(ruleset, state, seat, one))]
    # 1. What the quick player does, and what it might do first
    begun.append(())
    if subs := pickable(state, seat):
        return [(a.BlindPick(subs[0]),)]
    begun += [(one,) for one in _bosses(state, seat)]
    begun += [(one,) for one in _thefts(view, state, seat)]
    if may_pick_up(state) and not flags.drawn:
        begun.append((a.PickUp(), a.Draw()))
    if not flags.drawn:
        begun.append((a.Draw(),))
        return _all_completed(ruleset, state, seat, begun)
    if may_burn(state):
        begun += [(a.Burn(one),) for one in _different(state.flop)[::-1][:PURCHASES]]
    # 2. Purchases with the builds that they allow, then attacks
    others = targets(state, seat)
    for number, bought in enumerate([(), *_purchases(view, state, seat)]):
        here, steps = state.copy(), bought
        try:
            apply(ruleset, here, seat, bought, None)
            steps = (*bought, *_building(here, seat))
            apply(ruleset, here, seat, steps[len(bought) :], None)
        except NeedsChance:  # it wins
            begun.append(steps)
            continue
        battles = _battles(here, seat, others)
        begun += [(*steps, a.Attack(one.seat, one.cards)) for one in battles[: HANDS * 2 if number < 2 else 2]]
        begun.append((*steps, a.End()))
    return _all_completed(ruleset, state, seat, begun)


def _all_completed(ruleset: Ruleset, state: State, seat: int, begun: Iterable[Steps]) -> list[Steps]:
    return [steps for one in begun if (steps := completed(ruleset, state, seat, one))]


def completed(ruleset: Ruleset, state: State, seat: int, begun: Steps) -> Steps:
    """Return the beginning with what the quick player does next, as far as a submission can go; () if it is illegal."""
    here, steps = state.copy(), list[Action]()
    try:
        for action in begun:
            for step in as_listed(here, seat, action):
                steps.append(step)
                apply(ruleset, here, seat, (step,), None)
        while here.phase == TURN and seat in ruleset.to_act(here):
            for step in as_listed(here, seat, rollout.decision(here, seat, TURN)):
                steps.append(step)
                apply(ruleset, here, seat, (step,), None)
    except NeedsChance:
        pass
    except IllegalAction:
        return ()
    return tuple(steps)


def as_listed(state: State, seat: int, action: Action) -> list[Action]:
    """Return the action as `legal` lists it: with the first of equal cards, and a purchase in its smallest parts."""
    hand = state.hands[seat]
    match action:
        case a.Attack(other, cards):
            return [a.Attack(other, first_of(hand, cards))]
        case a.Defend(cards):
            return [a.Defend(first_of(hand, cards))]
        case a.Wave(cards):
            return [a.Wave(first_of(hand, cards))]
        case a.Build(one):
            return [a.Build(*first_of(hand, (one,)))]
        case a.Buy(give, take):
            parts = list[Action]()
            give, take = first_of(hand, give), first_of(in_order(state.flop), take)
            while give:
                paid, got = _smallest(give, take)
                parts.append(a.Buy(paid, got))
                give, take = (
                    tuple(one for one in all_ if one not in part) for all_, part in ((give, paid), (take, got))
                )
            return parts
    return [action]


def _smallest(give: Cards, take: Cards) -> tuple[Cards, Cards]:
    """Return the smallest part of a purchase that is one too."""
    sizes = sorted((n, m) for n in range(1, len(give) + 1) for m in range(1, len(take) + 1))
    for n, m in sorted(sizes, key=sum):
        for paid in combinations(give, n):
            for got in combinations(take, m):
                if dots(paid) == dots(got):
                    return paid, got
    return give, take


def _building(state: State, seat: int) -> Steps:
    """Build the next Tower, if it can be built."""
    built = len(state.towers[seat])
    if not may_build(state) or built == len(RANKS):
        return ()
    return tuple(a.Build(one) for one in state.hands[seat] if CARDS[one].rank == RANKS[built])[:1]


def _bosses(state: State, seat: int) -> list[a.Boss]:
    """Return the moves of the seat's Bosses that may help."""
    found = []
    for one in state.hands[seat]:
        power = CARDS[one].power if CARDS[one].kind == "boss" else None
        if power == "infiltrate":
            ranked = sorted(spied_on(state, seat), key=lambda other: rollout.threat(state, other), reverse=True)
            found += [a.Boss(one, seat=other) for other in ranked[:2]]
        elif power == "walls":
            taken = {CARDS[other].rank: other for other in in_burn_pile(state)}
            found += [a.Boss(one, taken=other) for other in list(taken.values())[:2]] or [a.Boss(one)]
        elif (power == "truce" and state.flags.drawn and not state.truces[seat]) or (
            power == "strike" and state.flags.drawn and state.flags.battles_allowed == 1 and targets(state, seat)
        ):
            found.append(a.Boss(one))
    return found


def _thefts(view: View, state: State, seat: int) -> list[a.NotSoSecret]:
    """Return the Not-So-Secret Moves that gain most, each with the cards that are missed least."""
    sets = not_so_secret_sets(state.hands[seat]) if any(state.towers) and not state.flags.not_so_secret else ()
    if not sets:
        return []
    ledger = Ledger(me(view).hand, preferences_of(view))
    cards = max(sets, key=ledger.change)
    found = []
    for rival in rivals(view):
        for place, stolen in enumerate(rival.towers):
            gain = ledger.change((), (stolen,)) + 8.0 * len(rival.towers[place:])
            found.append((gain, a.NotSoSecret(cards, rival.seat, RANKS[place])))
    return [move for _gain, move in sorted(found, key=lambda one: -one[0])[:THEFTS]]


def _purchases(view: View, state: State, seat: int) -> list[Steps]:
    """Return Medium's purchases, and some others that pay or nearly do, for different cards."""
    found: list[Steps] = []
    if Purchases(state.hands[seat], state.flop).count > MANY:
        usual = rollout.best_purchase(state, seat)
        return [tuple(as_listed(state, seat, a.Buy(*usual)))] if usual else []
    if best := tuple(a.Buy(give, take) for give, take in best_purchases(view)):
        found.append(best)
    ledger = Ledger(state.hands[seat], preferences_of(view))
    offers = sorted(
        ((ledger.change(give, take), give, take) for give, take in purchases(state.hands[seat], state.flop)),
        key=lambda offer: (-offer[0], len(offer[1])),
    )
    taken = {step.take for steps in found[:1] for step in steps[:1]}
    for gain, give, take in offers:
        if gain < LEAST_GAIN - 6.0 or len(found) > PURCHASES:
            break
        if take not in taken:
            taken.add(take)
            found.append((a.Buy(give, take),))
    return found
