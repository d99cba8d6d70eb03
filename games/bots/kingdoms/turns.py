"""Candidates for the search in Kingdoms: Medium's choice and variations of it.

A candidate goes as far as a submission can: to the end of the turn, or up to a step that draws or reveals something.
After its own beginning, such as a purchase or an attack, the quick player of `rollout` completes it.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from games.bots.kingdoms import rollout
from games.bots.kingdoms.preferences import LEAST_GAIN, Ledger, best_purchases, me, preferences_of, rivals
from games.bots.kingdoms.war import Choice
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
    actions: Iterable[Action]
    if state.phase == TURN:
        return list(dict.fromkeys(_of_turn(ruleset, view, state, seat)))
    if state.phase == DEFEND:
        actions = _defences(state, seat)
    elif state.phase == PROTECT:
        actions = map(a.Protect, a.MODES)
    elif state.phase == EPIC:
        actions = answers(state)
    elif state.phase == FLOPDRAW:
        actions = map(a.DrawFromFlop, _different(state.flop))
    elif state.phase == INFILTRATE:
        actions = map(a.Take, _different(state.hands[state.look]))
    elif state.phase == TIE:
        assert state.battle is not None
        actions = [STOP, *(a.Wave(attack.cards) for attack in _battles(state, seat, [state.battle.target]))]
    else:
        actions = [a.Attack(attack.seat, attack.cards) for attack in _battles(state, seat, targets(state, seat))]
    usual = rollout.decision(state, seat, state.phase)
    return list(dict.fromkeys(tuple(as_listed(state, seat, action)) for action in (usual, *actions)))


def _different(cards: Iterable[str]) -> list[str]:
    """Return one of each equal cards, the most valuable first."""
    first_of_kind = {
        (CARDS[card_id].kind, CARDS[card_id].value, CARDS[card_id].rank, CARDS[card_id].power): card_id
        for card_id in cards
    }
    return sorted(first_of_kind.values(), key=lambda card_id: -CARDS[card_id].value)


def _battles(state: State, seat: int, others: Sequence[int]) -> list[Choice]:
    """Return the best attacks on each of the likeliest targets, best first."""
    by_target: dict[int, list[Choice]] = {}
    for attack in sorted(rollout.attacks(state, seat, others), key=lambda attack: -attack.points):
        by_target.setdefault(attack.seat, []).append(attack)
    likeliest = [attack for attacks in list(by_target.values())[:TARGETS] for attack in attacks[:HANDS]]
    return sorted(likeliest, key=lambda attack: -attack.points)


def _defences(state: State, seat: int) -> list[Action]:
    if subs := pickable(state, seat):
        return [a.BlindPick(subs[0])]
    defences = sorted(rollout.defences(state, seat, rollout.my_stake(state, seat)), key=lambda defence: -defence[0])
    return [a.Defend(cards) for _points, cards in defences[:DEFENCES]]


# Turns


def _of_turn(ruleset: Ruleset, view: View, state: State, seat: int) -> list[Steps]:
    flags, begun = state.flags, list[Steps]()
    if flags.battles:
        begun += [(a.Attack(attack.seat, attack.cards),) for attack in _battles(state, seat, targets(state, seat))]
        begun.append((a.End(),))
        return _all_completed(ruleset, state, seat, begun)
    # 1. What the quick player does, and what it might do first
    begun.append(())
    if subs := pickable(state, seat):
        return [(a.BlindPick(subs[0]),)]
    begun += [(move,) for move in _bosses(state, seat)]
    begun += [(move,) for move in _thefts(view, state, seat)]
    if may_pick_up(state) and not flags.drawn:
        begun.append((a.PickUp(), a.Draw()))
    if not flags.drawn:
        begun.append((a.Draw(),))
        return _all_completed(ruleset, state, seat, begun)
    if may_burn(state):
        begun += [(a.Burn(card_id),) for card_id in _different(state.flop)[::-1][:PURCHASES]]
    # 2. Purchases with the builds that they allow, then attacks
    others = targets(state, seat)
    for number, bought in enumerate([(), *_purchases(view, state, seat)]):
        after, steps = state.copy(), bought
        try:
            apply(ruleset, after, seat, bought, None)
            steps = (*bought, *_building(after, seat))
            apply(ruleset, after, seat, steps[len(bought) :], None)
        except NeedsChance:  # it wins
            begun.append(steps)
            continue
        battles = _battles(after, seat, others)
        begun += [(*steps, a.Attack(attack.seat, attack.cards)) for attack in battles[: HANDS * 2 if number < 2 else 2]]
        begun.append((*steps, a.End()))
    return _all_completed(ruleset, state, seat, begun)


def _all_completed(ruleset: Ruleset, state: State, seat: int, begun: Iterable[Steps]) -> list[Steps]:
    return [steps for beginning in begun if (steps := completed(ruleset, state, seat, beginning))]


def completed(ruleset: Ruleset, state: State, seat: int, begun: Steps) -> Steps:
    """Return the beginning with what the quick player does next, as far as a submission can go; () if it is illegal."""
    position, steps = state.copy(), list[Action]()
    try:
        for action in begun:
            for step in as_listed(position, seat, action):
                steps.append(step)
                apply(ruleset, position, seat, (step,), None)
        while position.phase == TURN and seat in ruleset.to_act(position):
            for step in as_listed(position, seat, rollout.decision(position, seat, TURN)):
                steps.append(step)
                apply(ruleset, position, seat, (step,), None)
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
        case a.Build(card_id):
            return [a.Build(*first_of(hand, (card_id,)))]
        case a.Buy(give, take):
            parts = list[Action]()
            give, take = first_of(hand, give), first_of(in_order(state.flop), take)
            while give:
                paid, got = _smallest(give, take)
                parts.append(a.Buy(paid, got))
                give, take = (
                    tuple(card_id for card_id in cards if card_id not in part)
                    for cards, part in ((give, paid), (take, got))
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
    return tuple(a.Build(card_id) for card_id in state.hands[seat] if CARDS[card_id].rank == RANKS[built])[:1]


def _bosses(state: State, seat: int) -> list[a.Boss]:
    """Return the moves of the seat's Bosses that may help."""
    moves = []
    for card_id in state.hands[seat]:
        power = CARDS[card_id].power if CARDS[card_id].kind == "boss" else None
        if power == "infiltrate":
            ranked = sorted(spied_on(state, seat), key=lambda other: rollout.threat(state, other), reverse=True)
            moves += [a.Boss(card_id, seat=other) for other in ranked[:2]]
        elif power == "walls":
            heroes_by_rank = {CARDS[other].rank: other for other in in_burn_pile(state)}
            moves += [a.Boss(card_id, taken=other) for other in list(heroes_by_rank.values())[:2]] or [a.Boss(card_id)]
        elif (power == "truce" and state.flags.drawn and not state.truces[seat]) or (
            power == "strike" and state.flags.drawn and state.flags.battles_allowed == 1 and targets(state, seat)
        ):
            moves.append(a.Boss(card_id))
    return moves


def _thefts(view: View, state: State, seat: int) -> list[a.NotSoSecret]:
    """Return the Not-So-Secret Moves that gain most, each with the cards that are missed least."""
    sets = not_so_secret_sets(state.hands[seat]) if any(state.towers) and not state.flags.not_so_secret else ()
    if not sets:
        return []
    ledger = Ledger(me(view).hand, preferences_of(view))
    cards = max(sets, key=ledger.change)
    thefts = []
    for rival in rivals(view):
        for place, stolen in enumerate(rival.towers):
            gain = ledger.change((), (stolen,)) + 8.0 * len(rival.towers[place:])
            thefts.append((gain, a.NotSoSecret(cards, rival.seat, RANKS[place])))
    return [move for _gain, move in sorted(thefts, key=lambda theft: -theft[0])[:THEFTS]]


def _purchases(view: View, state: State, seat: int) -> list[Steps]:
    """Return Medium's purchases, and some others that pay or nearly do, for different cards."""
    purchases_to_try: list[Steps] = []
    if Purchases(state.hands[seat], state.flop).count > MANY:
        usual = rollout.best_purchase(state, seat)
        return [tuple(as_listed(state, seat, a.Buy(*usual)))] if usual else []
    if best := tuple(a.Buy(give, take) for give, take in best_purchases(view)):
        purchases_to_try.append(best)
    ledger = Ledger(state.hands[seat], preferences_of(view))
    offers = sorted(
        ((ledger.change(give, take), give, take) for give, take in purchases(state.hands[seat], state.flop)),
        key=lambda offer: (-offer[0], len(offer[1])),
    )
    already_taken = {step.take for steps in purchases_to_try[:1] for step in steps[:1]}
    for gain, give, take in offers:
        if gain < LEAST_GAIN - 6.0 or len(purchases_to_try) > PURCHASES:
            break
        if take not in already_taken:
            already_taken.add(take)
            purchases_to_try.append((a.Buy(give, take),))
    return purchases_to_try
