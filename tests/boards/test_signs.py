"""Signs next to the names of regions: close to their name and covering no letters."""

from html import escape
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from games.boards.eight_minute.clusters import cell, cluster
from games.boards.eight_minute.geometry import NAME_SIZE, picture, renamed
from games.boards.eight_minute.pieces import (
    ENLARGED,
    SIGN,
    WAYS,
    WOOD,
    enlarged,
    growth,
    letters,
    name_box,
    name_size,
    name_width,
    pieces,
    sign_places,
)
from games.boards.themes import colours
from games.rules.eight_minute.boards import Laid, layout_text
from games.rules.eight_minute.view import RegionView
from games.rules.fairness import Quick
from games.rules.play import begin
from games.rules.protocol import SeatInfo
from games.rules.registry import get
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


def placed(drawn, region):
    return sign_places(drawn.layout, names_of(drawn), region, is_held=True, is_new=True)


def names_of(drawn):
    return tuple(region.name for region in drawn.regions.values())


@for_each("layout", LAYOUTS)
def test_no_sign_of_control_covers_a_letter_or_is_covered_by_its_spark(layout):
    drawn = picture(layout)
    for region in drawn.regions:
        owner, spark = placed(drawn, region)
        assert abs(owner[0] - spark[0]) > 2 * SIGN
        x, y = owner
        for left, top, right, bottom in letters(drawn, name_size(drawn)):
            assert not (left - SIGN < x < right + SIGN and top - SIGN < y < bottom + SIGN), (region, owner)


def test_a_sign_is_left_of_its_name_if_there_is_room():
    drawn = picture("board:side-a:0")
    before = [placed(drawn, region)[0][0] < drawn.regions[region].lines[0].x for region in drawn.regions]
    assert before.count(True) > 0.7 * len(before)


@for_each("more", ["", "feld", " del Sur"])
def test_few_signs_cover_other_names_on_phones(more):
    covered, shown = 0, 0
    for layout in LAYOUTS:
        names = tuple(f"{name}{more}" for name in names_of(picture(layout)))
        drawn, ways = renamed(layout, names), growth(layout, names)
        size, scale = name_size(drawn), next(scale for width, scale, _name in ENLARGED if drawn.width >= width)
        boxes = {region: name_box(drawn.regions[region], size) for region in ways}
        for region, way in ways.items():
            ((x, y),) = sign_places(layout, names, region, is_held=True, is_new=False)
            left, top, right, bottom = boxes[region]
            group = min(left, x - SIGN), min(top, y - SIGN), max(right, x + SIGN), max(bottom, y + SIGN)
            start, head, *_ = enlarged(group, scale, *WAYS[way])
            x, y, half = start + scale * (x - group[0]), head + scale * (y - group[1]), scale * SIGN
            others = [enlarged(boxes[other], scale, *WAYS[ways[other]]) for other in ways if other != region]
            covered += any(
                left - half < x < right + half and top - half < y < bottom + half for left, top, right, bottom in others
            )
            shown += 1
    assert covered < 0.05 * shown


@pytest.mark.long
@for_each("layout", layouts())
def test_names_on_a_phone_are_11_pixels_high_and_cover_no_other_name(layout):
    drawn = picture(layout)
    scale = next(scale for width, scale, _name in ENLARGED if drawn.width >= width)
    assert scale * name_size(drawn) * PHONE / drawn.width >= 11
    boxes = []
    for region, way in growth(layout).items():
        boxes.append(enlarged(name_box(drawn.regions[region], name_size(drawn)), scale, *WAYS[way]))
    assert all(left >= 0 and right <= drawn.width for left, _top, right, _bottom in boxes)
    for box, other in combinations(boxes, 2):
        assert box[0] >= other[2] or other[0] >= box[2] or box[1] >= other[3] or other[1] >= box[3]


def test_names_have_the_width_of_their_font():
    ttlib = pytest.importorskip("fontTools.ttLib")
    pytest.importorskip("brotli")
    font = ttlib.TTFont(ITALIC)
    advances, glyphs, unit = font["hmtx"], font.getBestCmap(), font["head"].unitsPerEm
    names = {line.text for layout in LAYOUTS for region in picture(layout).regions.values() for line in region.lines}
    for name in names:
        real = sum(advances[glyphs[ord(letter)]][0] for letter in name) / unit
        assert real - 0.1 <= name_width(name, 1) <= real + 0.3, name


def test_the_lines_of_two_names_never_overlap():
    for layout in LAYOUTS:
        for box, other in combinations(letters(picture(layout), NAME_SIZE), 2):
            apart = box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1]
            assert apart, layout


@for_each("layout", LAYOUTS)
def test_names_on_phones_grow_away_from_pieces(layout):
    """The names are longer than the English ones, as in Spanish."""
    names = tuple(f"{region.name} del Sur" for region in picture(layout).regions.values())
    drawn, ways = renamed(layout, names), growth(layout, names)
    size, scale = name_size(drawn), next(scale for width, scale, _name in ENLARGED if drawn.width >= width)
    half, covered = WOOD * cell(drawn) / 2, 0
    for region in drawn.regions.values():
        left, top, right, bottom = enlarged(name_box(region, size), scale, *WAYS[ways[region.id]])
        for x, y in cluster(drawn, region, 3):
            width, height = min(right, x + half) - max(left, x - half), min(bottom, y + half) - max(top, y - half)
            covered += max(0, width) * max(0, height) > 0.1 * (right - left) * (bottom - top)
    assert covered <= 2


def test_names_lie_above_pieces_but_not_above_the_numbers_on_them():
    rules, layout = get("legends"), "centre:desert:1,north:fern:2,east:volcano:1,west:horse_shoe:0"
    view = rules.view(begin(rules, rules.options({}, 4), [SeatInfo(bot=True)] * 4, Quick(1))[0], None)
    names = [region.name for region in picture(layout).regions.values()]
    sizes = []
    for here in (RegionView((2, 0, 0, 0), (0,) * 4, None), RegionView((2,) * 4, (0, 0, 0, 1), None)):
        regions = dict.fromkeys(picture(layout).regions, here)
        laid = msgspec.structs.replace(view, layout=layout, regions=regions, start="", outpost="")
        below, above = pieces(laid).split('<g class="tokens"')
        below, above = ([name for name in names if f">{escape(name)}<" in part] for part in (below, above))
        assert sorted([*below, *above]) == sorted(names)
        sizes.append(len(below))
    assert sizes[0] == 0 < sizes[1] < 4
