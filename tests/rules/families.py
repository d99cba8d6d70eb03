"""What the conformance suite has to be told about each family of games: its words, its totals, its secrets."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

from games.rules.empire.events import BidsRevealed, CardTaken
from games.rules.empire.state import BID
from games.rules.protocol import Event, SeatInfo, State


@dataclass(frozen=True)
class Family:
    """`vocabulary`: every text that could make sense in the position. `totals`: what no event may change.

    `flow`: by how much an event may change a total after all. `scramble`: another position with the same view.
    """

    vocabulary: Callable[[State], list[str]]
    totals: Callable[[State], Counter]
    flow: Callable[[State, Event], Counter]
    scramble: Callable[[State, int | None], State]


def _words(state: State) -> Iterator[str]:
    regions, owners = state.map.regions, [*map(str, range(5)), "-"]
    yield "done"
    yield from (f"bid {coins}" for coins in range(20))
    yield from (f"first {seat}" for seat in range(5))
    yield from (f"take {card}" for card in state.rules.cards)
    yield from (f"place {region}" for region in regions)
    yield from (f"build {region}" for region in regions)
    yield from (f"move {origin} {target}" for origin, target in permutations(regions, 2))
    yield from (f"move {region} {region}" for region in regions)
    yield from (f"destroy {region} {owner}" for region in regions for owner in owners)
    yield from ("place x1", "build x1", "move x1 v1", "destroy x1 0", "take x")


def _pieces(state: State) -> Counter:
    totals: Counter[str] = Counter()
    for colour in range(state.colours):
        totals[f"armies {colour}"] = state.supply[colour] + sum(state.armies[colour :: state.colours])
    for seat in range(state.players):
        totals[f"cities {seat}"] = state.city_supply[seat] + sum(state.cities[seat :: state.colours])
        totals[f"coins {seat}"] = state.coins[seat]
    totals.update(state.deck + state.row + [card for cards in state.owned for card in cards])
    return totals


def _coins(state: State, event: Event) -> Counter:
    """Coins go to the supply by bids and prices, and come from it by a card's ability; nothing else moves."""
    if isinstance(event, BidsRevealed):
        return Counter({f"coins {event.winner}": -event.bids[event.winner]})
    if isinstance(event, CardTaken):
        return Counter({f"coins {event.seat}": state.rules.cards[event.card].total("coins") - event.price})
    return Counter()


def _other_secrets(state: State, seat: int | None) -> State:
    """Other ages for everybody, and while bids are open other bids in all other seats."""
    other = state.copy()
    other.seats = tuple(SeatInfo(info.bot, 9 - n, 7 * n) for n, info in enumerate(state.seats))
    if state.phase == BID:
        other.bids = [bid if n == seat else (bid + 4) % 6 - 1 for n, bid in enumerate(state.bids)]
    return other


EMPIRE = Family(lambda state: list(_words(state)), _pieces, _coins, _other_secrets)
FAMILIES = {"legends": EMPIRE}
