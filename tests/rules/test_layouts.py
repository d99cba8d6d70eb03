"""Layouts other than the T, and the start of the prototype: R37, R62-R65."""

from collections import Counter

import pytest

from games.rules.eight_minute.boards import joins, map_of, parse_layout, starts
from games.rules.eight_minute.events import OutpostChosen, StartChosen
from tests.rules.test_tokens import laid_by_lot

SQUARE = "north-west:volcano:0,north-east:fern:0,south-west:meadows:0,south-east:citadel:0"


def layouts(layout: str, slug: str = "legends", players: int = 3, draws: int = 150) -> list[str]:
    return [setup[0].layout for setup in laid_by_lot({"layout": layout}, draws, slug, players)]


def test_r63_the_islands_of_a_rectangle_form_a_loop() -> None:
    """Volcano's right edge leads to Fern and its lower edge to Meadows; both of these lead to Citadel."""
    assert set(joins(parse_layout(SQUARE))) == {("v4", "f2"), ("v7", "m1"), ("f3", "c1"), ("m3", "c1")}


def test_r63_drawn_rectangles_start_on_any_board_and_on_desert_if_it_is_in_play() -> None:
    sides = Counter()
    for setup in laid_by_lot({"layout": "rectangle"}, 200):
        layout = map_of(setup[0].layout)
        start = next(event.region for event in setup if isinstance(event, StartChosen))
        outpost = next(event.region for event in setup if isinstance(event, OutpostChosen))
        home, away = (layout.side_of[layout.index[region]] for region in (start, outpost))
        assert home != away
        assert "desert" not in setup[0].layout or home == "desert"
        sides[home] += 1
    assert len(sides) == 8


@pytest.mark.parametrize(
    ("slug", "players", "layout", "places"),
    [
        ("legends", 4, "rectangle", {("north-west", "north-east", "south-west", "south-east")}),
        ("prototype", 4, "rectangle", {("north-west", "north-east", "south-west", "south-east")}),
        ("prototype", 3, "row", {("centre", "east", "west")}),
        (
            "prototype",
            2,
            "l",
            {
                ("centre", *pair)
                for pair in (("north", "east"), ("east", "south"), ("south", "west"), ("north", "west"))
            },
        ),
    ],
    ids=["rectangle", "prototype", "row", "l"],
)
def test_r64_each_layout_has_its_places(slug: str, players: int, layout: str, places: set) -> None:
    drawn = layouts(layout, slug, players)
    assert {tuple(board.place for board in parse_layout(text)) for text in drawn} == places


@pytest.mark.parametrize(("slug", "players", "layout"), [("legends", 3, "rectangle"), ("prototype", 3, "row")])
def test_r64_boards_of_rectangles_and_rows_have_the_same_orientation(slug: str, players: int, layout: str) -> None:
    ways = Counter()
    for text in layouts(layout, slug, players):
        turns = {board.turns % 2 for board in parse_layout(text)}
        assert len(turns) == 1
        ways[turns.pop()] += 1
    assert min(ways.values()) > 40


def test_r64_boards_of_an_l_have_any_orientation() -> None:
    turns = Counter(board.turns for text in layouts("l", "prototype") for board in parse_layout(text))
    assert min(turns.values()) > 60 and len(turns) == 4


def test_r65_boards_without_a_legal_start_are_drawn_again() -> None:
    assert all(starts("harbour", text) for text in layouts("row", "prototype", draws=300))


@pytest.mark.parametrize(("players", "boards"), [(2, 3), (3, 3), (4, 4)])
def test_r37_the_prototype_has_its_own_sides_and_fewer_boards_for_fewer_players(players: int, boards: int) -> None:
    drawn = [setup[0].layout for setup in laid_by_lot({}, 60, "prototype", players)]
    assert {len(parse_layout(text)) for text in drawn} == {boards}
    assert {board.side for text in drawn for board in parse_layout(text)} == {"volcano", "fern", "meadows", "citadel"}


def test_r62_a_start_or_its_neighbor_has_a_second_water_link_to_another_continent() -> None:
    """In the square v7, v2 and v5 are linked; v4 with f2; c1 twice; m1 and m3 are neighbors, and so are f2 and f3."""
    assert set(starts("harbour", SQUARE)) == {"v4", "v5", "f2", "f3", "m1", "m3", "c1", "c2"}


def test_r62_one_link_without_such_a_neighbor_is_not_enough() -> None:
    """v7 leads to Meadows, but its only neighbor v6 leads nowhere; v2 leads to v5, and v1 leads nowhere."""
    start_regions = starts("harbour", SQUARE)
    assert "v7" not in start_regions and "v2" not in start_regions and "c3" not in start_regions


def test_r62_links_within_a_continent_do_not_count() -> None:
    """On side A of the classic board, water joins a8 and a10 within one continent; a8 is also linked to a4."""
    start_regions = starts("harbour", "board:side-a:0")
    assert "a10" not in start_regions
    assert "a14" not in start_regions


def test_r62_the_prototype_has_no_outpost() -> None:
    for setup in laid_by_lot({}, 10, "prototype"):
        assert not any(isinstance(event, OutpostChosen) for event in setup)
        start = next(event for event in setup if isinstance(event, StartChosen))
        assert start.armies == (4, 4, 4)
        assert start.region in starts("harbour", setup[0].layout)
