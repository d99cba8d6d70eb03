"""Victory points by source, and the ranking with the tie-break that decided."""

from collections.abc import Callable

from games.rules.empire.cards import Ability
from games.rules.empire.state import State
from games.rules.protocol import Points, Scoresheet, SeatScore

TIE_BREAKS = ("coins", "armies", "regions")


def score(state: State) -> Scoresheet:
    """The points as they stand: regions, islands, each card's abilities, elixirs (R19-R22)."""
    holders = controllers(state)
    isles = island_controllers(state, holders)
    lines = [_lines(state, seat, holders, isles) for seat in range(state.players)]
    totals = [sum(line.points for line in mine) for mine in lines]
    keys: list[tuple[int, ...]] = [
        (totals[seat], state.coins[seat], sum(state.armies[seat :: state.colours]), holders.count(seat))
        for seat in range(state.players)
    ]
    return Scoresheet(tuple(_ranked(seat, keys, lines[seat]) for seat in range(state.players)))


def controllers(state: State) -> list[int | None]:
    """For each region the colour with strictly more armies and cities than every other (R20, R58)."""
    colours = state.colours
    strength = [armies + cities for armies, cities in zip(state.armies, state.cities, strict=True)]
    return [_strictly_most(strength[r : r + colours]) for r in range(0, len(strength), colours)]


def island_controllers(state: State, holders: list[int | None]) -> list[int | None]:
    """For each island the colour that controls strictly more of its regions than every other (R20)."""
    return [
        _strictly_most([sum(holders[r] == colour for r in island) for colour in range(state.colours)])
        for island in state.map.islands
    ]


def _strictly_most(counts: list[int]) -> int | None:
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


def _lines(state: State, seat: int, holders: list[int | None], isles: list[int | None]) -> tuple[Points, ...]:
    regions = tuple(state.map.regions[r] for r, holder in enumerate(holders) if holder == seat)
    islands = tuple(state.map.regions[state.map.islands[i][0]] for i, holder in enumerate(isles) if holder == seat)
    cards = [
        Points(card, points, items)
        for card in state.owned[seat]
        for ability in state.rules.cards[card].abilities
        if ability.kind in _ABILITIES
        for points, items in [_ABILITIES[ability.kind](state, seat, ability)]
    ]
    return (
        Points("regions", len(regions), regions),
        Points("islands", len(islands), islands),
        *cards,
        Points("elixirs", elixir_points(state, seat)),
    )


def elixir_points(state: State, seat: int) -> int:
    """R19: most gain two, tied for most one each, none without an elixir."""
    mine = state.elixirs[seat]
    if not mine or mine < max(state.elixirs):
        return 0
    return state.rules.most_elixirs if state.elixirs.count(mine) == 1 else state.rules.tied_elixirs


def _per_card(state: State, seat: int, ability: Ability) -> tuple[int, tuple[str, ...]]:
    cards = state.rules.cards
    mine = tuple(card for card in state.owned[seat] if cards[card].family == ability.of)
    return ability.points * len(mine), mine


def _per_flying(state: State, seat: int, ability: Ability) -> tuple[int, tuple[str, ...]]:
    cards = state.rules.cards
    mine = tuple(card for card in state.owned[seat] if cards[card].total("flying"))
    return ability.points * state.flying[seat], mine


def _per_coins(state: State, seat: int, ability: Ability) -> tuple[int, tuple[str, ...]]:
    return ability.points * (state.coins[seat] // ability.n), ()


def _whole_set(state: State, seat: int, ability: Ability) -> tuple[int, tuple[str, ...]]:
    mine = tuple(card for card in state.owned[seat] if state.rules.cards[card].family == ability.of)
    return ability.points * (len(mine) >= ability.n), mine


_ABILITIES: dict[str, Callable[[State, int, Ability], tuple[int, tuple[str, ...]]]] = {
    "per-card": _per_card,
    "per-flying": _per_flying,
    "per-coins": _per_coins,
    "whole-set": _whole_set,
}


def _ranked(seat: int, keys: list[tuple[int, ...]], lines: tuple[Points, ...]) -> SeatScore:
    mine = keys[seat]
    ahead = [key for key in keys if key > mine]
    return SeatScore(seat, mine[0], len(ahead) + 1, lines, _tie_break(mine, ahead))


def _tie_break(mine: tuple[int, ...], ahead: list[tuple[int, ...]]) -> str | None:
    """What put a seat behind the one directly above it, if the totals did not."""
    above = min(ahead, default=None)
    if above is None or above[0] != mine[0]:
        return None
    return next(name for name, theirs, ours in zip(TIE_BREAKS, above[1:], mine[1:], strict=True) if theirs != ours)
