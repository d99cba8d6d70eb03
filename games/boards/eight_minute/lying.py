"""Where boards are in a picture: what a picture's text means, and the middle of each board and free place.

The text is a layout of the rules; portals after it don't matter. While boards are being laid by hand, it is prefixed
with the shape, for the free places: `t~centre:fern:0`, or `t~` for an empty map. `look~fern:1` is a single side.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.rules.eight_minute.boards import ALIKE, CENTRE, GRID, SHAPES, UPRIGHT, Laid, free_places, parse_layout, sides
from games.rules.eight_minute.view import View
from games.rules.words import gettext_noop

SLOT = 300  # width and height of a free place for a board of either orientation
ROOMIEST = "t"  # the shape of an empty map by default
LOOK, BEFORE = "look", "~"
ALONE = "board"
CORNERS = SHAPES["rectangle"][0]
PLACE_NAMES = {
    "centre": gettext_noop("center"), "north": gettext_noop("north"), "east": gettext_noop("east"),
    "south": gettext_noop("south"), "west": gettext_noop("west"), "north-west": gettext_noop("northwest"),
    "north-east": gettext_noop("northeast"), "south-west": gettext_noop("southwest"),
    "south-east": gettext_noop("southeast"), "board": gettext_noop("board"),
}  # fmt: skip

Point = tuple[float, float]
Size = tuple[float, float]


class Showing(NamedTuple):
    """What a picture shows. `upright`: north stays at the top, even if the picture is then wider than tall."""

    laid: tuple[Laid, ...]
    free: Mapping[str, Size] = {}
    upright: bool = False


def without_portals(layout: str) -> str:
    """Return only the boards of a layout, which determine its land."""
    return layout.partition(";")[0]


def shown(view: View) -> str:
    """Return the text of a position's picture: its boards and, while they are being laid, the free places."""
    layout = without_portals(view.layout)
    return being_laid(view.setup.shape, layout) if view.setup and view.setup.places else layout


def being_laid(shape: str, layout: str) -> str:
    """Return the text of the picture in which boards of a shape are still being laid."""
    return f"{shape}{BEFORE}{layout}"


def side_thumbnail(side: str, turns: int) -> str:
    """Return the text of the picture of a single side, after a number of clockwise quarter turns."""
    return f"{LOOK}{BEFORE}{side}:{turns}"


def showing(text: str) -> Showing:
    """Return what a text shows. Raises `ValueError` for an invalid text."""
    before, tilde, layout = without_portals(text).rpartition(BEFORE)
    if before == LOOK:
        side = sides().get(layout.partition(":")[0])
        (single,) = _checked(f"{CENTRE if side and side.edges else ALONE}:{layout}")
        return Showing((single,), upright=True)
    if not tilde and layout:
        return Showing(_fitting(layout, (places for shape in SHAPES.values() for places in shape)))
    shape = before or ROOMIEST
    if shape not in SHAPES:
        raise ValueError(shape)
    laid = _fitting(layout, SHAPES[shape]) if layout else ()
    size: Size = SLOT, SLOT
    if laid and shape in ALIKE:  # boards already laid determine the orientation of the others
        size = (300, 200) if laid[0].turns % 2 else (200, 300)
    return Showing(laid, dict.fromkeys(free_places(shape, laid), size), upright=True)


def _fitting(layout: str, shapes: Iterable[tuple[str, ...]]) -> tuple[Laid, ...]:
    """Return the boards. Raises `ValueError` unless all of them belong to one of these shapes."""
    laid = _checked(layout)
    places = {board.place for board in laid}
    if len(places) < len(laid) or not any(places <= set(shape) for shape in shapes):
        raise ValueError(layout)
    return laid


def _checked(layout: str) -> tuple[Laid, ...]:
    """Return the boards of a layout. Raises `ValueError` unless each is used once, and a single board is upright."""
    laid = parse_layout(layout)
    if len({board.side for board in laid}) < len(laid):
        raise ValueError(layout)
    for board in laid:
        alone = not sides()[board.side].edges
        if alone != (board.place in SHAPES[UPRIGHT[0]][0]) or (alone and board.turns):
            raise ValueError(layout)
    return laid


def middles(boxes: Mapping[str, Size]) -> dict[str, Point]:
    """Return the middle of each place: boards touch at the middles of their edges, in a rectangle at their corners."""
    centre = boxes.get(CENTRE, (SLOT, SLOT))
    points = {}
    for place, (width, height) in boxes.items():
        x, y = GRID[place]
        if place in CORNERS:
            points[place] = (x - 0.5) * width, (y - 0.5) * height
        else:
            points[place] = x * (centre[0] + width) / 2, y * (centre[1] + height) / 2
    return points
