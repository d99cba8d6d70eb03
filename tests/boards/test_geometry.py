"""The drawn land matches the rules and has room for names, pieces and fingers in every orientation."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from math import dist, hypot

import pytest

from games.boards.eight_minute.geometry import (
    CELL,
    HEIGHT,
    NAME_SIZE,
    WIDTH,
    Picture,
    Region,
    Sheet,
    drawn,
    pairs,
    picture,
    side_names,
)
from games.boards.eight_minute.land import painted
from games.boards.eight_minute.lying import Point, being_laid, showing, shown, side_thumbnail, without_portals
from games.rules.eight_minute.boards import (
    AROUND,
    EDGES,
    SHAPES,
    Laid,
    boards_needed,
    free_places,
    layout_text,
    parse_layout,
    sides,
)
from tests.each import for_each
from tests.rules.tables import FAMILY
from tests.rules.test_handmade import opened
from tests.rules.walk import walk

PHONE, FINGER = 390, 24  # pixels
MIDDLES = {"top": (1000, 0), "right": (2000, 1500), "bottom": (1000, 3000), "left": (0, 1500)}
SIDES = sorted(name for name, side in sides().items() if side.edges)  # that can be combined with other boards
BRIDGED = "tall_islands"
T_PLACES = [places[1:] for places in SHAPES["t"]]
LETTER = 0.55  # a generous width of a letter, as a share of its height


def layouts() -> list[str]:
    """Return T layouts with every side in the center, every rotation and every gap; other sides vary around it."""
    texts = []
    for n, (centre, turns, around) in enumerate(product(SIDES, range(4), T_PLACES)):
        others = [side for side in SIDES if side != centre]
        boards = [f"{place}:{others[(n + 2 * i) % 7]}:{(n + i) % 4}" for i, place in enumerate(around)]
        texts.append(",".join([f"centre:{centre}:{turns}", *boards]))
    return texts


LAYOUTS = layouts()
BY_HAND = [
    ("legends", "t"),
    ("legends", "rectangle"),
    ("prototype", "l"),
    ("prototype", "row"),
    ("prototype", "rectangle"),
]


def other_shapes() -> list[str]:
    """Return every L, row and rectangle with boards in different orientations."""
    texts = []
    for n, (shape, turns) in enumerate(product(("l", "row", "rectangle"), range(4))):
        for m, places in enumerate(SHAPES[shape]):
            turned = [(turns + (i if shape == "l" else 2 * i)) % 4 for i in range(len(places))]
            boards = zip(places, turned, strict=True)
            laid = [Laid(place, SIDES[(n + m + i) % 8], turn) for i, (place, turn) in enumerate(boards)]
            texts.append(layout_text(tuple(laid)))
    return texts


OTHERS = other_shapes()


def laid_by_hand(slug: str, shape: str, seed: int) -> list[tuple[str, str]]:
    """Return the layouts during a random set-up by hand, each with the text of its picture."""
    rules, players = FAMILY[slug], 4 if shape == "rectangle" else 3
    steps = walk(rules, players, seed, f'{{"setup": "by-hand", "layout": "{shape}"}}').steps
    states = [step.after for step in steps if step.before.layout != step.after.layout or not step.after.layout]
    return [(state.layout, shown(rules.view(state, None))) for state in states]


def outlines(side: str) -> dict[str, list[tuple[int, int]]]:
    return {region.id: pairs(region.outline) for region in drawn(side).regions}


def strokes(ring: list[tuple[int, int]]) -> Counter[frozenset[tuple[int, int]]]:
    """Return the undirected segments of a closed line."""
    return Counter(frozenset(pair) for pair in pairwise([*ring, ring[0]]))


def shared(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> float:
    """Return the length of the border that two outlines share, in units."""
    return sum(dist(*stroke) for stroke in strokes(first).keys() & strokes(second).keys()) / 10


def inside(point: Point, ring: Sequence[Point]) -> bool:
    x, y = point
    crossed = False
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed = not crossed
    return crossed


def away(point: Point, ring: Sequence[Point]) -> float:
    """Return the distance of a point from a closed line."""
    return min(_away(point, a, b) for a, b in pairwise([*ring, ring[0]]))


def _away(point: Point, a: Point, b: Point) -> float:
    (x, y), (ax, ay), (bx, by) = point, a, b
    along = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (hypot(bx - ax, by - ay) ** 2 or 1)))
    return hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))


def has_room(region: Region, finger: float) -> bool:
    """Return whether a finger of this radius fits into the region. Spots near the name are tried first."""
    left, top, right, bottom = region.box
    steps = product(range(int(right - left) // 3), range(int(bottom - top) // 3))
    grid = sorted(((left + 3 * i, top + 3 * j) for i, j in steps), key=lambda spot: dist(spot, region.label))
    return any(inside(spot, region.points) and away(spot, region.points) >= finger for spot in grid)


def lying(side: str, turns: int) -> tuple[Sheet, list[Region]]:
    """Return a side on the page after this many quarter turns, with boards above and below it."""
    above, below = [other for other in SIDES if other != side][:2]
    view = picture(f"centre:{side}:{turns},north:{above}:0,south:{below}:0")
    assert view.sheets[0].turns == turns
    return view.sheets[0], [region for region in view.regions.values() if region.side == side]


def is_on_page(box: tuple[float, float, float, float], view: Picture) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= view.width and box[3] <= view.height


def test_exactly_the_sides_of_the_rules_are_drawn() -> None:
    assert [side for side in side_names() if not drawn(side).alone] == SIDES
    for side in SIDES:
        assert [region.id for region in drawn(side).regions] == list(sides()[side].regions)


@for_each("side", SIDES)
def test_regions_share_a_border_exactly_if_they_are_neighbors_by_land(side: str) -> None:
    rings = outlines(side)
    neighbours = {frozenset(pair) for pair in combinations(rings, 2) if shared(rings[pair[0]], rings[pair[1]]) > 4}
    touching = {frozenset(pair) for pair in combinations(rings, 2) if set(rings[pair[0]]) & set(rings[pair[1]])}
    land = {frozenset(pair) for pair in sides()[side].land}
    assert neighbours == (set() if side == BRIDGED else land)
    assert touching >= neighbours
    assert all(len(pair) == 2 for pair in touching)


@for_each("side", SIDES)
def test_regions_that_only_water_joins_do_not_touch(side: str) -> None:
    rings = outlines(side)
    for region, other in sides()[side].water:
        assert not set(rings[region]) & set(rings[other])


def test_bridges_join_the_three_tall_islands_as_in_the_rules() -> None:
    rings = outlines(BRIDGED)
    bridges = painted(BRIDGED).bridges
    joined = set()
    for bridge in bridges:
        ends = pairs(bridge.line)[0], pairs(bridge.line)[-1]
        joined.add(frozenset(next(region for region, ring in rings.items() if inside(end, ring)) for end in ends))
    assert joined == {frozenset(pair) for pair in sides()[BRIDGED].land}
    assert not any(painted(side).bridges for side in SIDES if side != BRIDGED)


@for_each("side", SIDES)
def test_islands_are_connected_outlines_of_their_regions(side: str) -> None:
    rings = outlines(side)
    islands = [pairs(island) for island in drawn(side).islands]
    assert len(islands) == len(sides()[side].islands)
    for regions in sides()[side].islands:
        rim = Counter[frozenset[tuple[int, int]]]()
        for region in regions:
            rim += strokes(rings[region])
        coast = {stroke for stroke, times in rim.items() if times == 1}
        assert max(rim.values()) <= 2
        assert coast in [set(strokes(island)) for island in islands]


@for_each("side", SIDES)
def test_outlines_are_simple_and_keep_off_the_edge_of_the_sheet(side: str) -> None:
    for ring in outlines(side).values():
        assert len(set(ring)) == len(ring)
        assert all(60 < x < 10 * WIDTH - 60 and 60 < y < 10 * HEIGHT - 60 for x, y in ring)


@for_each("side", SIDES)
def test_dotted_lines_match_the_water_links_and_reach_the_middle_of_each_edge(side: str) -> None:
    rules, rings = sides()[side], outlines(side)
    routes = drawn(side).routes
    inner = {frozenset((route.start, route.end)) for route in routes if route.end not in EDGES}
    assert inner == {frozenset(pair) for pair in rules.water}
    assert {route.end: route.start for route in routes if route.end in EDGES} == rules.edges
    for route in routes:
        line = pairs(route.line)
        assert away(line[0], rings[route.start]) < 25
        assert line[-1] == MIDDLES[route.end] if route.end in EDGES else away(line[-1], rings[route.end]) < 25
        assert not any(inside(point, ring) for point in line for ring in rings.values())


@for_each("layout", [*LAYOUTS, *OTHERS])
def test_a_picture_is_portrait_and_contains_its_regions_names_and_spots(layout: str) -> None:
    view = picture(layout)
    assert view.height >= view.width
    for region in view.regions.values():
        assert is_on_page(region.box, view)
        for line in region.lines:
            half = LETTER * NAME_SIZE * len(line.text) / 2
            assert is_on_page((line.x - half, line.y - NAME_SIZE, line.x + half, line.y + NAME_SIZE / 3), view)
        for x, y in region.anchors:
            assert is_on_page((x - CELL / 2, y - CELL / 2, x + CELL / 2, y + CELL / 2), view)


@for_each("side", SIDES)
@for_each("turns", range(4))
def test_each_region_has_at_least_four_cells_away_from_its_name_and_each_other(side: str, turns: int) -> None:
    for region in lying(side, turns)[1]:
        assert len(region.anchors) >= 4
        assert all(inside(spot, region.points) and away(spot, region.points) >= CELL / 2 for spot in region.anchors)
        assert all(dist(spot_a, spot_b) > CELL - 0.3 for spot_a, spot_b in combinations(region.anchors, 2))
        top, bottom = region.lines[0].y - 0.7 * NAME_SIZE, region.lines[-1].y
        half = 0.4 * NAME_SIZE * max(len(line.text) for line in region.lines) / 2
        for x, y in region.anchors:
            beside = abs(x - region.label[0]) > half + CELL / 2 - 3
            assert beside or y - CELL / 2 > bottom - 2 or y + CELL / 2 < top + 2


@for_each("side", SIDES)
@for_each("turns", range(4))
def test_names_lie_on_their_region(side: str, turns: int) -> None:
    for region in lying(side, turns)[1]:
        assert " ".join(line.text for line in region.lines) == region.name
        assert inside(region.label, region.points)


def test_each_region_has_room_for_a_finger_on_a_phone_in_the_widest_picture() -> None:
    widest = max(picture(layout).width for layout in LAYOUTS)
    finger = FINGER / 2 * widest / PHONE
    for side in SIDES:
        for region in picture(f"centre:{side}:0").regions.values():
            assert has_room(region, finger), f"{region.id} has no room for {finger:.1f}"


@pytest.mark.parametrize("turns", range(4))
def test_a_rotated_board_has_its_printed_edges_where_the_rules_say(turns: int) -> None:
    for direction, place in enumerate(AROUND):
        view = picture(f"centre:volcano:{turns},{place}:fern:0")
        sheet = view.sheets[0]
        printed = EDGES[(direction - turns) % 4]
        x, y = sheet.point(*(value / 10 for value in MIDDLES[printed]))
        facing = (direction + view.turned) % 4
        assert {0: y == sheet.box[1], 1: x == sheet.box[2], 2: y == sheet.box[3], 3: x == sheet.box[0]}[facing]


@for_each("layout", [*LAYOUTS[::7], *(layout for layout in OTHERS if layout.startswith("centre"))])
def test_sheets_touch_at_the_middles_of_their_edges_and_never_overlap(layout: str) -> None:
    view = picture(layout)
    middles = [{sheet.point(x / 10, y / 10) for x, y in MIDDLES.values()} for sheet in view.sheets]
    assert all(len(middles[0] & others) == 1 for others in middles[1:])
    for first, second in combinations(view.sheets, 2):
        apart = first.box[2] <= second.box[0] or second.box[2] <= first.box[0]
        assert apart or first.box[3] <= second.box[1] or second.box[3] <= first.box[1]


def test_four_boards_can_form_a_rectangle() -> None:
    view = picture("north-west:fern:0,north-east:desert:0,south-west:volcano:0,south-east:citadel:0")
    assert (view.width, view.height, view.turned) == (416, 616, False)
    turned = picture("north-west:fern:1,north-east:desert:1,south-west:volcano:3,south-east:citadel:1")
    assert (turned.width, turned.height, turned.turned) == (416, 616, True)


@pytest.mark.parametrize("layout", [layout for layout in OTHERS if layout.startswith("north-west")])
def test_the_four_boards_of_a_rectangle_meet_in_one_point(layout: str) -> None:
    boxes = [sheet.box for sheet in picture(layout).sheets]
    corners = [{(x, y) for x in box[::2] for y in box[1::2]} for box in boxes]
    assert len(set.intersection(*corners)) == 1
    assert len({(box[2] - box[0], box[3] - box[1]) for box in boxes}) == 1


def test_a_row_lies_upright_on_the_page() -> None:
    view = picture("centre:fern:0,east:volcano:0,west:citadel:2")
    assert view.turned
    assert [sheet.place for sheet in sorted(view.sheets, key=lambda sheet: sheet.y)] == ["west", "centre", "east"]


@for_each("slug, shape", BY_HAND)
@for_each("seed", range(6))
def test_every_unfinished_layout_has_a_picture(slug: str, shape: str, seed: int) -> None:
    tables = laid_by_hand(slug, shape, seed)
    assert [len(picture(text).sheets) for _, text in tables] == list(range(boards_needed(shape) + 1))
    for layout, text in tables:
        view = picture(text)
        laid = parse_layout(layout) if layout else ()
        assert {sheet.place for sheet in view.sheets} == {board.place for board in laid}
        assert [slot.place for slot in view.slots] == free_places(shape, laid)
        assert all(is_on_page(part.box, view) for part in (*view.sheets, *view.slots))
        for part, other in combinations([*view.sheets, *view.slots], 2):
            assert not overlap(part.box, other.box)
        assert picture(layout).regions.keys() == view.regions.keys()


def overlap(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def test_north_is_at_the_top_while_boards_are_being_laid() -> None:
    view = picture(being_laid("row", "centre:fern:0"))
    assert view.width > view.height
    assert not view.turned
    assert [slot.place for slot in sorted(view.slots, key=lambda slot: slot.x)] == ["east", "west"][::-1]
    assert {slot.box[3] - slot.box[1] for slot in view.slots} == {HEIGHT}


def test_an_empty_table_has_room_around_a_central_board() -> None:
    view = picture("")
    assert not view.sheets and not view.regions
    assert {slot.place for slot in view.slots} == {"centre", *AROUND}
    assert (view.width, view.height) == (916, 916)
    assert shown(FAMILY["legends"].view(opened(), None)) == "t~"


@for_each("side", [*SIDES, "side-a", "side-b"])
def test_a_thumbnail_of_a_side_has_its_orientation(side: str) -> None:
    for turns in range(4 if side in SIDES else 1):
        view = picture(side_thumbnail(side, turns))
        assert (view.sheets[0].side, view.sheets[0].turns, view.slots) == (side, turns, ())
        assert (view.width > view.height) == bool(turns % 2)


def test_portals_do_not_change_the_picture() -> None:
    layout = LAYOUTS[0]
    first, second = list(picture(layout).regions)[::9][:2]
    assert picture(f"{layout};{first};{second}") is picture(layout)
    assert without_portals(f"{layout};{first};{second}") == without_portals(layout) == layout


@for_each(
    "layout",
    [
        "centre:atlantis:0",
        "centre:fern:4",
        "centre:fern:0,centre:desert:0",
        "centre:fern:0,south:desert:0,north:volcano:0",
        "centre:fern:0,north:fern:1",
        "centre:fern:0,north-west:desert:0",
        "centre:fern:0,north:desert:0,east:volcano:0,south:citadel:0,west:meadows:0",
        "north-east:fern:0,north-west:desert:0",
        "(0, -1):fern:0",
        "centre:fern",
        "centre:fern:one",
        "centre:../_glyphs:0",
        "board:side-a:1",
        "board:side-a:0,board:side-b:0",
        "board:fern:0",
        "centre:side-a:0",
        "north-west:side-a:0",
        "moon~",
        "row~north:fern:0",
        "l~centre:fern:0,north:desert:0,south:volcano:0",
        "look~",
        "look~fern:4",
        "look~side-a:1",
        "look~fern:0,north:desert:0",
        "t~t~",
    ],
)
def test_an_invalid_layout_is_refused(layout: str) -> None:
    with pytest.raises(ValueError):
        showing(layout)


@for_each("side", SIDES)
def test_islands_are_visibly_separate(side: str) -> None:
    islands = [pairs(island) for island in drawn(side).islands]
    for island_a, island_b in combinations(islands, 2):
        assert min(dist(a, b) for a in island_a for b in island_b) > 75
