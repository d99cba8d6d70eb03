"""A board side on the page after a number of quarter turns: names, spots, glyphs and the title in the sea."""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from games.boards.eight_minute.build.drawing import SHEET, Drawing, Lettered, RegionPlan
from games.boards.eight_minute.build.lettering import width
from games.boards.eight_minute.build.places import Places, forward, places, turn, with_token
from games.boards.eight_minute.build.planting import Ground, Standing, nearest
from games.boards.eight_minute.build.sea import chart
from games.boards.eight_minute.build.stroke import Glyph

TITLE_SIZES = (15, 13.5, 12, 10.5, 9.5, 8.5)
TITLE_SPACING = 0.9
MARK = "triangle"  # where goods will lie
ROOMS = ((14.0, 14.0), (12.0, 12.0))  # for a token that is not on a mark
GRASS = {"tuft", "crack"}  # what a token may cover
SHIFTS = sorted(product(range(-32, 33, 4), repeat=2), key=lambda step: (step[0] ** 2 + step[1] ** 2, step))


class Title(NamedTuple):
    """A name in the sea: middle, letter size, lines."""

    x: float
    y: float
    size: float
    lines: list[str]


class Land(NamedTuple):
    """The upright board: regions, blocked areas (lakes, bridgeheads), and the ways over water."""

    regions: dict[str, Polygon]
    closed: list[Polygon]
    ways: list[BaseGeometry]


class Page(NamedTuple):
    places: dict[str, Places]
    standing: list[Standing]
    titles: list[Title]


def page(drawing: Drawing, land: Land, glyphs: dict[str, Glyph], pose: int) -> Page:
    hand = np.random.default_rng(1 + pose)
    ground = Ground(glyphs, hand)
    shapes = {region: turn(shape, pose) for region, shape in land.regions.items()}
    ground.reserve([turn(one, pose) for one in land.closed])
    found = {plan.id: _settle(drawing, plan, shapes[plan.id], ground, pose) for plan in drawing.regions}
    ground.reserve([box for one in found.values() for box in one.boxes])
    _cover(drawing, ground, shapes)
    _tokens(found, ground, shapes)
    titles = _sea(drawing, ground, shapes, [turn(line, pose) for line in land.ways], pose)
    return Page(found, ground.standing, titles)


def _settle(drawing: Drawing, plan: RegionPlan, shape: Polygon, ground: Ground, pose: int) -> Places:
    """Place a region's unique glyphs close to where the drawing wants them, with room for name and pieces."""
    heroes = [hero for hero in drawing.heroes if hero["in"] == plan.id]
    for dx, dy in SHIFTS:
        standing = [_hero(hero, dx, dy, pose) for hero in heroes]
        boxes = [one.box(ground.glyphs[one.name], 0.5) for one in standing]
        if not all(_stands(one, shape, ground) for one in standing):
            continue
        if found := places(shape, plan.name, ground.taken + boxes, plan.id in drawing.facts.triangles):
            ground.reserve(boxes)
            if found.token:
                ground.standing.append(Standing(MARK, *found.token, 1))
            for one in standing:
                ground.set_down(one, one.name)
            return found
    raise ValueError(f"no room for {plan.name} and its pieces")


def _tokens(found: dict[str, Places], ground: Ground, shapes: dict[str, Polygon]) -> None:
    """Find a token place for each region without one: off the glyphs, or else where the last piece would be."""
    stand = [one.box(ground.glyphs[one.name]) for one in ground.standing if one.name.split("-")[0] not in GRASS]
    for region, one in found.items():
        if not one.token and not any(with_token(one, shapes[region], ground.taken + stand, room) for room in ROOMS):
            one.token = one.spots[-1]


def _hero(hero: dict[str, Any], dx: float, dy: float, pose: int) -> Standing:
    x, y = forward((hero["at"][0], hero["at"][1]), pose)
    return Standing(hero["kind"], x + dx, y + dy, hero.get("size", 1))


def _stands(one: Standing, shape: Polygon, ground: Ground) -> bool:
    """Return whether a glyph's lower half is on its own land; smoke and flags may extend beyond it."""
    glyph = ground.glyphs[one.name]
    foot = one.y + glyph.height * one.size / 2
    wide = glyph.width * one.size / 2
    lower = shapely.box(one.x - wide, one.y, one.x + wide, foot)
    return bool(shape.buffer(-0.8).contains(lower))


def _cover(drawing: Drawing, ground: Ground, shapes: dict[str, Polygon]) -> None:
    for cover in drawing.cover:
        home = shapes[cover["in"]].buffer(-1.6)
        ground.scatter(cover["kind"], cover["count"], home, cover.get("size", 1), cover.get("clump", 7))


def _sea(
    drawing: Drawing, ground: Ground, shapes: dict[str, Polygon], routes: list[BaseGeometry], pose: int
) -> list[Title]:
    land = shapely.union_all(list(shapes.values()))
    water = (
        turn(chart(drawing), pose).buffer(-4).difference(land.buffer(4)).difference(shapely.union_all(routes).buffer(4))
    )
    titles = []
    for name in drawing.names:
        titles.append(_title(name, water, pose))
        water = water.difference(_title_box(titles[-1]).buffer(2))
    for one in drawing.sea:
        water = _creature(one, ground, water, pose)
    coast = water.buffer(-1).intersection(land.buffer(16))
    sheets = drawing.size[0] * drawing.size[1] / (SHEET[0] * SHEET[1])
    ground.scatter("rock", round(5 * sheets), coast)
    ground.scatter("wave", round(12 * sheets), water.difference(land.buffer(8)))
    return titles


def _creature(one: dict[str, Any], ground: Ground, water: BaseGeometry, pose: int) -> BaseGeometry:
    name, size = one["kind"], one.get("size", 1)
    if name not in ground.glyphs:
        ground.scatter(name, one["count"], water, size)
        return water
    glyph = ground.glyphs[name]
    spot = nearest(forward((one["at"][0], one["at"][1]), pose), (glyph.width * size, glyph.height * size), water)
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


def _title(name: Lettered, water: BaseGeometry, pose: int) -> Title:
    """Place a name as large as the sea allows, near where the drawing wants it."""
    want = forward(name.at, pose)
    for size in TITLE_SIZES:
        spots = [(nearest(want, _title_size(lines, size), water), lines) for lines in _settings(name.text)]
        fits = [(spot, lines) for spot, lines in spots if spot]
        if fits:
            spot, lines = min(
                fits, key=lambda fit: np.hypot(fit[0][0] - want[0], fit[0][1] - want[1]) + 4 * len(fit[1])
            )
            return Title(*spot, size, lines)
    raise ValueError(f"no room in the sea for {name.text}")


def _title_box(title: Title) -> Polygon:
    wide, high = _title_size(title.lines, title.size)
    return shapely.box(title.x - wide / 2, title.y - high / 2, title.x + wide / 2, title.y + high / 2)
