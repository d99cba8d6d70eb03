"""Board sides, the layouts they can be laid in, and the map that a layout forms.

A layout is a text, `centre:desert:0,north:fern:1,east:volcano:2,south:horse_shoe:3`: place, side, quarter turns
clockwise (R64); the classic board is alone, `board:side-a:0`. In the map of a position, the two regions connected by
portals follow: `;v3;m1`. Directions count clockwise: 0 top, 1 right, 2 bottom, 3 left.
"""

import operator
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import msgspec

from games.rules.eight_minute.actions import Build, Move, Place, builds, moves, places
from games.rules.eight_minute.edition import load

EDGES = ("top", "right", "bottom", "left")
CENTRE = "centre"
GRID = {
    "centre": (0, 0), "north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0),
    "north-west": (0, 0), "north-east": (1, 0), "south-west": (0, 1), "south-east": (1, 1),
    "board": (0, 0),
}  # fmt: skip
PLACES = tuple(GRID)
DIRECTIONS = {(0, -1): 0, (1, 0): 1, (0, 1): 2, (-1, 0): 3}
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


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a board, upright as printed. Sides with the same `board` are printed on the same board.

    Only the classic board has `start` and `triangles`.
    """

    board: int
    regions: tuple[str, ...]
    islands: tuple[tuple[str, ...], ...]
    land: tuple[tuple[str, str], ...]
    water: tuple[tuple[str, str], ...]
    edges: dict[str, str]
    holds_start: bool = False
    start: str = ""
    triangles: tuple[str, ...] = ()

    def facing(self, direction: int, turns: int) -> str:
        """Return the region whose dotted line leaves in that direction after the board has been turned."""
        return self.edges[EDGES[(direction - turns) % 4]]


class Laid(NamedTuple):
    """A side at its place, with its quarter turns."""

    place: str
    side: str
    turns: int


class Map(msgspec.Struct, frozen=True, eq=False):
    """The facts about a layout that the rules need. Regions are numbered in `regions` order; continents are islands.

    `land` and `sea` are the neighbors of each region, `land_moves` the moves to land neighbors, `moves` to both. If
    two regions are connected by land and by water, only the land connection counts (R56).
    """

    layout: str
    laid: tuple[Laid, ...]
    regions: tuple[str, ...]
    index: dict[str, int]
    side_of: tuple[str, ...]
    islands: tuple[tuple[int, ...], ...]
    land: tuple[tuple[int, ...], ...]
    sea: tuple[tuple[int, ...], ...]
    land_moves: tuple[tuple[Move, ...], ...]
    moves: tuple[tuple[Move, ...], ...]
    places: tuple[Place, ...]
    builds: tuple[Build, ...]
    portals: tuple[str, ...] = ()


@cache
def sides() -> dict[str, Side]:
    """Return the eight sides of the Legends boards and the two of the classic one."""
    return msgspec.convert(load("boards") | load("classic_boards"), dict[str, Side])


def layout_text(laid: tuple[Laid, ...]) -> str:
    """Return the layout as text: the center first and then clockwise from the north, or row by row."""
    in_order = sorted(laid, key=lambda board: PLACES.index(board.place))
    return ",".join(f"{board.place}:{board.side}:{board.turns}" for board in in_order)


def parse_layout(text: str) -> tuple[Laid, ...]:
    """Return the boards of a layout. Raises `ValueError` or `KeyError` for an invalid text."""
    laid = tuple(Laid(place, side, int(turns)) for place, side, turns in (word.split(":") for word in text.split(",")))
    if layout_text(laid) != text or any(board.side not in sides() or board.turns not in range(4) for board in laid):
        raise ValueError(text)
    return laid


@lru_cache(maxsize=4096)
def map_of(layout: str) -> Map:
    """Return the map of a layout, including its portals; an empty map if there are no boards."""
    boards_alone, *portals = layout.split(";")
    laid = parse_layout(boards_alone) if boards_alone else ()
    boards = [sides()[placed.side] for placed in laid]
    regions = tuple(region for board in boards for region in board.regions)
    index = {region: number for number, region in enumerate(regions)}
    by_land = [pair for board in boards for pair in board.land]
    if portals:
        # Portals connect two regions by land, for movement only (R29, R56).
        by_land.append((portals[0], portals[1]))
    land = _neighbours(index, by_land)
    sea = _neighbours(index, [pair for board in boards for pair in board.water] + joins(laid))
    sea = tuple(tuple(n for n in sea[r] if n not in land[r]) for r in range(len(regions)))
    land_moves, sea_moves = _moves(regions, land), _moves(regions, sea)
    return Map(
        layout=boards_alone, laid=laid, regions=regions, index=index,
        side_of=tuple(placed.side for placed, board in zip(laid, boards, strict=True) for _ in board.regions),
        islands=tuple(tuple(index[r] for r in island) for board in boards for island in board.islands), land=land,
        sea=sea, land_moves=land_moves, moves=tuple(map(operator.add, land_moves, sea_moves)),
        places=places(regions), builds=builds(regions), portals=tuple(portals),
    )  # fmt: skip


def joins(laid: tuple[Laid, ...]) -> list[tuple[str, str]]:
    """Return the pairs of regions connected by the dotted lines of touching boards (R2)."""
    pairs = []
    for board, other in combinations(laid, 2):
        (x, y), (other_x, other_y) = GRID[board.place], GRID[other.place]
        way = DIRECTIONS.get((other_x - x, other_y - y))
        if way is not None:
            here = sides()[board.side].facing(way, board.turns)
            there = sides()[other.side].facing((way + 2) % 4, other.turns)
            pairs.append((here, there))
    return pairs


def _neighbours(index: dict[str, int], pairs: list[tuple[str, str]]) -> tuple[tuple[int, ...], ...]:
    near: list[set[int]] = [set() for _ in index]
    for region, other in pairs:
        near[index[region]].add(index[other])
        near[index[other]].add(index[region])
    return tuple(tuple(sorted(others)) for others in near)


def _moves(regions: tuple[str, ...], neighbours: tuple[tuple[int, ...], ...]) -> tuple[tuple[Move, ...], ...]:
    return tuple([moves(regions[r], tuple([regions[n] for n in near])) for r, near in enumerate(neighbours)])


@lru_cache(maxsize=4096)
def starts(rule: str, layout: str) -> tuple[str, ...]:
    """Return the possible start regions by the edition's rule, in the map's order."""
    laid = parse_layout(layout)
    if rule == "printed":
        # C: the region printed on the board
        candidates = {sides()[board.side].start for board in laid}
    elif rule == "harbour":
        # P: a route over water to another continent, and a second one, or a land neighbor with one (R62)
        plain = map_of(layout)
        continent = {r: number for number, island in enumerate(plain.islands) for r in island}
        links = [sum(continent[n] != continent[r] for n in sea) for r, sea in enumerate(plain.sea)]
        candidates = {
            region
            for r, region in enumerate(plain.regions)
            if links[r] > 1 or (links[r] and any(links[n] for n in plain.land[r]))
        }
    else:
        # L: connected over water to another board; in a T on the central board; on Desert if in play (R38, R63)
        homes = laid[:1] if laid[0].place == CENTRE else laid
        if any(sides()[board.side].holds_start for board in laid):
            homes = tuple(board for board in homes if sides()[board.side].holds_start)
        at_home = {region for board in homes for region in sides()[board.side].regions}
        candidates = {region for pair in joins(laid) for region in pair} & at_home
    return tuple(region for board in laid for region in sides()[board.side].regions if region in candidates)


# Laying boards one by one


def boards_needed(shape: str) -> int:
    return len(SHAPES[shape][0])


def turns_that_fit(shape: str, laid: tuple[Laid, ...]) -> range:
    """Return the quarter turns possible for one more board next to those already laid (R64)."""
    if shape in UPRIGHT:
        return range(1)
    return range(laid[0].turns % 2, 4, 2) if shape in ALIKE and laid else range(4)


def free_places(shape: str, laid: tuple[Laid, ...]) -> list[str]:
    taken = {board.place for board in laid}
    free = {place for places in SHAPES[shape] if taken <= set(places) for place in places if place not in taken}
    return [place for place in dict.fromkeys(place for places in SHAPES[shape] for place in places) if place in free]


def sides_left(in_play: tuple[str, ...], laid: tuple[Laid, ...]) -> list[str]:
    """Return the sides whose board has not been laid yet (R38)."""
    used = {sides()[board.side].board for board in laid}
    return [side for side in in_play if sides()[side].board not in used]


def may_lie(side: str, shape: str, place: str) -> bool:
    """Return whether a side may be laid there: Desert must contain the start, which in a T is in the center (R38)."""
    return place == CENTRE or shape != "t" or not sides()[side].holds_start


@lru_cache(maxsize=4096)
def next_boards(rule: str, in_play: tuple[str, ...], shape: str, layout: str) -> tuple[Laid, ...]:
    """Return every way to lay one more board that still allows a start region (R65)."""
    laid = parse_layout(layout) if layout else ()
    return tuple(
        board for board in _fitting(in_play, shape, laid) if leaves_a_start(rule, in_play, shape, (*laid, board))
    )


def _fitting(in_play: tuple[str, ...], shape: str, laid: tuple[Laid, ...]) -> Iterator[Laid]:
    for side in sides_left(in_play, laid):
        for place in free_places(shape, laid):
            if may_lie(side, shape, place):
                yield from (Laid(place, side, turns) for turns in turns_that_fit(shape, laid))


def leaves_a_start(rule: str, in_play: tuple[str, ...], shape: str, laid: tuple[Laid, ...]) -> bool:
    """Return whether a layout can be completed so that it has a start region. Usually the first attempt succeeds."""
    if len(laid) == boards_needed(shape):
        return bool(starts(rule, layout_text(laid)))
    return any(leaves_a_start(rule, in_play, shape, (*laid, board)) for board in _fitting(in_play, shape, laid))
