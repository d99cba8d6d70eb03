"""Goods of the classic game: how many a seat has, and where its wild cards score most (R23, R35, R60)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.state import State
from games.rules.protocol import Points

WILD = "wild"


def goods_lines(state: State, seat: int, holders: list[int | None]) -> Iterable[Points]:
    """Yield a line for each good of the seat: its points, and the cards, regions and wild cards counted."""
    rules, made_up = state.rules, goods_of(state, seat, holders)
    wilds = list(made_up.pop(WILD, ()))
    counts = tuple((good, _total(rules, items)) for good, items in made_up.items())
    for (good, n), more in zip(counts, best_placing(rules.slug, counts, len(wilds)), strict=True):
        placed = [wilds.pop(0) for _ in range(more)]
        yield Points(f"goods:{good}", points(rules, good, n + more), (*made_up[good], *placed))


def goods_of(state: State, seat: int, holders: list[int | None]) -> dict[str, tuple[str, ...]]:
    """Return the cards and controlled regions that give the seat each good, with wild cards listed separately."""
    found: dict[str, list[str]] = {}
    for card in state.owned[seat]:
        found.setdefault(state.rules.cards[card].family, []).append(card)
    for region, token, holder in zip(state.map.regions, state.tokens, holders, strict=False):
        if token and holder == seat:
            found.setdefault(token, []).append(region)
    return {good: tuple(found[good]) for good in (*state.rules.goods, WILD) if good in found}


def counted(state: State, seat: int, holders: list[int | None]) -> dict[str, int]:
    """Return how many of each good the seat has, before wild cards are assigned."""
    return {good: _total(state.rules, items) for good, items in goods_of(state, seat, holders).items()}


def _total(rules: Edition, items: Iterable[str]) -> int:
    """Add up cards, which count as printed, and regions, which count as one."""
    return sum(rules.cards[item].total("good") if item in rules.cards else 1 for item in items)


def points(rules: Edition, good: str, n: int) -> int:
    """Return the points for `n` of a good: those of the highest step reached."""
    reached = zip(rules.goods_points, rules.goods[good], strict=True)
    return max((gain for gain, needed in reached if n >= needed), default=0)


@lru_cache(maxsize=1 << 12)
def best_placing(slug: str, counts: tuple[tuple[str, int], ...], wilds: int) -> tuple[int, ...]:
    """Return how many wild cards to add to each good for the most points: all of them, if there is any good."""
    rules = edition(slug)

    def gain(placing: tuple[int, ...]) -> int:
        return sum(points(rules, good, n + more) for (good, n), more in zip(counts, placing, strict=True))

    return max(_placings(len(counts), wilds), key=gain)


def _placings(goods: int, wilds: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to add wild cards to a number of goods."""
    if not goods:
        yield ()
        return
    for n in range(wilds if goods == 1 else 0, wilds + 1):
        yield from ((n, *rest) for rest in _placings(goods - 1, wilds - n))
