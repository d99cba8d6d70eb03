"""Board sides, their layout, and the map they form.

A layout is a text, `centre:desert:0,north:fern:1,east:volcano:2,south:horse_shoe:3`: place, side, quarter turns
clockwise (R64); the classic board is alone, `board:side-a:0`. In the map of a position, the two regions connected by
portals follow: `;v3;m1`. Directions count clockwise: 0 top, 1 right, 2 bottom, 3 left.
"""

import operator
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

    `land` and `sea` are the neighbours of each region, `land_moves` the moves to land neighbours, `moves` to both. If
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
    in_order = sorted(laid, key=lambda one: PLACES.index(one.place))
    return ",".join(f"{one.place}:{one.side}:{one.turns}" for one in in_order)


def parse_layout(text: str) -> tuple[Laid, ...]:
    """Return the boards of a layout. Raises `ValueError` or `KeyError` for an invalid text."""
    laid = tuple(Laid(place, side, int(turns)) for place, side, turns in (one.split(":") for one in text.split(",")))
    if layout_text(laid) != text or any(one.side not in sides() or one.turns not in range(4) for one in laid):
        raise ValueError(text)
    return laid


@lru_cache(maxsize=4096)
def map_of(layout: str) -> Map:
    """Return the map of a layout, including its portals; an empty map if there are no boards."""
    boards_alone, *portals = layout.split(";")
    if portals:
        return _with_portals(map_of(boards_alone), portals[0], portals[1])
    laid = parse_layout(layout) if layout else ()
    boards = [sides()[one.side] for one in laid]
    regions = tuple(region for board in boards for region in board.regions)
    index = {region: number for number, region in enumerate(regions)}
    land = _neighbours(index, [pair for board in boards for pair in board.land])
    sea = _neighbours(index, [pair for board in boards for pair in board.water] + joins(laid))
    sea = tuple(tuple(n for n in sea[r] if n not in land[r]) for r in range(len(regions)))
    land_moves, sea_moves = _moves(regions, land), _moves(regions, sea)
    return Map(
        layout=layout,
        laid=laid,
        regions=regions,
        index=index,
        side_of=tuple(one.side for one, board in zip(laid, boards, strict=True) for _ in board.regions),
        islands=tuple(tuple(index[r] for r in island) for board in boards for island in board.islands),
        land=land,
        sea=sea,
        land_moves=land_moves,
        moves=tuple(map(operator.add, land_moves, sea_moves)),
        places=places(regions),
        builds=builds(regions),
    )


def _with_portals(plain: Map, one: str, other: str) -> Map:
    """Return the map with two more regions connected by land, for movement only (R29, R56)."""
    pair = plain.index[one], plain.index[other]
    land, sea = list(plain.land), list(plain.sea)
    land_moves, both = list(plain.land_moves), list(plain.moves)
    for here, there in (pair, pair[::-1]):
        land[here] = tuple(sorted({*land[here], there}))
        sea[here] = tuple(n for n in sea[here] if n != there)
        land_moves[here] = _moves_from(plain.regions, here, land[here])
        both[here] = land_moves[here] + _moves_from(plain.regions, here, sea[here])
    return msgspec.structs.replace(
        plain,
        portals=(one, other),
        land=tuple(land),
        sea=tuple(sea),
        land_moves=tuple(land_moves),
        moves=tuple(both),
    )


def joins(laid: tuple[Laid, ...]) -> list[tuple[str, str]]:
    """Return the pairs of regions connected by the dotted lines of touching boards (R2)."""
    return [
        (sides()[one.side].facing(way, one.turns), sides()[other.side].facing((way + 2) % 4, other.turns))
        for one, other in combinations(laid, 2)
        if (way := _way(one, other)) is not None
    ]


def _way(one: Laid, other: Laid) -> int | None:
    """Return the direction in which a board touches another one, or None."""
    (x, y), (other_x, other_y) = GRID[one.place], GRID[other.place]
    return DIRECTIONS.get((other_x - x, other_y - y))


def _neighbours(index: dict[str, int], pairs: list[tuple[str, str]]) -> tuple[tuple[int, ...], ...]:
    found: list[set[int]] = [set() for _ in index]
    for one, other in pairs:
        found[index[one]].add(index[other])
        found[index[other]].add(index[one])
    return tuple(tuple(sorted(neighbours)) for neighbours in found)


def _moves(regions: tuple[str, ...], neighbours: tuple[tuple[int, ...], ...]) -> tuple[tuple[Move, ...], ...]:
    return tuple([_moves_from(regions, r, neighbours[r]) for r in range(len(regions))])


def _moves_from(regions: tuple[str, ...], r: int, neighbours: tuple[int, ...]) -> tuple[Move, ...]:
    return moves(regions[r], tuple([regions[n] for n in neighbours]))
