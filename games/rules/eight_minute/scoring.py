"""Victory points by source, and the ranking with the tie-break that decided it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from games.rules.eight_minute.edition import Ability, Edition, edition
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import CITADEL, gifts
from games.rules.protocol import Points, Scoresheet, SeatScore
from games.rules.words import gettext_noop

TIE_BREAKS = ("magic-book", "coins", "armies", "regions")
WILD = "wild"
PARTS = {
    "regions": gettext_noop("Regions"),
    "islands": gettext_noop("Islands"),
    "continents": gettext_noop("Continents"),
    "elixirs": gettext_noop("Elixirs"),
    "citadels": gettext_noop("Citadels"),
}
GROUPS = PARTS | {  # kinds of sources; each card, token, leader and good has a name of its own
    "card": gettext_noop("Cards"),
    "token": gettext_noop("Tokens"),
    "leader": gettext_noop("Leader"),
    "good": gettext_noop("Goods"),
}


class Held(NamedTuple):
    """The color that controls each region, and each island or continent."""

    regions: list[int | None]
    islands: list[int | None]


def score(state: State) -> Scoresheet:
    """Return the current points, in the parts that the edition scores (R19-R23), and the ranking.

    Ties for any place go to the Magic Book (R59), then to coins, armies on the map and regions.
    """
    held = held_by(state)
    lines = [tuple(_lines(state, seat, held)) for seat in range(state.players)]
    keys = []
    for seat, seat_lines in enumerate(lines):
        total = sum(line.points for line in seat_lines)
        has_book = any(gifts()[token].total("wins-ties") for token in won(state, seat))
        on_map = sum(state.armies[seat :: state.colours])
        keys.append((total, has_book, state.coins[seat], on_map, held.regions.count(seat)))
    scores = []
    for seat, key in enumerate(keys):
        ahead = [other for other in keys if other > key]
        above, tie_break = min(ahead, default=None), None
        if above and above[0] == key[0]:
            compared = zip(TIE_BREAKS, above[1:], key[1:], strict=True)
            tie_break = next(name for name, theirs, ours in compared if theirs != ours)
        scores.append(SeatScore(seat, key[0], len(ahead) + 1, lines[seat], tie_break))
    return Scoresheet(tuple(scores))


def won(state: State, seat: int) -> tuple[str, ...]:
    """Return the tokens the seat has gained."""
    return state.won[seat] if state.won else ()


def named(rules: Edition, source: str) -> tuple[str, str]:
    """Return the kind of a source of the scoresheet and its name, not yet translated."""
    if source in PARTS:
        return source, PARTS[source]
    if source in rules.cards:
        return "card", rules.cards[source].name
    of, _colon, gift = source.rpartition(":")
    return {"tokens": "token", "goods": "good"}.get(of, "leader"), gifts()[gift].name


# Control


def held_by(state: State) -> Held:
    """Return who controls what (R20, R58).

    A region goes to the color with strictly more armies and cities there than any other, an island to the color that
    controls strictly more of its regions.
    """
    colours = state.colours
    strength = [armies + cities for armies, cities in zip(state.armies, state.cities, strict=True)]
    regions = [_strictly_most(strength[r : r + colours]) for r in range(0, len(strength), colours)]
    islands = []
    for island in state.map.islands:
        holders = [regions[r] for r in island]
        islands.append(_strictly_most([holders.count(colour) for colour in range(colours)]))
    return Held(regions, islands)


def controller(state: State, region: int) -> int | None:
    """Return the color that controls this region, or None."""
    span = slice(region * state.colours, (region + 1) * state.colours)
    return _strictly_most([a + c for a, c in zip(state.armies[span], state.cities[span], strict=True)])


def _strictly_most(counts: list[int]) -> int | None:
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


# The parts of a scoresheet


def _lines(state: State, seat: int, held: Held) -> Iterator[Points]:
    rules, names = state.rules, state.map.regions
    for part in rules.scored:
        if part == "regions":
            mine = tuple(region for region, holder in zip(names, held.regions, strict=True) if holder == seat)
            yield Points(part, len(mine), mine)
        elif part in ("islands", "continents"):
            mine = tuple(names[island[0]] for island in _islands(state, seat, held))
            yield Points(part, len(mine), mine)
        elif part == "abilities":
            for card in state.owned[seat]:
                yield from _of_abilities(card, rules.cards[card].abilities, state, seat, held)
        elif part == "elixirs":
            # The most elixirs count, less if tied; nobody scores without one (R19).
            elixirs, points = state.elixirs[seat], 0
            if elixirs and elixirs == max(state.elixirs):
                points = rules.most_elixirs if state.elixirs.count(elixirs) == 1 else rules.tied_elixirs
            yield Points(part, points)
        elif part == "citadels" and CITADEL in state.tokens:
            # A point for each controlled region with a citadel (R27)
            here = zip(names, state.tokens, held.regions, strict=True)
            mine = tuple(region for region, token, holder in here if token == CITADEL and holder == seat)
            yield Points(part, len(mine), mine)
        elif part == "tokens":
            # Tokens the seat has gained (R25, R26, R28)
            for token in won(state, seat):
                yield from _of_abilities(f"tokens:{token}", gifts()[token].abilities, state, seat, held)
        elif part == "leaders" and state.leaders:
            leader = state.leaders[seat]
            yield from _of_abilities(leader, gifts()[leader].abilities, state, seat, held)
        elif part == "goods":
            yield from _goods(state, seat, held)


def _islands(state: State, seat: int, held: Held) -> list[tuple[int, ...]]:
    return [island for island, holder in zip(state.map.islands, held.islands, strict=True) if holder == seat]


def _of_abilities(source: str, abilities: tuple[Ability, ...], state: State, seat: int, held: Held) -> Iterator[Points]:
    """Yield a line for each of the abilities that is scored: how often it counts, and what earned it."""
    cards = state.rules.cards
    for ability in abilities:
        items: tuple[str, ...] = ()
        match ability.kind:
            case "points":
                times = 1
            case "per-card":
                items = tuple(card for card in state.owned[seat] if cards[card].family == ability.of)
                times = len(items)
            case "whole-set":
                items = tuple(card for card in state.owned[seat] if cards[card].family == ability.of)
                times = int(len(items) >= ability.n)
            case "per-flying":
                items = tuple(card for card in state.owned[seat] if cards[card].total("flying"))
                times = state.flying[seat]
            case "per-coins":
                times = state.coins[seat] // ability.n
            case "per-captives":
                times = sum(state.captives) // ability.n
            case "no-supply":
                # Every army is on the map or captured.
                times = int(not state.supply[seat])
            case "per-large-island":
                large = [island for island in _islands(state, seat, held) if len(island) >= ability.n]
                items = tuple(state.map.regions[island[0]] for island in large)
                times = len(items)
            case _:
                continue
        yield Points(source, ability.points * times, items)


# Goods of the classic game: how many a seat has, and where its wild cards score most (R23, R35, R60)


def _goods(state: State, seat: int, held: Held) -> Iterator[Points]:
    """Yield a line for each good of the seat: its points, and the cards, regions and wild cards counted."""
    rules, mine = state.rules, goods_of(state, seat, held.regions)
    wilds = list(mine.pop(WILD, ()))
    counts = tuple((good, _total(rules, items)) for good, items in mine.items())
    for (good, n), more in zip(counts, best_placing(rules.id, counts, len(wilds)), strict=True):
        placed = [wilds.pop(0) for _ in range(more)]
        yield Points(f"goods:{good}", goods_points(rules, good, n + more), (*mine[good], *placed))


def goods_of(state: State, seat: int, holders: list[int | None]) -> dict[str, tuple[str, ...]]:
    """Return the cards and controlled regions that give the seat each good, with wild cards listed separately."""
    goods: dict[str, list[str]] = {}
    for card in state.owned[seat]:
        goods.setdefault(state.rules.cards[card].family, []).append(card)
    for region, token, holder in zip(state.map.regions, state.tokens, holders, strict=False):
        if token and holder == seat:
            goods.setdefault(token, []).append(region)
    return {good: tuple(goods[good]) for good in (*state.rules.goods, WILD) if good in goods}


def counted(state: State, seat: int, holders: list[int | None]) -> dict[str, int]:
    """Return how many of each good the seat has, before wild cards are assigned."""
    return {good: _total(state.rules, items) for good, items in goods_of(state, seat, holders).items()}


def _total(rules: Edition, items: Iterable[str]) -> int:
    """Add up cards, which count as printed, and regions, which count as one."""
    return sum(rules.cards[item].total("good") if item in rules.cards else 1 for item in items)


def goods_points(rules: Edition, good: str, n: int) -> int:
    """Return the points for `n` of a good: those of the highest step reached."""
    reached = zip(rules.goods_points, rules.goods[good], strict=True)
    return max((gain for gain, needed in reached if n >= needed), default=0)


@lru_cache(maxsize=1 << 12)
def best_placing(name: str, counts: tuple[tuple[str, int], ...], wilds: int) -> tuple[int, ...]:
    """Return how many wild cards to add to each good for the most points: all of them, if there is any good."""
    rules = edition(name)

    def gain(placing: tuple[int, ...]) -> int:
        return sum(goods_points(rules, good, n + more) for (good, n), more in zip(counts, placing, strict=True))

    return max(_placings(len(counts), wilds), key=gain)


def _placings(goods: int, wilds: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to add wild cards to a number of goods."""
    if not goods:
        yield ()
        return
    for n in range(wilds if goods == 1 else 0, wilds + 1):
        yield from ((n, *rest) for rest in _placings(goods - 1, wilds - n))
