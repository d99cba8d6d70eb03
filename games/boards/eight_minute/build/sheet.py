"""One complete board side: the contents of its JSON. Coordinates are tenths of a unit of the upright sheet."""

from itertools import combinations
from typing import Any

from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

from games.boards.eight_minute.build import sea
from games.boards.eight_minute.build.coast import lakes, points_of, regions
from games.boards.eight_minute.build.drawing import Drawing, Line, RegionPlan, read
from games.boards.eight_minute.build.glyphs import glyphs
from games.boards.eight_minute.build.lettering import lettering
from games.boards.eight_minute.build.page import TITLE_SPACING, Land, Page, Title, page
from games.boards.eight_minute.build.places import POSES, Places, back

BORDER = 8  # the shortest visible border


def flat(line: Line) -> list[int]:
    return [round(10 * value) for point in line for value in point]


def _region_pose(found: Places, pose: int) -> dict[str, Any]:
    spots = [flat([back(spot, pose)]) for spot in found.spots]
    token = flat([back(found.token or found.spots[-1], pose)])
    return {"label": flat([back(found.label, pose)]), "lines": found.lines, "spots": spots, "token": token}


def _region(plan: RegionPlan, shape: Polygon, pages: list[Page]) -> dict[str, Any]:
    return {
        "id": plan.id,
        "name": plan.name,
        "tone": plan.tone,
        "outline": flat(points_of(shape)),
        "washes": [sea.area(shape), *sea.washes(shape)],
        "poses": [_region_pose(laid.places[plan.id], pose) for pose, laid in enumerate(pages)],
    }


def _title(title: Title, pose: int) -> list[Any]:
    """Return the middle of a name in the sea, and its outlines around that."""
    high = title.size * 1.02
    first = 0.33 * title.size - high * (len(title.lines) - 1) / 2
    lines = [lettering(text, title.size, first + high * n, spacing=TITLE_SPACING) for n, text in enumerate(title.lines)]
    return [*flat([back((title.x, title.y), pose)]), "".join(line.path for line in lines)]


def _page(laid: Page, pose: int) -> dict[str, Any]:
    glyphs = [[one.name, *flat([back((one.x, one.y), pose)]), round(100 * one.size)] for one in laid.standing]
    return {"glyphs": glyphs, "titles": [_title(title, pose) for title in laid.titles]}


def _lines(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one | {"line": flat(one["line"])} for one in found]


def _check(drawing: Drawing, shapes: dict[str, Polygon]) -> None:
    """Raise an error unless the drawing's borders match its facts."""
    if not drawing.facts.land:
        return
    drawn = {
        frozenset((one, other)): shapes[one].intersection(shapes[other]).length
        for one, other in combinations(shapes, 2)
    }
    stated = {frozenset(pair) for pair in drawing.facts.land}
    wrong = [f"{sorted(pair)} {long:.1f}" for pair, long in drawn.items() if (long >= BORDER) != (pair in stated)]
    touching = [f"{sorted(pair)} touch" for pair, long in drawn.items() if 0 < long < BORDER]
    if wrong or touching:
        raise ValueError(f"{drawing.side}: borders are wrong: {', '.join(wrong + touching)}")


def sheet(side: str) -> dict[str, Any]:
    drawing = read(side)
    shapes, islands = regions(drawing)
    _check(drawing, shapes)
    land = unary_union(islands)
    drawn = glyphs()
    routes, bridges = sea.routes(drawing, land), sea.bridges(drawing)
    ways = [LineString(one["line"]) for one in routes + bridges]
    waters = lakes(drawing)
    closed = [Polygon(lake).buffer(1.5) for lake in waters] + [LineString(one["line"]).buffer(4) for one in bridges]
    pages = [page(drawing, Land(shapes, closed, ways), drawn, pose) for pose in (POSES[:1] if drawing.alone else POSES)]
    return {
        "side": side,
        "title": drawing.title,
        "size": drawing.size,
        "alone": drawing.alone,
        "names": [name.text for name in drawing.names],
        "regions": [_region(plan, shapes[plan.id], pages) for plan in drawing.regions],
        "islands": [flat(points_of(island)) for island in islands],
        "routes": _lines(routes),
        "bridges": _lines(bridges),
        "borders": sea.borders(list(shapes.values())),
        "ripples": sea.ripples(land, sea.chart(drawing)),
        "lakes": [sea.path(lake, True) for lake in waters],
        "cliffs": sea.cliffs(islands) if drawing.cliffs else "",
        "pages": [_page(laid, pose) for pose, laid in enumerate(pages)],
    }


def glyph_table() -> dict[str, Any]:
    """Return every glyph: width, height, and strokes around the middle of its box."""
    return {name: [round(glyph.width, 1), round(glyph.height, 1), glyph.strokes] for name, glyph in glyphs().items()}
