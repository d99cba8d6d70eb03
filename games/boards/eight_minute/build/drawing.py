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
    """Facts to check the drawing against: land neighbours. `triangles` are the regions for goods."""

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


def _island(table: dict[str, Any]) -> Island:
    lines = {kind: [points(line) for line in table.get(kind, [])] for kind in ("cuts", "lakes", "inlets", "capes")}
    return Island(points(table["coast"]), **lines)


def _region(region: str, table: dict[str, Any]) -> RegionPlan:
    x, y = table["at"]
    return RegionPlan(region, table["name"], (x, y), table["tone"])


def _names(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the chart's title if it has a place in the sea, or else the names of its islands, in order."""
    return [table["title"]] if "at" in table["title"] else table["names"]


def read(side: str) -> Drawing:
    table = tomllib.loads((FOLDER / f"{side}.toml").read_text())
    plan = table["plan"]
    wide, high = table.get("size", SHEET)
    return Drawing(
        side=side,
        title=table["title"]["text"],
        size=(wide, high),
        alone=table.get("alone", False),
        names=[Lettered(one["text"], (one["at"][0], one["at"][1])) for one in _names(table)],
        facts=Facts(**{"land": [], "triangles": []} | table.get("facts", {})),
        rough=table["rough"],
        sharp=table.get("sharp", False),
        cliffs=table.get("cliffs", False),
        islands=[_island(island) for island in table["islands"]],
        regions=[_region(region, one) for region, one in table["regions"].items()],
        bridges=table.get("bridges", []),
        routes=plan["routes"],
        heroes=plan["heroes"],
        cover=plan["cover"],
        sea=plan["sea"],
    )
