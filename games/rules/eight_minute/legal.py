"""What a seat may do now, recomputed before each step (R44). Pages, bots and `decide` all use this."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import chain, compress
from typing import NamedTuple

from games.rules.eight_minute.actions import NOBODY, Action, Bid, Destroy, Done, First, Step, Take
from games.rules.eight_minute.edition import Card, Part
from games.rules.eight_minute.setup import choices
from games.rules.eight_minute.state import BID, DECISIONS, EXTRA, FIRST, TURN, State
from games.rules.eight_minute.tokens import ROGUES

DONE = Done()
IMPASSABLE = 99  # more movements than anyone can have


class Reach(NamedTuple):
    """The way of an army to a region: its whole cost in movements, and the region before the last step."""

    cost: int
    before: str


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that must decide."""
    if state.phase == BID:
        return tuple(seat for seat, bid in enumerate(state.bids) if bid < 0)
    return (state.turn,) if state.phase in DECISIONS else ()


def legal(state: State, seat: int) -> list[Action]:
    """Return every legal action of the seat, in a stable order. A bid can be changed until the last one is in (R6)."""
    if state.phase == BID:
        return [Bid(coins) for coins in range(state.coins[seat] + 1)]
    if state.turn != seat:
        return []
    if state.phase == TURN:
        return [*chain.from_iterable(_steps_by_part(state, seat)), DONE] if state.taken else takes(state, seat)
    if state.phase == FIRST:
        return [First(first) for first in range(state.players)]
    if state.phase == EXTRA:
        return [*takes(state, seat), DONE]
    return choices(state)


def takes(state: State, seat: int) -> list[Action]:
    """Return the takes of cards in the row that the seat can afford (R9)."""
    coins = state.coins[seat]
    return [Take(card) for card, price in zip(state.row, state.rules.prices, strict=False) if price <= coins]


def steps(state: State, seat: int) -> list[Step]:
    """Return the steps that the taken card still allows, part by part in printed order."""
    return list(chain.from_iterable(_steps_by_part(state, seat)))


def can_step(state: State, seat: int) -> bool:
    """Return whether the taken card still allows a step."""
    return next(chain.from_iterable(_steps_by_part(state, seat)), None) is not None


def surely_allows_step(state: State, seat: int, card: Card) -> bool:
    """Return whether an untaken card is certain to allow a step: placing an army, or moving one by land.

    This can be answered without computing the position after the take, and is nearly always enough.
    """
    for part in card.parts:
        if part.kind == "place" and state.supply[seat]:
            return True
        if part.kind == "move" and any(compress(state.map.land_moves, state.armies[seat :: state.colours])):
            return True
    return False


def _steps_by_part(state: State, seat: int) -> Iterator[Iterable[Step]]:
    """Yield the steps of each part of the taken card that is still open."""
    card, layout, colours = state.rules.cards[state.taken], state.map, state.colours
    for number in open_parts(card, state.part):
        part = card.parts[number]
        left = amount(state, seat, part) - state.used[number]
        if left <= 0:
            continue
        armies = state.armies[seat::colours]
        if part.kind == "move":
            # R14: one army to a neighbor; by land for one movement, over water if enough movements are left
            ways = layout.moves if left >= crossing(state, seat, part.ship) else layout.land_moves
            yield chain.from_iterable(compress(ways, armies))
        elif part.kind == "place" and state.supply[seat]:
            # R13: on the start region or where the seat has a city
            allowed = state.cities[seat::colours]
            allowed[state.start] = 1
            yield compress(layout.places, allowed)
        elif part.kind == "build" and state.city_supply[seat]:
            # R15: where the seat has an army
            yield compress(layout.builds, armies)
        elif part.kind == "destroy":
            # R16, R17, R46: where the seat has an army, or in some editions anywhere, unless its owner is immune
            owners = [c for c in range(colours) if c >= state.players or not state.immune[c]]
            yield [
                Destroy(region, owner if owner < state.players else NOBODY)
                for r, region in enumerate(layout.regions)
                if armies[r] or state.rules.destroys_anywhere
                for owner in owners
                if state.armies[r * colours + owner]
            ]


def open_parts(card: Card, part: int) -> tuple[int, ...]:
    """Return the parts of the action that steps may still use, given the `part` of the last step (R12, R44).

    The first step chooses the branch of an OR. In an AND, the second part closes the first, unless they may be mixed.
    """
    if not card.joined:
        return (0,)
    if part < 0:
        return (0, 1)
    if card.joined == "or":
        return (part,)
    return (0, 1)[part:] if card.ordered else (0, 1)


def amount(state: State, seat: int, part: Part) -> int:
    """Return the printed number of a part plus the seat's current bonuses (R45)."""
    if part.kind == "place":
        return part.n + state.more_armies[seat]
    if part.kind == "move":
        return part.n + state.more_movement[seat]
    return part.n


def crossing(state: State, seat: int, ship: bool = False) -> int:
    """Return how many movements a water crossing costs the seat; by ship, it costs the same as land."""
    if ship:
        return 1
    return max(1, state.rules.crossing - state.flying[seat]) if state.rules.crossing else IMPASSABLE


def reaches(state: State, seat: int) -> dict[str, dict[str, Reach]]:
    """Return, for each region where the seat has an army, the cheapest ways to all regions that its movements reach.

    Empty unless the taken card moves armies now. Each way is a sequence of legal steps (R14). Among equally cheap ways
    those with fewer tolls to rogues (R30) come first, then those with fewer steps.
    """
    if state.phase != TURN or state.turn != seat or not state.taken:
        return {}
    card, regions = state.rules.cards[state.taken], state.map.regions
    for number in open_parts(card, state.part):
        part = card.parts[number]
        left = amount(state, seat, part) - state.used[number]
        if part.kind == "move" and left > 0:
            armies = state.armies[seat :: state.colours]
            water = crossing(state, seat, part.ship)
            return {regions[r]: _reaches_from(state, r, left, water) for r, n in enumerate(armies) if n}
    return {}


def _reaches_from(state: State, origin: int, left: int, water: int) -> dict[str, Reach]:
    """Return the regions that an army at `origin` reaches with the movements left (Dijkstra's algorithm)."""
    layout, reaches_by_region, done = state.map, {}, set()
    queue = [(0, 0, 0, origin, origin)]  # cost, tolls, steps, region, the region before
    while queue:
        cost, tolls, steps_so_far, region, previous = heappop(queue)
        if region in done:
            continue
        done.add(region)
        if region != origin:
            reaches_by_region[layout.regions[region]] = Reach(cost, layout.regions[previous])
        for neighbours, price in ((layout.land[region], 1), (layout.sea[region], water)):
            for neighbour in neighbours:
                if neighbour not in done and cost + price <= left:
                    toll = bool(state.tokens) and state.tokens[neighbour] == ROGUES
                    heappush(queue, (cost + price, tolls + toll, steps_so_far + 1, neighbour, region))
    return reaches_by_region
