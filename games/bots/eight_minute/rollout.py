"""Playing on quickly in the Eight-Minute family: a greedy player for one turn, and games played to the end with it.

The player values positions as `evaluation` does, but adds up what each step changes, keeps one line, and writes to the
position directly, which is a copy that the search made: that is ten times as fast as playing by the rules. With two
players it can look ahead to the opponent's best answer, and vary a little from one game to the next. Effects of tokens,
towns and leaders come from the rules. Cards are drawn from the end of `deck`, so its order decides all draws.
"""

from collections.abc import Iterable, Sequence
from math import exp, inf, sqrt
from typing import NamedTuple

from games.bots.eight_minute import evaluation
from games.bots.eight_minute.board import BUILD, KINDS, MOVE, NO_ROUTES, PLACE, Board, Step, travel_costs
from games.bots.eight_minute.evaluation import Weights
from games.bots.eight_minute.knowledge import reach
from games.bots.eight_minute.playout import Playout, part_orders, turns_after
from games.rules import fairness
from games.rules.eight_minute.actions import NOBODY, Action, Bid, First
from games.rules.eight_minute.edition import Card
from games.rules.eight_minute.effects import dragon, finds, leads, muster, rogues, spoils
from games.rules.eight_minute.evolve import evolve
from games.rules.eight_minute.legal import crossing
from games.rules.eight_minute.scoring import score
from games.rules.eight_minute.state import BID, EXTRA, FIRST, OVER, REFILL, SCORING, TURN, State
from games.rules.eight_minute.tokens import DRAGON, ROGUES
from games.rules.fairness import Dealt, Quick
from games.rules.protocol import Chance, Event

PRIOR, PRIORS = 3.0, {"classic": 25.0}  # samples that the first guess of a candidate's value counts for
LOOKING_PRIOR, SHORT_PRIOR = 3.0, 1.5  # the same if players look ahead; results of short games vary less
SAFE_LEAD = 5.0  # the lead in points that counts as nearly won
A_WIN = 2.0  # points of lead for which a win counts
FIRST_PART, COUNTS, COUNTS_MORE = 150, 2, {"classic": 8}  # of a budget, and how many times it counts
TURN_COSTS, EFFECTS_COST = {"classic": 1.5}, 0.4  # of a turn, measured, in turns of plain Legends
LOOKING_COSTS = {"legends": 2.3, "prototype": 2.4, "classic": 3.6}  # times as much a turn of a player who looks ahead
VALUING_COSTS = 2.0  # of valuing the position where play stops, in turns
LOOKS_FROM = {"legends": 2000, "prototype": 2000, "classic": 0}  # the budget from which players look ahead, if two play
ENOUGH = {"classic": 120}  # games to the end that the budget must allow, otherwise players who look ahead stop early
GOES_SECOND = ("legends", "classic")  # the games for two in which the second player wins more often
SECOND_FROM = 2000  # the budget from which a bot knows that; Hard goes first, as Medium does
NEVER = 1000  # more turns than a game has
MOST_COMPARED = 4  # choices at most that are compared by the answers to them
CLOSE_GAIN = 1.5  # points at most that such a choice gains less than the best one


class Way(NamedTuple):
    """A way to play on: players look ahead in the first `looks` turns, and the game stops after `stops` turns."""

    looks: int = 0
    stops: int = NEVER


QUICK, THOROUGH, SHORT = Way(), Way(looks=NEVER), Way(looks=2, stops=6)


class Use(NamedTuple):
    """The best use of a card, or of the rest of one: its value, what is done, the last board and the step after it."""

    gain: float
    steps: list[Step]
    board: Board
    last: tuple[int, int, int] | None


def best_use(
    playout: Playout,
    seat: int,
    board: Board,
    card: Card,
    orders: Iterable[Iterable[int]],
    used: Sequence[int],
    turns: int,
) -> Use:
    """Return the best use found of a card, of which the steps of each part have cost `used` so far.

    In each of the `orders` of its parts, the best step is done until nothing is left or no step gains anything.
    """
    state, weights, best = playout.state, playout.weights[seat], None
    share = min(1, turns / weights.settling_turns)
    for order in orders:
        here, gain, last = board, 0.0, None
        steps: list[Step] = []
        for number in order:
            part = card.parts[number]
            left, kind, routes = part.n - used[number], KINDS[part.kind], NO_ROUTES
            if kind == PLACE:
                left = min(left + state.more_armies[seat], state.supply[seat])
            elif kind == MOVE:
                left += state.more_movement[seat]
                routes = travel_costs(state.layout, crossing(state, seat, part.ship))
            elif kind == BUILD:
                left = min(left, state.city_supply[seat])
            while left > 0:
                if last:
                    here, last = here.after(*last), None
                if kind == MOVE:
                    step = here.move(left, routes)
                elif kind == PLACE:
                    step = here.best_place or here.place(state.start, weights.army * share)
                elif kind == BUILD:
                    step = here.best_build or here.build(state, weights.city * share)
                else:
                    step = here.destroy(state, seat, steps)
                more, region, target, cost = step
                if region < 0:
                    break
                gain += more
                left -= cost
                last = (kind, region, target)
                steps.append(Step(kind, region, target, cost, number))
        if best is None or gain > best.gain:
            best = Use(gain, steps, here, last)
    assert best
    return best


UNUSED = (0, 0)


class Choice(NamedTuple):
    """A card of the row with its best use: what both bring, its price, and the use."""

    gain: float
    card: str
    price: int
    use: Use


class Answers(NamedTuple):
    """The answers of the next seat to a turn: its board, and its choices among the first `known` cards of the row.

    The card that is drawn at the end of the turn is not one of these.
    """

    board: Board
    choices: list[Choice]
    known: int


def take_turn(state: State, chance: Chance, playout: Playout | None = None, looks_ahead: bool = False) -> None:
    """Play the turn of the seat to act, or the rest of it, and draw the next card.

    Of two players, one that `looks_ahead` considers what the opponent can do next.
    """
    playout = playout or Playout(state)
    seat, answers, playout.answers = state.turn, playout.answers, None
    board = answers.board if answers else board_of(playout)
    if state.taken:
        card, turns = playout.cards[state.taken], max(0, state.cards_owned - len(state.owned[seat]))
        use = best_use(playout, seat, board, card, part_orders(card, state.part), state.used, turns)
    else:
        known, first = (answers.choices, answers.known) if answers else ([], 0)
        options = known + choices(playout, board, first)
        choice = max(options, key=_gain)
        if looks_ahead and len(options) > 1:
            choice = best_after_answer(playout, options)
        playout.take(seat, choice.card, choice.price)
        use = choice.use
    finish(playout, use, chance)


def board_of(playout: Playout) -> Board:
    """Return the map as the seat to act values it."""
    state, weights = playout.state, playout.weights[playout.state.turn]
    return Board(playout, state.turn, min(1.0, max(0, turns_after(state)) / (weights.settling_turns * state.players)))


def choices(playout: Playout, board: Board, first: int = 0, last: int | None = None) -> list[Choice]:
    """Return the cards in this part of the row that the seat to act can pay for, each with its best use."""
    state, seat, affordable = playout.state, playout.state.turn, []
    turns = max(0, state.cards_owned - len(state.owned[seat]) - 1)
    playout.count_goods()
    for card_id, price in zip(state.row[first:last], playout.prices[first:], strict=False):
        if price <= state.coins[seat]:
            use = best_use(playout, seat, board, playout.cards[card_id], playout.facts[card_id].orders, UNUSED, turns)
            affordable.append(Choice(use.gain + playout.gain(seat, card_id, price, turns), card_id, price, use))
    return affordable


def best_after_answer(playout: Playout, ranked: Iterable[Choice]) -> Choice:
    """Return the choice after which the opponent's best answer leaves most, of those that gain nearly the most now.

    The map counts as the opponent values it after the answer, because the nearer the end is, the more certain its
    regions are. The card that is drawn next is not considered, and a token that is turned over may be any. The answers
    to the choice are kept for the opponent's turn.
    """
    state, best = playout.state, -1e9
    ranked = sorted(ranked, key=_gain, reverse=True)
    chosen = ranked[0]
    for choice in ranked[:MOST_COMPARED]:
        if choice.gain < ranked[0].gain - CLOSE_GAIN:
            break
        trial, left, answers = playout.copy(), choice.gain, None
        trial.take(state.turn, choice.card, choice.price)
        finish(trial, choice.use, Quick(1))
        if trial.state.phase == TURN:
            board, known = board_of(trial), len(state.row) - 1
            answers = Answers(board, choices(trial, board, last=known), known)
            left -= choice.use.gain + board.value() + max(map(_gain, answers.choices), default=0.0)
        if left > best:
            best, chosen = left, choice
            playout.answers = answers if playout.is_plain else None
    return chosen


def _gain(choice: Choice) -> float:
    return choice.gain


def finish(playout: Playout, use: Use, chance: Chance) -> None:
    """Use the card that was taken, and end the turn."""
    state = playout.state
    apply_steps(state, state.turn, use.steps, chance)
    if playout.is_plain:
        after = use.board.after(*use.last) if use.last else use.board
        playout.codes, playout.island_codes = after.codes, after.island_codes
    else:
        playout.codes = []
    end(state)


def apply_steps(state: State, seat: int, steps: Iterable[Step], chance: Chance) -> None:
    """Apply steps of a turn, with their effects on tokens, towns and leaders."""
    colours, armies, is_plain = state.colours, state.armies, not (state.tokens or state.towns or state.leaders)
    for kind, region, target, cost, _part in steps:
        index, effects = region * colours + seat, []
        if not is_plain:
            effects = _effects(state, seat, kind, region, target, cost, chance)
        if kind == PLACE:
            armies[index] += 1
            state.supply[seat] -= 1
        elif kind == MOVE:
            armies[index] -= 1
            armies[target * colours + seat] += 1
        elif kind == BUILD:
            state.cities[index] += 1
            state.city_supply[seat] -= 1
        else:
            armies[region * colours + target] -= 1
            state.supply[target] += 1
        for event in effects:
            evolve(state, event)


def _effects(
    state: State, seat: int, kind: int, region: int, target: int, cost: int, chance: Chance
) -> list[Event]:  # fmt: skip
    """Return the events that a step causes, from the position before it."""
    if kind == PLACE:
        return list(dragon(state, seat, region)) if state.tokens else []
    if kind == MOVE:
        if ROGUES not in state.tokens and DRAGON not in state.tokens:
            return []
        events: list[Event] = []
        for end, way in reach(state.layout, region, crossing(state, seat), cost):
            if end == target:
                passed = [state.map.index[move.target] for move in way]
                events = [
                    *(event for stop in passed for event in rogues(state, seat, stop)),
                    *dragon(state, seat, target),
                ]
        return events
    if kind == BUILD:
        joined = list(muster(state, seat, region))
        slain = list(dragon(state, seat, region)) if joined and state.tokens else []
        return [*finds(state, seat, region, chance), *joined, *slain]
    return list(spoils(state, seat, target if target < state.players else NOBODY))


def end(state: State) -> None:
    """End the turn: draw the next card, or go on to the extra card of a leader or to the end of the game."""
    state.taken, state.part, state.used = "", -1, [0, 0]
    if min(map(len, state.owned)) >= state.cards_owned:
        takers = [seat for seat in range(len(state.leaders)) if leads(state, seat, "extra-card")]
        if takers and state.phase == TURN and state.row:
            state.phase, state.turn = EXTRA, takers[0]
        else:
            state.phase = OVER
        return
    draw(state)


def draw(state: State) -> None:
    """Turn up the last card of the deck, if there is one, and pass the turn."""
    if state.deck:
        state.row.append(state.deck.pop())
    state.turn = (state.turn + 1) % state.players
    state.phase = TURN


def extra(state: State, playout: Playout | None = None) -> None:
    """Take the extra card that brings a leader most, if any can be paid for. It only scores."""
    playout, seat = playout or Playout(state), state.turn
    offers = [
        (playout.gain(seat, card, price, 0), card, price)
        for card, price in zip(state.row, playout.prices, strict=False)
        if price <= state.coins[seat]
    ]
    gain, card, price = max(offers, default=(0.0, "", 0))
    if gain > 0:
        playout.take(seat, card, price)
    state.taken, state.phase = "", OVER


def way(state: State, budget: float) -> Way:
    """Return how to play on to judge a decision with this budget."""
    slug = state.rules.slug
    if state.players > 2 or budget < LOOKS_FROM.get(slug, inf):
        return QUICK
    return THOROUGH if budget >= ENOUGH.get(slug, 0) * LOOKING_COSTS[slug] * cost_left(state) else SHORT


def play_out(state: State, chance: Chance, way: Way = QUICK, weights: Sequence[Weights] = ()) -> float:
    """Play on from any point in or after the first turn. Return what that cost, in turns of plain Legends.

    The seats play with these weights, or with the trained ones. Players who look ahead each play with one of the
    variants of the trained weights.
    """
    slug, players, turns = state.rules.slug, state.players, 0
    if way.looks and not weights:
        known = evaluation.variants(slug, players)
        weights = [known[chance.below(len(known))] for _seat in state.seats]
    if state.phase == REFILL:
        draw(state)
    elif state.phase == SCORING:
        state.phase = OVER
    playout = Playout(state, weights)
    while state.phase == TURN and turns < way.stops:
        take_turn(state, chance, playout, looks_ahead=turns < way.looks)
        turns += 1
    if state.phase == EXTRA:
        extra(state, playout)
    spent: float = turns
    if looked := min(turns, way.looks):
        spent += looked * (LOOKING_COSTS[slug] - 1)
    if state.phase == TURN:
        spent += VALUING_COSTS
    return spent * cost(state)


def is_turn(state: State) -> bool:
    """Return whether a card is being chosen or played."""
    return state.phase in (TURN, EXTRA)


def opening(state: State, seat: int, budget: float) -> Action | None:
    """Return a bid or the choice of first player that lets the seat go second, if that is better; otherwise None.

    Opponents are expected to bid in order to go first, as Medium does, so a bid of 0 is enough.
    """
    if budget < SECOND_FROM or state.players > 2 or state.rules.slug not in GOES_SECOND:
        return None
    if state.phase == FIRST:
        return First(1 - seat)
    return Bid(0) if state.phase == BID else None


def shuffle(state: State, chance: Chance) -> None:
    """Put the deck into an order: the same for positions with the same cards left."""
    state.deck = sorted(state.deck)
    fairness.shuffle(state.deck, chance)


def drawing(state: State, seed: int) -> Chance:
    """Return chance that draws the last card of the deck, as playing on does."""
    return Dealt(seed)


def hides(state: State) -> bool:
    """Return whether there are face-down tokens."""
    return bool(state.faces)


def cost(state: State) -> float:
    """Return what a turn costs: more on large continents, and with tokens or leaders, whose effects the rules find."""
    return TURN_COSTS.get(state.rules.slug, 1.0) + EFFECTS_COST * bool(state.tokens or state.towns or state.leaders)


def cost_left(state: State) -> float:
    """Return about what it costs to play to the end."""
    return max(1, state.cards_owned * state.players - sum(map(len, state.owned))) * cost(state)


def useful(lead: float, win: float) -> float:
    """Return how useful a result is to its seat: the lead, where big leads count for less, and the win."""
    return SAFE_LEAD * lead / (SAFE_LEAD + abs(lead)) + A_WIN * (win - 0.5)


def prior(state: State, way: Way = QUICK) -> float:
    """Return for how many samples the first guess of a candidate's value counts."""
    if way.looks:
        return SHORT_PRIOR if way.stops < NEVER else LOOKING_PRIOR
    return PRIORS.get(state.rules.slug, PRIOR)


def allowance(state: State, budget: float) -> float:
    """Return the budget, of which the first part counts several times: with less, few turns can be told apart."""
    return budget + (COUNTS_MORE.get(state.rules.slug, COUNTS) - 1) * min(budget, FIRST_PART)


def results(state: State) -> list[tuple[float, float]]:
    """Return each seat's lead over its best opponent at the end, in points, and its share of the win.

    In an unfinished game for two, they are estimated from the position.
    """
    if state.phase == TURN and state.players == 2:
        weights = evaluation.trained(state.rules.slug, 2)
        lead = (evaluation.evaluate(state, 0, weights) - evaluation.evaluate(state, 1, weights)) / 2
        chance = 1 / (1 + exp(-lead / sqrt(turns_after(state) + 1)))
        return [(lead, chance), (-lead, 1 - chance)]
    seats = score(state).seats
    winners = sum(seat_score.place == 1 for seat_score in seats)
    return [
        (
            seat_score.total - max(other.total for other in seats if other is not seat_score),
            1 / winners if seat_score.place == 1 else 0.0,
        )
        for seat_score in seats
    ]
