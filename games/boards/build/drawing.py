"""A drawing by hand, read from TOML: coarse coasts, cuts between regions, and what stands where."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "drawings"
SIDES = ("volcano", "fern", "meadows", "citadel", "desert", "horse_shoe", "ice_islands", "tall_islands")
WIDTH, HEIGHT = 200, 300

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
class Drawing:
    side: str
    title: str
    title_at: Point
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
    """`12,30 14,31` as points."""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def _island(table: dict[str, Any]) -> Island:
    lines = {kind: [points(line) for line in table.get(kind, [])] for kind in ("cuts", "lakes", "inlets", "capes")}
    return Island(points(table["coast"]), **lines)


def _region(region: str, table: dict[str, Any]) -> RegionPlan:
    x, y = table["at"]
    return RegionPlan(region, table["name"], (x, y), table["tone"])


def read(side: str) -> Drawing:
    table = tomllib.loads((FOLDER / f"{side}.toml").read_text())
    plan = table["plan"]
    return Drawing(
        side=side,
        title=table["title"]["text"],
        title_at=(table["title"]["at"][0], table["title"]["at"][1]),
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
