"""A hand-made drawing, read from TOML: coarse coasts, cuts between regions, and what is where."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "drawings"
SIDES = (
    *("volcano", "fern", "meadows", "citadel", "desert", "horse_shoe", "ice_islands", "tall_islands"),
    *("side-a", "side-b"),
)
SHEET = (200, 300)  # default width and height of a drawing

Point = tuple[float, float]
Line = list[Point]


@dataclass(frozen=True)
class Island:
    coast: Line
    cuts: list[Line]
    lakes: list[Line]
    inlets: list[Line]
    capes: list[Line]


@dataclass(frozen=True)
class RegionPlan:
    id: str
    name: str
    seed: Point
    tone: int


@dataclass(frozen=True)
class Lettered:
    """A name in the sea, roughly in place."""

    text: str
    at: Point


@dataclass(frozen=True)
class Facts:
    """Facts to check the drawing against: land neighbors. `triangles` are the regions for goods."""

    land: list[list[str]]
    triangles: list[str]


@dataclass(frozen=True)
class Drawing:
    """A drawing. `alone`: a single board that is never turned."""

    side: str
    title: str
    size: tuple[int, int]
    alone: bool
    names: list[Lettered]
    facts: Facts
    rough: float
    sharp: bool
    cliffs: bool
    islands: list[Island]
    regions: list[RegionPlan]
    bridges: list[dict[str, Any]]
    routes: list[dict[str, Any]]
    heroes: list[dict[str, Any]]
    cover: list[dict[str, Any]]
    sea: list[dict[str, Any]]


def points(text: str) -> Line:
    """Return `12,30 14,31` as points."""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def read(side: str) -> Drawing:
    """Read a side's drawing."""
    table = tomllib.loads((FOLDER / f"{side}.toml").read_text())
    plan, title = table["plan"], table["title"]
    wide, high = table.get("size", SHEET)
    islands = []
    for one in table["islands"]:
        lines = {kind: [points(line) for line in one.get(kind, [])] for kind in ("cuts", "lakes", "inlets", "capes")}
        islands.append(Island(points(one["coast"]), **lines))
    return Drawing(
        side=side,
        title=title["text"],
        size=(wide, high),
        alone=table.get("alone", False),
        # The chart's title if it has a place in the sea, or else the names of its islands, in order.
        names=[Lettered(one["text"], tuple(one["at"])) for one in ([title] if "at" in title else table["names"])],
        facts=Facts(**{"land": [], "triangles": []} | table.get("facts", {})),
        rough=table["rough"],
        sharp=table.get("sharp", False),
        cliffs=table.get("cliffs", False),
        islands=islands,
        regions=[
            RegionPlan(region, one["name"], tuple(one["at"]), one["tone"]) for region, one in table["regions"].items()
        ],
        bridges=table.get("bridges", []),
        routes=plan["routes"],
        heroes=plan["heroes"],
        cover=plan["cover"],
        sea=plan["sea"],
    )
