"""The signs next to a region's name: the controller's shape before it, and a spark for news after it.

No sign covers a letter of any name; if it would, it moves to the other side of its name.
"""

from collections.abc import Iterable

from games.boards.eight_minute.geometry import Box, NameLine, Picture, Region
from games.boards.eight_minute.lying import Point
from games.boards.themes import SHAPES, Colour

# Widths of letters of Alegreya Italic relative to their height; all others use OTHER.
WIDTHS = {
    letter: width
    for letters, width in (
        (" '’", 0.19), ("fijlt", 0.27), ("cersI-J", 0.35), ("LSTFYPZ", 0.53), ("ABCEGKRVX", 0.62),
        ("DHNOQUw", 0.69), ("mM", 0.78), ("W", 0.89),
    )
    for letter in letters
}  # fmt: skip
OTHER = 0.47
SIGN = 5.7  # half the width and height of a sign, including its rim
GAP = 1.2  # between a sign and the letters
HEIGHT = 0.3  # of the middle of small letters, above the baseline
SPARK = "M0-5.4L1.3-1.3L5.4 0L1.3 1.3L0 5.4L-1.3 1.3L-5.4 0L-1.3-1.3Z"


def letters(picture: Picture, size: float) -> list[Box]:
    """Return the boxes of the letters of all names at a font size."""
    return [_letters(line, size) for region in picture.regions.values() for line in region.lines]


def signs(region: Region, names: list[Box], size: float, paint: Colour | None, is_new: bool) -> str:
    """Draw the shape of the controller's `paint`, and a spark if `is_new`, without covering any of the `names`."""
    before, behind, *farther = _beside(_letters(region.lines[0], size))
    at = _free((before, behind), names)
    owner = _owner(paint, at) if paint else ""
    left = [place for place in (behind, before, *farther) if not (paint and place == at)]
    return owner + (_spark(_free(left, names)) if is_new else "")


def name_width(text: str, size: float) -> float:
    return sum(WIDTHS.get(letter, OTHER) for letter in text) * size


def _letters(line: NameLine, size: float) -> Box:
    half, middle = name_width(line.text, size) / 2, line.y - HEIGHT * size
    return line.x - half, middle - 0.35 * size, line.x + half, middle + 0.35 * size


def _beside(name: Box) -> tuple[Point, ...]:
    """Return the places for signs: next to a name on either side, then farther off."""
    left, top, right, bottom = name
    y, near, far = (top + bottom) / 2, SIGN + GAP, 3 * SIGN + 2 * GAP
    return (left - near, y), (right + near, y), (right + far, y), (left - far, y)


def _free(places: Iterable[Point], names: list[Box]) -> Point:
    """Return the first place where a sign covers no letter, or else the first of all."""
    tried = list(places)
    return next((place for place in tried if not any(_covers(place, name) for name in names)), tried[0])


def _covers(place: Point, name: Box) -> bool:
    (x, y), (left, top, right, bottom) = place, name
    return left - SIGN < x < right + SIGN and top - SIGN < y < bottom + SIGN


def _owner(paint: Colour, place: Point) -> str:
    return (
        f'<path class="owner" d="{SHAPES[paint.shape]}" fill="{paint.fill}" stroke="#fffaf0" stroke-width="3"'
        f' transform="translate({place[0]:.1f} {place[1]:.1f}) scale(.42)"/>'
    )


def _spark(place: Point) -> str:
    return (
        f'<path class="spark" d="{SPARK}" transform="translate({place[0]:.1f} {place[1]:.1f})"'
        ' fill="#ffe27a" stroke="#5a3a00" stroke-width="1.1"/>'
    )
