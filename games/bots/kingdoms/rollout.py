"""Playing on quickly in Kingdoms: a player that decides each step at once from its own hand, and games played with it.

It follows the rules of thumb of `plan` and `war`, but looks at a few troop hands and purchases instead of all, and
takes the odds of a battle from tables of what players lay with that number of cards. It plays on full positions, yet
looks at nothing that the acting seat may not know. Positions change by the rules. Cards are drawn from the end of the
first `deck`, so its order decides these draws.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.bots.kingdoms.evaluation import KINDS, LABELS, chances, strengths
from games.bots.kingdoms.plan import CHEAP, CROWDED, RICH, TOO_RICH_TO_BUILD
from games.bots.kingdoms.preferences import ALL_TOWERS, COMMANDER, DENIED, LAST_TOWER, LEAST_GAIN, NEXT
from games.bots.kingdoms.preferences import SUPPORT as FIRST_SUPPORT
from games.bots.kingdoms.war import (
    ATTACKS,
    CASTLE,
    FREEDOM,
    HELD,
    LAST_BUT_ONE,
    MORE_TOWERS,
    MY_CASTLE,
    MY_TOWER,
    NEAR,
    OTHER_SPOILS,
    RESERVE,
    RIVAL_SPOILS,
    SUBJECT,
    SURE,
    TOWER,
    TROOP,
    WIN,
    Choice,
)
from games.rules import fairness
from games.rules.fairness import Dealt, Quick
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.battle import go_on
from games.rules.kingdoms.course import Course, must_hold
from games.rules.kingdoms.decide import advance
from games.rules.kingdoms.deck import CARDS, COMMANDING, RANKS, in_order
from games.rules.kingdoms.legal import (
    DRAW,
    END,
    PICK_UP,
    STOP,
    may_build,
    may_burn,
    may_pick_up,
    must_attack,
    pickable,
    targets,
)
from games.rules.kingdoms.market import DOTS
from games.rules.kingdoms.options import FLOP, HAND, QUICK_ROUNDS
from games.rules.kingdoms.powers import in_burn_pile, others_with, power
from games.rules.kingdoms.realm import above, after_castle, after_tower, below, conqueror
from games.rules.kingdoms.state import (
    CLOSED,
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    NOBODY_ACTS,
    OVER,
    PROTECT,
    TIE,
    TURN,
    TURNED_UP,
    State,
    clockwise,
    to_act_in,
)
from games.rules.kingdoms.troops import GOAL, not_so_secret_sets
from games.rules.kingdoms.turn import end_turn
from games.rules.kingdoms.values import SHOWN_FROM, VALUES, WINS, first, hand_value, totals
from games.rules.protocol import Chance

Cards = tuple[str, ...]
PRIOR = 15.0  # samples that Medium's choice, or the guess that others are worse, counts for: winning chances vary a lot
MOST_DOTS = 6  # paid in one purchase
KEPT = (0, 6, 3, 2, 1, 1, 1)  # how many of the cheapest cards with each number of dots may be needed to pay
BASES = {hero.id: hero.value + COMMANDER * hero.commands for hero in CARDS.values()}


# Troops


class Troops(NamedTuple):
    """A troop hand: its strength, what it costs to lose it, and the best plain defense that is left afterward."""

    total: int
    cards: Cards
    cost: float
    left: int


@lru_cache(maxsize=1 << 12)
def menu(hand: Cards, built: int) -> tuple[Troops, ...]:
    """Return a few troop hands of different strengths, each from the cards that are missed least, weakest first."""
    kings = sorted(
        (card_id for card_id in hand if KINDS[card_id] == "kingdom"), key=lambda card_id: _needed(card_id, hand, built)
    )
    supports = sorted((card_id for card_id in hand if KINDS[card_id] == "support"), key=VALUES.__getitem__)
    champions = [card_id for card_id in hand if KINDS[card_id] == "champion"]
    attackers = sorted((card_id for card_id in hand if KINDS[card_id] == "attack"), key=VALUES.__getitem__)
    commanders = sorted((card_id for card_id in hand if card_id in COMMANDING), key=VALUES.__getitem__)
    troops_by_total: dict[int, Cards] = {}
    # 1. Ordinary hands: the strongest, and some weaker ones
    plain = champions + attackers[::-1]
    values = tuple(map(VALUES.__getitem__, plain))
    sums = totals(values, GOAL)
    if supports and not sums >> GOAL & 1:
        more = values + tuple(map(VALUES.__getitem__, supports))
        if totals(more, GOAL) > sums:
            best = totals(more, GOAL).bit_length() - 1
            cards_of_both = plain + supports
            troops_by_total[best] = tuple(cards_of_both[index] for index in first(more, best))
    if plain:
        best = sums.bit_length() - 1
        for total in {best, VALUES[attackers[0]] if attackers else best, *LESSER}:
            if sums >> total & 1:
                troops_by_total.setdefault(total, tuple(plain[index] for index in first(values, total)))
    elif supports:
        troops_by_total[VALUES[supports[-1]]] = (supports[-1],)
    if kings:
        troops_by_total.setdefault(GOAL, (kings[0],))
    # 2. An Epic 21 with the weakest and with the strongest Support
    if supports:
        base: Cards = ()
        for base_values in BASES_OF_21:
            if base := _matching(attackers, base_values) or _matching(champions, base_values):
                break
        base = base or ((kings[0],) if kings else ())
        if base:
            for support in (supports[0], supports[-1]):
                troops_by_total[GOAL + VALUES[support]] = (*base, support)
    # 3. An Epic or a Boss alone or with another Hero
    if commanders:
        commander = commanders[0]
        others = [*attackers[:1], *attackers[-1:], *champions[:1], *champions[-1:], *kings[:1], *commanders[1:2]]
        troops_by_total.setdefault(VALUES[commander], (commander,))
        for other in others:
            troops_by_total.setdefault(VALUES[commander] + VALUES[other], (commander, other))
    result = []
    for total, cards in sorted(troops_by_total.items()):
        rest = tuple(VALUES[card_id] for card_id in hand if card_id not in cards and card_id not in COMMANDING)
        cost = sum([BASES[card_id] for card_id in cards]) + _firsts(cards, hand, built)
        result.append(Troops(total, in_order(cards), cost, totals(rest, GOAL).bit_length() - 1))
    return tuple(result)


LESSER = (9, 13, 17, 19)  # totals of weaker hands worth considering
BASES_OF_21 = ((5, 8, 8), (6, 7, 8), (7, 7, 7), (9, 12), (10, 11))


def _matching(cards: Sequence[str], values: tuple[int, ...]) -> Cards:
    """Return cards with these values, or none if some are missing."""
    left, matching = list(cards), []
    for value in values:
        card_id = next((card_id for card_id in left if VALUES[card_id] == value), None)
        if card_id is None:
            return ()
        left.remove(card_id)
        matching.append(card_id)
    return tuple(matching)


def _bonus(rank: str | None, built: int) -> float:
    """Return the bonus of the first card of a rank for a player with `built` Towers."""
    if rank is None:
        return 0.0
    ahead = RANKS.index(rank) - built
    return 0.0 if ahead < 0 else LAST_TOWER if built == ALL_TOWERS - 1 else NEXT[ahead]


def _needed(card_id: str, hand: Cards, built: int) -> float:
    rank = CARDS[card_id].rank
    twin = any(CARDS[other].rank == rank for other in hand if other != card_id)
    return 0.0 if twin else _bonus(rank, built)


def _firsts(cards: Cards, hand: Cards, built: int) -> float:
    """Return the bonuses that are lost with these cards, because the hand has no other of their rank or class."""
    lost = 0.0
    for label in {LABELS[card_id] for card_id in cards if KINDS[card_id] in ("kingdom", "support")}:
        if not any(LABELS[card_id] == label for card_id in hand if card_id not in cards):
            lost += FIRST_SUPPORT if label == "support" else _bonus(label, built)
    return lost


# The odds of battles


MOST_CARDS = 30  # hands with more are as strong


@lru_cache(maxsize=1 << 6)
def defence_odds(count: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the chances that a defense from a hand of `count` cards is below, and above, each total."""
    deck, chance, all_strengths = [card_id for card_id in CARDS if ":" not in card_id], Quick(count), list[int]()
    for _ in range(60):
        left = list(deck)
        hand = in_order(left.pop(chance.below(len(left))) for _ in range(count))
        all_strengths += strengths(hand)
    return (
        tuple(sum(strength < total for strength in all_strengths) / len(all_strengths) for total in range(50)),
        tuple(sum(strength > total for strength in all_strengths) / len(all_strengths) for total in range(50)),
    )


def best_attack(state: State, seat: int, others: Iterable[int]) -> Choice | None:
    """Return the most promising attack on one of the others, whether or not it is worth it."""
    return max(attacks(state, seat, others), key=lambda attack: attack.points, default=None)


def attacks(state: State, seat: int, others: Iterable[int]) -> list[Choice]:
    """Return attacks on each of the others, with a few troop hands of different strengths."""
    hand, choices = state.hands[seat], list[Choice]()
    troops = menu(hand, len(state.towers[seat]))
    spoils = hand_value(state.flop) if state.options.spoils == FLOP else OTHER_SPOILS
    worth = hand_value(hand)
    for other in others:
        prize = float(spoils) + stake_of(state, seat, other)
        risk = spoils * RIVAL_SPOILS
        if state.bands[other] >= SHOWN_FROM:
            risk += WIN * min(1.0, spoils / NEAR) / 2
        wall = 0 if state.towers[other] else state.options.wall
        under, over = defence_odds(min(len(state.hands[other]), MOST_CARDS))
        ruler = state.rulers[other]
        guard = None if ruler in (None, seat) else defence_odds(min(len(state.hands[ruler or 0]), MOST_CARDS))
        for total, cards, cost, left in troops:
            beats = max(0, total - wall)
            odds, lost = under[beats], over[beats]
            if guard:  # the ruler defends with it every other time
                odds = (odds + odds * guard[0][beats]) / 2
                lost = (lost + 1 - (1 - lost) * (1 - guard[1][beats])) / 2
            won = prize + (WIN if worth + spoils - total >= WINS else 0.0)
            points = odds * won - lost * risk - cost * TROOP - RESERVE * (GOAL - left) / GOAL
            choices.append(Choice(points, other, cards, odds))
    return choices


def stake_of(state: State, seat: int, other: int) -> float:
    """Return the gain of beating the other, without the spoils: its loss, and the change of rulers."""
    towers, before = len(state.towers[other]), state.rulers
    if towers:
        points = TOWER + MORE_TOWERS * (towers - 1) + LAST_BUT_ONE * (towers == ALL_TOWERS - 1)
        after = after_tower(before, seat, other)
    else:
        points, after = CASTLE, after_castle(before, seat, other)
    if after != before:
        points += SUBJECT * (len(below(after, seat)) - len(below(before, seat)))
        points += FREEDOM * above(before, other, seat)
        if (winner := conqueror(after)) is not None:
            stake = HELD if must_hold(state) else WIN
            points += stake if winner == seat else -stake
    return points


def my_stake(state: State, seat: int) -> float:
    """Return what the seat would lose by the attack that is going on."""
    battle = state.battle
    assert battle is not None
    attacker, target = battle.attacker, battle.target
    towers, crowned = len(state.towers[target]), 0.0
    after = (after_tower if towers else after_castle)(state.rulers, attacker, target)
    if (winner := conqueror(after)) is not None and winner != seat:
        crowned = HELD if must_hold(state) else WIN
    if target != seat:
        return SUBJECT + crowned
    own = MY_TOWER + MORE_TOWERS * (towers - 1) if towers else MY_CASTLE
    return own + LAST_BUT_ONE * (towers == ALL_TOWERS - 1) + crowned


def best_defence(state: State, seat: int, stake: float) -> tuple[float, Cards]:
    """Return the best troops to defend with, or none, and how many points more than none they bring."""
    nothing, *others = defences(state, seat, stake)
    best = max(others, key=lambda defence: defence[0], default=nothing)
    return (best[0] - nothing[0], best[1]) if best[0] > nothing[0] else (0.0, ())


def defences(state: State, seat: int, stake: float) -> list[tuple[float, Cards]]:
    """Return troops to defend with and what they bring: first none, then a few hands of different strengths."""
    battle, hand, valued = state.battle, state.hands[seat], list[tuple[float, Cards]]()
    assert battle is not None
    laid = battle.waves[-1].hands[0]
    wall = 0 if state.towers[battle.target] else state.options.wall
    known = hand_value(laid.open)
    spoils = hand_value(state.flop) if state.options.spoils == FLOP else OTHER_SPOILS
    gain = stake + spoils * RIVAL_SPOILS
    if state.bands[battle.attacker] >= SHOWN_FROM:
        gain += WIN * min(1.0, spoils / NEAR) / 2
    likely = ATTACKS[min(len(laid.cards), len(ATTACKS)) - 1]
    worth, everything = hand_value(hand), tuple(VALUES[card_id] for card_id in hand if card_id not in COMMANDING)
    options = [Troops(0, (), 0.0, totals(everything, GOAL).bit_length() - 1), *menu(hand, len(state.towers[seat]))]
    for total, cards, cost, left in options:
        more = even = 0.0
        for attack, odds in likely:
            above_it = total + wall - max(attack, known)
            if above_it > 0:
                more += odds
            elif not above_it:
                even += odds
        won = spoils + (WIN if worth + spoils - total >= WINS else 0.0) if cards else 0.0
        points = more * (gain + won) + even * gain * 0.7 - cost * TROOP - RESERVE * (GOAL - left) / GOAL
        valued.append((points, cards))
    return valued


# The market


def best_purchase(state: State, seat: int) -> tuple[Cards, Cards] | None:
    """Return the most profitable purchase of up to six dots, or None if none is worth it.

    A Princess is kept from those who need only her to win.
    """
    others = max(len(towers) for other, towers in enumerate(state.towers) if other != seat)
    is_last = state.options.quick and state.round >= QUICK_ROUNDS
    built = ALL_TOWERS if is_last else len(state.towers[seat])
    return _best_purchase(state.hands[seat], state.flop, built, DENIED if others == ALL_TOWERS - 1 else 0.0)


@lru_cache(maxsize=1 << 12)
def _best_purchase(hand: Cards, flop: Cards, built: int, princess: float) -> tuple[Cards, Cards] | None:
    firsts = {"support": FIRST_SUPPORT} | {rank: _bonus(rank, built) for rank in RANKS[built:]}
    # 1. The least loss for each number of dots. The last card of a wanted rank is the dearest.
    piles: list[list[tuple[float, str]]] = [[] for _ in range(MOST_DOTS + 1)]
    for card_id in hand:
        if dots := DOTS[card_id]:
            label = LABELS[card_id]
            worth = BASES[card_id] + firsts.pop(label, 0.0) + (princess if label == RANKS[-1] else 0.0)
            piles[dots].append((worth, card_id))
    paying: list[tuple[float, Cards]] = [(0.0, ()), *[(1e9, ())] * MOST_DOTS]
    for dots in range(1, MOST_DOTS + 1):
        pile = piles[dots]
        if len(pile) > 1:
            pile.sort()
        for worth, card_id in pile[: KEPT[dots]]:
            for total in range(MOST_DOTS, dots - 1, -1):
                before, cards = paying[total - dots]
                if before + worth < paying[total][0]:
                    paying[total] = before + worth, (*cards, card_id)
    # 2. The greatest gain for each number of dots
    taking: list[tuple[float, Cards]] = [(0.0, ()), *[(-1e9, ())] * MOST_DOTS]
    for card_id in flop:
        dots, label = DOTS[card_id], LABELS[card_id]
        worth = BASES[card_id] + firsts.pop(label, 0.0) + (princess if label == RANKS[-1] else 0.0)
        for total in range(MOST_DOTS, dots - 1, -1):
            before, cards = taking[total - dots]
            if before + worth > taking[total][0]:
                taking[total] = before + worth, (*cards, card_id)
    best, price = LEAST_GAIN, 0
    for total in range(1, MOST_DOTS + 1):
        gain = taking[total][0] - paying[total][0]
        if gain > best:
            best, price = gain, total
    return (in_order(paying[price][1]), in_order(taking[price][1])) if price else None


def favourite(state: State, seat: int, cards: Iterable[str]) -> str:
    """Return the card that the seat would like best."""
    built, labels = len(state.towers[seat]), {LABELS[card_id] for card_id in state.hands[seat]}

    def worth(card_id: str) -> float:
        new = LABELS[card_id] not in labels
        return (
            BASES[card_id] + (_bonus(CARDS[card_id].rank, built) + FIRST_SUPPORT * (KINDS[card_id] == "support")) * new
        )

    return max(cards, key=worth)


# Decisions


def decision(state: State, seat: int, phase: str) -> a.Action:
    """Return the next action of the seat."""
    if phase == TURN:
        return _in_turn(state, seat)
    if phase == DEFEND:
        subs = pickable(state, seat)
        return a.BlindPick(subs[0]) if subs else a.Defend(best_defence(state, seat, my_stake(state, seat))[1])
    if phase == PROTECT:
        assert state.battle is not None
        stake = my_stake(state, seat)
        helps = 1.0 if stake >= HELD or not state.hands[state.battle.target] else 0.4
        return a.Protect("with" if best_defence(state, seat, stake * helps)[0] > 0 else "leave")
    if phase == TIE:
        assert state.battle is not None
        again = best_attack(state, seat, (state.battle.target,))
        return a.Wave(again.cards) if again and again.points > 0 and again.odds >= SURE else STOP
    if phase == EPIC:
        return _epic(state, seat)
    if phase == FLOPDRAW:
        return a.DrawFromFlop(favourite(state, seat, state.flop))
    if phase == INFILTRATE:
        return a.Take(favourite(state, seat, state.hands[state.look]))
    attack = best_attack(state, seat, targets(state, seat))
    assert attack is not None
    return a.Attack(attack.seat, attack.cards)


def threat(state: State, other: int) -> tuple[int, int, int]:
    """Return a sort key for how close to victory a player seems."""
    towers = len(state.towers[other])
    return towers == ALL_TOWERS - 1, state.bands[other], towers * 5 + len(state.hands[other])


def _epic(state: State, seat: int) -> a.Action:
    move = power(state)
    if move == "market":
        return a.Market(favourite(state, seat, state.flop))
    holders = others_with(state, state.towers if move == "storm" else state.hands)
    ranked = sorted(holders, key=lambda other: threat(state, other), reverse=True)
    return a.Storm(ranked[0]) if move == "storm" else a.Tribute(tuple(sorted(ranked[:2])))


def _in_turn(state: State, seat: int) -> a.Action:
    flags, hand, options = state.flags, state.hands[seat], state.options
    if not flags.battles:
        towers = state.towers[seat]
        # 1. Pick up, build, pick from sub-kingdoms
        if (
            towers
            and may_pick_up(state)
            and (hand_value(hand) + VALUES[towers[-1]] >= WINS or (options.quick and state.round >= QUICK_ROUNDS))
        ):
            return PICK_UP
        if rising := _building(state, seat):
            return rising
        if seat in state.rulers and (subs := pickable(state, seat)):
            return a.BlindPick(subs[0])
        # 2. Bosses, the draw, Towers of others, the Flop
        for card_id in hand:
            if KINDS[card_id] == "boss" and (move := _boss(state, seat, card_id)):
                return move
        if not flags.drawn:
            return DRAW
        if not flags.not_so_secret and any(state.towers) and (theft := _theft(state, seat)):
            return theft
        if may_burn(state) and state.flop:
            worst = min(state.flop, key=VALUES.__getitem__)
            if VALUES[worst] <= CHEAP:
                return a.Burn(worst)
        if purchase := best_purchase(state, seat):
            return a.Buy(*purchase)
    # 3. The battle
    compelled = must_attack(state)
    if flags.battles < flags.battles_allowed and (others := targets(state, seat)):
        best = best_attack(state, seat, others)
        if best and (best.points > 0 or compelled):
            return a.Attack(best.seat, best.cards)
    return END


def _building(state: State, seat: int) -> a.Build | None:
    """Return the next Tower, if it can be built and the hand is not worth more as it is."""
    built = len(state.towers[seat])
    if built == ALL_TOWERS or not may_build(state):
        return None
    if built < ALL_TOWERS - 1:
        if state.options.quick and (state.round > 1 or state.flags.drawn):
            return None
        if not state.options.quick and hand_value(state.hands[seat]) >= TOO_RICH_TO_BUILD:
            return None
    for card_id in state.hands[seat]:
        if LABELS[card_id] == RANKS[built]:
            return a.Build(card_id)
    return None


def _boss(state: State, seat: int, card_id: str) -> a.Action | None:
    """Return the Boss's move if it is more useful than the card as a troop."""
    move, built = CARDS[card_id].power, len(state.towers[seat])
    if move == "walls":
        if state.flags.picked_up:
            return None
        held = {LABELS[other] for other in state.hands[seat]}
        burned = {LABELS[other]: other for other in in_burn_pile(state)}
        taken = next((burned[rank] for rank in RANKS[built:] if rank not in held and rank in burned), None)
        taken = taken or next(iter(burned.values()), None)
        held |= {LABELS[taken]} if taken else set()
        rising = next((n for n, rank in enumerate(RANKS[built:]) if rank not in held), ALL_TOWERS - built)
        return a.Boss(card_id, taken=taken) if rising > state.flags.builds_allowed - state.flags.builds else None
    if move == "infiltrate":
        others = [other for other in clockwise(state, seat) if state.hands[other]]
        target = max(others, key=lambda other: threat(state, other), default=None)
        if target is not None and (
            len(state.towers[target]) == ALL_TOWERS - 1
            or state.bands[target] >= SHOWN_FROM
            or len(state.hands[target]) >= CROWDED
        ):
            return a.Boss(card_id, seat=target)
    is_safe = not state.flags.drawn or state.truces[seat]
    if move == "truce" and not is_safe and (built == ALL_TOWERS - 1 or hand_value(state.hands[seat]) >= RICH):
        return a.Boss(card_id)
    return None


def _theft(state: State, seat: int) -> a.Action | None:
    """Return the Not-So-Secret Move that takes a Tower worth more than the cards it costs, if there is one."""
    hand = state.hands[seat]
    sets = not_so_secret_sets(hand)
    if not sets:
        return None
    built, labels = len(state.towers[seat]), {LABELS[card_id] for card_id in hand}
    best, theft = 0.0, None
    for other in clockwise(state, seat):
        towers = state.towers[other]
        for place, stolen in enumerate(towers):
            broken = towers[place + 1 :]
            most = state.bands[other] + 99
            if state.options.broken_towers == HAND and most + hand_value(broken) >= WINS:
                continue
            new = LABELS[stolen] not in labels
            points = VALUES[stolen] + _bonus(LABELS[stolen], built) * new + 8.0 * (1 + len(broken))
            points += 60.0 * (len(towers) == ALL_TOWERS - 1)
            if points > best:
                best, theft = points, (other, RANKS[place])
    cards = min(sets, key=hand_value)
    return a.NotSoSecret(cards, *theft) if theft and best > hand_value(cards) else None


# Games


STEPS = 2.5  # decisions that take as long as a turn of plain Legends
SMALL = 200  # a budget up to this counts seven times
ROUNDS = 1  # played on before the position is valued


def way(state: State, budget: float) -> None:
    """Return how to play on: there is only one way."""


def play_out(state: State, chance: Chance, way: None = None) -> float:
    """Play some turns, or to the end where that is near. Return what that cost, in simulated turns."""
    drawn, steps = drawing(state, chance.below(1 << 62)), 0
    left = 1000 if state.options.quick or state.showdown else ROUNDS * state.players
    turn = state.active, state.round
    while (phase := state.phase) != OVER:
        if phase == CLOSED:
            go_on(Course(state, drawn)) if state.battle is not None else end_turn(Course(state, drawn))
        else:
            if (state.active, state.round) != turn and phase == TURN:
                turn = state.active, state.round
                left -= 1
                if not left:
                    break
            seat = to_act_in(phase, state)[0]
            advance(state, seat, decision(state, seat, phase), drawn)
        steps += 1
    return (steps + state.players) / STEPS  # sampling and valuing hands take about a decision for each player


def drawing(state: State, seed: int) -> Dealt:
    """Return chance that draws the last card of the deck, and any card of a reshuffled one."""
    return Dealt(seed, f"deck-{state.shuffle}")


def is_turn(state: State) -> bool:
    """Return whether a player must decide something."""
    return state.phase not in NOBODY_ACTS


def shuffle(state: State, chance: Chance) -> None:
    """Put the deck into an order: the same for positions with the same cards left."""
    state.deck = [*in_order(state.deck)]
    fairness.shuffle(state.deck, chance)


def hides(state: State) -> bool:
    """Return that others' hands are hidden."""
    return True


def cost_left(state: State) -> float:
    """Return about what it costs to play on once."""
    return 2.0 * state.players


def prior(state: State, way: None = None) -> float:
    """Return for how many samples the first guess of a candidate's value counts."""
    return PRIOR


def allowance(state: State, budget: float) -> float:
    """Return what the decision may cost: little before the draw, and most of it when the rest of the turn is chosen.

    A turn in which nothing is burned is chosen right after the draw, in one decision.

    Small budgets count seven times, because there is always a dozen candidates to tell apart.
    """
    if state.phase != TURN:
        share = 0.1 if state.phase in TURNED_UP else 0.3  # in a battle, samples take longer, too
    else:
        share = 0.1 if not state.flags.drawn else 0.45 if may_burn(state) else 0.4
    return share * (budget + 6 * min(budget, SMALL))


def results(state: State) -> list[tuple[float, float]]:
    """Return each seat's lead and its share of the win. There are no points: a win leads by 1, a loss by -1."""
    if state.result is None:
        return [(2 * share - 1, share) for share in chances(state)]
    places = [seat_score.place for seat_score in state.result.seats]
    winners = places.count(1)
    return [(2 / winners - 1, 1 / winners) if place == 1 else (-1.0, 0.0) for place in places]


def useful(lead: float, win: float) -> float:
    """Return how useful a result is to its seat: the share of the win."""
    return win
