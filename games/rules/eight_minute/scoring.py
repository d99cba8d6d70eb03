"""Victory points by source, and the ranking with the tie-break that decided it."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from games.rules.eight_minute.edition import Ability, Gift
from games.rules.eight_minute.goods import goods_lines
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import CITADEL, gifts
from games.rules.protocol import Points, Scoresheet, SeatScore

TIE_BREAKS = ("magic-book", "coins", "armies", "regions")


class Held(NamedTuple):
    """The colour that controls each region, and each island or continent."""

    regions: list[int | None]
    islands: list[int | None]


def score(state: State) -> Scoresheet:
    """Return the current points, in the parts that the edition scores (R19-R23), and the ranking."""
    held = held_by(state)
    lines = [_lines(state, seat, held) for seat in range(state.players)]
    totals = [sum(line.points for line in mine) for mine in lines]
    keys: list[tuple[int, ...]] = [
        (totals[seat], _wins_ties(state, seat), state.coins[seat], _on_map(state, seat), held.regions.count(seat))
        for seat in range(state.players)
    ]
    return Scoresheet(tuple(_ranked(seat, keys, lines[seat]) for seat in range(state.players)))


def _wins_ties(state: State, seat: int) -> bool:
    """R59: the Magic Book wins ties for any place."""
    return any(gifts()[token].total("wins-ties") for token in won(state, seat))


def won(state: State, seat: int) -> tuple[str, ...]:
    """Return the tokens the seat has gained."""
    return state.won[seat] if state.won else ()


def _on_map(state: State, seat: int) -> int:
    return sum(state.armies[seat :: state.colours])


# Control


def held_by(state: State) -> Held:
    holders = controllers(state)
    return Held(holders, island_controllers(state, holders))


def controllers(state: State) -> list[int | None]:
    """Return the colour with strictly more armies and cities than any other in each region (R20, R58)."""
    colours = state.colours
    strength = [armies + cities for armies, cities in zip(state.armies, state.cities, strict=True)]
    return [_strictly_most(strength[r : r + colours]) for r in range(0, len(strength), colours)]


def controller(state: State, region: int) -> int | None:
    """Return the colour that controls this region, or None."""
    span = slice(region * state.colours, (region + 1) * state.colours)
    return _strictly_most([a + c for a, c in zip(state.armies[span], state.cities[span], strict=True)])


def island_controllers(state: State, holders: list[int | None]) -> list[int | None]:
    """Return the colour that controls strictly more regions than any other on each island (R20)."""
    return [
        _strictly_most([sum(holders[r] == colour for r in island) for colour in range(state.colours)])
        for island in state.map.islands
    ]


def _strictly_most(counts: list[int]) -> int | None:
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


# The parts of a scoresheet


def _lines(state: State, seat: int, held: Held) -> tuple[Points, ...]:
    return tuple(line for part in state.rules.scored for line in PARTS[part](state, seat, held))


def _regions(state: State, seat: int, held: Held) -> Iterable[Points]:
    mine = tuple(state.map.regions[r] for r, holder in enumerate(held.regions) if holder == seat)
    yield Points("regions", len(mine), mine)


def _islands(source: str) -> "Part":
    def part(state: State, seat: int, held: Held) -> Iterable[Points]:
        mine = tuple(state.map.regions[isle[0]] for isle in _islands_of(state, seat, held))
        yield Points(source, len(mine), mine)

    return part


def _islands_of(state: State, seat: int, held: Held) -> list[tuple[int, ...]]:
    return [isle for isle, holder in zip(state.map.islands, held.islands, strict=True) if holder == seat]


def _abilities(state: State, seat: int, held: Held) -> Iterable[Points]:
    for card in state.owned[seat]:
        for ability in state.rules.cards[card].abilities:
            if ability.kind in _ABILITIES:
                yield Points(card, *_ABILITIES[ability.kind](state, seat, ability, held))


def _elixirs(state: State, seat: int, held: Held) -> Iterable[Points]:
    yield Points("elixirs", elixir_points(state, seat))


def _citadels(state: State, seat: int, held: Held) -> Iterable[Points]:
    """Yield one point for each controlled region with a citadel (R27)."""
    if CITADEL in state.tokens:
        here = zip(state.map.regions, state.tokens, held.regions, strict=True)
        mine = tuple(region for region, token, holder in here if token == CITADEL and holder == seat)
        yield Points("citadels", len(mine), mine)


def _tokens(state: State, seat: int, held: Held) -> Iterable[Points]:
    """Yield the points of the tokens the seat has gained (R25, R26, R28)."""
    for token in won(state, seat):
        yield from _of_gift(f"tokens:{token}", gifts()[token], state, seat, held)


def _leaders(state: State, seat: int, held: Held) -> Iterable[Points]:
    """Yield the points of the seat's leader (R32)."""
    if state.leaders:
        yield from _of_gift(state.leaders[seat], gifts()[state.leaders[seat]], state, seat, held)


def _of_gift(source: str, gift: Gift, state: State, seat: int, held: Held) -> Iterable[Points]:
    for ability in gift.abilities:
        if ability.kind in _ABILITIES:
            yield Points(source, *_ABILITIES[ability.kind](state, seat, ability, held))


def _goods(state: State, seat: int, held: Held) -> Iterable[Points]:
    return goods_lines(state, seat, held.regions)


Part = Callable[[State, int, Held], Iterable[Points]]
PARTS: dict[str, Part] = {
    "regions": _regions,
    "islands": _islands("islands"),
    "continents": _islands("continents"),
    "abilities": _abilities,
    "elixirs": _elixirs,
    "citadels": _citadels,
    "tokens": _tokens,
    "leaders": _leaders,
    "goods": _goods,
}


def elixir_points(state: State, seat: int) -> int:
    """Return 2 points for the most elixirs, 1 if tied for most, and none without an elixir (R19)."""
    mine = state.elixirs[seat]
    if not mine or mine < max(state.elixirs):
        return 0
    return state.rules.most_elixirs if state.elixirs.count(mine) == 1 else state.rules.tied_elixirs


def _per_card(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    cards = state.rules.cards
    mine = tuple(card for card in state.owned[seat] if cards[card].family == ability.of)
    return ability.points * len(mine), mine


def _per_flying(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    cards = state.rules.cards
    mine = tuple(card for card in state.owned[seat] if cards[card].total("flying"))
    return ability.points * state.flying[seat], mine


def _per_coins(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    return ability.points * (state.coins[seat] // ability.n), ()


def _whole_set(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    mine = tuple(card for card in state.owned[seat] if state.rules.cards[card].family == ability.of)
    return ability.points * (len(mine) >= ability.n), mine


def _points(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    return ability.points, ()


def _no_supply(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    """Score if every army is on the map or captured."""
    return ability.points * (not state.supply[seat]), ()


def _per_captives(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    return ability.points * (sum(state.captives) // ability.n), ()


def _per_large_island(state: State, seat: int, ability: Ability, held: Held) -> tuple[int, tuple[str, ...]]:
    large = [isle for isle in _islands_of(state, seat, held) if len(isle) >= ability.n]
    return ability.points * len(large), tuple(state.map.regions[isle[0]] for isle in large)


_ABILITIES: dict[str, Callable[[State, int, Ability, Held], tuple[int, tuple[str, ...]]]] = {
    "per-card": _per_card,
    "per-flying": _per_flying,
    "per-coins": _per_coins,
    "whole-set": _whole_set,
    "points": _points,
    "no-supply": _no_supply,
    "per-captives": _per_captives,
    "per-large-island": _per_large_island,
}


def _ranked(seat: int, keys: list[tuple[int, ...]], lines: tuple[Points, ...]) -> SeatScore:
    mine = keys[seat]
    ahead = [key for key in keys if key > mine]
    return SeatScore(seat, mine[0], len(ahead) + 1, lines, _tie_break(mine, ahead))


def _tie_break(mine: tuple[int, ...], ahead: list[tuple[int, ...]]) -> str | None:
    """Return what placed a seat after the one directly above it, if the totals did not."""
    above = min(ahead, default=None)
    if above is None or above[0] != mine[0]:
        return None
    return next(name for name, theirs, ours in zip(TIE_BREAKS, above[1:], mine[1:], strict=True) if theirs != ours)
