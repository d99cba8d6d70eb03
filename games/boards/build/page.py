"""A board side as it lies on the page, upright or on its side: names, spots, glyphs and the title in the sea."""

from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from games.boards.build.drawing import Drawing, Point
from games.boards.build.glyphs import Glyph
from games.boards.build.lettering import width
from games.boards.build.places import Places, back, places, turn
from games.boards.build.planting import Ground, Standing, nearest
from games.boards.build.sea import CHART

TITLE_SIZES = (15, 13.5, 12, 10.5, 9.5, 8.5)
TITLE_SPACING = 0.9


class Title(NamedTuple):
    """The name of the chart: middle, size of the letters, lines."""

    x: float
    y: float
    size: float
    lines: list[str]


class Land(NamedTuple):
    """The upright board: regions, what nothing may stand on (lakes, bridgeheads), and the ways over water."""

    regions: dict[str, Polygon]
    closed: list[Polygon]
    ways: list[BaseGeometry]


class Page(NamedTuple):
    places: dict[str, Places]
    standing: list[Standing]
    title: Title


def _forward(point: Point, pose: int) -> Point:
    return (-point[1], point[0]) if pose else point


def page(drawing: Drawing, land: Land, glyphs: dict[str, Glyph], pose: int) -> Page:
    hand = np.random.default_rng(1 + pose)
    ground = Ground(glyphs, hand)
    shapes = {region: turn(shape, pose) for region, shape in land.regions.items()}
    heroes = _heroes(drawing, ground, pose) + [turn(one, pose) for one in land.closed]
    ground.reserve(heroes)
    found = {plan.id: places(shapes[plan.id], plan.name, heroes) for plan in drawing.regions}
    ground.reserve([box for one in found.values() for box in one.boxes])
    _cover(drawing, ground, shapes)
    title = _sea(drawing, ground, shapes, [turn(line, pose) for line in land.ways], pose)
    return Page(found, ground.standing, title)


def _heroes(drawing: Drawing, ground: Ground, pose: int) -> list[Polygon]:
    boxes = []
    for hero in drawing.heroes:
        x, y = _forward(tuple(hero["side_at"] if pose and "side_at" in hero else hero["at"]), pose)
        one = Standing(hero["kind"], x, y, hero.get("size", 1))
        ground.set_down(one, hero["kind"])
        boxes.append(one.box(ground.glyphs[one.name], 0.5))
    return boxes


def _cover(drawing: Drawing, ground: Ground, shapes: dict[str, Polygon]) -> None:
    for cover in drawing.cover:
        home = shapes[cover["in"]].buffer(-1.6)
        ground.scatter(cover["kind"], cover["count"], home, cover.get("size", 1), cover.get("clump", 7))


def _sea(
    drawing: Drawing, ground: Ground, shapes: dict[str, Polygon], routes: list[BaseGeometry], pose: int
) -> Title:
    land = shapely.union_all(list(shapes.values()))
    water = turn(CHART, pose).buffer(-4).difference(land.buffer(4)).difference(shapely.union_all(routes).buffer(4))
    title = _title(drawing, water, pose)
    water = water.difference(_title_box(title).buffer(2))
    for one in drawing.sea:
        water = _creature(one, ground, water, pose)
    coast = water.buffer(-1).intersection(land.buffer(16))
    ground.scatter("rock", 5, coast)
    ground.scatter("wave", 12, water.difference(land.buffer(8)))
    return title


def _creature(one: dict[str, Any], ground: Ground, water: BaseGeometry, pose: int) -> BaseGeometry:
    name, size = one["kind"], one.get("size", 1)
    if name not in ground.glyphs:
        ground.scatter(name, one["count"], water, size)
        return water
    glyph = ground.glyphs[name]
    spot = nearest(_forward(tuple(one["at"]), pose), (glyph.width * size, glyph.height * size), water)
    if spot is None:
        return water
    found = Standing(name, *spot, size)
    ground.set_down(found, name)
    return water.difference(found.box(glyph, 3))


def _settings(title: str) -> list[list[str]]:
    words = title.split()
    cuts = [[title], *([" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words)))]
    return [*cuts, words] if len(words) > 2 else cuts


def _title_size(lines: list[str], size: float) -> tuple[float, float]:
    return max(width(line, size, spacing=TITLE_SPACING) for line in lines) + 2, size * (1.02 * len(lines) - 0.1)


def _title(drawing: Drawing, water: BaseGeometry, pose: int) -> Title:
    """As large as the sea allows, near the place that the drawing wants."""
    want = _forward(tuple(drawing.title_at), pose)
    for size in TITLE_SIZES:
        spots = [(nearest(want, _title_size(lines, size), water), lines) for lines in _settings(drawing.title)]
        fits = [(spot, lines) for spot, lines in spots if spot]
        if fits:
            spot, lines = min(fits, key=lambda fit: np.hypot(fit[0][0] - want[0], fit[0][1] - want[1]) + 4 * len(fit[1]))
            return Title(*spot, size, lines)
    raise ValueError(f"no room in the sea for {drawing.title}")


def _title_box(title: Title) -> Polygon:
    wide, high = _title_size(title.lines, title.size)
    return shapely.box(title.x - wide / 2, title.y - high / 2, title.x + wide / 2, title.y + high / 2)


__all__ = ["Page", "Title", "back", "page"]
