"""Playing on quickly in the Eight-Minute family: a greedy player for one turn, and games played to the end with it.

The player values positions as `evaluation` does, but adds up what each step changes, keeps one line, and writes to the
position directly, which is a copy that the search made: that is ten times as fast as playing by the rules. With two
players it can look ahead to the opponent's best answer, and vary a little from one game to the next. Effects of tokens,
towns and leaders come from the rules. Cards are drawn from the end of `deck`, so its order decides all draws.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.bots.eight_minute import evaluation
from games.bots.eight_minute.evaluation import Weights, trained
from games.bots.eight_minute.knowledge import reach
from games.rules import fairness
from games.rules.eight_minute.actions import NOBODY
from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.edition import Ability, Card, edition
from games.rules.eight_minute.effects import dragon, finds, leads, muster, rogues, spoils
from games.rules.eight_minute.evolve import evolve
from games.rules.eight_minute.legal import crossing, open_parts
from games.rules.eight_minute.scoring import WILD, score
from games.rules.eight_minute.state import EXTRA, OVER, REFILL, SCORING, TURN, State
from games.rules.eight_minute.tokens import DRAGON, FACE_DOWN, ROGUES
from games.rules.fairness import Dealt, Quick
from games.rules.protocol import Chance, Event

BITS = 5  # of a colour in the code of a region: up to 31 armies and cities
HELD = (0, *(1 << BITS * holder for holder in range(6)))  # a region of each controller in the code of an island
FARTHEST = 12  # more movements than a card gives
TOO_FAR = 99
PRIOR, PRIORS = 3.0, {"classic": 25.0}  # samples that the first guess of a candidate's value counts for
SHARP = 5.0  # the lead in points that counts as nearly won
A_WIN = 2.0  # points of lead for which a win counts
SMALL, TIMES, MORE_TIMES = 150, 2, {"classic": 8}  # part of a budget that counts several times
TINY = 0.02  # points below which a move is not worth making
COSTS, VARIED = {"classic": 1.5}, 0.4  # of a turn, measured, in turns of plain Legends
THOROUGH = {"legends": 2.3, "prototype": 2.4, "classic": 3.6}  # how many times as much a turn costs; for two only
COMPARED = 4  # choices at most that are compared by the answers to them
CLOSE = 1.5  # points at most that such a choice gains less than the best one
TOKEN, TOWN_COIN = 1.0, 0.5  # what a city that takes one gains

PLACE, MOVE, BUILD, DESTROY = range(4)
KINDS = {"place": PLACE, "move": MOVE, "build": BUILD, "destroy": DESTROY}


class Doing(NamedTuple):
    """One thing done with a card: `there` is the target of a move, or the colour destroyed."""

    kind: int
    region: int
    there: int
    cost: int
    part: int


Step = tuple[float, int, int, int]  # what it brings, its region, the target or colour, and its cost
NO_STEP = (0.0, -1, -1, 1)
NOWHERE: tuple[tuple[int, ...], ...] = ()


class Ground(dict[int, tuple[float, int, float, int, float, int]]):
    """How a seat values the regions of a map and its islands.

    For the code of a region it has the region's value and what its controller adds to the code of the island; how
    much more the region is worth with one more army of the seat, and what that changes in the code of the island; and
    the same with one army less. `isles` has tables of the values of islands. All is worked out when first asked for.
    """

    def __init__(self, seat: int, players: int, colours: int, open_: float, weights: Weights) -> None:
        super().__init__()
        self.seat, self.players, self.colours, self.open_, self.weights = seat, players, colours, open_, weights
        self.unit = 1 << BITS * seat
        self.isles = isles(colours, seat, players, open_, weights)
        self.regions: dict[int, tuple[float, int]] = {}

    def value(self, code: int) -> tuple[float, int]:
        """Return the value of a region with this code, and what its controller adds to the code of the island."""
        found = self.regions.get(code)
        if found is None:
            counts = tuple([code >> BITS * colour & 31 for colour in range(self.colours)])
            value, holder = evaluation.region(counts, self.seat, self.players, self.open_, self.weights)
            found = self.regions[code] = value, HELD[holder + 1]
        return found

    def __missing__(self, code: int) -> tuple[float, int, float, int, float, int]:
        value, holder = self.value(code)
        more, taker = self.value(code + self.unit)
        less, loser = self.value(code - self.unit) if code >> BITS * self.seat & 31 else (value, holder)
        found = self[code] = value, holder, more - value, taker - holder, less - value, loser - holder
        return found


class Isles(dict[int, float]):
    """The value of an island for a seat, by the island's code: how many of its regions each colour controls."""

    def __init__(self, colours: int, seat: int, players: int, open_: float, weights: Weights) -> None:
        super().__init__()
        self.colours, self.seat, self.players, self.open_, self.weights = colours, seat, players, open_, weights

    def __missing__(self, code: int) -> float:
        holders = [colour for colour in range(self.colours) for _ in range(code >> BITS * colour & 31)]
        found = self[code] = evaluation.island(tuple(holders), self.seat, self.players, self.open_, self.weights)
        return found


ground, isles = lru_cache(maxsize=1 << 10)(Ground), lru_cache(maxsize=1 << 10)(Isles)


@lru_cache(maxsize=1 << 12)
def island_of(layout: str) -> tuple[int, ...]:
    """Return the number of each region's island."""
    land = map_of(layout)
    return tuple(
        next(number for number, isle in enumerate(land.islands) if region in isle)
        for region in range(len(land.regions))
    )


@lru_cache(maxsize=1 << 10)
def ways(layout: str, water: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each region, what it costs an army to reach each other one."""
    land = map_of(layout)
    found = []
    for origin in range(len(land.regions)):
        costs, ahead = {origin: 0}, [origin]
        while ahead:
            here = min(ahead, key=costs.__getitem__)
            ahead.remove(here)
            for near, price in ((land.land[here], 1), (land.sea[here], water)):
                for there in near:
                    cost = costs[here] + price
                    if cost <= FARTHEST and cost < costs.get(there, FARTHEST + 1):
                        costs[there] = cost
                        if there not in ahead:
                            ahead.append(there)
        del costs[origin]
        found.append(tuple(costs.get(region, TOO_FAR) for region in range(len(land.regions))))
    return tuple(found)


class Board:
    """The map as one seat values it during its turn, and the boards after each step that was tried from it.

    A board does not change: a step gives another one, which is kept, so that cards with the same first steps share
    them. `join` is what one army more of the seat brings in each region, `order` the regions from the best to the
    worst of it.
    """

    __slots__ = (
        "armies", "built", "cities", "codes", "course", "ground", "held", "is_sorted", "island_of", "isle_codes",
        "join", "order", "placed", "then", "weights",
    )  # fmt: skip

    def __init__(self, course: "Course", seat: int, open_: float) -> None:
        state = course.state
        self.ground = ground(seat, state.players, state.colours, open_, course.weights[seat])
        self.course, self.island_of = course, course.island_of
        if not course.codes:
            course.code(state)
        self.codes, self.isle_codes = course.codes, course.isle_codes
        self.held = [*map(self.ground.__getitem__, self.codes)]
        self.weights = evaluation.scales(state.tokens, len(self.codes))
        self.armies, self.cities = state.armies[seat :: state.colours], state.cities[seat :: state.colours]
        table, isle_codes, join = self.ground.isles, self.isle_codes, []
        for (_value, _holder, gain, shift, _loss, _shift), number, weight in zip(
            self.held, self.island_of, self.weights, strict=True
        ):
            if shift:
                now = isle_codes[number]
                join.append(gain * weight + table[now + shift] - table[now])
            else:
                join.append(gain * weight)
        self.join = join
        self.order: list[int] = []
        self.is_sorted = False
        self.then: dict[tuple[int, int, int], Board] = {}
        self.placed: Step | None = None
        self.built: Step | None = None

    def value(self) -> float:
        """Return what the map is worth to the seat."""
        islands = sum(map(self.ground.isles.__getitem__, self.isle_codes))
        return islands + sum([one[0] * weight for one, weight in zip(self.held, self.weights, strict=True)])

    def joining(self, region: int) -> float:
        """Return what one army more brings in a region."""
        _value, _holder, gain, shift, _loss, _shift = self.held[region]
        gain *= self.weights[region]
        if shift:
            table, now = self.ground.isles, self.isle_codes[self.island_of[region]]
            gain += table[now + shift] - table[now]
        return gain

    def losing(self, region: int, code: int) -> float:
        """Return how much more the board would be worth if the region had this code."""
        value, holder = self.ground.value(code)
        before, held_by, *_rest = self.held[region]
        found = (value - before) * self.weights[region]
        if holder != held_by:
            table, now = self.ground.isles, self.isle_codes[self.island_of[region]]
            found += table[now + holder - held_by] - table[now]
        return found

    def after(self, kind: int, region: int, there: int) -> "Board":
        """Return the board after a step."""
        key = (kind, region, there)
        found = self.then.get(key)
        if found is not None:
            return found
        found = self.then[key] = Board.__new__(Board)
        found.course, found.island_of, found.ground, found.weights = (
            self.course,
            self.island_of,
            self.ground,
            self.weights,
        )
        found.cities, found.armies = self.cities, self.armies
        found.codes, found.held, found.isle_codes, found.join = (
            self.codes[:],
            self.held[:],
            self.isle_codes,
            self.join[:],
        )
        found.order, found.then, found.placed, found.built, found.is_sorted = self.order, {}, None, None, False
        unit = self.ground.unit
        if kind == MOVE:
            found.armies = self.armies[:]
            found.armies[region] -= 1
            found.armies[there] += 1
            found.put(region, -unit)
            found.put(there, unit)
        elif kind == PLACE:
            found.armies = self.armies[:]
            found.armies[region] += 1
            found.put(region, unit)
        elif kind == BUILD:
            found.cities = self.cities[:]
            found.cities[region] += 1
            found.put(region, unit)
        else:
            found.put(region, -(1 << BITS * there))
        return found

    def put(self, region: int, by: int) -> None:
        """Change the code of a region by the codes of what comes and goes."""
        code = self.codes[region] = self.codes[region] + by
        before, now = self.held[region][1], self.ground[code]
        self.held[region] = now
        if now[1] == before:
            self.join[region] = self.joining(region)
        else:
            number = self.island_of[region]
            self.isle_codes = self.isle_codes[:]
            self.isle_codes[number] += now[1] - before
            for other in self.course.islands[number]:
                self.join[other] = self.joining(other)

    # The best next step of each kind: what it brings, its region, the target or colour, and its cost. The region is -1
    # if no step gains anything.

    def place(self, start: int, on_map: float) -> Step:
        """An army more on the map also brings `on_map`."""
        spots = [region for region, n in enumerate(self.cities) if n]
        if not self.cities[start]:
            spots.append(start)
        spot = max(spots, key=self.join.__getitem__)
        gain = self.join[spot] + on_map
        found = self.placed = (gain, spot, -1, 1) if gain >= 0 else NO_STEP
        return found

    def move(self, left: int, routes: tuple[tuple[int, ...], ...]) -> Step:
        join, best, start, end, paid = self.join, TINY, -1, -1, 0
        if not self.is_sorted:
            self.order = sorted(self.order or range(len(join)), key=join.__getitem__, reverse=True)
            self.is_sorted = True
        order, held, weights, table = self.order, self.held, self.weights, self.ground.isles
        top = join[order[0]] - TINY
        for origin, n in enumerate(self.armies):
            if n:
                _value, _holder, _gain, _shift, lost, shift = held[origin]
                lost *= weights[origin]
                if shift:
                    now = self.isle_codes[self.island_of[origin]]
                    lost += table[now + shift] - table[now]
                if lost + top <= best:
                    continue
                costs = routes[origin]
                for target in order:
                    gain = lost + join[target]
                    if gain - TINY <= best:
                        break
                    cost = costs[target]
                    if cost <= left and gain - TINY * cost > best:
                        best, start, end, paid = gain - TINY * cost, origin, target, cost
        return best, start, end, paid

    def build(self, state: State, city: float) -> Step:
        """A city outside the start region, where the seat has none yet, also brings `city`."""
        best, spot, join, start = -1.0, -1, self.join, state.start
        for region, n in enumerate(self.armies):
            if n:
                gain = join[region]
                if region != start and not self.cities[region]:
                    gain += city
                if state.tokens and (state.tokens[region] == FACE_DOWN or state.tokens[region] in state.rules.explore):
                    gain += TOKEN
                if state.towns and state.towns[region]:
                    gain += TOWN_COIN * state.towns[region]
                if gain > best:
                    best, spot = gain, region
        found = self.built = best, spot, -1, 1
        return found

    def destroy(self, state: State, seat: int, doings: Iterable[Doing]) -> Step:
        """No army is destroyed twice by the same `doings`."""
        colours, anywhere = state.colours, state.rules.destroys_anywhere
        best, found = TINY, (-1, -1)
        gone = {(one.region, one.there) for one in doings if one.kind == DESTROY}
        others = [c for c in range(colours) if c != seat and not (c < state.players and state.immune[c])]
        for region, mine in enumerate(self.armies):
            if mine or anywhere:
                for colour in others:
                    if state.armies[region * colours + colour] and (region, colour) not in gone:
                        gain = self.losing(region, self.codes[region] - (1 << BITS * colour))
                        if gain > best:
                            best, found = gain, (region, colour)
        return best, *found, 1


# What cards are worth to a seat


class Facts(NamedTuple):
    """A card as the sums below need it: its family, what it scores, what else it gives, and the good it counts.

    `orders` are the orders in which the parts of its action may be done.
    """

    family: str
    scores: tuple[Ability, ...]
    gives: tuple[tuple[str, int], ...]
    coins: int
    flying: int
    goods: int
    orders: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 8)
def facts(name: str) -> dict[str, Facts]:
    scored = ("per-card", "per-coins", "per-flying", "whole-set")
    return {
        card.id: Facts(
            card.family,
            tuple(ability for ability in card.abilities if ability.kind in scored),
            tuple((ability.kind, ability.n) for ability in card.abilities if ability.kind not in (*scored, "good")),
            card.total("coins"),
            card.total("flying"),
            card.total("good"),
            _orders(card, -1),
        )
        for card in edition(name).cards.values()
    }


def _orders(card: Card, part: int) -> tuple[tuple[int, ...], ...]:
    opens = open_parts(card, part)
    if len(opens) == 1:
        return (opens,)
    if card.joined == "or":
        return tuple((number,) for number in opens)
    return (opens,) if card.ordered else (opens, opens[::-1])


class Hand:
    """The cards of a seat as the sums below need them."""

    __slots__ = ("families", "flying", "goods", "scores", "wants")

    def __init__(self) -> None:
        self.families: dict[str, int] = {}
        self.flying = 0
        self.scores: list[Ability] = []
        self.goods: dict[str, int] = {}
        self.wants: dict[str, int] = {}

    def copy(self) -> "Hand":
        found = Hand.__new__(Hand)
        found.families, found.goods, found.wants = self.families.copy(), self.goods.copy(), self.wants.copy()
        found.flying, found.scores = self.flying, self.scores[:]
        return found

    def add(self, fact: Facts) -> None:
        self.families[fact.family] = self.families.get(fact.family, 0) + 1
        self.flying += fact.flying
        self.scores += fact.scores
        for ability in fact.scores:
            if ability.kind == "per-card" or ability.kind == "whole-set":
                self.wants[ability.of] = self.wants.get(ability.of, 0) + ability.points
        if fact.family in self.goods:
            self.goods[fact.family] += fact.goods


class Course:
    """Values kept from turn to turn while a game is played on: codes of the map, and sums over cards.

    `hopes` is what the abilities of cards that can still be had score for each card of a family, and `flying_hopes`
    for each Flying. `goods` are the goods on these cards, and `left` about how many of each will be turned up.
    """

    def __init__(self, state: State, weights: Sequence[Weights] = ()) -> None:
        self.state, self.facts, rules = state, facts(state.edition), state.rules
        self.weights = weights or (trained(rules.slug, state.players),) * state.players
        self.rules, self.prices, self.cards = rules, rules.prices, rules.cards
        self.is_plain = not (state.tokens or state.towns or state.leaders)
        self.islands, self.island_of = state.map.islands, island_of(state.layout)
        self.codes: list[int] = []
        self.isle_codes: list[int] = []
        self.hands = [Hand() for _seat in state.seats]
        for hand, cards in zip(self.hands, state.owned, strict=True):
            if rules.goods:
                hand.goods = dict.fromkeys((*rules.goods, WILD), 0)
            for card in cards:
                hand.add(self.facts[card])
        self.free: dict[str, int] = {}
        self.goods: dict[str, int] = {}
        self.left = (0,) * len(rules.goods)
        self.hopes: dict[str, int] = {}
        self.free_flying = self.flying_hopes = 0
        for cards in (state.deck, state.row):
            for card in cards:
                self.count(self.facts[card], 1)
        self.answers: Answers | None = None

    def copy(self) -> "Course":
        """Return a copy, with one of the position, on which the seat to act can take its turn."""
        found = Course.__new__(Course)
        found.__dict__.update(self.__dict__)
        found.state, found.hands = self.state.copy(), self.hands[:]
        found.hands[self.state.turn] = self.hands[self.state.turn].copy()
        found.free, found.goods, found.hopes = self.free.copy(), self.goods.copy(), self.hopes.copy()
        found.answers = None
        return found

    def count(self, fact: Facts, by: int) -> None:
        """Count a card as one that can be had, or no longer."""
        self.free[fact.family] = self.free.get(fact.family, 0) + by
        self.goods[fact.family] = self.goods.get(fact.family, 0) + by * fact.goods
        self.free_flying += by * fact.flying
        for ability in fact.scores:
            if ability.kind == "per-card":
                self.hopes[ability.of] = self.hopes.get(ability.of, 0) + by * ability.points
            elif ability.kind == "per-flying":
                self.flying_hopes += by * ability.points

    def count_goods(self) -> None:
        """Update about how many of each good will be turned up. The card drawn at the end of a turn changes nothing."""
        state, rules = self.state, self.rules
        if rules.goods:
            drawn = (len(rules.prices) - 1 + turns_after(state)) / (len(state.row) + len(state.deck))
            self.left = evaluation.copies(rules, self.goods, drawn)

    def code(self, state: State) -> None:
        """Work out the codes of regions and islands."""
        colours = state.colours
        codes = [0] * len(state.map.regions)
        for colour in range(colours):
            shift = BITS * colour
            codes = [
                code + (armies + cities << shift)
                for code, armies, cities in zip(
                    codes, state.armies[colour::colours], state.cities[colour::colours], strict=True
                )
            ]
        table = ground(0, state.players, colours, 1.0, self.weights[0])
        self.codes, self.isle_codes = codes, [0] * len(state.map.islands)
        for number, code in zip(self.island_of, codes, strict=True):
            self.isle_codes[number] += table[code][1]

    def gain(self, seat: int, card: str, price: int, turns: int) -> float:
        """Return what the card would bring the seat for this price, apart from its action, with these turns left."""
        state, hand, fact, weights = self.state, self.hands[seat], self.facts[card], self.weights[seat]
        family, now, found = fact.family, state.coins[seat], 0.0
        then, sum_up = now - price + fact.coins, weights.coin_turns * turns
        found = weights.coin * (min(then, sum_up) - min(now, sum_up)) + weights.coin_left * (then - now)
        for kind, n in fact.gives:
            found += self._given(seat, kind, n, turns)
        # 1. What it scores itself, and what it adds to abilities that the seat has or may still get
        for ability in fact.scores:
            found += self._own(seat, ability, fact, then, turns)
        for ability in hand.scores:
            kind = ability.kind
            if kind == "per-flying":
                found += ability.points * fact.flying * (1 - weights.collecting)
            elif kind == "per-coins":
                found += ability.points * (max(0.0, then - turns / 2) - max(0.0, now - turns / 2)) / ability.n
            elif family and ability.of == family:
                if kind == "per-card":
                    found += ability.points * (1 - weights.collecting)
                else:
                    have = hand.families.get(family, 0)
                    found += ability.points * (
                        self._completion(ability, have + 1, turns, weights)
                        - self._completion(ability, have, turns, weights)
                    )
        if turns:
            hopes = self.hopes.get(family, 0) if family else 0
            if fact.flying:
                hopes += self.flying_hopes
            found += weights.hoped * hopes
            if family:
                for other, theirs in enumerate(self.hands):
                    if other != seat and family in theirs.wants:
                        found += weights.deny * theirs.wants[family]
        # 2. Goods, and those that others would have instead
        if family in hand.goods:
            for other, theirs in enumerate(self.hands):
                share = 1.0 if other == seat else weights.deny * bool(weights.seek)
                if share:
                    found += share * self._goods(theirs, fact, turns, weights)
        return found

    def _goods(self, hand: Hand, fact: Facts, turns: int, weights: Weights) -> float:
        """Return what the card's goods would add to those of a hand."""
        name, good, seek, keen = self.state.edition, fact.family, weights.seek, weights.keen
        counts, hopes = hand.goods.copy(), (weights.next_good, weights.idle, seek, keen)
        counts[good] += fact.goods
        if not seek:
            before = evaluation.larder(name, tuple(hand.goods.items()), turns + 1, (), *hopes)
            return evaluation.larder(name, tuple(counts.items()), turns, (), *hopes) - before
        left = dict(zip(self.rules.goods, self.left, strict=True))
        less = {**left, good: max(0, left[good] - fact.goods)} if good in left else left
        if counts[WILD]:
            before = evaluation.larder(name, tuple(hand.goods.items()), turns, self.left, *hopes)
            return evaluation.larder(name, tuple(counts.items()), turns, tuple(less.values()), *hopes) - before
        # Without wild goods, the other kinds stay as they are.
        then = evaluation.likely_value(name, good, counts[good], min(turns, less[good]), seek, keen)
        return then - evaluation.likely_value(name, good, hand.goods[good], min(turns, left[good]), seek, keen)

    def _given(self, seat: int, kind: str, n: int, turns: int) -> float:
        """Return the value of a lasting gift for the turns that are left."""
        state, weights = self.state, self.weights[seat]
        if kind == "army":
            return weights.more_army * n * turns
        if kind == "movement":
            return weights.more_movement * n * turns
        if kind == "flying":
            now = state.flying[seat]
            return (evaluation.flights(now + n, weights) - evaluation.flights(now, weights)) * turns
        if kind == "immune":
            return weights.immune * turns * (not state.immune[seat])
        if kind == "elixir":
            before = tuple(state.elixirs)
            after = (*before[:seat], before[seat] + n, *before[seat + 1 :])
            return evaluation.elixirs(after, seat, turns, weights) - evaluation.elixirs(before, seat, turns, weights)
        return 0.0

    def _own(self, seat: int, ability: Ability, fact: Facts, coins: int, turns: int) -> float:
        """Return what an ability of the card itself would score with the seat's other cards."""
        hand, weights, of = self.hands[seat], self.weights[seat], ability.of
        is_one = of == fact.family
        if ability.kind == "per-card":
            more = weights.collecting * min(turns, self.free.get(of, 0) - is_one)
            return ability.points * (hand.families.get(of, 0) + is_one + more)
        if ability.kind == "per-flying":
            return ability.points * (hand.flying + fact.flying + weights.collecting * min(turns, self.free_flying))
        if ability.kind == "per-coins":
            return ability.points * max(0.0, coins - turns / 2) / ability.n
        return ability.points * self._completion(ability, hand.families.get(of, 0) + is_one, turns, weights)

    def _completion(self, ability: Ability, have: int, turns: int, weights: Weights) -> float:
        if have >= ability.n:
            return 1.0
        wanted = ability.n - have
        if wanted > min(turns, self.free.get(ability.of, 0)):
            return 0.0
        return (have / ability.n) ** 2 * weights.unfinished

    def take(self, seat: int, card: str, price: int) -> None:
        """Take a card of the row."""
        state, fact = self.state, self.facts[card]
        self.count(fact, -1)
        self.hands[seat].add(fact)
        state.row.remove(card)
        state.owned[seat].append(card)
        state.taken, state.part, state.used = card, -1, [0, 0]
        state.coins[seat] -= price
        for kind, n in fact.gives:
            if kind == "army":
                state.more_armies[seat] += n
            elif kind == "movement":
                state.more_movement[seat] += n
            elif kind == "flying":
                state.flying[seat] += n
            elif kind == "elixir":
                state.elixirs[seat] += n
            elif kind == "coins":
                state.coins[seat] += n
            elif kind == "immune":
                state.immune[seat] = True


# A turn


class Use(NamedTuple):
    """The best use of a card, or of the rest of one: its value, what is done, the last board and the step after it."""

    gain: float
    doings: list[Doing]
    board: Board
    last: tuple[int, int, int] | None


def best_use(
    course: Course,
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
    state, weights, best = course.state, course.weights[seat], None
    share = min(1, turns / weights.calm)
    for order in orders:
        here, gain, last = board, 0.0, None
        doings: list[Doing] = []
        for number in order:
            part = card.parts[number]
            left, kind, routes = part.n - used[number], KINDS[part.kind], NOWHERE
            if kind == PLACE:
                left = min(left + state.more_armies[seat], state.supply[seat])
            elif kind == MOVE:
                left += state.more_movement[seat]
                routes = ways(state.layout, crossing(state, seat, part.ship))
            elif kind == BUILD:
                left = min(left, state.city_supply[seat])
            while left > 0:
                if last:
                    here, last = here.after(*last), None
                if kind == MOVE:
                    step = here.move(left, routes)
                elif kind == PLACE:
                    step = here.placed or here.place(state.start, weights.army * share)
                elif kind == BUILD:
                    step = here.built or here.build(state, weights.city * share)
                else:
                    step = here.destroy(state, seat, doings)
                more, region, there, cost = step
                if region < 0:
                    break
                gain += more
                left -= cost
                last = (kind, region, there)
                doings.append(Doing(kind, region, there, cost, number))
        if best is None or gain > best.gain:
            best = Use(gain, doings, here, last)
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


def take_turn(state: State, chance: Chance, course: Course | None = None, looks_ahead: bool = False) -> None:
    """Play the turn of the seat to act, or the rest of it, and draw the next card.

    Of two players, one that `looks_ahead` considers what the opponent can do next.
    """
    course = course or Course(state)
    seat, answers, course.answers = state.turn, course.answers, None
    board = answers.board if answers else board_of(course)
    if state.taken:
        card, turns = course.cards[state.taken], max(0, state.cards_owned - len(state.owned[seat]))
        use = best_use(course, seat, board, card, _orders(card, state.part), state.used, turns)
    else:
        known, first = (answers.choices, answers.known) if answers else ([], 0)
        found = known + choices(course, board, first)
        choice = max(found, key=_gain)
        if looks_ahead and len(found) > 1:
            choice = best_after_answer(course, found)
        course.take(seat, choice.card, choice.price)
        use = choice.use
    finish(course, use, chance)


def board_of(course: Course) -> Board:
    """Return the map as the seat to act values it."""
    state, weights = course.state, course.weights[course.state.turn]
    return Board(course, state.turn, min(1.0, max(0, turns_after(state)) / (weights.calm * state.players)))


def turns_after(state: State) -> int:
    """Return how many turns all seats have together after this one."""
    return state.cards_owned * state.players - sum(map(len, state.owned)) - (not state.taken)


def choices(course: Course, board: Board, first: int = 0, last: int | None = None) -> list[Choice]:
    """Return the cards in this part of the row that the seat to act can pay for, each with its best use."""
    state, seat, found = course.state, course.state.turn, []
    turns = max(0, state.cards_owned - len(state.owned[seat]) - 1)
    course.count_goods()
    for card_id, price in zip(state.row[first:last], course.prices[first:], strict=False):
        if price <= state.coins[seat]:
            use = best_use(course, seat, board, course.cards[card_id], course.facts[card_id].orders, UNUSED, turns)
            found.append(Choice(use.gain + course.gain(seat, card_id, price, turns), card_id, price, use))
    return found


def best_after_answer(course: Course, found: Iterable[Choice]) -> Choice:
    """Return the choice after which the opponent's best answer leaves most, of those that gain nearly the most now.

    The map counts as the opponent values it after the answer, because the nearer the end is, the more certain its
    regions are. The card that is drawn next is not considered, and a token that is turned over may be any. The answers
    to the choice are kept for the opponent's turn.
    """
    state, best = course.state, -1e9
    found = sorted(found, key=_gain, reverse=True)
    chosen = found[0]
    for choice in found[:COMPARED]:
        if choice.gain < found[0].gain - CLOSE:
            break
        then, left, answers = course.copy(), choice.gain, None
        then.take(state.turn, choice.card, choice.price)
        finish(then, choice.use, Quick(1))
        if then.state.phase == TURN:
            board, known = board_of(then), len(state.row) - 1
            answers = Answers(board, choices(then, board, last=known), known)
            left -= choice.use.gain + board.value() + max(map(_gain, answers.choices), default=0.0)
        if left > best:
            best, chosen = left, choice
            course.answers = answers if course.is_plain else None
    return chosen


def _gain(choice: Choice) -> float:
    return choice.gain


def finish(course: Course, use: Use, chance: Chance) -> None:
    """Use the card that was taken, and end the turn."""
    state = course.state
    do(state, state.turn, use.doings, chance)
    if course.is_plain:
        after = use.board.after(*use.last) if use.last else use.board
        course.codes, course.isle_codes = after.codes, after.isle_codes
    else:
        course.codes = []
    end(state)


def do(state: State, seat: int, doings: Iterable[Doing], chance: Chance) -> None:
    """Do these things, with their effects on tokens, towns and leaders."""
    colours, armies, is_plain = state.colours, state.armies, not (state.tokens or state.towns or state.leaders)
    for kind, region, there, cost, _part in doings:
        here, then = region * colours + seat, []
        if not is_plain:
            then = _effects(state, seat, kind, region, there, cost, chance)
        if kind == PLACE:
            armies[here] += 1
            state.supply[seat] -= 1
        elif kind == MOVE:
            armies[here] -= 1
            armies[there * colours + seat] += 1
        elif kind == BUILD:
            state.cities[here] += 1
            state.city_supply[seat] -= 1
        else:
            armies[region * colours + there] -= 1
            state.supply[there] += 1
        for event in then:
            evolve(state, event)


def _effects(
    state: State, seat: int, kind: int, region: int, there: int, cost: int, chance: Chance
) -> list[Event]:  # fmt: skip
    """Return the events that follow from something done, as the rules have them before it is done."""
    if kind == PLACE:
        return list(dragon(state, seat, region)) if state.tokens else []
    if kind == MOVE:
        if ROGUES not in state.tokens and DRAGON not in state.tokens:
            return []
        found: list[Event] = []
        for target, way in reach(state.layout, region, crossing(state, seat), cost):
            if target == there:
                passed = [state.map.index[move.target] for move in way]
                found = [
                    *(event for stop in passed for event in rogues(state, seat, stop)),
                    *dragon(state, seat, there),
                ]
        return found
    if kind == BUILD:
        joined = list(muster(state, seat, region))
        slain = list(dragon(state, seat, region)) if joined and state.tokens else []
        return [*finds(state, seat, region, chance), *joined, *slain]
    return list(spoils(state, seat, there if there < state.players else NOBODY))


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


def extra(state: State, course: Course | None = None) -> None:
    """Take the extra card that brings a leader most, if any can be paid for. It only scores."""
    course, seat = course or Course(state), state.turn
    offers = [
        (course.gain(seat, card, price, 0), card, price)
        for card, price in zip(state.row, course.prices, strict=False)
        if price <= state.coins[seat]
    ]
    gain, card, price = max(offers, default=(0.0, "", 0))
    if gain > 0:
        course.take(seat, card, price)
    state.taken, state.phase = "", OVER


def play_out(state: State, chance: Chance, weights: Sequence[Weights] = (), *, thorough: bool = False) -> float:
    """Play to the end from any point in or after the first turn. Return what that cost, in turns of plain Legends.

    The seats play with these weights, or with the tuned ones. If `thorough`, and where that pays, they look ahead, and
    each plays with one of the variants of the tuned weights.
    """
    slug, players, turns = state.rules.slug, state.players, 0
    thorough = thorough and players == 2 and slug in THOROUGH
    if thorough and not weights:
        known = evaluation.variants(slug, players)
        weights = [known[chance.below(len(known))] for _seat in state.seats]
    if state.phase == REFILL:
        draw(state)
    elif state.phase == SCORING:
        state.phase = OVER
    course = Course(state, weights)
    while state.phase == TURN:
        take_turn(state, chance, course, looks_ahead=thorough)
        turns += 1
    if state.phase == EXTRA:
        extra(state, course)
    return turns * cost(state) * (THOROUGH[slug] if thorough else 1)


def is_turn(state: State) -> bool:
    """Return whether a card is being chosen or played."""
    return state.phase in (TURN, EXTRA)


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
    return COSTS.get(state.rules.slug, 1.0) + VARIED * bool(state.tokens or state.towns or state.leaders)


def cost_left(state: State) -> float:
    """Return about what it costs to play to the end."""
    return max(1, state.cards_owned * state.players - sum(map(len, state.owned))) * cost(state)


def useful(lead: float, win: float) -> float:
    """Return how useful a result is to its seat: the lead, of which big ones count less than they are, and the win."""
    return SHARP * lead / (SHARP + abs(lead)) + A_WIN * (win - 0.5)


def prior(state: State) -> float:
    """Return for how many samples the first guess of a candidate's value counts."""
    return PRIORS.get(state.rules.slug, PRIOR)


def allowance(state: State, budget: float) -> float:
    """Return the budget, of which the first part counts several times: with less, few turns can be told apart."""
    return budget + (MORE_TIMES.get(state.rules.slug, TIMES) - 1) * min(budget, SMALL)


def results(state: State) -> list[tuple[float, float]]:
    """Return each seat's lead over its best opponent at the end, in points, and its share of the win."""
    seats = score(state).seats
    winners = sum(one.place == 1 for one in seats)
    return [
        (
            one.total - max(other.total for other in seats if other is not one),
            1 / winners if one.place == 1 else 0.0,
        )
        for one in seats
    ]
