"""Water: lines that follow the coast, dotted routes, bridges, and the washes along the inside of each region."""

from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, unary_union

from games.boards.eight_minute.build.coast import soften
from games.boards.eight_minute.build.drawing import Drawing, Line, points

EDGES = {"top": (0.5, 0.0), "right": (1.0, 0.5), "bottom": (0.5, 1.0), "left": (0.0, 0.5)}
RIPPLES = (2.4, 5.0, 8.2)  # distances of the water lines from the coast
WASHES = (1.2, 2.8)


def chart(drawing: Drawing) -> Polygon:
    """Return the sea inside the frame of the sheet."""
    wide, high = drawing.size
    return shapely.box(4, 4, wide - 4, high - 4)


def path(line: Line, closed: bool) -> str:
    """Return a path of steps in whole tenths of a unit."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in line]
    steps = [(x - px, y - py) for (px, py), (x, y) in pairwise(tenths)]
    steps = [step for step in steps if step != (0, 0)]
    return f"M{_numbers(tenths[:1])}l{_numbers(steps)}" + ("Z" if closed else "")


def _numbers(steps: list[tuple[int, int]]) -> str:
    return " ".join(str(value) for step in steps for value in step).replace(" -", "-")


def _rings(shape: BaseGeometry, least: float = 4) -> list[Line]:
    parts = shape.geoms if isinstance(shape, MultiPolygon) else [shape]
    return [
        list(ring.coords[:-1]) for part in parts for ring in (part.exterior, *part.interiors) if ring.length > least
    ]


def area(shape: BaseGeometry, fine: float = 0) -> str:
    """Return the outlines of an area as one path, with as few points as possible."""
    shape = shape.simplify(fine) if fine else shape
    return "".join(path(ring, True) for ring in _rings(shape) if len(ring) > 2)


def _quiet(ring: Line) -> Line:
    return soften(ring, True, 2)


def ripples(land: BaseGeometry, within: Polygon) -> list[str]:
    """Return the water lines, each smoother than the one nearer the coast, inside the frame."""
    found = []
    for far in RIPPLES:
        belt = land.buffer(far, quad_segs=4).buffer(far / 2).buffer(-far / 2)
        lines = [LineString([*ring, ring[0]]) for ring in (_quiet(list(r)) for r in _rings(belt.simplify(0.3), 70))]
        inside = unary_union(lines).intersection(within).simplify(0.12 + 0.03 * far)
        found.append("".join(path(list(part.coords), False) for part in _parts(inside) if part.length > 5))
    return found


def _parts(shape: BaseGeometry) -> list[LineString]:
    if isinstance(shape, MultiLineString):
        merged = linemerge(shape)
        return list(merged.geoms) if isinstance(merged, MultiLineString) else [merged]
    return [shape] if isinstance(shape, LineString) and not shape.is_empty else []


def washes(region: Polygon) -> list[str]:
    """Return the areas of a region inside its painted edge."""
    return [area(region.buffer(-deep), 0.6) for deep in WASHES]


def borders(regions: list[Polygon]) -> str:
    """Return the borders between regions, each once."""
    lines = []
    for i, one in enumerate(regions):
        for other in regions[i + 1 :]:
            lines += _parts(one.intersection(other))
    return "".join(path(list(line.coords), False) for line in lines if line.length > 1)


def _bend(line: Line) -> Line:
    """Return a smooth line through the points."""
    if len(line) == 2:
        return line
    ends = [line[0], *line, line[-1]]
    out = []
    for before, here, there, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        p = [np.array(point, float) for point in (before, here, there, after)]
        for t in np.linspace(0, 1, 8, endpoint=False):
            spot = 0.5 * (
                2 * p[1]
                + (p[2] - p[0]) * t
                + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * t**2
                + (3 * p[1] - p[0] - 3 * p[2] + p[3]) * t**3
            )
            out.append((float(spot[0]), float(spot[1])))
    return [*out, line[-1]]


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


def bridges(drawing: Drawing) -> list[dict[str, Any]]:
    return [{"from": one["from"], "to": one["to"], "line": points(one["line"])} for one in drawing.bridges]


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
