"""From coarse lines to a coast with coves and capes, and what follows from it: regions, water lines, and ways.

Regions share their border points. Stored paths are in tenths of a unit.
"""

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, polygonize, unary_union

from games.boards.eight_minute.build.drawing import Drawing, Island, Line, points

GRID = 0.1  # every stored point is on this grid, so equal points have equal numbers
SHORE, EDGE = 20, 10  # points nearer than `SHORE` to the edge of the sheet are moved away, to `EDGE` or more
PEN = 2.5  # minimum distance between turns of the pen
EDGES = {"top": (0.5, 0.0), "right": (1.0, 0.5), "bottom": (0.5, 1.0), "left": (0.0, 0.5)}
RIPPLES = (2.4, 5.0, 8.2)  # distances of the water lines from the coast
WASHES = (1.2, 2.8)  # distances of the painted edge's washes from the outline


def wander(line: Line, rough: float, rng: np.random.Generator, closed: bool) -> np.ndarray:
    """Draw the line as with an unsteady pen: repeatedly halved, with each middle moved aside a little.

    Its roughness varies along a closed line, so that there are quiet bays between rugged capes.
    """
    path = np.array([*line, line[0]] if closed else line, float)
    mood = np.ones(len(path))  # the roughness at each point
    if closed:
        # About a third to one and a half, changing slowly. Quiet stretches are smoothed, rugged ones deepened.
        knots = rng.permutation(np.linspace(0.35, 1.6, max(len(path) // 4, 3)))
        mood = np.interp(np.linspace(0, len(knots), len(path)), np.arange(len(knots) + 1), [*knots, knots[0]])
        ring = path[:-1]
        middle = (np.roll(ring, 1, 0) + np.roll(ring, -1, 0)) / 2
        bent = middle + (ring - middle) * np.clip(mood[:-1], 0.4, 1.45)[:, None]
        path = np.vstack([bent, bent[:1]])
    push = rough
    while np.hypot(*np.diff(path, axis=0).T).max() > PEN * 1.6:
        step = np.diff(path, axis=0)
        is_long = np.hypot(*step.T) > PEN
        normal = np.stack([-step[:, 1], step[:, 0]], 1)
        swing = rng.normal(0, push, len(step)).clip(-2 * push, 2 * push) * mood[:-1]
        middle = (path[:-1] + path[1:]) / 2 + normal * swing[:, None]
        places = np.repeat(np.arange(len(step)) + 1, is_long)
        path = np.insert(path, places, middle[is_long], axis=0)
        mood = np.insert(mood, places, ((mood[:-1] + mood[1:]) / 2)[is_long])
        push *= 0.86
    return path[:-1] if closed else path


def soften(line: Line | np.ndarray, closed: bool, passes: int) -> Line:
    """Round the corners by averaging with the neighbors; ends of open lines stay in place."""
    path = np.array(line, float)
    for _ in range(passes):
        before, after = np.roll(path, 1, 0), np.roll(path, -1, 0)
        smooth = 0.25 * before + 0.5 * path + 0.25 * after
        if not closed:
            smooth[0], smooth[-1] = path[0], path[-1]
        path = smooth
    return [(float(x), float(y)) for x, y in path]


def inked(line: Line, drawing: Drawing, rng: np.random.Generator, *, closed: bool, rough: float) -> Line:
    """Draw a line with the pen, pushed inwards near the edge of the sheet, so that the sea surrounds the land."""
    (wide, high), passes = drawing.size, 0 if drawing.sharp else 2
    drawn = soften(wander(line, rough, rng, closed), closed, passes)
    return [(_push(x, wide), _push(y, high)) for x, y in drawn]


def _push(value: float, end: float) -> float:
    near = min(value, end - value)
    if near >= SHORE:
        return value
    pushed = EDGE + (SHORE - EDGE) * near / SHORE
    return pushed if value < end / 2 else end - pushed


# Regions


def regions(drawing: Drawing) -> tuple[dict[str, Polygon], list[Polygon]]:
    """Return each region's polygon, and the islands they form, in the order of the drawing."""
    rng = np.random.default_rng(sum(map(ord, drawing.side)))
    found: dict[str, Polygon] = {}
    islands = []
    for island in drawing.islands:
        pieces = _pieces(island, drawing, rng)
        whole = Polygon(island.coast)
        plans = [plan for plan in drawing.regions if whole.contains(Spot(plan.seed))]
        homes = [next(piece for piece in pieces if piece.contains(Spot(plan.seed))) for plan in plans]
        # A cut that crosses a cove twice makes scraps. Each joins the neighbor with the longest shared border.
        for scrap in [piece for piece in pieces if not any(piece is home for home in homes)]:
            best = max(range(len(homes)), key=lambda i: homes[i].intersection(scrap).length)
            homes[best] = _biggest(shapely.union(homes[best], scrap, grid_size=GRID))
        found |= {plan.id: home for plan, home in zip(plans, homes, strict=True)}
        islands.append(unary_union(homes))
    return found, islands


def _pieces(island: Island, drawing: Drawing, rng: np.random.Generator) -> list[Polygon]:
    """Cut the island along its borders; loose ends of cuts out at sea are dropped."""
    coast = inked(island.coast, drawing, rng, closed=True, rough=drawing.rough)
    # The pen line may cross itself; the island is the largest area that it encloses.
    outline = _biggest(unary_union(list(polygonize(unary_union(LineString([*coast, coast[0]]))))))
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


def _wedge(line: Line, drawing: Drawing, rng: np.random.Generator) -> BaseGeometry:
    """Return an inlet from mouth to head, or a cape from root to tip: a tapering area."""
    path = np.array(inked(line, drawing, rng, closed=False, rough=0.12))
    step = np.gradient(path, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], 1) / np.hypot(*step.T)[:, None]
    half = np.linspace(4.6, 0.9, len(path)) * rng.uniform(0.75, 1.25, len(path))
    around = [*(path + normal * half[:, None]), *(path - normal * half[:, None])[::-1]]
    return Polygon(soften(np.array(around), True, 1)).buffer(0)


def _biggest(shape: BaseGeometry) -> Polygon:
    return max(shape.geoms, key=lambda part: part.area) if isinstance(shape, MultiPolygon) else shape


def lakes(drawing: Drawing) -> list[Line]:
    rng = np.random.default_rng(5)
    return [inked(lake, drawing, rng, closed=True, rough=0.12) for island in drawing.islands for lake in island.lakes]


def points_of(polygon: Polygon) -> Line:
    """Return the outline, clockwise on the page, without repeating the first point."""
    ring = shapely.geometry.polygon.orient(polygon, 1.0).exterior.coords[:-1]
    return [(round(x, 1), round(y, 1)) for x, y in ring]


# Paths


def path(line: Line, closed: bool) -> str:
    """Return a path of steps in whole tenths of a unit."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in line]
    steps = [(x - px, y - py) for (px, py), (x, y) in pairwise(tenths)]
    steps = [step for step in steps if step != (0, 0)]
    return f"M{_numbers(tenths[:1])}l{_numbers(steps)}" + ("Z" if closed else "")


def _numbers(steps: list[tuple[int, int]]) -> str:
    return " ".join(str(value) for step in steps for value in step).replace(" -", "-")


def _rings(shape: BaseGeometry, least: float) -> list[Line]:
    parts = shape.geoms if isinstance(shape, MultiPolygon) else [shape]
    return [
        list(ring.coords[:-1]) for part in parts for ring in (part.exterior, *part.interiors) if ring.length > least
    ]


def _parts(shape: BaseGeometry) -> list[LineString]:
    if isinstance(shape, MultiLineString):
        merged = linemerge(shape)
        return list(merged.geoms) if isinstance(merged, MultiLineString) else [merged]
    return [shape] if isinstance(shape, LineString) and not shape.is_empty else []


def washes(region: Polygon) -> list[str]:
    """Return the outline of a region and the areas inside its painted edge, each as one path."""
    areas = [region, *(region.buffer(-deep).simplify(0.6) for deep in WASHES)]
    return ["".join(path(ring, True) for ring in _rings(area, 4) if len(ring) > 2) for area in areas]


def borders(regions: list[Polygon]) -> str:
    """Return the borders between regions, each once."""
    lines = [line for one, other in combinations(regions, 2) for line in _parts(one.intersection(other))]
    return "".join(path(list(line.coords), False) for line in lines if line.length > 1)


def cliffs(islands: list[Polygon]) -> str:
    """Return the hachures along the inside of the coast, which show the edge of a plateau."""
    hand = np.random.default_rng(3)
    marks: Line = []
    for island in islands:
        ring = shapely.geometry.polygon.orient(island, 1.0).exterior
        for at in np.arange(0, ring.length, 2.7):
            here, there = ring.interpolate(at), ring.interpolate(at + 1.2)
            long = hand.uniform(1.4, 4.2) / max(here.distance(there), 0.3)
            inward = (here.x - long * (there.y - here.y), here.y + long * (there.x - here.x))
            marks += [(here.x, here.y), inward]
    tenths = [(round(10 * x), round(10 * y)) for x, y in marks]
    steps = [(x - px, y - py) for (px, py), (x, y) in pairwise([(0, 0), *tenths])]
    return "M0 0" + "".join(f"{'ml'[n % 2]}{_numbers([step])}" for n, step in enumerate(steps))


# Water, and ways over it


def chart(drawing: Drawing) -> Polygon:
    """Return the sea inside the frame of the sheet."""
    wide, high = drawing.size
    return shapely.box(4, 4, wide - 4, high - 4)


def ripples(land: BaseGeometry, within: Polygon) -> list[str]:
    """Return the water lines, each smoother than the one nearer the coast, inside the frame."""
    found = []
    for far in RIPPLES:
        belt = land.buffer(far, quad_segs=4).buffer(far / 2).buffer(-far / 2)
        rings = [soften(ring, True, 2) for ring in _rings(belt.simplify(0.3), 70)]
        lines = unary_union([LineString([*ring, ring[0]]) for ring in rings])
        inside = lines.intersection(within).simplify(0.12 + 0.03 * far)
        found.append("".join(path(list(part.coords), False) for part in _parts(inside) if part.length > 5))
    return found


def routes(drawing: Drawing, land: BaseGeometry) -> list[dict[str, Any]]:
    """Return the dotted lines over water, from coast to coast or from a coast to the exact middle of an edge."""
    found = []
    for route in drawing.routes:
        line = points(route["line"])
        if route["to"] in EDGES:
            (across, down), (wide, high) = EDGES[route["to"]], drawing.size
            line.append((across * wide, down * high))
        at_sea = max(_parts(LineString(_bend(line)).difference(land.buffer(1.6))), key=lambda part: part.length)
        found.append({"from": route["from"], "to": route["to"], "line": list(at_sea.coords)})
    return found


def _bend(line: Line) -> Line:
    """Return a smooth line through the points: a Catmull-Rom spline."""
    if len(line) == 2:
        return line
    ends = [line[0], *line, line[-1]]
    out = []
    for four in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        before, here, there, after = (np.array(point, float) for point in four)
        for t in np.linspace(0, 1, 8, endpoint=False):
            spot = 0.5 * (
                2 * here
                + (there - before) * t
                + (2 * before - 5 * here + 4 * there - after) * t**2
                + (3 * here - before - 3 * there + after) * t**3
            )
            out.append((float(spot[0]), float(spot[1])))
    return [*out, line[-1]]
