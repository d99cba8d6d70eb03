"""One board side, put together: what its JSON holds."""

from typing import Any

from shapely.geometry import Polygon

from games.boards.build.coast import points_of, regions
from games.boards.build.drawing import Drawing, Line, RegionPlan, read
from games.boards.build.places import POSES, Pen, back, places, turn


def flat(line: Line) -> list[int]:
    """Points as tenths of a unit, x and y in turn."""
    return [round(10 * value) for point in line for value in point]


def _pose(plan: RegionPlan, shape: Polygon, pose: int, pen: Pen) -> dict[str, Any]:
    found = places(turn(shape, pose), plan.name, [], pose, pen)
    spots = [back(spot, pose) for spot in found.spots]
    return {"label": flat([back(found.label, pose)]), "lines": found.lines, "spots": [flat([spot]) for spot in spots]}


def _region(plan: RegionPlan, shape: Polygon, pen: Pen) -> dict[str, Any]:
    return {
        "id": plan.id,
        "name": plan.name,
        "tone": plan.tone,
        "outline": flat(points_of(shape)),
        "poses": [_pose(plan, shape, pose, pen) for pose in POSES],
    }


def sheet(side: str) -> dict[str, Any]:
    drawing: Drawing = read(side)
    shapes, islands = regions(drawing)
    pen = Pen()
    return {
        "side": side,
        "title": drawing.title,
        "regions": [_region(plan, shapes[plan.id], pen) for plan in drawing.regions],
        "islands": [flat(points_of(island)) for island in islands],
    }
