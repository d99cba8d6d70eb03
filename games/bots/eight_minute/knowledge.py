"""What the greedy search knows about the Eight-Minute family: useful groups of steps, bids, and who goes first."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from operator import add

from games.bots.eight_minute.evaluation import MEDIUM, evaluate, openness, region, scales, trained
from games.rules.eight_minute.actions import Action, Bid, First, Move
from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.events import FirstNamed
from games.rules.eight_minute.evolve import evolve
from games.rules.eight_minute.legal import amount, crossing, legal, open_parts, steps, takes
from games.rules.eight_minute.state import BID, BY_HAND_PHASES, FIRST, State
from games.rules.protocol import Chance

__all__ = ["decided", "evaluate", "key", "strides"]

JOURNEYS = 10
HIGHEST_BID = 2
POINTS_A_COIN = 1.0

Journey = tuple[Move, ...]


def key(state: State) -> tuple[object, ...]:
    """Return a key that is equal for lines of one turn with the same result, whatever the order of their steps."""
    return (
        tuple(state.armies),
        tuple(state.cities),
        tuple(state.used),
        state.part,
        state.taken,
        tuple(state.coins),
        state.won,
    )


def strides(state: State, seat: int) -> Sequence[Sequence[Action]]:
    """Return each take; then each placement, city and destruction, and the most promising journeys of one army."""
    if not state.taken:
        return [(take,) for take in takes(state, seat)]
    return [*((step,) for step in steps(state, seat) if not isinstance(step, Move)), *journeys(state, seat)]


def journeys(state: State, seat: int) -> list[Journey]:
    """Return the moves that most improve the two regions at their ends, ignoring islands and all other armies."""
    card, left, over_water = state.rules.cards[state.taken], 0, 0
    for number in open_parts(card, state.part):
        part = card.parts[number]
        if part.kind == "move":
            left, over_water = amount(state, seat, part) - state.used[number], crossing(state, seat, part.ship)
            break
    if left <= 0:
        return []
    leave, join = _gains(state, seat)
    valued = [
        (leave[origin] + join[target], journey)
        for origin, n in enumerate(state.armies[seat :: state.colours])
        if n
        for target, journey in reach(state.layout, origin, over_water, left)
    ]
    valued.sort(key=lambda pair: (-pair[0], len(pair[1])))
    return [journey for _gain, journey in valued[:JOURNEYS]]


def _gains(state: State, seat: int) -> tuple[list[float], list[float]]:
    """Return, for each region, the value of one army of the seat leaving and of one arriving."""
    strength, open_ = list(map(add, state.armies, state.cities)), openness(state)
    counts = [strength[first : first + state.colours] for first in range(0, len(strength), state.colours)]

    def change(region_counts: list[int], by: int) -> float:
        changed = [n + by * (colour == seat) for colour, n in enumerate(region_counts)]
        values = [region(tuple(those), seat, state.players, open_, MEDIUM)[0] for those in (changed, region_counts)]
        return values[0] - values[1]

    weighed = list(zip(counts, scales(state.tokens, len(counts)), strict=True))
    leaving = [change(region_counts, -1) * weight if region_counts[seat] else 0.0 for region_counts, weight in weighed]
    return leaving, [change(region_counts, 1) * weight for region_counts, weight in weighed]


@lru_cache(maxsize=1 << 12)
def reach(layout: str, origin: int, sea_cost: int, movement: int) -> tuple[tuple[int, Journey], ...]:
    """Return every region an army can reach, with the cheapest way there."""
    regions = map_of(layout).regions
    ways: dict[int, Journey] = {origin: ()}
    ahead = [(cost, 1, origin, target) for target, cost in _exits(layout, origin, sea_cost)]
    heapify(ahead)
    while ahead:
        spent, hops, before, here = heappop(ahead)
        if spent <= movement and here not in ways:
            ways[here] = (*ways[before], Move(regions[before], regions[here]))
            for target, cost in _exits(layout, here, sea_cost):
                heappush(ahead, (spent + cost, hops + 1, here, target))
    del ways[origin]
    return tuple(ways.items())


def _exits(layout: str, here: int, sea_cost: int) -> list[tuple[int, int]]:
    land = map_of(layout)
    return [*((target, 1) for target in land.land[here]), *((target, sea_cost) for target in land.sea[here])]


def decided(state: State, seat: int, prospects: Callable[[State], list[float]], chance: Chance) -> Action | None:
    """Return a bid, the choice of first player, or a random choice in the setup. The search handles turns."""
    if state.phase in BY_HAND_PHASES:
        choices = legal(state, seat)
        return choices[chance.below(len(choices))]
    if state.phase == FIRST:
        return First(seat)
    if state.phase == BID:
        begun = state.copy()
        evolve(begun, FirstNamed(seat, seat))
        return Bid(min(state.coins[seat], bid(prospects(begun))))
    return None


def bid(values: Sequence[float]) -> int:
    """Return how many coins to bid for choosing who goes first: the lead of the best card over the second best."""
    if len(values) < 2:
        return 0
    best, second = sorted(values, reverse=True)[:2]
    return min(HIGHEST_BID, int((best - second) / POINTS_A_COIN))


class Trained:
    """Knowledge with which the stronger levels find candidates: positions valued by the trained weights."""

    decided, key, strides = staticmethod(decided), staticmethod(key), staticmethod(strides)

    def evaluate(self, state: State, seat: int) -> float:
        return evaluate(state, seat, trained(state.rules.slug, state.players))
