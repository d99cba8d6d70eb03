"""What a seat may do now, worked out anew before each step (R44). Pages, bots and `decide` all ask here."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress

from games.rules.eight_minute import handmade
from games.rules.eight_minute.actions import NOBODY, Action, Bid, Destroy, Done, First, Step, Take
from games.rules.eight_minute.cards import Card, Part
from games.rules.eight_minute.state import BID, DECISIONS, EXTRA, FIRST, TURN, State

DONE = Done()
IMPASSABLE = 99  # more movements than anybody ever has


def to_act(state: State) -> tuple[int, ...]:
    """The seats that owe a decision."""
    if state.phase == BID:
        return tuple(seat for seat, bid in enumerate(state.bids) if bid < 0)
    return (state.turn,) if state.phase in DECISIONS else ()


def legal(state: State, seat: int) -> list[Action]:
    """Every legal action of the seat, in a stable order. A bid may be changed until the last one is in (R6)."""
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
    return handmade.choices(state)


def takes(state: State, seat: int) -> list[Action]:
    """The cards of the row that the seat can pay for (R9)."""
    coins = state.coins[seat]
    return [Take(card) for card, price in zip(state.row, state.rules.prices, strict=False) if price <= coins]


def steps(state: State, seat: int) -> list[Step]:
    """The steps that the taken card still allows, part by part in printed order."""
    return list(_steps(state, seat))


def can_step(state: State, seat: int) -> bool:
    """Whether the taken card still allows a step."""
    return next(_steps(state, seat), None) is not None


def surely_opens(state: State, seat: int, card: Card) -> bool:
    """Whether a card not taken yet allows a step for certain: it places an army, or moves one that has a way by land.

    So much can be said without working out the position after the take, and nearly always it is enough.
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
    """The parts of the action that steps may still belong to, when the last step was one of `part` (R12, R44).

    The first step made fixes the branch of an OR; in an AND a step of the second part closes the first, unless its
    parts may be mixed.
    """
    if not card.joined:
        return (0,)
    if part < 0:
        return (0, 1)
    if card.joined == "or":
        return (part,)
    return (0, 1)[part:] if card.ordered else (0, 1)


def amount(state: State, seat: int, part: Part) -> int:
    """The printed number of a part plus the bonuses owned now (R45)."""
    if part.kind == "place":
        return part.n + state.more_armies[seat]
    if part.kind == "move":
        return part.n + state.more_movement[seat]
    return part.n


def crossing(state: State, seat: int, ship: bool = False) -> int:
    """Movements that it costs the seat to take an army over water, by a ship as over land."""
    if ship:
        return 1
    return max(1, state.rules.crossing - state.flying[seat]) if state.rules.crossing else IMPASSABLE


def _places(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R13: on the start region or by a city of one's own, as long as the supply lasts."""
    if not state.supply[seat]:
        return ()
    welcome = state.cities[seat :: state.colours]
    welcome[state.start] = 1
    return compress(state.map.places, welcome)


def _moves(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R14: one army to a neighbour, over land for one movement, over water where enough is left."""
    layout = state.map
    ways = layout.moves if left >= crossing(state, seat, part.ship) else layout.land_moves
    return chain.from_iterable(compress(ways, state.armies[seat :: state.colours]))


def _builds(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R15: where one has an army, while there is a city in the supply."""
    if not state.city_supply[seat]:
        return ()
    return compress(state.map.builds, state.armies[seat :: state.colours])


def _destroys(state: State, seat: int, part: Part, left: int) -> Iterable[Step]:
    """R16, R17, R46: any army where one has an army, in some editions anywhere, but none of an immune owner."""
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
