"""One complete board side: the contents of its JSON. Coordinates are tenths of a unit of the upright sheet.

The upright parts (names, spots, glyphs and the titles in the sea) are laid out once for each quarter turn.
"""

from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from games.boards.eight_minute.build import coast
from games.boards.eight_minute.build.drawing import (
    SHEET,
    Drawing,
    Lettered,
    Line,
    RegionPlan,
    lettering,
    points,
    read,
    width,
)
from games.boards.eight_minute.build.glyphs import Glyph, glyphs
from games.boards.eight_minute.build.places import (
    POSES,
    GlyphPlace,
    Ground,
    Places,
    around,
    back,
    forward,
    nearest,
    places,
    turn,
    with_token,
)

BORDER = 8  # the shortest visible border
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
    """A board side on the page after a number of quarter turns."""

    places: dict[str, Places]
    placed: list[GlyphPlace]
    titles: list[Title]


def sheet(side: str) -> dict[str, Any]:
    """Return the contents of a side's JSON. Raises `ValueError` if the drawing is wrong or too full."""
    drawing = read(side)
    shapes, islands = coast.regions(drawing)
    _check(drawing, shapes)
    land = unary_union(islands)
    routes, lakes = coast.routes(drawing, land), coast.lakes(drawing)
    bridges = [{"from": one["from"], "to": one["to"], "line": points(one["line"])} for one in drawing.bridges]
    ways = [LineString(one["line"]) for one in routes + bridges]
    closed = [Polygon(lake).buffer(1.5) for lake in lakes] + [LineString(one["line"]).buffer(4) for one in bridges]
    upright, drawn = Land(shapes, closed, ways), glyphs()
    pages = [_page(drawing, upright, drawn, pose) for pose in (POSES[:1] if drawing.alone else POSES)]
    return {
        "side": side,
        "title": drawing.title,
        "size": drawing.size,
        "alone": drawing.alone,
        "names": [name.text for name in drawing.names],
        "regions": [_region(plan, shapes[plan.id], pages) for plan in drawing.regions],
        "islands": [flat(coast.points_of(island)) for island in islands],
        "routes": [one | {"line": flat(one["line"])} for one in routes],
        "bridges": [one | {"line": flat(one["line"])} for one in bridges],
        "borders": coast.borders(list(shapes.values())),
        "ripples": coast.ripples(land, coast.chart(drawing)),
        "lakes": [coast.path(lake, True) for lake in lakes],
        "cliffs": coast.cliffs(islands) if drawing.cliffs else "",
        "pages": [_upright(page, pose) for pose, page in enumerate(pages)],
    }


def _check(drawing: Drawing, shapes: dict[str, Polygon]) -> None:
    """Raise an error unless the drawing's borders match its facts."""
    if not drawing.facts.land:
        return
    stated = {frozenset(pair) for pair in drawing.facts.land}
    wrong = []
    for one, other in combinations(shapes, 2):
        long = shapes[one].intersection(shapes[other]).length
        if (long >= BORDER) != (frozenset((one, other)) in stated):
            wrong.append(f"{one} {other} {long:.1f}")
        elif 0 < long < BORDER:
            wrong.append(f"{one} {other} touch")
    if wrong:
        raise ValueError(f"{drawing.side}: borders are wrong: {', '.join(wrong)}")


def flat(line: Line) -> list[int]:
    """Return points as `x, y, x, y …` in tenths."""
    return [round(10 * value) for point in line for value in point]


def _region(plan: RegionPlan, shape: Polygon, pages: list[Page]) -> dict[str, Any]:
    poses = []
    for pose, found in enumerate(page.places[plan.id] for page in pages):
        spots = [flat([back(spot, pose)]) for spot in found.spots]
        token = flat([back(found.token or found.spots[-1], pose)])
        label = flat([back(found.label, pose)])
        poses.append({"label": label, "lines": found.lines, "spots": spots, "token": token})
    outline = flat(coast.points_of(shape))
    washes = coast.washes(shape)
    return {"id": plan.id, "name": plan.name, "tone": plan.tone, "outline": outline, "washes": washes, "poses": poses}


def _upright(page: Page, pose: int) -> dict[str, Any]:
    """Return the glyphs of a page, and the middle of each name in the sea with its outlines around that."""
    placed = [[one.name, *flat([back((one.x, one.y), pose)]), round(100 * one.size)] for one in page.placed]
    titles = []
    for title in page.titles:
        high = title.size * 1.02
        first = 0.33 * title.size - high * (len(title.lines) - 1) / 2
        paths = [
            lettering(line, title.size, first + high * n, spacing=TITLE_SPACING) for n, line in enumerate(title.lines)
        ]
        titles.append([*flat([back((title.x, title.y), pose)]), "".join(paths)])
    return {"glyphs": placed, "titles": titles}


def glyph_table() -> dict[str, Any]:
    """Return every glyph: width, height, and strokes around the middle of its box."""
    return {name: [round(glyph.width, 1), round(glyph.height, 1), glyph.strokes] for name, glyph in glyphs().items()}


# A side on the page after a number of quarter turns


def _page(drawing: Drawing, land: Land, glyphs: dict[str, Glyph], pose: int) -> Page:
    ground = Ground(glyphs, np.random.default_rng(1 + pose))
    shapes = {region: turn(shape, pose) for region, shape in land.regions.items()}
    ground.taken += [turn(one, pose) for one in land.closed]
    found = {plan.id: _settle(drawing, plan, shapes[plan.id], ground, pose) for plan in drawing.regions}
    ground.taken += [box for one in found.values() for box in one.boxes]
    for cover in drawing.cover:
        home = shapes[cover["in"]].buffer(-1.6)
        ground.scatter(cover["kind"], cover["count"], home, cover.get("size", 1), cover.get("clump", 7))
    # A region without a token place gets one off the glyphs, or else where the last piece would be.
    stand = [one.box(glyphs[one.name]) for one in ground.placed if one.name.split("-")[0] not in GRASS]
    for region, one in found.items():
        if not one.token and not any(with_token(one, shapes[region], ground.taken + stand, room) for room in ROOMS):
            one.token = one.spots[-1]
    titles = _sea(drawing, ground, shapes, [turn(line, pose) for line in land.ways], pose)
    return Page(found, ground.placed, titles)


def _settle(drawing: Drawing, plan: RegionPlan, shape: Polygon, ground: Ground, pose: int) -> Places:
    """Place a region's unique glyphs close to where the drawing wants them, with room for name and pieces."""
    heroes = [hero for hero in drawing.heroes if hero["in"] == plan.id]
    for dx, dy in SHIFTS:
        placed = []
        for hero in heroes:
            x, y = forward((hero["at"][0], hero["at"][1]), pose)
            placed.append(GlyphPlace(hero["kind"], x + dx, y + dy, hero.get("size", 1)))
        if not all(_is_on_land(one, shape, ground) for one in placed):
            continue
        boxes = [one.box(ground.glyphs[one.name], 0.5) for one in placed]
        if found := places(shape, plan.name, ground.taken + boxes, plan.id in drawing.facts.triangles):
            ground.taken += boxes
            if found.token:
                ground.placed.append(GlyphPlace(MARK, *found.token, 1))
            for one in placed:
                ground.set_down(one, one.name)
            return found
    raise ValueError(f"no room for {plan.name} and its pieces")


def _is_on_land(one: GlyphPlace, shape: Polygon, ground: Ground) -> bool:
    """Return whether a glyph's lower half is on its own land; smoke and flags may extend beyond it."""
    glyph = ground.glyphs[one.name]
    foot = one.y + glyph.height * one.size / 2
    wide = glyph.width * one.size / 2
    lower = shapely.box(one.x - wide, one.y, one.x + wide, foot)
    return bool(shape.buffer(-0.8).contains(lower))


def _sea(
    drawing: Drawing, ground: Ground, shapes: dict[str, Polygon], routes: list[BaseGeometry], pose: int
) -> list[Title]:
    """Fill the sea: names, then creatures, rocks near the coast, and waves."""
    land = shapely.union_all(list(shapes.values()))
    water = turn(coast.chart(drawing), pose).buffer(-4)
    water = water.difference(land.buffer(4)).difference(shapely.union_all(routes).buffer(4))
    titles = []
    for name in drawing.names:
        title = _title(name, water, pose)
        titles.append(title)
        water = water.difference(around(title.x, title.y, *_title_size(title.lines, title.size)).buffer(2))
    for one in drawing.sea:
        kind, size = one["kind"], one.get("size", 1)
        if kind not in ground.glyphs:  # a common thing
            ground.scatter(kind, one["count"], water, size)
            continue
        glyph = ground.glyphs[kind]
        want = forward((one["at"][0], one["at"][1]), pose)
        if spot := nearest(want, (glyph.width * size, glyph.height * size), water):
            creature = GlyphPlace(kind, *spot, size)
            ground.set_down(creature, kind)
            water = water.difference(creature.box(glyph, 3))
    sheets = drawing.size[0] * drawing.size[1] / (SHEET[0] * SHEET[1])
    ground.scatter("rock", round(5 * sheets), water.buffer(-1).intersection(land.buffer(16)))
    ground.scatter("wave", round(12 * sheets), water.difference(land.buffer(8)))
    return titles


def _title(name: Lettered, water: BaseGeometry, pose: int) -> Title:
    """Place a name as large as the sea allows, near where the drawing wants it, in as few lines as possible."""
    want, words = forward(name.at, pose), name.text.split()
    settings = [[name.text], *([" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words)))]
    if len(words) > 2:
        settings.append(words)
    for size in TITLE_SIZES:
        fits = []
        for lines in settings:
            if spot := nearest(want, _title_size(lines, size), water):
                far = np.hypot(spot[0] - want[0], spot[1] - want[1])
                fits.append((far + 4 * len(lines), Title(*spot, size, lines)))
        if fits:
            return min(fits, key=lambda fit: fit[0])[1]
    raise ValueError(f"no room in the sea for {name.text}")


def _title_size(lines: list[str], size: float) -> tuple[float, float]:
    return max(width(line, size, TITLE_SPACING) for line in lines) + 2, size * (1.02 * len(lines) - 0.1)
