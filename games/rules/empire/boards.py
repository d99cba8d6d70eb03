"""Board sides, how they lie together, and the map that they make.

A layout is a text, `centre:desert:0,north:fern:1,east:volcano:2,south:horse_shoe:3`: place, side, quarter turns
clockwise (R64). Directions count clockwise from the top: 0 top, 1 right, 2 bottom, 3 left.
"""

import operator
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from games.rules.empire.actions import Build, Move, Place, moves
from games.rules.empire.edition import load

EDGES = ("top", "right", "bottom", "left")
DIRECTIONS = {"north": 0, "east": 1, "south": 2, "west": 3}
CENTRE = "centre"
PLACES = (CENTRE, *DIRECTIONS)


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a board, upright as printed. `board` tells which two sides are one piece of cardboard."""

    board: int
    regions: tuple[str, ...]
    islands: tuple[tuple[str, ...], ...]
    land: tuple[tuple[str, str], ...]
    water: tuple[tuple[str, str], ...]
    edges: dict[str, str]
    holds_start: bool = False

    def facing(self, direction: int, turns: int) -> str:
        """The region whose dotted line leaves in that direction once the board has been turned."""
        return self.edges[EDGES[(direction - turns) % 4]]


class Laid(NamedTuple):
    """A side in its place."""

    place: str
    side: str
    turns: int


class Map(msgspec.Struct, frozen=True, eq=False):
    """Everything the rules ask about a layout. Regions go by their number, in `regions` order.

    `land` and `sea` hold the neighbours of each region, `land_moves` the moves to those by land, `moves` to both. A
    way by land hides one over water between the same two regions (R56).
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
    starts: tuple[int, ...]


@cache
def sides() -> dict[str, Side]:
    """The eight sides of the Legends boards."""
    return msgspec.convert(load("boards"), dict[str, Side])


def layout_text(laid: tuple[Laid, ...]) -> str:
    """The layout as text, centre first and then clockwise from the north."""
    in_order = sorted(laid, key=lambda one: PLACES.index(one.place))
    return ",".join(f"{one.place}:{one.side}:{one.turns}" for one in in_order)


def parse_layout(text: str) -> tuple[Laid, ...]:
    """The boards of a layout. Raises `ValueError` or `KeyError` for a text that is none."""
    laid = tuple(Laid(place, side, int(turns)) for place, side, turns in (one.split(":") for one in text.split(",")))
    if layout_text(laid) != text or any(one.side not in sides() or one.turns not in range(4) for one in laid):
        raise ValueError(text)
    return laid


@lru_cache(maxsize=4096)
def map_of(layout: str) -> Map:
    """The map that a layout makes."""
    laid = parse_layout(layout)
    boards = [sides()[one.side] for one in laid]
    regions = tuple(region for board in boards for region in board.regions)
    index = {region: number for number, region in enumerate(regions)}
    joined = joins(laid)
    land = _neighbours(index, [pair for board in boards for pair in board.land])
    sea = _neighbours(index, [pair for board in boards for pair in board.water] + joined)
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
        places=tuple(Place(region) for region in regions),
        builds=tuple(Build(region) for region in regions),
        starts=tuple(sorted(index[region] for region in starts(laid))),
    )


def joins(laid: tuple[Laid, ...]) -> list[tuple[str, str]]:
    """The regions that the dotted lines of touching boards join (R2): the central board with each board around it."""
    centre = laid[0]
    return [
        (
            sides()[centre.side].facing(DIRECTIONS[other.place], centre.turns),
            sides()[other.side].facing((DIRECTIONS[other.place] + 2) % 4, other.turns),
        )
        for other in laid[1:]
    ]


def starts(laid: tuple[Laid, ...]) -> set[str]:
    """Where the start region may be: on the central board, joined over water to another board (L step 1, R38)."""
    if any(sides()[one.side].holds_start for one in laid[1:]):
        return set()
    return {ours for ours, _ in joins(laid)}


def _neighbours(index: dict[str, int], pairs: list[tuple[str, str]]) -> tuple[tuple[int, ...], ...]:
    found: list[set[int]] = [set() for _ in index]
    for one, other in pairs:
        found[index[one]].add(index[other])
        found[index[other]].add(index[one])
    return tuple(tuple(sorted(neighbours)) for neighbours in found)


def _moves(regions: tuple[str, ...], neighbours: tuple[tuple[int, ...], ...]) -> tuple[tuple[Move, ...], ...]:
    return tuple(moves(regions[r], tuple(regions[n] for n in neighbours[r])) for r in range(len(regions)))
