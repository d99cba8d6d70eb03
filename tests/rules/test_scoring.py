"""Points and places: R19-R22, R58, R59, each scoring ability, and the example of the rulebook."""

import pytest

from games.rules.eight_minute.state import State
from games.rules.protocol import Scoresheet
from tests.each import for_each
from tests.rules.positions import ALICE, BOB, CAROL, LEGENDS, RULES, line, points, position, scored


def controller(state: State, region: str) -> int | None:
    return LEGENDS.view(state, None).regions[region].controller


def places(state: State) -> list[int]:
    return [score.place for score in LEGENDS.score(state).seats]


def breaks(state: State) -> list[str | None]:
    return [score.tie_break for score in LEGENDS.score(state).seats]


# Elixirs


@pytest.mark.parametrize(
    ("owned", "expected"),
    [
        ({ALICE: ["forest-gnome"], BOB: ["cursed-banshee"]}, [2, 0, 0]),
        ({ALICE: ["forest-gnome"], BOB: ["ancient-tree-spirit"]}, [1, 1, 0]),
        ({ALICE: ["dire-goblin"], BOB: ["cursed-king"], CAROL: ["mountain-treasury"]}, [1, 1, 1]),
        ({}, [0, 0, 0]),
    ],
)
def test_r19_most_elixirs_score_two_and_a_tie_scores_one_each(owned: dict, expected: list[int]) -> None:
    state = position(owned=owned)
    assert [points(state, "elixirs", seat) for seat in range(3)] == expected


# Control


def test_r20_controlling_a_region_takes_strictly_more_armies_and_cities_than_each_other_color() -> None:
    state = position(armies={"v1": (2, 1), "v2": (1, 1), "v3": (1, 2, 2)}, cities={"v2": (1,), "v3": (2,)})
    assert [controller(state, region) for region in ("v1", "v2", "v3")] == [ALICE, ALICE, ALICE]


def test_r20_nobody_controls_a_tied_region() -> None:
    state = position(armies={"v1": (2, 2, 1), "v2": (0, 1)}, cities={"v2": (1,)})
    assert controller(state, "v1") is None
    assert controller(state, "v2") is None


def test_r20_the_third_color_counts_for_regions() -> None:
    state = position(2, armies={"v1": (2, 1, 2), "v2": (2, 1, 3), "v3": (2, 0, 1)})
    assert [controller(state, region) for region in ("v1", "v2", "v3")] == [None, 2, ALICE]
    assert points(state, "regions") == 1


def test_r20_controlling_an_island_takes_strictly_more_of_its_regions() -> None:
    state = position(armies={"v3": (1,), "v4": (1,), "v5": (0, 1)})
    assert line(state, "islands").items == ("v3",)
    assert points(position(armies={"v3": (1,), "v4": (0, 1)}), "islands") == 0


def test_r20_regions_and_not_armies_count_for_islands() -> None:
    state = position(armies={"v3": (9,), "v4": (0, 1), "v5": (0, 1)})
    assert [points(state, "islands", seat) for seat in (ALICE, BOB)] == [0, 1]


def test_r20_the_third_color_counts_for_islands() -> None:
    state = position(2, armies={"v3": (1,), "v4": (0, 0, 1)})
    assert [points(state, "islands", seat) for seat in (ALICE, BOB)] == [0, 0]


def test_r20_an_island_of_one_region_belongs_to_the_owner_of_the_region() -> None:
    state = position(armies={"c3": (1,)})
    assert points(state, "regions") == points(state, "islands") == 1


def test_r20_bridged_islands_are_three_islands() -> None:
    layout = "centre:tall_islands:0,north:horse_shoe:0,east:meadows:0,south:volcano:0"
    state = position(layout=layout, start="t1", armies={"t1": (1,), "t2": (1,), "t3": (0, 1)})
    assert points(state, "islands", ALICE) == 2
    assert points(state, "islands", BOB) == 1


def test_r21_regions_and_islands_score_one_each() -> None:
    """The rulebook's example of Volcano and Fern: three islands, ten regions."""
    every = dict.fromkeys(("v1", "v2", "v3", "v4", "v5", "v6", "v7", "f1", "f2", "f3"), (1,))
    state = position(armies=every)
    assert points(state, "islands") == 3
    assert points(state, "regions") == 10
    assert scored(state).total == 13


def test_r58_nobody_controls_an_empty_region_or_an_island_without_a_region() -> None:
    state = position(armies={"v1": (1,)})
    assert controller(state, "v2") is None
    assert points(state, "islands") == 1
    assert dict(LEGENDS.view(state, None).islands)[("m1", "m2", "m3", "m4", "m5")] is None


def test_r58_a_single_city_controls_a_region() -> None:
    assert controller(position(cities={"m3": (0, 1)}), "m3") == BOB


# Abilities


@for_each(
    "owned, card, expected",
    [
        (["ancient-sage", "ancient-woods", "ancient-phoenix"], "ancient-sage", 3),
        (["arcane-temple", "arcane-sphinx"], "arcane-temple", 2),
        (["graveyard"], "graveyard", 0),
        (["graveyard", "cursed-king", "cursed-tower", "cursed-banshee", "cursed-mausoleum"], "graveyard", 4),
        (["lake", "forest-elf"], "lake", 1),
        (["night-wizard"], "night-wizard", 1),
        (["stronghold", "dire-eye", "dire-ogre", "dire-giant"], "stronghold", 3),
        (["cursed-tower"], "cursed-tower", 0),
        (["cursed-tower", "dire-eye", "arcane-sphinx"], "cursed-tower", 2),
        (["noble-hills", "noble-knight"], "noble-hills", 0),
        (["noble-hills", "noble-knight", "noble-unicorn"], "noble-hills", 4),
        (["mountain-dwarf"], "mountain-dwarf", 0),
        (["mountain-dwarf", "mountain-treasury"], "mountain-dwarf", 3),
    ],
)
def test_a_card_scores_for_the_cards_that_it_names(owned: list[str], card: str, expected: int) -> None:
    assert points(position(owned={ALICE: owned}), card) == expected


def test_cards_of_other_players_do_not_count() -> None:
    state = position(owned={ALICE: ["lake"], BOB: ["forest-elf", "forest-gnome"]})
    assert points(state, "lake") == 0


@for_each("coins, expected", [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (11, 3)])
def test_three_coins_are_worth_a_point_for_the_owner_of_the_ogre(coins: int, expected: int) -> None:
    state = position(owned={ALICE: ["dire-ogre"]}, coins=[coins, 11, 11])
    assert points(state, "dire-ogre") == expected


def test_a_scoresheet_names_the_source_of_points() -> None:
    state = position(owned={ALICE: ["lake", "forest-elf", "dire-eye", "forest-gnome"]}, armies={"v1": (1,)})
    assert line(state, "lake").items == ("forest-elf", "forest-gnome")
    assert line(state, "regions").items == ("v1",)


def test_only_cards_that_score_have_a_line() -> None:
    state = position(4, owned={ALICE: RULES.deck(4)})
    sources = {points.source for points in scored(state).lines}
    scoring = {"ancient-sage", "arcane-temple", "graveyard", "lake", "night-wizard", "stronghold", "cursed-tower"}
    assert sources == {"regions", "islands", "elixirs", *scoring, "dire-ogre", "mountain-dwarf", "noble-hills"}


def test_the_total_is_the_sum_of_the_lines() -> None:
    state = position(armies={"v1": (1,), "c3": (1,)}, owned={ALICE: ["lake", "forest-gnome", "noble-hills"]})
    assert scored(state).total == sum(points.points for points in scored(state).lines) == 2 + 2 + 1 + 2


# Places


def test_the_most_points_win_regardless_of_coins() -> None:
    state = position(armies={"v3": (1,)}, coins=[0, 9, 9])
    assert places(state) == [1, 2, 2]
    assert breaks(state) == [None, None, None]


def test_r22_coins_break_a_tie_first() -> None:
    state = position(armies={"m1": (1,), "f1": (0, 2)}, coins=[4, 3, 0])
    assert places(state) == [1, 2, 3]
    assert breaks(state) == [None, "coins", None]


def test_r22_then_armies_on_the_map() -> None:
    state = position(armies={"m1": (1,), "f1": (0, 2)}, coins=[3, 3, 9])
    assert places(state) == [2, 1, 3]
    assert breaks(state) == ["armies", None, None]


def test_r22_then_regions_controlled() -> None:
    """Alice scores only regions; Bob has the same total with a card and one region fewer."""
    state = position(
        armies={"v3": (1,), "v4": (1,), "m1": (0, 2)}, owned={BOB: ["lake", "forest-pixie"]}, coins=[1, 1, 0]
    )
    assert [scored(state, seat).total for seat in (ALICE, BOB)] == [3, 3]
    assert places(state) == [1, 2, 3]
    assert breaks(state) == [None, "regions", None]


def test_r22_still_tied_they_share_the_place() -> None:
    state = position(armies={"m1": (1,), "f1": (0, 1)}, coins=[1, 1, 9])
    assert places(state) == [1, 1, 3]
    assert breaks(state) == [None, None, None]
    assert LEGENDS.score(state).winners == (ALICE, BOB)


def test_r59_places_are_one_one_three() -> None:
    state = position(4, armies={"m1": (1,), "f1": (0, 0, 1), "c3": (0, 0, 0, 1), "v1": (0, 1)}, coins=[0, 2, 2, 0])
    assert places(state) == [3, 1, 1, 3]


def test_r59_the_army_tie_break_counts_only_armies_on_the_map() -> None:
    """A city counts like an army for its region, but not for the tie-break."""
    state = position(armies={"m1": (1,), "f1": (0, 2)}, cities={"m1": (2,)}, coins=[3, 3, 9])
    assert breaks(state)[ALICE] == "armies"


def test_each_tie_break_is_named_at_the_seat_that_lost_it() -> None:
    state = position(4, coins=[5, 4, 4, 4], armies={"m1": (0, 3, 2, 2)}, cities={"m1": (1, 0, 1, 1)})
    assert places(state) == [1, 2, 3, 3]
    assert breaks(state) == [None, "coins", "armies", "armies"]


def test_the_result_is_a_scoresheet_in_seat_order() -> None:
    sheet = LEGENDS.score(position(4))
    assert isinstance(sheet, Scoresheet)
    assert [score.seat for score in sheet.seats] == [0, 1, 2, 3]
