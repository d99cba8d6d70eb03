"""What a seat may do now, recomputed before each step (R44). Pages, bots and `decide` all use this."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress

from games.rules.eight_minute.actions import NOBODY, Action, Bid, Destroy, Done, First, Step, Take
from games.rules.eight_minute.edition import Card, Part
from games.rules.eight_minute.setup import choices
from games.rules.eight_minute.state import BID, DECISIONS, EXTRA, FIRST, TURN, State

DONE = Done()
IMPASSABLE = 99  # more movements than anyone can have


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
        return [*_steps(state, seat), DONE] if state.taken else takes(state, seat)
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
    return list(_steps(state, seat))


def can_step(state: State, seat: int) -> bool:
    """Return whether the taken card still allows a step."""
    return next(_steps(state, seat), None) is not None


def surely_opens(state: State, seat: int, card: Card) -> bool:
    """Return whether an untaken card is certain to allow a step: placing an army, or moving one by land.

    This can be answered without computing the position after the take, and is nearly always enough.
    """
    return any(
        state.supply[seat] if part.kind == "place" else part.kind == "move" and _can_march(state, seat)
        for part in card.parts
    )


def _can_march(state: State, seat: int) -> bool:
    return any(compress(state.map.land_moves, state.armies[seat :: state.colours]))


def _steps(state: State, seat: int) -> Iterator[Step]:
    return chain.from_iterable(_by_part(state, seat))


def _by_part(state: State, seat: int) -> Iterator[Iterable[Step]]:
    card = state.rules.cards[state.taken]
    for number in open_parts(card, state.part):
        part = card.parts[number]
        left = amount(state, seat, part) - state.used[number]
        if left > 0:
            yield _STEPS[part.kind](state, seat, part, left)


def open_parts(card: Card, part: int) -> tuple[int, ...]:
    """Return the parts of the action that steps may still use, given the `part` of the last step (R12, R44).

    The first step chooses the branch of an OR. In an AND, a step of the second part closes the first, unless the parts
    may be mixed.
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


def _places(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R13: on the start region or where the seat has a city, while the supply lasts."""
    if not state.supply[seat]:
        return ()
    welcome = state.cities[seat :: state.colours]
    welcome[state.start] = 1
    return compress(state.map.places, welcome)


def _moves(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R14: one army to a neighbour; by land for one movement, over water if enough movements are left."""
    layout = state.map
    ways = layout.moves if left >= crossing(state, seat, part.ship) else layout.land_moves
    return chain.from_iterable(compress(ways, state.armies[seat :: state.colours]))


def _builds(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R15: where the seat has an army, while it has a city left to build."""
    if not state.city_supply[seat]:
        return ()
    return compress(state.map.builds, state.armies[seat :: state.colours])


def _destroys(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R16, R17, R46: any army where the seat has one, or in some editions anywhere, unless its owner is immune."""
    colours, armies, anywhere = state.colours, state.armies, state.rules.destroys_anywhere
    owners = [c for c in range(colours) if c >= state.players or not state.immune[c]]
    return (
        Destroy(region, owner if owner < state.players else NOBODY)
        for r, region in enumerate(state.map.regions)
        if anywhere or armies[r * colours + seat]
        for owner in owners
        if armies[r * colours + owner]
    )


_STEPS: dict[str, Callable[[State, int, Part, int], Iterable[Step]]] = {
    "place": _places,
    "move": _moves,
    "build": _builds,
    "destroy": _destroys,
}
