"""Signs next to the names of regions: close to their name and covering no letters."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from games.boards.eight_minute.geometry import NAME_SIZE, picture
from games.boards.eight_minute.pieces import (
    ACROSS,
    ALONG,
    ENLARGED,
    SIGN,
    enlarged,
    growth,
    letters,
    name_size,
    name_width,
    signs,
)
from games.boards.themes import colours
from games.rules.eight_minute.boards import Laid, layout_text
from tests.boards.test_geometry import PHONE, layouts
from tests.each import for_each

PLACES_OF_T = ("centre", "north", "east", "west")
LAYOUTS = (
    "board:side-a:0",
    "board:side-b:0",
    *(layout_text(tuple(map(Laid, PLACES_OF_T, sides, turns))) for sides, turns in (
        (("fern", "desert", "horse_shoe", "volcano"), (0, 1, 2, 3)),
        (("desert", "fern", "citadel", "meadows"), (0, 3, 0, 1)),
        (("volcano", "fern", "desert", "meadows"), (2, 0, 2, 2)),
    )),
)  # fmt: skip
ITALIC = Path("empire/static/fonts/alegreya-400-italic.woff2")
RED = colours(5)[0]


def placed(drawn, region, size, is_new=True):
    drawing = signs(drawn.regions[region], letters(drawn, size), size, RED, is_new)
    return [tuple(map(float, spot)) for spot in re.findall(r"translate\(([-\d.]+) ([-\d.]+)\)", drawing)]


@for_each("layout", LAYOUTS)
@for_each("size", [NAME_SIZE, NAME_SIZE * 1.15])
def test_no_sign_of_control_covers_a_letter_or_is_covered_by_its_spark(layout, size):
    drawn = picture(layout)
    for region in drawn.regions:
        owner, spark = placed(drawn, region, size)
        assert abs(owner[0] - spark[0]) > 2 * SIGN
        x, y = owner
        for left, top, right, bottom in letters(drawn, size):
            assert not (left - SIGN < x < right + SIGN and top - SIGN < y < bottom + SIGN), (region, owner)


def test_a_sign_is_left_of_its_name_if_there_is_room():
    drawn = picture("board:side-a:0")
    before = [placed(drawn, one, 10)[0][0] < drawn.regions[one].lines[0].x for one in drawn.regions]
    assert before.count(True) > 0.8 * len(before)


@pytest.mark.long
@for_each("layout", layouts())
def test_names_on_a_phone_are_11_pixels_high_and_cover_no_other_name(layout):
    drawn = picture(layout)
    scale = next(scale for width, scale, _name in ENLARGED if drawn.width >= width)
    assert scale * name_size(drawn) * PHONE / drawn.width >= 11
    boxes = []
    for region, way in growth(layout).items():
        x = next((share for name, share in ACROSS.items() if name and name in way), 0.5)
        y = next((share for name, share in ALONG.items() if name and name in way), 0.5)
        boxes.append(enlarged(drawn.regions[region], name_size(drawn), scale, x, y))
    assert all(left >= 0 and right <= drawn.width for left, _top, right, _bottom in boxes)
    for one, other in combinations(boxes, 2):
        assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]


def test_names_have_the_width_of_their_font():
    ttlib = pytest.importorskip("fontTools.ttLib")
    pytest.importorskip("brotli")
    font = ttlib.TTFont(ITALIC)
    advances, glyphs, unit = font["hmtx"], font.getBestCmap(), font["head"].unitsPerEm
    names = {line.text for layout in LAYOUTS for one in picture(layout).regions.values() for line in one.lines}
    for name in names:
        real = sum(advances[glyphs[ord(letter)]][0] for letter in name) / unit
        assert real - 0.1 <= name_width(name, 1) <= real + 0.3, name


def test_the_lines_of_two_names_never_overlap():
    for layout in LAYOUTS:
        for one, other in combinations(letters(picture(layout), NAME_SIZE), 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, layout
