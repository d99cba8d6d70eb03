"""The map as the quick player values it: what each step would gain, without valuing whole positions.

The armies and cities in a region are one number, its code, with five bits for each color. So is the number of regions
of an island that each color controls. Values are kept by these codes. They are those of `evaluation`.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from games.bots.eight_minute import evaluation
from games.bots.eight_minute.evaluation import Weights
from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import FACE_DOWN

if TYPE_CHECKING:
    from games.bots.eight_minute.playout import Playout

BITS = 5  # for each color in a code: up to 31 armies and cities
HELD = (0, *(1 << BITS * holder for holder in range(6)))  # what each controller of a region adds to an island's code
FARTHEST = 12  # more movements than a card gives
TOO_FAR = 99
TOO_SMALL = 0.02  # points below which a move is not worth making
TOKEN_GAIN, TOWN_COIN_GAIN = 1.0, 0.5  # what a city gains by a token, and by each coin of a town

PLACE, MOVE, BUILD, DESTROY = range(4)
KINDS = {"place": PLACE, "move": MOVE, "build": BUILD, "destroy": DESTROY}


class Step(NamedTuple):
    """One step with a card. `target` is the region that a move ends in, or the color of a destroyed army."""

    kind: int
    region: int
    target: int
    cost: int
    part: int


BestStep = tuple[float, int, int, int]  # what it gains, and its region, target and cost; a region of -1 is no step
NO_STEP = (0.0, -1, -1, 1)
NO_ROUTES: tuple[tuple[int, ...], ...] = ()


RegionValue = tuple[float, int, float, int, float, int]


class RegionValues(dict[int, RegionValue]):
    """The values of regions for a seat, by their codes. Each is computed when it is first asked for.

    A value has six numbers: what the region is worth, and what its controller adds to the code of the island; how much
    more it is worth with one more army of the seat, and how that changes the code of the island; and the same with one
    army less.
    """

    def __init__(self, seat: int, players: int, colours: int, open_: float, weights: Weights) -> None:
        super().__init__()
        self.seat, self.players, self.colours, self.open_, self.weights = seat, players, colours, open_, weights
        self.unit = 1 << BITS * seat
        self.island_values = island_values(colours, seat, players, open_, weights)
        self.regions: dict[int, tuple[float, int]] = {}

    def value(self, code: int) -> tuple[float, int]:
        """Return the value of a region with this code, and what its controller adds to the code of the island."""
        entry = self.regions.get(code)
        if entry is None:
            counts = tuple([code >> BITS * colour & 31 for colour in range(self.colours)])
            value, holder = evaluation.region(counts, self.seat, self.players, self.open_, self.weights)
            entry = self.regions[code] = value, HELD[holder + 1]
        return entry

    def __missing__(self, code: int) -> RegionValue:
        value, holder = self.value(code)
        more, taker = self.value(code + self.unit)
        less, loser = self.value(code - self.unit) if code >> BITS * self.seat & 31 else (value, holder)
        found = self[code] = value, holder, more - value, taker - holder, less - value, loser - holder
        return found


class IslandValues(dict[int, float]):
    """The value of an island for a seat, by the island's code: how many of its regions each color controls."""

    def __init__(self, colours: int, seat: int, players: int, open_: float, weights: Weights) -> None:
        super().__init__()
        self.colours, self.seat, self.players, self.open_, self.weights = colours, seat, players, open_, weights

    def __missing__(self, code: int) -> float:
        holders = [colour for colour in range(self.colours) for _ in range(code >> BITS * colour & 31)]
        found = self[code] = evaluation.island(tuple(holders), self.seat, self.players, self.open_, self.weights)
        return found


region_values, island_values = lru_cache(maxsize=1 << 10)(RegionValues), lru_cache(maxsize=1 << 10)(IslandValues)


@lru_cache(maxsize=1 << 12)
def island_of(layout: str) -> tuple[int, ...]:
    """Return the number of each region's island."""
    land = map_of(layout)
    return tuple(
        next(number for number, island in enumerate(land.islands) if region in island)
        for region in range(len(land.regions))
    )


@lru_cache(maxsize=1 << 10)
def travel_costs(layout: str, water: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each region, what it costs an army to reach each other one."""
    land = map_of(layout)
    costs_by_region = []
    for origin in range(len(land.regions)):
        costs, ahead = {origin: 0}, [origin]
        while ahead:
            region = min(ahead, key=costs.__getitem__)
            ahead.remove(region)
            for near, price in ((land.land[region], 1), (land.sea[region], water)):
                for neighbour in near:
                    cost = costs[region] + price
                    if cost <= FARTHEST and cost < costs.get(neighbour, FARTHEST + 1):
                        costs[neighbour] = cost
                        if neighbour not in ahead:
                            ahead.append(neighbour)
        del costs[origin]
        costs_by_region.append(tuple(costs.get(region, TOO_FAR) for region in range(len(land.regions))))
    return tuple(costs_by_region)


class Board:
    """The map as one seat values it during its turn, and the boards after each step that was tried from it.

    A board does not change. A step leads to another board, which is kept, so that cards with the same first steps share
    it. `army_gains` is what one more army of the seat gains in each region, and `by_gain` has the regions in that
    order, the best one first.
    """

    __slots__ = (
        "armies", "army_gains", "best_build", "best_place", "by_gain", "cities", "codes", "is_sorted", "island_codes",
        "island_of", "next_boards", "playout", "region_values", "values", "weights",
    )  # fmt: skip

    def __init__(self, playout: "Playout", seat: int, open_: float) -> None:
        state = playout.state
        self.region_values = region_values(seat, state.players, state.colours, open_, playout.weights[seat])
        self.playout, self.island_of = playout, playout.island_of
        if not playout.codes:
            playout.code(state)
        self.codes, self.island_codes = playout.codes, playout.island_codes
        self.values = [*map(self.region_values.__getitem__, self.codes)]
        self.weights = evaluation.scales(state.tokens, len(self.codes))
        self.armies, self.cities = state.armies[seat :: state.colours], state.cities[seat :: state.colours]
        table, island_codes, army_gains = self.region_values.island_values, self.island_codes, []
        for (_value, _holder, gain, shift, _loss, _shift), number, weight in zip(
            self.values, self.island_of, self.weights, strict=True
        ):
            if shift:
                now = island_codes[number]
                army_gains.append(gain * weight + table[now + shift] - table[now])
            else:
                army_gains.append(gain * weight)
        self.army_gains = army_gains
        self.by_gain: list[int] = []
        self.is_sorted = False
        self.next_boards: dict[tuple[int, int, int], Board] = {}
        self.best_place: BestStep | None = None
        self.best_build: BestStep | None = None

    def value(self) -> float:
        """Return what the map is worth to the seat."""
        islands = sum(map(self.region_values.island_values.__getitem__, self.island_codes))
        return islands + sum(
            [region_value[0] * weight for region_value, weight in zip(self.values, self.weights, strict=True)]
        )

    def gain_of_army(self, region: int) -> float:
        """Return what one more army of the seat gains in a region."""
        _value, _holder, gain, shift, _loss, _shift = self.values[region]
        gain *= self.weights[region]
        if shift:
            table, now = self.region_values.island_values, self.island_codes[self.island_of[region]]
            gain += table[now + shift] - table[now]
        return gain

    def gain_of_code(self, region: int, code: int) -> float:
        """Return how much more the board would be worth if the region had this code."""
        value, holder = self.region_values.value(code)
        before, held_by, *_rest = self.values[region]
        found = (value - before) * self.weights[region]
        if holder != held_by:
            table, now = self.region_values.island_values, self.island_codes[self.island_of[region]]
            found += table[now + holder - held_by] - table[now]
        return found

    def after(self, kind: int, region: int, target: int) -> "Board":
        """Return the board after a step."""
        key = (kind, region, target)
        board = self.next_boards.get(key)
        if board is not None:
            return board
        board = self.next_boards[key] = Board.__new__(Board)
        board.playout, board.region_values = self.playout, self.region_values
        board.island_of, board.weights = self.island_of, self.weights
        board.cities, board.armies, board.island_codes = self.cities, self.armies, self.island_codes
        board.codes, board.values, board.army_gains = self.codes[:], self.values[:], self.army_gains[:]
        board.by_gain, board.is_sorted = self.by_gain, False
        board.next_boards, board.best_place, board.best_build = {}, None, None
        unit = self.region_values.unit
        if kind == MOVE:
            board.armies = self.armies[:]
            board.armies[region] -= 1
            board.armies[target] += 1
            board.change(region, -unit)
            board.change(target, unit)
        elif kind == PLACE:
            board.armies = self.armies[:]
            board.armies[region] += 1
            board.change(region, unit)
        elif kind == BUILD:
            board.cities = self.cities[:]
            board.cities[region] += 1
            board.change(region, unit)
        else:
            board.change(region, -(1 << BITS * target))
        return board

    def change(self, region: int, by: int) -> None:
        """Add a piece to a region, given by its code, or remove it: `by` is the code, or minus the code."""
        code = self.codes[region] = self.codes[region] + by
        before, now = self.values[region][1], self.region_values[code]
        self.values[region] = now
        if now[1] == before:
            self.army_gains[region] = self.gain_of_army(region)
        else:
            number = self.island_of[region]
            self.island_codes = self.island_codes[:]
            self.island_codes[number] += now[1] - before
            for other in self.playout.islands[number]:
                self.army_gains[other] = self.gain_of_army(other)

    # The best next step of each kind

    def place(self, start: int, on_map: float) -> BestStep:
        """Return the best placement. Each army on the map also gains `on_map`."""
        spots = [region for region, n in enumerate(self.cities) if n]
        if not self.cities[start]:
            spots.append(start)
        spot = max(spots, key=self.army_gains.__getitem__)
        gain = self.army_gains[spot] + on_map
        step = self.best_place = (gain, spot, -1, 1) if gain >= 0 else NO_STEP
        return step

    def move(self, left: int, routes: tuple[tuple[int, ...], ...]) -> BestStep:
        """Return the best move within `left` movements, where `routes` are the `travel_costs`."""
        army_gains, best, start, end, paid = self.army_gains, TOO_SMALL, -1, -1, 0
        if not self.is_sorted:
            self.by_gain = sorted(self.by_gain or range(len(army_gains)), key=army_gains.__getitem__, reverse=True)
            self.is_sorted = True
        order, values, weights, table = self.by_gain, self.values, self.weights, self.region_values.island_values
        top = army_gains[order[0]] - TOO_SMALL
        for origin, n in enumerate(self.armies):
            if n:
                _value, _holder, _gain, _shift, lost, shift = values[origin]
                lost *= weights[origin]
                if shift:
                    now = self.island_codes[self.island_of[origin]]
                    lost += table[now + shift] - table[now]
                if lost + top <= best:
                    continue
                costs = routes[origin]
                for target in order:
                    gain = lost + army_gains[target]
                    if gain - TOO_SMALL <= best:
                        break
                    cost = costs[target]
                    if cost <= left and gain - TOO_SMALL * cost > best:
                        best, start, end, paid = gain - TOO_SMALL * cost, origin, target, cost
        return best, start, end, paid

    def build(self, state: State, city: float) -> BestStep:
        """Return the best city. The first one of the seat in a region other than the start also gains `city`."""
        best, spot, army_gains, start = -1.0, -1, self.army_gains, state.start
        for region, n in enumerate(self.armies):
            if n:
                gain = army_gains[region]
                if region != start and not self.cities[region]:
                    gain += city
                if state.tokens and (state.tokens[region] == FACE_DOWN or state.tokens[region] in state.rules.explore):
                    gain += TOKEN_GAIN
                if state.towns and state.towns[region]:
                    gain += TOWN_COIN_GAIN * state.towns[region]
                if gain > best:
                    best, spot = gain, region
        step = self.best_build = best, spot, -1, 1
        return step

    def destroy(self, state: State, seat: int, steps: Iterable[Step]) -> BestStep:
        """Return the best army to destroy, which none of these earlier `steps` destroyed."""
        colours, anywhere = state.colours, state.rules.destroys_anywhere
        best, army = TOO_SMALL, (-1, -1)
        destroyed = {(step.region, step.target) for step in steps if step.kind == DESTROY}
        others = [c for c in range(colours) if c != seat and not (c < state.players and state.immune[c])]
        for region, own_armies in enumerate(self.armies):
            if own_armies or anywhere:
                for colour in others:
                    if state.armies[region * colours + colour] and (region, colour) not in destroyed:
                        gain = self.gain_of_code(region, self.codes[region] - (1 << BITS * colour))
                        if gain > best:
                            best, army = gain, (region, colour)
        return best, *army, 1
