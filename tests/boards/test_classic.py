"""Both sides of the classic board: drawn like the printed map, with room for five colors and their goods."""

from collections import Counter
from itertools import combinations, pairwise
from math import dist

import pytest

from games.boards.eight_minute.clusters import beside_token, cell, cluster
from games.boards.eight_minute.geometry import CELL, NAME_SIZE, Region, drawn, pairs, picture, side_names
from games.boards.eight_minute.land import glyphs, land, painted
from games.boards.themes import THEMES
from tests.boards.test_geometry import (
    FINGER,
    PHONE,
    SIDES,
    away,
    has_room,
    inside,
    is_on_page,
    lying,
    outlines,
    shared,
    strokes,
)
from tests.each import for_each

BOARDS = ("board:side-a:0", "board:side-b:0")

# The printed map, independent of the drawings: neighbors by land, dotted lines, continents, triangles.
NEIGHBOURS = {
    "side-a": """
        1: 2 3 4; 2: 1 3 5 6; 3: 1 2 4 5; 4: 1 3; 5: 2 3; 6: 2 7; 7: 6; 8: 9; 9: 8 12 13; 10: 14; 11: 12 15;
        12: 9 11 13 15 16 19; 13: 9 12 16; 14: 10 17; 15: 11 12 18 19; 16: 12 13 17 19; 17: 14 16; 18: 15 19;
        19: 12 15 16 18 20; 20: 19; 21: 22; 22: 21; 23: 25; 24: 25; 25: 23 24
    """,
    "side-b": """
        1: 2; 2: 1; 3: 4; 4: 3; 5: 6; 6: 5 7; 7: 6; 8: 9 10 11; 9: 8 11; 10: 8 11 12 13; 11: 8 9 10 13 14; 12: 10 13;
        13: 10 11 12 14; 14: 11 13; 15: 16; 16: 15 17 19 20; 17: 16 18 20 23; 18: 17; 19: 16 20 21;
        20: 16 17 19 21 22 23; 21: 19 20 22; 22: 20 21 23; 23: 17 20 22
    """,
}
DOTTED = {
    "side-a": "4-8 8-10 5-11 7-21 15-22 17-23 18-24",
    "side-b": "1-8 2-3 4-5 4-15 7-18 9-15 14-19",
}
CONTINENTS = {"side-a": ((1, 7), (8, 20), (21, 22), (23, 25)), "side-b": ((1, 2), (3, 4), (5, 7), (8, 14), (15, 23))}
TRIANGLES = {"side-a": {"a1", "a10", "a12", "a21", "a25"}, "side-b": {"b1", "b3", "b6", "b12", "b22"}}
CLASSIC = sorted(NEIGHBOURS)


def pair(side: str, first: str, second: str) -> frozenset[str]:
    return frozenset((f"{side[-1]}{first.strip()}", f"{side[-1]}{second.strip()}"))


def by_land(side: str) -> set[frozenset[str]]:
    rows = (row.split(":") for row in NEIGHBOURS[side].split(";"))
    pairs = Counter(pair(side, region, other) for region, others in rows for other in others.split())
    assert set(pairs.values()) == {2}
    return set(pairs)


def by_water(side: str) -> set[frozenset[str]]:
    return {pair(side, *way.split("-")) for way in DOTTED[side].split()}


def regions(side: str) -> list[Region]:
    return list(picture(f"board:{side}:0").regions.values())


def covers_name(region: Region, x: float, y: float) -> bool:
    """Return whether a cell around a point overlaps the name."""
    top, bottom = region.lines[0].y - 0.7 * NAME_SIZE, region.lines[-1].y
    half = 0.4 * NAME_SIZE * max(len(line.text) for line in region.lines) / 2
    beside = abs(x - region.label[0]) > half + CELL / 2 - 3
    return not (beside or y - CELL / 2 > bottom - 2 or y + CELL / 2 < top + 2)


def test_only_the_classic_sides_are_used_alone() -> None:
    assert [side for side in side_names() if drawn(side).alone] == CLASSIC
    assert [region.id for region in drawn("side-a").regions] == [f"a{n}" for n in range(1, 26)]
    assert [region.id for region in drawn("side-b").regions] == [f"b{n}" for n in range(1, 24)]


@pytest.mark.parametrize("side", CLASSIC)
def test_borders_and_coasts_match_the_neighbors(side: str) -> None:
    rings = outlines(side)
    touching = {frozenset(two) for two in combinations(rings, 2) if set(rings[two[0]]) & set(rings[two[1]])}
    assert touching == by_land(side)
    assert all(shared(*(rings[region] for region in two)) > 12 for two in touching), "a border is too short to see"


@pytest.mark.parametrize("side", CLASSIC)
def test_dotted_lines_match_the_printed_ones_and_cross_only_water(side: str) -> None:
    rings, routes = outlines(side), drawn(side).routes
    assert {frozenset((route.start, route.end)) for route in routes} == by_water(side)
    assert len(routes) == len(by_water(side))
    for route in routes:
        line = pairs(route.line)
        assert away(line[0], rings[route.start]) < 25 > away(line[-1], rings[route.end])
        assert not any(inside(point, ring) for point in line for ring in rings.values())
        assert sum(dist(*step) for step in pairwise(line)) > 120, "a dotted line is too short to see"


@pytest.mark.parametrize("side", CLASSIC)
def test_continents_are_connected_separate_and_named(side: str) -> None:
    rings, islands = outlines(side), [pairs(island) for island in drawn(side).islands]
    for (first, last), island in zip(CONTINENTS[side], islands, strict=True):
        rim = Counter[frozenset[tuple[int, int]]]()
        for number in range(first, last + 1):
            rim += strokes(rings[f"{side[-1]}{number}"])
        assert max(rim.values()) <= 2
        assert {stroke for stroke, times in rim.items() if times == 1} == set(strokes(island))
    for island_a, island_b in combinations(islands, 2):
        assert min(dist(a, b) for a in island_a for b in island_b) > 120
    assert len(set(drawn(side).names)) == len(islands) == len(painted(side).pages[0].titles)


@pytest.mark.parametrize("side", CLASSIC)
def test_outlines_are_simple_and_keep_off_the_edge_of_the_sheet(side: str) -> None:
    width, height = drawn(side).size
    for ring in outlines(side).values():
        assert len(set(ring)) == len(ring)
        assert all(60 < x < 10 * width - 60 and 60 < y < 10 * height - 60 for x, y in ring)


@pytest.mark.parametrize("side", CLASSIC)
def test_a_classic_board_is_portrait_and_contains_its_names(side: str) -> None:
    view = picture(f"board:{side}:0")
    assert not view.turned
    assert view.height > 1.4 * view.width
    for region in view.regions.values():
        assert is_on_page(region.box, view)
        assert inside(region.label, region.points)
        assert " ".join(line.text for line in region.lines) == region.name


@pytest.mark.parametrize("side", CLASSIC)
def test_every_region_has_cells_for_five_colors_and_a_city(side: str) -> None:
    for region in regions(side):
        assert len(region.anchors) >= 6
        assert all(dist(spot_a, spot_b) > CELL - 0.3 for spot_a, spot_b in combinations(region.anchors, 2))
        for spot in region.anchors:
            assert inside(spot, region.points)
            assert away(spot, region.points) >= CELL / 2
            assert not covers_name(region, *spot)


@pytest.mark.parametrize("side", CLASSIC)
def test_goods_lie_on_triangles_away_from_pieces_and_names(side: str) -> None:
    sheet = picture(f"board:{side}:0").sheets[0]
    standing = painted(side).pages[0].glyphs
    marks = {sheet.point(x / 10, y / 10) for name, x, y, _ in standing if name == "triangle"}
    assert marks == {region.token for region in regions(side) if region.id in TRIANGLES[side]}
    assert len(marks) == 5
    for region in regions(side):
        if region.id in TRIANGLES[side]:
            assert all(max(abs(x - region.token[0]), abs(y - region.token[1])) >= 15 for x, y in region.anchors)
            assert away(region.token, region.points) >= CELL / 2
            assert not covers_name(region, *region.token)


@for_each("side", [*SIDES, *CLASSIC])
def test_every_region_has_a_place_for_a_token_if_only_its_last_spot(side: str) -> None:
    lies = [regions(side)] if side in CLASSIC else [lying(side, turns)[1] for turns in range(4)]
    for region in (region for board_regions in lies for region in board_regions):
        assert inside(region.token, region.points)
        off_pieces = all(dist(region.token, spot) > CELL - 1.3 for spot in region.anchors)
        assert off_pieces or region.token == region.anchors[-1]


@pytest.mark.parametrize("side", CLASSIC)
def test_four_pieces_next_to_a_token_leave_it_visible(side: str) -> None:
    view = picture(f"board:{side}:0")
    for region in regions(side):
        if region.id in TRIANGLES[side]:
            laid = cluster(view, region, 4, beside_token=True)
            nearest = min(max(abs(x - region.token[0]), abs(y - region.token[1])) for x, y in laid)
            assert nearest > cell(view) / 2, f"{region.name}: {nearest:.1f}"


@pytest.mark.parametrize("side", CLASSIC)
def test_a_good_covers_its_triangle_and_no_letter_of_the_name(side: str) -> None:
    view = picture(f"board:{side}:0")
    for region in regions(side):
        if region.id in TRIANGLES[side]:
            (x, y), _ = beside_token(view, region, 0)
            half = 11 * cell(view) / 26
            assert dist((x, y), region.token) < 4
            top, bottom = region.lines[0].y - 0.7 * NAME_SIZE, region.lines[-1].y
            aside = abs(x - region.label[0]) > half + 0.19 * NAME_SIZE * max(len(line.text) for line in region.lines)
            assert aside or y + half < top or y - half > bottom, region.name


@pytest.mark.parametrize("side", CLASSIC)
def test_each_region_has_room_for_a_finger_on_a_phone(side: str) -> None:
    finger = FINGER / 2 * picture(f"board:{side}:0").width / PHONE
    for region in regions(side):
        assert has_room(region, finger), f"{region.id} has no room for {finger:.1f}"


@pytest.mark.parametrize("side", CLASSIC)
def test_glyphs_keep_the_spots_of_pieces_free(side: str) -> None:
    sheet = picture(f"board:{side}:0").sheets[0]
    spots = [spot for region in regions(side) for spot in region.anchors]
    for name, gx, gy, size in painted(side).pages[0].glyphs:
        x, y = sheet.point(gx / 10, gy / 10)
        wide, high = glyphs()[name].width * size / 200, glyphs()[name].height * size / 200
        assert not any(abs(sx - x) < wide + 5.5 and abs(sy - y) < high + 5.5 for sx, sy in spots), (name, x, y)


@pytest.mark.parametrize("side", CLASSIC)
def test_neighbors_differ_in_tone(side: str) -> None:
    tones = {region.id: region.tone for region in drawn(side).regions}
    assert all(len({tones[region] for region in two}) == 2 for two in by_land(side))


@pytest.mark.parametrize("layout", BOARDS)
@pytest.mark.parametrize("theme", THEMES)
def test_a_classic_board_with_compass_and_cartouche_is_small(layout: str, theme: str) -> None:
    svg = land(layout, theme)
    assert len(svg.encode()) < 150_000
    assert svg.count('href="#compass"') == svg.count('href="#cartouche"') == 1
