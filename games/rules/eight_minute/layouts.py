"""The shapes of layouts, and the rules for the start region; each edition uses one of these."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from games.rules.eight_minute.boards import CENTRE, Laid, joins, layout_text, map_of, parse_layout, sides
from games.rules.eight_minute.edition import Edition

AROUND = ("north", "east", "south", "west")
OPPOSITE = (("north", "south"), ("east", "west"))
SHAPES: dict[str, tuple[tuple[str, ...], ...]] = {  # for each shape, the possible sets of places (R64)
    "t": tuple((CENTRE, *(place for place in AROUND if place != left_out)) for left_out in AROUND),
    "l": tuple((CENTRE, *pair) for pair in combinations(AROUND, 2) if pair not in OPPOSITE),
    "row": ((CENTRE, "east", "west"),),
    "rectangle": (("north-west", "north-east", "south-west", "south-east"),),
    "board": (("board",),),
}
ALIKE = ("rectangle", "row")  # all boards face the same way, upright or sideways
UPRIGHT = ("board",)


def boards_needed(shape: str) -> int:
    return len(SHAPES[shape][0])


def turns_that_fit(shape: str, laid: tuple[Laid, ...]) -> range:
    """Return the quarter turns possible for one more board next to those already laid (R64)."""
    if shape in UPRIGHT:
        return range(1)
    return range(laid[0].turns % 2, 4, 2) if shape in ALIKE and laid else range(4)


def free_places(shape: str, laid: tuple[Laid, ...]) -> list[str]:
    """Return the places for one more board."""
    taken = {one.place for one in laid}
    found = {place for places in SHAPES[shape] if taken <= set(places) for place in places if place not in taken}
    return [place for place in dict.fromkeys(place for places in SHAPES[shape] for place in places) if place in found]


def sides_left(in_play: tuple[str, ...], laid: tuple[Laid, ...]) -> list[str]:
    """Return the sides whose board has not been laid yet (R38)."""
    used = {sides()[one.side].board for one in laid}
    return [side for side in in_play if sides()[side].board not in used]


def next_boards(rules: Edition, shape: str, layout: str) -> list[Laid]:
    """Return every way to lay one more board that still allows a start region (R65)."""
    return list(_next_boards(rules.start_rule, rules.sides, shape, layout))


@lru_cache(maxsize=4096)
def _next_boards(rule: str, in_play: tuple[str, ...], shape: str, layout: str) -> tuple[Laid, ...]:
    laid = parse_layout(layout) if layout else ()
    return tuple(one for one in _fitting(in_play, shape, laid) if leaves_a_start(rule, in_play, shape, (*laid, one)))


def _fitting(in_play: tuple[str, ...], shape: str, laid: tuple[Laid, ...]) -> Iterator[Laid]:
    for side in sides_left(in_play, laid):
        for place in free_places(shape, laid):
            if may_lie(side, shape, place):
                yield from (Laid(place, side, turns) for turns in turns_that_fit(shape, laid))


def may_lie(side: str, shape: str, place: str) -> bool:
    """Return whether a side may be laid there:

    Desert must contain the start, which in a T is on the central board (R38).
    """
    return place == CENTRE or shape != "t" or not sides()[side].holds_start


def leaves_a_start(rule: str, in_play: tuple[str, ...], shape: str, laid: tuple[Laid, ...]) -> bool:
    """Return whether a layout can still be completed so that it has a start region.

    Usually the first attempt succeeds.
    """
    if len(laid) == boards_needed(shape):
        return bool(starts(rule, layout_text(laid)))
    return any(leaves_a_start(rule, in_play, shape, (*laid, one)) for one in _fitting(in_play, shape, laid))


@lru_cache(maxsize=4096)
def starts(rule: str, layout: str) -> tuple[str, ...]:
    """Return the possible start regions, in the map's order."""
    laid = parse_layout(layout)
    found = START_RULES[rule](laid)
    return tuple(region for one in laid for region in sides()[one.side].regions if region in found)


def _overseas(laid: tuple[Laid, ...]) -> set[str]:
    """L: connected over water to another board; in a T on the central board; on Desert if in play (R38, R63)."""
    homes = laid[:1] if laid[0].place == CENTRE else laid
    if any(sides()[one.side].holds_start for one in laid):
        homes = tuple(one for one in homes if sides()[one.side].holds_start)
    at_home = {region for one in homes for region in sides()[one.side].regions}
    return {region for pair in joins(laid) for region in pair} & at_home


def _harbour(laid: tuple[Laid, ...]) -> set[str]:
    """P: a route over water to another continent, and a second one, or a land neighbour with one (R62)."""
    layout = map_of(layout_text(laid))
    continent = {r: number for number, island in enumerate(layout.islands) for r in island}
    links = [sum(continent[n] != continent[r] for n in layout.sea[r]) for r in range(len(layout.regions))]
    return {
        region
        for r, region in enumerate(layout.regions)
        if links[r] > 1 or (links[r] and any(links[n] for n in layout.land[r]))
    }


def _printed(laid: tuple[Laid, ...]) -> set[str]:
    """C: the region printed on the board."""
    return {sides()[one.side].start for one in laid}


START_RULES: dict[str, Callable[[tuple[Laid, ...]], set[str]]] = {
    "overseas": _overseas,
    "harbour": _harbour,
    "printed": _printed,
}
