"""How boards lie in a picture: what the text of a picture says, and where each board and free place has its middle.

The text is a layout of the rules; portals behind it do not matter. While boards are being laid by hand the shape stands
before it, for the places that are still free: `t~centre:fern:0`, and `t~` for a table without any. `look~fern:1` is a
side by itself.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.rules.eight_minute.boards import CENTRE, GRID, Laid, parse_layout, sides
from games.rules.eight_minute.layouts import ALIKE, SHAPES, UPRIGHT, free_places
from games.rules.eight_minute.view import View
from games.rules.words import gettext_noop

SLOT = 300  # how wide and high a free place is where a board may come to lie either way
ROOMIEST = "t"  # what an empty table has room for as long as nobody says
LOOK, BEFORE = "look", "~"
ALONE = "board"
CORNERS = SHAPES["rectangle"][0]
PLACE_NAMES = {
    "centre": gettext_noop("centre"),
    "north": gettext_noop("north"),
    "east": gettext_noop("east"),
    "south": gettext_noop("south"),
    "west": gettext_noop("west"),
    "north-west": gettext_noop("north-west"),
    "north-east": gettext_noop("north-east"),
    "south-west": gettext_noop("south-west"),
    "south-east": gettext_noop("south-east"),
    "board": gettext_noop("board"),
}

Point = tuple[float, float]
Size = tuple[float, float]


class Showing(NamedTuple):
    """What a picture shows. `upright`: north is at the top, even if that makes the picture wider than tall."""

    laid: tuple[Laid, ...]
    free: Mapping[str, Size] = {}
    upright: bool = False


def without_portals(layout: str) -> str:
    """The boards of a layout alone: what its land looks like."""
    return layout.partition(";")[0]


def shown(view: View) -> str:
    """The text of the picture of a position: its boards, and while they are being laid the free places too."""
    layout = without_portals(view.layout)
    return being_laid(view.setup.shape, layout) if view.setup and view.setup.places else layout


def being_laid(shape: str, layout: str) -> str:
    """The text of the picture in which boards of a shape are still being laid."""
    return f"{shape}{BEFORE}{layout}"


def side_thumbnail(side: str, turns: int) -> str:
    """The text of the picture of one side by itself, after so many quarter turns clockwise."""
    return f"{LOOK}{BEFORE}{side}:{turns}"


def showing(text: str) -> Showing:
    """What a text shows. Raises `ValueError` for one that shows nothing."""
    before, tilde, layout = without_portals(text).rpartition(BEFORE)
    if before == LOOK:
        return Showing((_alone(layout),), upright=True)
    if tilde or not layout:
        return _being_laid(before or ROOMIEST, layout)
    return Showing(_fitting(layout, (places for shape in SHAPES.values() for places in shape)))


def _being_laid(shape: str, layout: str) -> Showing:
    if shape not in SHAPES:
        raise ValueError(shape)
    laid = _fitting(layout, SHAPES[shape]) if layout else ()
    return Showing(laid, dict.fromkeys(free_places(shape, laid), _slot(shape, laid)), upright=True)


def _slot(shape: str, laid: tuple[Laid, ...]) -> Size:
    """How large a free place is: square, unless boards already there tell how the next one will lie."""
    if shape not in ALIKE or not laid:
        return SLOT, SLOT
    return (300, 200) if laid[0].turns % 2 else (200, 300)


def _alone(side_and_turns: str) -> Laid:
    side = sides().get(side_and_turns.partition(":")[0])
    (laid,) = _checked(f"{CENTRE if side and side.edges else ALONE}:{side_and_turns}")
    return laid


def _fitting(layout: str, shapes: Iterable[tuple[str, ...]]) -> tuple[Laid, ...]:
    """The boards, if all of them belong to one of these shapes."""
    laid = _checked(layout)
    places = {one.place for one in laid}
    if len(places) < len(laid) or not any(places <= set(shape) for shape in shapes):
        raise ValueError(layout)
    return laid


def _checked(layout: str) -> tuple[Laid, ...]:
    """The boards of a layout, each of them once; what is made to lie alone lies alone, upright."""
    laid = parse_layout(layout)
    if len({one.side for one in laid}) < len(laid):
        raise ValueError(layout)
    for one in laid:
        alone = not sides()[one.side].edges
        if alone != (one.place in SHAPES[UPRIGHT[0]][0]) or (alone and one.turns):
            raise ValueError(layout)
    return laid


def middles(boxes: Mapping[str, Size]) -> dict[str, Point]:
    """The middle of each place: boards touch with the middles of their edges, in a rectangle with their corners."""
    centre = boxes.get(CENTRE, (SLOT, SLOT))
    return {place: _middle(place, size, centre) for place, size in boxes.items()}


def _middle(place: str, size: Size, centre: Size) -> Point:
    (x, y), (width, height) = GRID[place], size
    if place in CORNERS:
        return (x - 0.5) * width, (y - 0.5) * height
    return x * (centre[0] + width) / 2, y * (centre[1] + height) / 2
