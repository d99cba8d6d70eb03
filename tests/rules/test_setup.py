"""Set-up: R1-R5, R38, R56, R57, R64, R65, and the board data."""

from collections import Counter
from itertools import pairwise

import pytest

from games.rules.eight_minute.boards import Side, joins, map_of, parse_layout, starts
from games.rules.eight_minute.boards import sides as all_sides
from games.rules.eight_minute.events import BoardsLaid, NeutralPlaced, OutpostChosen, RowDealt, StartChosen
from games.rules.eight_minute.state import State
from games.rules.fairness import Fair, Quick
from games.rules.protocol import Event, SeatInfo
from tests.each import for_each
from tests.rules.positions import LAYOUT, LEGENDS, RULES, offers, position

DRAWS = 300


def sides() -> dict[str, Side]:
    return {name: all_sides()[name] for name in RULES.sides}


def starting(layout: str) -> tuple[str, ...]:
    return starts("overseas", layout)


def start(players: int, seed: int, options: dict | None = None) -> list[Event]:
    return LEGENDS.start(LEGENDS.options(options or {}, players), [SeatInfo()] * players, Quick(seed))


def opened(players: int, seed: int = 1) -> State:
    seats = [SeatInfo()] * players
    state = LEGENDS.initial(LEGENDS.options({}, players), seats)
    for event in start(players, seed):
        LEGENDS.evolve(state, event)
    return state


def layouts(draws: int = DRAWS) -> list[str]:
    return [start(3, seed)[0].layout for seed in range(draws)]


def test_r1_a_drawn_set_up_needs_no_decision_before_the_bids() -> None:
    state = opened(4)
    assert LEGENDS.sealed(state)
    assert LEGENDS.to_act(state) == (0, 1, 2, 3)


def test_r1_a_drawn_set_up_follows_from_the_seed_alone() -> None:
    seats = [SeatInfo()] * 3
    options = LEGENDS.options({}, 3)
    assert LEGENDS.start(options, seats, Fair(b"one")) == LEGENDS.start(options, seats, Fair(b"one"))
    assert LEGENDS.start(options, seats, Fair(b"one")) != LEGENDS.start(options, seats, Fair(b"two"))


def test_r2_touching_boards_join_the_dotted_lines_at_their_shared_edge() -> None:
    assert joins(parse_layout(LAYOUT)) == [("v1", "f3"), ("v4", "m4"), ("v7", "c1")]


def test_r2_a_board_can_lie_sideways() -> None:
    sideways = "centre:volcano:0,north:horse_shoe:3,east:meadows:0,south:fern:0"
    assert joins(parse_layout(sideways))[0] == ("v1", "h3")


@pytest.mark.parametrize(("turns", "joined"), [(0, "d6"), (1, "d5"), (2, "d1"), (3, "d4")])
def test_r2_a_quarter_turn_clockwise_turns_the_next_dotted_line_south(turns: int, joined: str) -> None:
    assert sides()["desert"].facing(2, turns) == joined


def test_r2_every_board_of_a_drawn_set_up_can_be_reached_from_the_start() -> None:
    for text in layouts():
        layout = map_of(text)
        reached = {layout.index[starting(text)[0]]}
        while new := {n for r in reached for n in layout.land[r] + layout.sea[r]} - reached:
            reached |= new
        assert reached == set(range(len(layout.regions)))


@pytest.mark.parametrize("players", LEGENDS.seat_counts)
def test_r3_every_player_begins_with_three_armies_on_the_start_and_one_overseas(players: int) -> None:
    state = opened(players)
    for seat in range(players):
        armies = state.armies[seat :: state.colours]
        assert sorted(n for n in armies if n) == [1, 3]
        assert armies[state.start] == 3
        assert state.supply[seat] == 18 - 4


def test_r3_all_players_share_an_outpost_off_the_central_board() -> None:
    for seed in range(DRAWS):
        boards, begun, outpost, *_ = start(4, seed)
        assert isinstance(begun, StartChosen) and isinstance(outpost, OutpostChosen)
        side_of = dict(zip(map_of(boards.layout).regions, map_of(boards.layout).side_of, strict=True))
        assert side_of[begun.region] != side_of[outpost.region]


def test_r4_the_third_color_has_ten_armies_with_two_players() -> None:
    state = opened(2)
    assert sum(state.armies[2::3]) == 10
    assert state.supply[2] == 0


@pytest.mark.parametrize("players", [3, 4])
def test_r4_there_is_no_third_color_with_more_players(players: int) -> None:
    assert not any(isinstance(event, NeutralPlaced) for event in start(players, 1))
    assert opened(players).colours == players


def test_r4_the_third_color_never_acts_and_never_scores() -> None:
    state = opened(2)
    assert LEGENDS.to_act(state) == (0, 1)
    assert [score.seat for score in LEGENDS.score(state).seats] == [0, 1]


def test_r5_the_set_up_seat_is_drawn() -> None:
    setters = Counter(start(4, seed)[0].setter for seed in range(400))
    assert set(setters) == {0, 1, 2, 3}
    assert min(setters.values()) > 70


def test_r5_a_full_game_can_choose_the_set_up_seat() -> None:
    assert all(start(4, seed, {"setter": 2})[0].setter == 2 for seed in range(20))


def test_r38_the_boards_are_double_sided() -> None:
    fronts_and_backs = [{"meadows", "desert"}, {"fern", "tall_islands"}, {"ice_islands", "volcano"}]
    boards: dict[int, set[str]] = {}
    for name, side in sides().items():
        boards.setdefault(side.board, set()).add(name)
    assert sorted(map(sorted, boards.values())) == sorted(map(sorted, [*fronts_and_backs, {"horse_shoe", "citadel"}]))


def test_r38_desert_lies_in_the_center_and_holds_the_start_if_in_play() -> None:
    deserts = [layout for layout in layouts() if "desert" in layout]
    assert deserts
    for layout in deserts:
        assert layout.startswith("centre:desert")
        assert set(starting(layout)) <= set(sides()["desert"].regions)


def test_r38_a_layout_with_desert_outside_has_no_legal_start() -> None:
    assert not starting("centre:volcano:0,north:fern:0,east:desert:0,south:citadel:0")


def test_r56_a_land_route_replaces_a_water_route() -> None:
    for layout in map(map_of, layouts(50)):
        assert not any(set(layout.land[r]) & set(layout.sea[r]) for r in range(len(layout.regions)))


def test_r57_a_dotted_line_within_an_island_counts_as_water() -> None:
    layout = map_of("centre:horse_shoe:0,north:fern:0,east:meadows:0,south:volcano:0")
    h1, h4 = layout.index["h1"], layout.index["h4"]
    assert h4 in layout.sea[h1]
    assert h4 not in layout.land[h1]


def test_r57_bridges_are_land_and_join_only_t1_with_both_others() -> None:
    layout = map_of("centre:tall_islands:0,north:horse_shoe:0,east:meadows:0,south:volcano:0")
    t1, t2, t3 = (layout.index[region] for region in ("t1", "t2", "t3"))
    assert layout.land[t1] == (t2, t3)
    assert layout.land[t2] == layout.land[t3] == (t1,)
    assert not {t2, t3} & {*layout.sea[t2], *layout.sea[t3]}


def test_r64_four_boards_form_a_t_around_a_center() -> None:
    for layout in layouts():
        places = [laid.place for laid in parse_layout(layout)]
        assert places[0] == "centre"
        assert len(set(places)) == 4


@for_each(
    "text",
    [
        "",
        "centre",
        "centre:volcano",
        "centre:volcano:4",
        "centre:atlantis:0",
        "moon:volcano:0",
        "north:fern:0,centre:volcano:0",
        "centre:volcano:0,",
        "centre:volcano: 0",
    ],
)
def test_r64_an_invalid_layout_text_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        parse_layout(text)


@pytest.mark.long
def test_r65_layouts_with_a_legal_start_are_equally_likely() -> None:
    """One fifth of the legal layouts has Desert, always in the center; another fifth has Meadows there."""
    centres = Counter(parse_layout(layout)[0].side for layout in layouts(4000))
    shares = {side: round(centres[side] / 4000, 3) for side in sides()}
    expected = {side: 0.2 if side in ("desert", "meadows") else 0.1 for side in sides()}
    assert shares == pytest.approx(expected, abs=0.02)


def test_r65_every_rotation_and_every_shape_of_the_t_occurs() -> None:
    drawn = [parse_layout(layout) for layout in layouts()]
    turns = Counter(board.turns for laid in drawn for board in laid)
    missing = Counter(({"north", "east", "south", "west"} - {board.place for board in laid}).pop() for laid in drawn)
    assert min(turns.values()) > DRAWS * 0.8 and len(turns) == 4
    assert min(missing.values()) > DRAWS * 0.17 and len(missing) == 4


def test_r65_outposts_and_the_third_color_can_be_in_every_legal_region() -> None:
    outposts, neutrals = Counter(), Counter()
    for seed in range(600):
        for event in start(2, seed):
            if isinstance(event, OutpostChosen):
                outposts[event.region] += 1
            if isinstance(event, NeutralPlaced):
                neutrals[event.region] += 1
    regions = {region for side in sides().values() for region in side.regions}
    assert set(neutrals) == regions
    assert set(outposts) == regions - set(sides()["desert"].regions)


@pytest.mark.parametrize(("players", "cards"), [(2, 27), (3, 32), (4, 34)])
def test_six_cards_of_the_right_deck_are_dealt(players: int, cards: int) -> None:
    state = opened(players)
    assert len(state.row) == 6
    assert len(set(state.row) | set(state.deck)) == len(state.row) + len(state.deck) == cards


@pytest.mark.parametrize(("players", "coins"), [(2, 12), (3, 11), (4, 9)])
def test_starting_coins_depend_on_the_number_of_players(players: int, coins: int) -> None:
    assert opened(players).coins == [coins] * players


def test_the_set_up_events_follow_the_order_of_the_rulebook() -> None:
    kinds = [type(event) for event in start(2, 1)]
    assert kinds == [BoardsLaid, StartChosen, OutpostChosen, *[NeutralPlaced] * 10, RowDealt]


BOARDS = """
volcano     | v1 v2 / v3 v4 v5 v6 v7 | v1-v2 v3-v4 v3-v5 v4-v5 v5-v6 v6-v7 | v2-v5       | v1 v4 v7 v6
fern        | f1 f2 f3               | f1-f2 f2-f3                         |             | f1 f3 f3 f2
meadows     | m1 m2 m3 m4 m5         | m1-m2 m1-m3 m2-m3 m2-m4 m3-m4 m4-m5 |             | m1 m3 m5 m4
citadel     | c1 c2 / c3             | c1-c2                               | c2-c3       | c1 c2 c2 c1
desert      | d1 d2 d3 d4 d5 d6 d7   | d1-d2 d1-d3 d2-d3 d3-d4 d3-d5 d4-d5 d4-d6 d5-d6 d5-d7 d6-d7 | | d1 d5 d6 d4
horse_shoe  | h1 h2 h3 h4 h5         | h1-h2 h2-h3 h3-h4 h4-h5             | h1-h4       | h2 h4 h5 h3
ice_islands | i1 i2 / i3 / i4 i5     | i1-i2 i4-i5                         | i2-i3 i3-i4 | i1 i3 i5 i2
tall_islands| t1 / t2 / t3           | t1-t2 t1-t3                         |             | t1 t3 t3 t1
"""


@for_each("row", BOARDS.strip().splitlines())
def test_each_side_matches_the_printed_board(row: str) -> None:
    name, islands, land, water, edges = (cell.strip() for cell in row.split("|"))
    side = sides()[name]
    assert side.islands == tuple(tuple(island.split()) for island in islands.split(" / "))
    assert side.land == tuple(tuple(pair.split("-")) for pair in land.split())
    assert side.water == tuple(tuple(pair.split("-")) for pair in water.split())
    assert [side.edges[edge] for edge in ("top", "right", "bottom", "left")] == edges.split()
    assert side.regions == tuple(region for island in side.islands for region in island)


def test_there_are_eight_sides_with_38_regions() -> None:
    assert len(BOARDS.strip().splitlines()) == len(sides()) == 8
    assert sum(len(side.regions) for side in sides().values()) == 38


def test_neighbors_are_mutual() -> None:
    layout = map_of(LAYOUT)
    for ways in (layout.land, layout.sea):
        assert all(r in ways[n] for r, neighbours in enumerate(ways) for n in neighbours)


def test_moves_are_offered_in_map_order() -> None:
    state = position(armies={"v5": (1,), "m4": (1,)}, row=["ancient-phoenix"])
    LEGENDS.evolve(state, LEGENDS.decide(state, 0, LEGENDS.parse("take ancient-phoenix"), None)[0])
    numbers = [tuple(state.map.index[region] for region in text.split()[1:]) for text in offers(state, "move")]
    assert all(earlier[0] <= other[0] for earlier, other in pairwise(numbers))
