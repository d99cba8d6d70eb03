"""Playing on quickly in the Eight-Minute family: a greedy player for one turn, and games played to the end with it.

This player thinks as `worth` does, but adds up what each step changes instead of valuing whole positions, keeps one
line, and writes to the position directly: it plays on copies that the search made, a thousand turns in the time of a
hundred by the rules. Effects of tokens, towns and leaders come from the rules. Cards are drawn from the end of
`deck`, so its order decides all draws.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.bots.eight_minute import worth as values
from games.bots.eight_minute.knowledge import reach
from games.bots.eight_minute.worth import COLLECTING
from games.rules.eight_minute.actions import NOBODY
from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.edition import Ability, Card, edition
from games.rules.eight_minute.effects import dragon, finds, leads, muster, rogues, spoils
from games.rules.eight_minute.evolve import evolve
from games.rules.eight_minute.legal import amount, crossing, open_parts
from games.rules.eight_minute.scoring import WILD, best_placing, score
from games.rules.eight_minute.state import EXTRA, OVER, REFILL, SCORING, TURN, State
from games.rules.eight_minute.tokens import DRAGON, FACE_DOWN, ROGUES
from games.rules.fairness import Dealt
from games.rules.protocol import Chance, Event

BITS = 5  # of a colour in the code of a region: up to 31 armies and cities
HOLDER_BITS = 3  # of a controller in the code of an island; 0 is nobody
FARTHEST = 12  # more movements than a card gives
TINY = 0.02  # points below which a move is not worth making
COSTS, VARIED = {"classic": 2.0}, 0.4  # of a turn, measured, in turns of plain Legends
SHARP = 5.0  # the lead in points that counts as nearly won
UNSURE = 0.5  # the chance that a card still to be had is had by this seat
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


class Grips(dict[int, tuple[float, int]]):
    """The value of a region for a seat and its controller, by the region's code. Worked out when first asked for."""

    def __init__(self, seat: int, players: int, colours: int, open_: float) -> None:
        super().__init__()
        self.seat, self.players, self.colours, self.open_ = seat, players, colours, open_

    def __missing__(self, code: int) -> tuple[float, int]:
        counts = tuple(code >> BITS * colour & 31 for colour in range(self.colours))
        found = self[code] = values.region(counts, self.seat, self.players, self.open_)
        return found


class Isles(dict[int, float]):
    """The value of an island for a seat, by the island's code: the controllers of its regions."""

    def __init__(self, size: int, seat: int, players: int, open_: float) -> None:
        super().__init__()
        self.size, self.seat, self.players, self.open_ = size, seat, players, open_

    def __missing__(self, code: int) -> float:
        holders = tuple((code >> HOLDER_BITS * place & 7) - 1 for place in range(self.size))
        found = self[code] = values.island(holders, self.seat, self.players, self.open_)
        return found


grips, isles = lru_cache(maxsize=1 << 10)(Grips), lru_cache(maxsize=1 << 10)(Isles)


@lru_cache(maxsize=1 << 12)
def berths(layout: str) -> tuple[tuple[int, int], ...]:
    """Return the number of each region's island, and by how many bits its controller is shifted in the code of it."""
    land = map_of(layout)
    found = [(0, 0)] * len(land.regions)
    for number, isle in enumerate(land.islands):
        for place, region in enumerate(isle):
            found[region] = number, HOLDER_BITS * place
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def ways(layout: str, water: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for each region, what it costs an army to reach the others, the nearest first."""
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
        found.append(tuple(sorted((cost, there) for there, cost in costs.items())))
    return tuple(found)


class Board:
    """The map as one seat values it during its turn, with what one army more or less in each region would change."""

    __slots__ = (
        "armies",
        "berths",
        "cities",
        "codes",
        "grips",
        "held",
        "islands",
        "isle_codes",
        "isles",
        "join",
        "leave",
        "unit",
        "weights",
    )  # fmt: skip

    def __init__(self, state: State, seat: int) -> None:
        colours, layout, open_ = state.colours, state.map, values.openness(state)
        self.grips = grips(seat, state.players, colours, open_)
        codes = [0] * len(layout.regions)
        for colour in range(colours):
            shift = BITS * colour
            codes = [
                code + (armies + cities << shift)
                for code, armies, cities in zip(
                    codes, state.armies[colour::colours], state.cities[colour::colours], strict=True
                )
            ]
        self.codes, self.unit = codes, 1 << BITS * seat
        self.held = [self.grips[code] for code in codes]
        self.weights, self.berths, self.islands = (
            values.weights(state.tokens, len(codes)), berths(state.layout), layout.islands
        )  # fmt: skip
        self.isles = [isles(len(isle), seat, state.players, open_) for isle in layout.islands]
        self.isle_codes = [0] * len(layout.islands)
        for (number, shift), (_value, holder) in zip(self.berths, self.held, strict=True):
            self.isle_codes[number] += holder + 1 << shift
        self.armies, self.cities = state.armies[seat::colours], state.cities[seat::colours]
        self.join: list[float | None] = [self.change(region, code + self.unit) for region, code in enumerate(codes)]
        self.leave: list[float | None] = [None] * len(codes)

    def copy(self) -> "Board":
        other = Board.__new__(Board)
        other.grips, other.unit, other.weights = self.grips, self.unit, self.weights
        other.berths, other.islands, other.isles, other.cities = self.berths, self.islands, self.isles, self.cities
        other.codes, other.held, other.isle_codes = self.codes[:], self.held[:], self.isle_codes[:]
        other.armies, other.join, other.leave = self.armies[:], self.join[:], self.leave[:]
        return other

    def change(self, region: int, code: int) -> float:
        """Return what the board is worth more if the region had this code."""
        value, holder = self.grips[code]
        before, held_by = self.held[region]
        found = (value - before) * self.weights[region]
        if holder != held_by:
            number, shift = self.berths[region]
            table, now = self.isles[number], self.isle_codes[number]
            found += table[now + (holder - held_by << shift)] - table[now]
        return found

    def joining(self, region: int) -> float:
        found = self.join[region]
        if found is None:
            found = self.join[region] = self.change(region, self.codes[region] + self.unit)
        return found

    def leaving(self, region: int) -> float:
        found = self.leave[region]
        if found is None:
            found = self.leave[region] = self.change(region, self.codes[region] - self.unit)
        return found

    def put(self, region: int, by: int) -> None:
        """Change the code of a region by the codes of what comes and goes."""
        code = self.codes[region] = self.codes[region] + by
        before, now = self.held[region][1], self.grips[code]
        self.held[region] = now
        if now[1] == before:
            self.join[region] = self.leave[region] = None
        else:
            number, shift = self.berths[region]
            self.isle_codes[number] += now[1] - before << shift
            for other in self.islands[number]:
                self.join[other] = self.leave[other] = None


# What cards are worth to a seat


class Facts(NamedTuple):
    """A card as the sums below need it: its family, what it scores, what else it gives, and the good it counts."""

    family: str
    scores: tuple[Ability, ...]
    gives: tuple[tuple[str, int], ...]
    flying: int
    goods: int


@lru_cache(maxsize=1 << 8)
def facts(name: str) -> dict[str, Facts]:
    scored = ("per-card", "per-coins", "per-flying", "whole-set")
    return {
        card.id: Facts(
            card.family,
            tuple(ability for ability in card.abilities if ability.kind in scored),
            tuple((ability.kind, ability.n) for ability in card.abilities if ability.kind not in (*scored, "good")),
            card.total("flying"),
            card.total("good"),
        )
        for card in edition(name).cards.values()
    }


class Ledger:
    """The value of taking each card for the seat, apart from its action and its price."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.facts = state, seat, facts(state.edition)
        self.turns = max(0, state.cards_owned - len(state.owned[seat]) - 1)
        self.families: dict[str, int] = {}
        self.flying = 0
        self.scores: list[Ability] = []
        for card in state.owned[seat]:
            fact = self.facts[card]
            self.families[fact.family] = self.families.get(fact.family, 0) + 1
            self.flying += fact.flying
            self.scores += fact.scores
        self.free: dict[str, int] = {}
        self.free_flying = 0
        self.hopes: list[Ability] = []
        for cards in (state.deck, state.row):
            for card in cards:
                fact = self.facts[card]
                self.free[fact.family] = self.free.get(fact.family, 0) + 1
                self.free_flying += fact.flying
                self.hopes += fact.scores
        rules = state.rules
        self.goods = rules.goods
        if self.goods:
            self.counts = dict.fromkeys((*rules.goods, WILD), 0)
            for card in state.owned[seat]:
                fact = self.facts[card]
                if fact.family in self.counts:
                    self.counts[fact.family] += fact.goods
            self.larder = _larder(state.edition, tuple(self.counts.items()), self.turns + 1)

    def gain(self, card: str, price: int) -> float:
        """Return what the card would bring for this price, apart from its action."""
        state, seat, turns, fact = self.state, self.seat, self.turns, self.facts[card]
        family, have, now = fact.family, self.families.get(fact.family, 0), state.coins[seat]
        then = now - price + sum(n for kind, n in fact.gives if kind == "coins")
        found = sum(self._given(kind, n) for kind, n in fact.gives)
        found += values.COIN * (min(then, 1.5 * turns) - min(now, 1.5 * turns)) + 0.02 * (then - now)
        # 1. What it scores itself, and what it adds to abilities that the seat has or may still get
        for ability in fact.scores:
            found += self._own(ability, family, fact.flying, then)
        for ability in self.scores:
            if ability.kind == "per-flying":
                found += ability.points * fact.flying * (1 - COLLECTING)
            elif ability.kind == "per-coins":
                found += ability.points * (max(0.0, then - turns / 2) - max(0.0, now - turns / 2)) / ability.n
            elif family and ability.of == family:
                found += self._one_more(ability, have)
        if turns:
            found += sum(self._hoped(ability, family, fact.flying) for ability in self.hopes)
        # 2. Goods
        if self.goods and family in self.counts:
            counts = dict(self.counts)
            counts[family] += fact.goods
            found += _larder(state.edition, tuple(counts.items()), turns) - self.larder
        return found

    def _given(self, kind: str, n: int) -> float:
        """Return the value of a lasting gift for the turns that are left."""
        state, seat, turns = self.state, self.seat, self.turns
        if kind in ("army", "movement"):
            return values.GIFTS[kind] * n * turns
        if kind == "flying":
            now = min(state.flying[seat], 3)
            return (values.FLYING[min(now + n, 3)] - values.FLYING[now]) * turns
        if kind == "immune":
            return values.GIFTS[kind] * turns * (not state.immune[seat])
        if kind == "elixir":
            before = tuple(state.elixirs)
            after = (*before[:seat], before[seat] + n, *before[seat + 1 :])
            return values.elixirs(after, seat, turns) - values.elixirs(before, seat, turns)
        return 0.0

    def _hoped(self, ability: Ability, family: str, flying: int) -> float:
        """Return what the card may score through an ability that can still be had."""
        counts = ability.of == family if ability.kind == "per-card" else ability.kind == "per-flying" and flying
        return COLLECTING * ability.points * UNSURE if counts else 0.0

    def _own(self, ability: Ability, family: str, flying: int, coins: int) -> float:
        """Return what an ability of the card itself would score with the seat's other cards."""
        of, turns = ability.of, self.turns
        if ability.kind == "per-card":
            free = self.free.get(of, 0) - (of == family)
            return ability.points * (self.families.get(of, 0) + (of == family) + COLLECTING * min(turns, free))
        if ability.kind == "per-flying":
            return ability.points * (self.flying + flying + COLLECTING * min(turns, self.free_flying))
        if ability.kind == "per-coins":
            return ability.points * max(0.0, coins - turns / 2) / ability.n
        return ability.points * self._completion(ability, self.families.get(of, 0) + (of == family))

    def _one_more(self, ability: Ability, have: int) -> float:
        """Return what one more card of its family adds to an ability that the seat has."""
        if ability.kind == "per-card":
            return ability.points * (1 - COLLECTING)
        if ability.kind == "whole-set":
            return ability.points * (self._completion(ability, have + 1) - self._completion(ability, have))
        return 0.0

    def _completion(self, ability: Ability, have: int) -> float:
        if have >= ability.n:
            return 1.0
        wanted = ability.n - have
        return (have / ability.n) ** 2 * 0.6 if wanted <= min(self.turns, self.free.get(ability.of, 0)) else 0.0


@lru_cache(maxsize=1 << 14)
def _larder(name: str, held: tuple[tuple[str, int], ...], turns: int) -> float:
    """Return what goods score, and may still score, given how many of each the seat's cards count."""
    rules = edition(name)
    wilds = dict(held)[WILD]
    counts = tuple((good, n) for good, n in held if n and good != WILD)
    placed = best_placing(rules.slug, counts, wilds) if counts else ()
    owned = {good: n + more for (good, n), more in zip(counts, placed, strict=True)}
    idle = wilds * 0.5 if not counts and turns else 0.0
    return idle + sum(values.good_value(name, good, owned.get(good, 0), turns) for good in rules.goods)


# A turn


class Use(NamedTuple):
    """The best use of a card, or of the rest of one, and its value."""

    gain: float
    doings: tuple[Doing, ...]


NOTHING = Use(0.0, ())


def best_use(state: State, seat: int, board: Board, card: Card, part: int, used: Sequence[int], turns: int) -> Use:
    """Return the best use found of a card, of which the steps of each part have cost `used` so far."""
    opens = open_parts(card, part)
    if len(opens) == 1:
        return _in_order(state, seat, board, card, opens, used, turns)
    if card.joined == "or":
        orders: tuple[tuple[int, ...], ...] = tuple((number,) for number in opens)
    else:
        orders = (opens,) if card.ordered else (opens, opens[::-1])
    return max([_in_order(state, seat, board, card, order, used, turns) for order in orders], key=lambda use: use.gain)


def _in_order(
    state: State, seat: int, board: Board, card: Card, order: Iterable[int], used: Sequence[int], turns: int
) -> Use:
    here, gain = board.copy(), 0.0
    doings: list[Doing] = []
    for number in order:
        part = card.parts[number]
        left = amount(state, seat, part) - used[number]
        kind = KINDS[part.kind]
        if left <= 0:
            continue
        if kind == PLACE:
            gain += _placing(state, seat, here, min(left, state.supply[seat]), number, turns, doings)
        elif kind == MOVE:
            gain += _moving(state, seat, here, left, crossing(state, seat, part.ship), number, doings)
        elif kind == BUILD:
            gain += _building(state, seat, here, min(left, state.city_supply[seat]), number, turns, doings)
        else:
            gain += _destroying(state, seat, here, left, number, doings)
    return Use(gain, tuple(doings))


def _placing(state: State, seat: int, board: Board, left: int, part: int, turns: int, doings: list[Doing]) -> float:
    if left <= 0:
        return 0.0
    spots = [region for region, n in enumerate(board.cities) if n]
    if not board.cities[state.start]:
        spots.append(state.start)
    found, on_map = 0.0, values.ARMY * min(1, turns / values.CALM)
    for _ in range(left):
        spot = max(spots, key=board.joining)
        gain = board.joining(spot) + on_map
        if gain < 0:
            break
        found += gain
        board.put(spot, board.unit)
        board.armies[spot] += 1
        doings.append(Doing(PLACE, spot, -1, 1, part))
    return found


def _moving(state: State, seat: int, board: Board, left: int, water: int, part: int, doings: list[Doing]) -> float:
    routes, found, armies = ways(state.layout, water), 0.0, board.armies
    while left > 0:
        join = [board.joining(region) if gain is None else gain for region, gain in enumerate(board.join)]
        best, journey = TINY, None
        for origin, n in enumerate(armies):
            if n:
                lost = board.leaving(origin)
                for cost, target in routes[origin]:
                    if cost > left:
                        break
                    gain = lost + join[target] - TINY * cost
                    if gain > best:
                        best, journey = gain, (origin, target, cost)
        if journey is None:
            break
        origin, target, cost = journey
        found += best
        left -= cost
        board.put(origin, -board.unit)
        board.put(target, board.unit)
        armies[origin] -= 1
        armies[target] += 1
        doings.append(Doing(MOVE, origin, target, cost, part))
    return found


def _building(state: State, seat: int, board: Board, left: int, part: int, turns: int, doings: list[Doing]) -> float:
    found, city = 0.0, values.CITY * min(1, turns / values.CALM)
    for _ in range(left):
        best, spot = -1.0, -1
        for region, n in enumerate(board.armies):
            if n:
                gain = board.joining(region) + city * (not board.cities[region] and region != state.start)
                if state.tokens and (state.tokens[region] == FACE_DOWN or state.tokens[region] in state.rules.explore):
                    gain += TOKEN
                if state.towns and state.towns[region]:
                    gain += TOWN_COIN * state.towns[region]
                if gain > best:
                    best, spot = gain, region
        if spot < 0:
            break
        found += best
        board.put(spot, board.unit)
        board.cities = board.cities[:]
        board.cities[spot] += 1
        doings.append(Doing(BUILD, spot, -1, 1, part))
    return found


def _destroying(state: State, seat: int, board: Board, left: int, part: int, doings: list[Doing]) -> float:
    found, colours, gone = 0.0, state.colours, set()
    for _ in range(left):
        best, target = TINY, None
        for region in range(len(board.codes)):
            if board.armies[region] or state.rules.destroys_anywhere:
                for colour in range(colours):
                    if colour == seat or not state.armies[region * colours + colour] or (region, colour) in gone:
                        continue
                    if colour < state.players and state.immune[colour]:
                        continue
                    gain = board.change(region, board.codes[region] - (1 << BITS * colour))
                    if gain > best:
                        best, target = gain, (region, colour)
        if target is None:
            break
        found += best
        board.put(target[0], -(1 << BITS * target[1]))
        gone.add(target)
        doings.append(Doing(DESTROY, *target, 1, part))
    return found


def take_turn(state: State, chance: Chance) -> None:
    """Play the turn of the seat to act, or the rest of it, and draw the next card."""
    seat, board = state.turn, Board(state, state.turn)
    turns = max(0, state.cards_owned - len(state.owned[seat]) - (not state.taken))
    if state.taken:
        use = best_use(state, seat, board, state.rules.cards[state.taken], state.part, state.used, turns)
    else:
        ledger, best, use, taken, paid = Ledger(state, seat), -1e9, NOTHING, "", 0
        for card, price in zip(state.row, state.rules.prices, strict=False):
            if price <= state.coins[seat]:
                tried = best_use(state, seat, board, state.rules.cards[card], -1, (0, 0), turns)
                gain = tried.gain + ledger.gain(card, price)
                if gain > best:
                    best, use, taken, paid = gain, tried, card, price
        _take(state, seat, taken, paid)
    do(state, seat, use.doings, chance)
    end(state)


def _take(state: State, seat: int, card: str, price: int) -> None:
    state.row.remove(card)
    state.owned[seat].append(card)
    state.taken, state.part, state.used = card, -1, [0, 0]
    state.coins[seat] -= price
    for kind, n in facts(state.edition)[card].gives:
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
        queens = [seat for seat in range(len(state.leaders)) if leads(state, seat, "extra-card")]
        if queens and state.phase == TURN and state.row:
            state.phase, state.turn = EXTRA, queens[0]
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


def extra(state: State) -> None:
    """Take the extra card that brings a leader most, if any can be paid for. It only scores."""
    seat = state.turn
    ledger = Ledger(state, seat)
    offers = [
        (ledger.gain(card, price), card, price)
        for card, price in zip(state.row, state.rules.prices, strict=False)
        if price <= state.coins[seat]
    ]
    gain, card, price = max(offers, default=(0.0, "", 0))
    if gain > 0:
        _take(state, seat, card, price)
    state.taken, state.phase = "", OVER


def play_out(state: State, chance: Chance) -> float:
    """Play to the end from any point in or after the first turn. Return what that cost, in turns of plain Legends."""
    turns = 0
    if state.phase == REFILL:
        draw(state)
    elif state.phase == SCORING:
        state.phase = OVER
    while state.phase == TURN:
        take_turn(state, chance)
        turns += 1
    if state.phase == EXTRA:
        extra(state)
    return turns * cost(state)


def is_turn(state: State) -> bool:
    """Return whether a card is being chosen or played."""
    return state.phase in (TURN, EXTRA)


def shuffle(state: State, chance: Chance) -> None:
    """Put the deck into an order: the same for positions with the same cards left."""
    deck = sorted(state.deck)
    for last in range(len(deck) - 1, 0, -1):
        other = chance.below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    state.deck = deck


def drawing(state: State, seed: int) -> Chance:
    """Return chance that draws the last card of the deck, as playing on does."""
    return Dealt(seed)


def useful(lead: float, win: float) -> float:
    """Return how useful a result is, in points: big leads count less than they are."""
    return SHARP * lead / (SHARP + abs(lead))


def hides(state: State) -> bool:
    """Return whether there are face-down tokens."""
    return bool(state.faces)


def cost(state: State) -> float:
    """Return what a turn costs: more on large continents, and with tokens or leaders, whose effects the rules find."""
    return COSTS.get(state.rules.slug, 1.0) + VARIED * bool(state.tokens or state.towns or state.leaders)


def cost_left(state: State) -> float:
    """Return about what it costs to play to the end."""
    return max(1, state.cards_owned * state.players - sum(map(len, state.owned))) * cost(state)


def share(state: State) -> float:
    """Return the whole budget: a turn is one decision."""
    return 1.0


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
