"""From coarse lines to coasts with coves and capes, and from coasts and cuts to regions.

Regions share their border points.
"""

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

from games.boards.eight_minute.build.drawing import Drawing, Island, Line, Point

GRID = 0.1  # every stored point is on this grid, so equal points have equal numbers
SHORE, EDGE = 20, 10  # what is drawn nearer to the edge of the sheet than the one is pushed off to the other
PEN = 2.5  # minimum distance between turns of the pen


def wander(line: Line, rough: float, rng: np.random.Generator, closed: bool) -> Line:
    """Draw the line as with an unsteady pen: repeatedly halved, with each middle moved aside a little.

    Its roughness varies along the way, so that there are quiet bays between rugged capes.
    """
    path = np.array([*line, line[0]] if closed else line, float)
    mood = _moods(len(path), rng) if closed else np.ones(len(path))
    if closed:
        path = _tempered(path, mood)
    push = rough
    while np.hypot(*np.diff(path, axis=0).T).max() > PEN * 1.6:
        path, mood = _halve(path, mood, push, rng)
        push *= 0.86
    return [(float(x), float(y)) for x, y in (path[:-1] if closed else path)]


def _tempered(path: np.ndarray, mood: np.ndarray) -> np.ndarray:
    """Smooth coves and capes of the closed line in quiet stretches, and deepen them in rugged ones."""
    ring = path[:-1]
    middle = (np.roll(ring, 1, 0) + np.roll(ring, -1, 0)) / 2
    bent = middle + (ring - middle) * np.clip(mood[:-1], 0.4, 1.45)[:, None]
    return np.vstack([bent, bent[:1]])


def _moods(count: int, rng: np.random.Generator) -> np.ndarray:
    """Return the roughness at each point: between about a third and one and a half, changing slowly."""
    knots = rng.permutation(np.linspace(0.35, 1.6, max(count // 4, 3)))
    moods: np.ndarray = np.interp(np.linspace(0, len(knots), count), np.arange(len(knots) + 1), [*knots, knots[0]])
    return moods


def _halve(path: np.ndarray, mood: np.ndarray, push: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    step = np.diff(path, axis=0)
    length = np.hypot(*step.T)
    normal = np.stack([-step[:, 1], step[:, 0]], 1)
    swing = rng.normal(0, push, len(step)).clip(-2 * push, 2 * push) * mood[:-1]
    middle = (path[:-1] + path[1:]) / 2 + normal * swing[:, None]
    places = np.repeat(np.arange(len(step)) + 1, length > PEN)
    return (
        np.insert(path, places, middle[length > PEN], axis=0),
        np.insert(mood, places, ((mood[:-1] + mood[1:]) / 2)[length > PEN]),
    )


def soften(line: Line, closed: bool, passes: int = 1) -> Line:
    """Round the corners by averaging with the neighbours; ends of open lines stay in place."""
    path = np.array(line, float)
    for _ in range(passes):
        before, after = np.roll(path, 1, 0), np.roll(path, -1, 0)
        smooth = 0.25 * before + 0.5 * path + 0.25 * after
        if not closed:
            smooth[0], smooth[-1] = path[0], path[-1]
        path = smooth
    return [(float(x), float(y)) for x, y in path]


def inked(line: Line, drawing: Drawing, rng: np.random.Generator, *, closed: bool, rough: float) -> Line:
    passes = 0 if drawing.sharp else 2
    return [_off_edge(point, drawing) for point in soften(wander(line, rough, rng, closed), closed, passes)]


def _off_edge(point: Point, drawing: Drawing) -> Point:
    """Push a point inwards near the edge of the sheet, so that the sea surrounds the land."""
    return _push(point[0], drawing.size[0]), _push(point[1], drawing.size[1])


def _push(value: float, end: float) -> float:
    near = min(value, end - value)
    if near >= SHORE:
        return value
    pushed = EDGE + (SHORE - EDGE) * near / SHORE
    return pushed if value < end / 2 else end - pushed


def _wedge(line: Line, drawing: Drawing, rng: np.random.Generator) -> BaseGeometry:
    """Return an inlet from mouth to head, or a cape from root to tip: a tapering area."""
    path = np.array(inked(line, drawing, rng, closed=False, rough=0.12))
    step = np.gradient(path, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], 1) / np.hypot(*step.T)[:, None]
    half = np.linspace(4.6, 0.9, len(path)) * rng.uniform(0.75, 1.25, len(path))
    around = [*(path + normal * half[:, None]), *(path - normal * half[:, None])[::-1]]
    return Polygon(soften([(float(x), float(y)) for x, y in around], True, 1)).buffer(0)


def _simple(ring: LineString) -> Polygon:
    """Return the area enclosed by a pen line, even if it crosses itself."""
    return _biggest(unary_union(list(polygonize(unary_union(ring)))))


def _biggest(shape: BaseGeometry) -> Polygon:
    return max(shape.geoms, key=lambda part: part.area) if isinstance(shape, MultiPolygon) else shape


def _pieces(island: Island, drawing: Drawing, rng: np.random.Generator) -> list[Polygon]:
    """Cut the island along its borders; loose ends of cuts out at sea are dropped."""
    coast = inked(island.coast, drawing, rng, closed=True, rough=drawing.rough)
    outline = _simple(LineString([*coast, coast[0]]))
    for inlet in island.inlets:
        outline = _biggest(outline.difference(_wedge(inlet, drawing, rng)))
    for cape in island.capes:
        outline = _biggest(outline.union(_wedge(cape, drawing, rng)))
    outline = Polygon(outline.exterior)
    lines = [LineString(outline.exterior.coords)]
    lines += [LineString(inked(cut, drawing, rng, closed=False, rough=0.14)) for cut in island.cuts]
    net = shapely.unary_union(lines, grid_size=GRID)
    whole = outline.buffer(0.2)
    return [piece for piece in polygonize(net) if whole.contains(piece.representative_point())]


def _merge_scraps(pieces: list[Polygon], seeds: list[Spot]) -> list[Polygon]:
    """Merge scraps, made where a cut crosses a cove twice, into the neighbour with the longest shared border."""
    homes = [next(piece for piece in pieces if piece.contains(seed)) for seed in seeds]
    for scrap in (piece for piece in pieces if not any(piece is home for home in homes)):
        best = max(range(len(homes)), key=lambda i: homes[i].intersection(scrap).length)
        homes[best] = _biggest(shapely.union(homes[best], scrap, grid_size=GRID))
    return homes


def regions(drawing: Drawing) -> tuple[dict[str, Polygon], list[Polygon]]:
    """Return each region's polygon, and the islands they form, in the order of the drawing."""
    rng = np.random.default_rng(sum(map(ord, drawing.side)))
    found: dict[str, Polygon] = {}
    islands = []
    for island in drawing.islands:
        pieces = _pieces(island, drawing, rng)
        whole = Polygon(island.coast)
        plans = [plan for plan in drawing.regions if whole.contains(Spot(plan.seed))]
        homes = _merge_scraps(pieces, [Spot(plan.seed) for plan in plans])
        found |= {plan.id: home for plan, home in zip(plans, homes, strict=True)}
        islands.append(unary_union(homes))
    return found, islands


def lakes(drawing: Drawing) -> list[Line]:
    rng = np.random.default_rng(5)
    return [inked(lake, drawing, rng, closed=True, rough=0.12) for island in drawing.islands for lake in island.lakes]


def points_of(polygon: Polygon) -> Line:
    """Return the outline, clockwise on the page, without repeating the first point."""
    ring = shapely.geometry.polygon.orient(polygon, 1.0).exterior.coords[:-1]
    return [(round(x, 1), round(y, 1)) for x, y in ring]
