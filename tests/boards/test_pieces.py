"""Pieces on the map: correct, readable and small in every position, for sight, touch, keyboard and screen reader."""

import gzip
import re
from functools import cache
from math import dist
from xml.etree import ElementTree

import pytest

from games.boards.eight_minute.changes import Changes, Count, Way
from games.boards.eight_minute.clusters import cell, searched, stored
from games.boards.eight_minute.contents import army, city, piece_defs
from games.boards.eight_minute.describe import all_words, map_text, ways_words
from games.boards.eight_minute.geometry import picture, short_points
from games.boards.eight_minute.pieces import Marks, pieces
from games.boards.png import png
from games.boards.targets import Target
from games.boards.themes import SHAPES, colours
from tests.boards.pixels import pixels
from tests.boards.test_geometry import LAYOUTS, OTHERS
from tests.each import for_each
from tests.rules.positions import LEGENDS, position
from tests.rules.walk import walk

NAMES = ("Alice", "Bob", "Carol", "Dan")
PHONE = 390
GAMES = [(2 + seed % 3, seed) for seed in range(50)]
CROWD = {"v4": (5, 5, 5, 0), "v1": (2, 1, 3, 1), "h1": (18, 0, 0, 0)}
CITIES = {"v4": (1, 0, 1, 0), "v1": (1, 1, 1, 1)}
XLINK = "{http://www.w3.org/2000/svg}"


@cache
def views(players: int, seed: int, every: int = 24):
    """Return a spectator's views during a random game."""
    steps = walk(LEGENDS, players, seed).steps
    return [LEGENDS.view(step.after, None) for step in [*steps[::every], steps[-1]]]


def crowded():
    return LEGENDS.view(position(4, armies=CROWD, cities=CITIES, layout=LAYOUT), None)


LAYOUT = "centre:volcano:0,north:fern:1,east:horse_shoe:2,south:meadows:3"


def everything(view) -> Marks:
    """Return more marks than any page needs."""
    regions = list(view.regions)
    targets = {r: Target("Place an army", f"?region={r}&seq=17", f"place {r}") for r in regions}
    ways = (Way(regions[0], regions[1], 0), Way(regions[2], regions[3], 1, 2))
    counts = (Count(regions[4], 0, 12), Count(regions[4], 1, -2))
    new = Changes(ways, counts, (Count(regions[0], 0, 1),), gone=tuple((r, "token") for r in regions[2:4]))
    return Marks(targets, regions[0], tuple(regions), new)


def parsed(svg: str):
    return ElementTree.fromstring(svg)


def groups(svg: str, attribute: str):
    return {g.get(attribute): g for g in parsed(svg).iter() if g.get(attribute)}


def spots(svg: str) -> dict[str, list[tuple[float, float]]]:
    """Return the centers of the pieces of each region."""
    return {
        region: [
            tuple(map(float, re.match(r"translate\((\S+) (\S+)\)", piece.get("transform")).groups()))
            for piece in group
            if piece.get("transform")
        ]
        for region, group in groups(svg, "data-of").items()
    }


@pytest.mark.parametrize("games", [GAMES[:12], pytest.param(GAMES, marks=pytest.mark.long)], ids=["some", "all"])
def test_the_fragment_is_clean_and_small_in_every_position(games):
    for players, seed in games:
        print(players, seed)  # shown on a failure: the last one is the one that failed
        for view in views(players, seed):
            svg = pieces(view, everything(view), names=NAMES[:players])
            assert set(groups(svg, "data-region")) == set(view.regions)
            assert not re.search(r"(?<!font-)style|<script| on\w+=", svg)
            assert len(gzip.compress(svg.encode(), 6)) < 10_000


@for_each("players, seed", GAMES[:12])
def test_pieces_of_a_region_do_not_overlap_and_are_inside_the_picture(players, seed):
    for view in views(players, seed):
        board = picture(view.layout)
        room = cell(board)
        for laid in spots(pieces(view)).values():
            assert all(room / 2 <= x <= board.width - room / 2 for x, _ in laid)
            assert all(room / 2 <= y <= board.height - room / 2 for _, y in laid)
            pairs = [(a, b) for i, a in enumerate(laid) for b in laid[:i]]
            assert all(max(abs(ax - bx), abs(ay - by)) > room - 0.3 for (ax, ay), (bx, by) in pairs)


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
def test_stored_positions_are_those_that_the_search_finds(every):
    positions = [
        (side, turns, region, float(size), stored_spots)
        for size, sides in stored().items()
        for side, orientations in sides.items()
        for turns, regions in enumerate(orientations)
        for region, stored_spots in regions.items()
    ]
    for *where, stored_spots in positions[::every]:
        assert searched(*where) == stored_spots, "Run python -m games.boards.eight_minute.build"


@for_each("layout", [*LAYOUTS, *OTHERS, "board:side-a:0", "board:side-b:0"])
def test_positions_are_stored_for_the_regions_of_every_map(layout):
    board = picture(layout)
    sides = stored()[f"{cell(board):g}"]
    assert all(region.id in sides[region.side][region.sheet.turns] for region in board.regions.values())


def test_every_color_in_a_crowded_region_has_its_pieces():
    view = crowded()
    laid = groups(pieces(view), "data-of")
    used = [use.get("href") for use in laid["v1"].iter(f"{XLINK}use")]
    assert used == [
        *("#b-seat-0-pile", "#b-seat-0-city", "#b-seat-1", "#b-seat-1-city"),
        *("#b-seat-2-pile", "#b-seat-2-city", "#b-seat-3", "#b-seat-3-city"),
    ]
    assert laid["v4"].find(f".//{XLINK}use").get("href") == "#b-start"
    assert set(laid) == {"v4", "v1", "h1"}


@for_each("players", [2, 3, 4])
@for_each("seed", range(4))
def test_a_piece_is_at_least_15_pixels_high_on_a_phone(players, seed):
    view = views(players, seed)[-1]
    board = picture(view.layout)
    for paint in colours(players):
        for piece in (army(paint, 1), army(paint, 17), city(paint)):
            svg = (
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="40" height="40">'
                f"<defs>{piece_defs([paint])}</defs>{piece}</svg>"
            )
            assert height(svg) * cell(board) / 26 * PHONE / board.width >= 15


@cache
def height(svg: str) -> float:
    return pixels(png(svg, 120)).inked_rows() / 3


@for_each("seed", range(9))
def test_every_region_has_room_for_a_finger_of_24_pixels_on_a_phone(seed):
    view = views(4, seed)[0]
    board = picture(view.layout)
    finger = 24 * board.width / PHONE
    for region in board.regions.values():
        near_name = sorted(_grid(region.box, 4), key=lambda spot: dist(spot, region.label))
        assert any(_inside(region.points, x, y, finger) for x, y in near_name), region.name


def _grid(box, step):
    left, top, right, bottom = map(int, box)
    return ((x, y) for x in range(left, right, step) for y in range(top, bottom, step))


def _inside(points, x, y, finger) -> bool:
    rim = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (0.71, 0.71), (-0.71, 0.71), (0.71, -0.71), (-0.71, -0.71))
    return all(_contains(points, x + i * finger / 2, y + j * finger / 2) for i, j in rim)


def _contains(points, x, y) -> bool:
    edges = zip(points, (*points[1:], points[0]), strict=True)
    return (
        sum((ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax for (ax, ay), (bx, by) in edges) % 2 == 1
    )


def test_the_simplified_outline_stays_within_a_unit_of_the_coast():
    for region in picture(LAYOUT).regions.values():
        kept = short_points(region)
        assert len(kept) < len(region.points) / 2
        for x, y in region.points:
            chords = zip(kept, (*kept[1:], kept[0]), strict=True)
            assert min(_distance(x, y, *a, *b) for a, b in chords) < 1


def _distance(x, y, ax, ay, bx, by) -> float:
    dx, dy = bx - ax, by - ay
    share = max(0, min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    return ((ax + share * dx - x) ** 2 + (ay + share * dy - y) ** 2) ** 0.5


def test_a_region_describes_its_pieces():
    view = crowded()
    assert all_words(view, NAMES)["v1"] == (
        "Gullcry: controlled by Carol (yellow diamond); Alice (red circle) 2 armies, 1 city;"
        " Bob (blue square) 1 army, 1 city; Carol (yellow diamond) 3 armies, 1 city;"
        " Dan (black triangle) 1 army, 1 city."
    )
    assert all_words(view)["v2"] == "Ashwick: empty."
    in_french = all_words(view, NAMES, lambda text: " ; " if text == "; " else text)["v1"]
    assert in_french.startswith("Gullcry: controlled by Carol (yellow diamond) ; Alice (red circle) 2 armies, 1 city ;")
    assert all_words(view, NAMES)["v4"].startswith("Saltmarch: start region; controlled by nobody; Alice")
    titles = [title.text for title in parsed(pieces(view, names=NAMES)).iter(f"{XLINK}title")]
    assert titles == list(all_words(view, NAMES).values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_region_is_told_with_its_owner_and_its_neighbors(players):
    view = views(players, 3)[-1]
    people = [f"{name} ({paint.name})" for name, paint in zip((*NAMES[:players], "?"), colours(players), strict=False)]
    if players == 2:
        people[2] = "gray cross"
    words = all_words(view, NAMES[:players])
    for region, here in view.regions.items():
        line = words[region]
        assert line.startswith(picture(view.layout).regions[region].name)
        assert here.controller is None or f"controlled by {people[here.controller]}" in line
        assert all(str(n) in line for n in (*here.armies, *here.cities) if n)
        ways = " ".join(ways_words(map_text(view), region))
        assert "By land: " in ways or "Over water: " in ways


def test_names_of_players_are_escaped():
    view = crowded()
    svg = pieces(view, Marks({"v1": Target('<b> & "', 'x" onclick="y', "a&b")}), names=("<script>", '"', "&", "'"))
    assert "<script>" not in svg
    assert groups(svg, "data-action")["a&b"].get("href") == 'x" onclick="y'


def test_only_targets_are_links_and_each_describes_its_action():
    view = crowded()
    marks = Marks(
        {
            "v2": Target("Place an army", "?region=v2", "place v2"),
            "v1": Target("Move away", "?region=v1", kind="choose"),
        }
    )
    links = list(parsed(pieces(view, marks)).iter(f"{XLINK}a"))
    reached = {link.get("id"): link for link in links if link.get("tabindex") != "-1"}
    assert set(reached) == {"tap-v1", "tap-v2"}
    assert reached["tap-v2"].get("aria-label") == "Place an army"
    assert reached["tap-v2"].findtext(f"{XLINK}title") == "Ashwick: empty."
    assert (reached["tap-v2"].get("href"), reached["tap-v2"].get("data-action")) == ("?region=v2", "place v2")
    assert (reached["tap-v1"].get("class"), reached["tap-v1"].get("data-action")) == ("target choose", None)


def test_the_pieces_of_a_target_link_like_their_region_but_are_skipped_by_the_keyboard():
    svg = pieces(crowded(), Marks({"v1": Target("Move away", "?region=v1", "x")}))
    pile = groups(svg, "data-of")["v1"]
    assert (pile.tag, pile.get("href"), pile.get("tabindex")) == (f"{XLINK}a", "?region=v1", "-1")
    assert groups(svg, "data-of")["v4"].get("pointer-events") == "none"


def test_a_target_without_a_link_is_a_button_for_the_keyboard():
    link = groups(pieces(crowded(), Marks({"v2": Target("Place", action="place v2")})), "id")["tap-v2"]
    assert (link.get("role"), link.get("tabindex"), link.get("href")) == ("button", "0", None)


def test_only_new_and_chosen_regions_are_marked():
    svg = pieces(crowded(), Marks(chosen="v3", changed=("v1", "v2")))
    kinds = {region: group.get("class") for region, group in groups(svg, "data-region").items()}
    assert {region for region, kind in kinds.items() if "changed" in kind} == {"v1", "v2"}
    assert {region for region, kind in kinds.items() if "chosen" in kind} == {"v3"}
    assert svg.count('class="spark"') == svg.count('class="halo"') == 2
    assert svg.count('class="edge chosen"') == 1


def test_the_owner_of_a_region_is_shown_by_color_pattern_and_shape():
    svg = pieces(crowded())
    region = groups(svg, "data-region")["v1"]
    assert region.get("class") == "region seat-2"
    assert region.find(f"{XLINK}use").get("fill") == "url(#b-seat-2-wash)"
    assert re.findall(r'class="owner" d="([^"]+)"', svg) == [SHAPES["diamond"], SHAPES["circle"]]


def test_steps_of_the_last_turn_have_the_color_of_their_player():
    svg = pieces(crowded(), Marks(changes=Changes((Way("v1", "v2", 3),))))
    assert svg.count('class="step seat-3"') == 1


def test_every_reference_inside_the_fragment_is_defined():
    svg = pieces(crowded(), everything(crowded()))
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', svg)) <= set(ids)
