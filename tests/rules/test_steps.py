"""The four kinds of step: R13-R17, R46, R57, R68."""

import pytest

from games.rules.eight_minute.events import ArmyMoved
from tests.rules.positions import (
    ALICE,
    BOB,
    CAROL,
    LEGENDS,
    after,
    armies,
    cities,
    events,
    offers,
    position,
    refusal,
    taking,
)

HOME = {"v4": (3, 3, 3)}


# Place


def test_r13_armies_are_placed_on_the_start_region_or_at_the_players_own_cities() -> None:
    state = taking("dire-eye", armies={"v4": (1, 1), "m1": (1,)}, cities={"m2": (1,), "f1": (0, 1)})
    assert offers(state, "place") == ["place v4", "place m2"]


def test_r13_armies_are_placed_one_at_a_time_in_different_regions() -> None:
    state = after(taking("dire-eye", armies=HOME, cities={"m2": (1,)}), "place v4", "place m2", "place v4")
    assert armies(state, "v4") == [5, 3, 3]
    assert armies(state, "m2") == [1, 0, 0]


def test_r13_placing_continues_until_the_number_is_used_up() -> None:
    state = after(taking("noble-hills", armies=HOME), "place v4", "place v4", "place v4")
    assert state.turn == BOB
    assert state.supply[ALICE] == 12


def test_r13_placing_continues_until_the_supply_is_empty() -> None:
    state = after(taking("dire-eye", armies={"v5": (17, 3, 3)}), "place v4")
    assert state.turn == BOB
    assert state.supply[ALICE] == 0


def test_r13_with_an_empty_supply_a_placing_card_ends_the_turn() -> None:
    assert taking("dire-eye", armies={"v5": (18,)}).turn == BOB


# Move


def test_r14_an_army_may_be_moved_several_times() -> None:
    state = after(taking("forest-pixie", armies={"v3": (1,)}), "move v3 v5", "move v5 v6", "move v6 v7")
    assert armies(state, "v7") == [1, 0, 0]


def test_r14_each_movement_moves_one_army() -> None:
    state = after(taking("ancient-sage", armies=HOME), "move v4 v5", "move v4 v3", "move v4 v5")
    assert [armies(state, region)[ALICE] for region in ("v3", "v4", "v5")] == [1, 0, 2]


def test_r14_a_crossing_costs_three() -> None:
    assert events(taking("ancient-phoenix", armies=HOME), "move v4 v5")[0] == ArmyMoved(ALICE, "v4", "v5", 1, 0)
    assert events(taking("ancient-sage", armies=HOME), "move v4 m4")[0] == ArmyMoved(ALICE, "v4", "m4", 3, 0)


@pytest.mark.parametrize(
    ("flyers", "cost"),
    [
        ([], 3),
        (["ancient-phoenix"], 2),
        (["ancient-phoenix", "dire-eye"], 1),
        (["ancient-phoenix", "dire-eye", "dire-dragon"], 1),
    ],
)
def test_r14_flying_makes_crossings_cheaper_down_to_one(flyers: list[str], cost: int) -> None:
    assert events(taking("cursed-banshee", armies=HOME, owned={ALICE: flyers}), "move v4 m4")[0].cost == cost


def test_r14_flying_of_other_players_does_not_help() -> None:
    assert events(taking("ancient-sage", armies=HOME, owned={BOB: ["dire-eye"]}), "move v4 m4")[0].cost == 3


def test_r14_movement_that_cannot_pay_for_a_crossing_may_be_used_on_land() -> None:
    state = after(taking("ancient-sage", armies=HOME), "move v4 v5")
    assert "move v4 m4" not in offers(state)
    assert "move v4 v3" in offers(state)


def test_r14_an_unaffordable_crossing_is_refused_with_its_cost() -> None:
    state = after(taking("ancient-sage", armies=HOME), "move v4 v5")
    assert refusal(state, "move v4 m4") == "Crossing water costs 3 moves, but you have only 2 left."


def test_r14_an_army_moved_overseas_may_move_on() -> None:
    state = after(taking("dire-goblin", armies=HOME), "move v4 m4", "move m4 m2", "move m2 m1")
    assert armies(state, "m1") == [1, 0, 0]


def test_r57_bridges_cost_one_and_the_dotted_line_of_the_horseshoe_costs_as_much_as_water() -> None:
    layout = "centre:horse_shoe:0,north:tall_islands:0,east:meadows:0,south:volcano:0"
    state = taking("forest-pixie", layout=layout, start="h2", armies={"t1": (1,), "h1": (1,)})
    assert events(state, "move t1 t2")[0].cost == 1
    assert events(state, "move h1 h4")[0].cost == 3
    assert (
        refusal(after(state, "move t1 t2"), "move t2 t3")
        == "Those two regions are not neighbors. Choose a neighboring region."
    )


# Build


def test_r15_a_city_needs_an_army_of_the_player_in_the_region() -> None:
    state = taking("stronghold", armies={"v4": (1, 1), "m1": (0, 1), "f1": (1,)})
    assert offers(state, "build") == ["build v4", "build f1"]


def test_r15_a_city_needs_a_city_left_in_the_supply() -> None:
    assert taking("stronghold", armies=HOME, cities={"m1": (3,)}).turn == BOB


def test_r15_a_region_can_hold_several_cities_of_any_players() -> None:
    state = after(taking("stronghold", armies=HOME, cities={"v4": (1, 1)}), "build v4")
    assert cities(state, "v4") == [2, 1, 0]
    assert state.city_supply == [1, 2, 3]


def test_r15_an_army_that_moved_in_may_build_with_the_same_card() -> None:
    state = after(taking("castle-b", 4, armies={"v4": (1,)}), "move v4 v5", "build v5")
    assert cities(state, "v5") == [1, 0, 0, 0]


# Destroy


def test_r16_a_player_may_destroy_any_army_where_they_have_an_army() -> None:
    state = taking("night-wizard", armies={"v5": (1, 2, 1), "m1": (0, 2)})
    assert offers(state, "destroy") == ["destroy v5 0", "destroy v5 1", "destroy v5 2"]


def test_r16_a_city_without_an_army_cannot_destroy() -> None:
    state = taking("night-wizard", armies={"v5": (0, 2)}, cities={"v5": (1,)})
    assert not offers(state, "destroy")
    assert refusal(state, "destroy v5 1") == "You have no army in that region. Choose another."


def test_r16_a_destroyed_army_returns_to_its_owners_supply() -> None:
    state = taking("night-wizard", armies=HOME)
    assert after(state, "destroy v4 1").supply == [15, 16, 15]


def test_r16_players_may_destroy_their_own_armies() -> None:
    state = after(taking("night-wizard", armies=HOME), "destroy v4 0")
    assert armies(state, "v4") == [2, 3, 3]
    assert state.supply[ALICE] == 16


def test_r16_armies_of_the_third_color_may_be_destroyed() -> None:
    state = after(taking("night-wizard", 2, armies={"v4": (1, 1, 2)}), "destroy v4 -")
    assert armies(state, "v4") == [1, 1, 1]


def test_r16_the_third_color_is_only_named_by_a_dash() -> None:
    assert refusal(taking("night-wizard", 2, armies={"v4": (1, 1, 2)}), "destroy v4 2") == (
        "There is no such army in that region. Choose another."
    )
    assert (
        refusal(taking("night-wizard", 3, armies=HOME), "destroy v4 -")
        == "There is no such army in that region. Choose another."
    )


def test_r16_one_step_destroys_one_army() -> None:
    assert after(taking("night-wizard", armies=HOME), "destroy v4 1").turn == BOB


def test_r16_a_city_cannot_be_destroyed() -> None:
    state = taking("night-wizard", armies={"v4": (1,)}, cities={"v4": (0, 1)})
    assert "destroy v4 1" not in offers(state)


def test_r17_immunity_only_protects_against_destroy() -> None:
    state = position(armies={"v4": (1, 2, 1)}, owned={BOB: ["dire-giant"]}, row=["stronghold"])
    assert LEGENDS.view(state, ALICE).regions["v4"].controller == BOB
    assert offers(after(state, "take stronghold"), "build") == ["build v4"]


def test_r46_an_immune_players_armies_cannot_be_destroyed_by_others() -> None:
    state = taking("night-wizard", armies=HOME, owned={BOB: ["dire-giant"]})
    assert offers(state, "destroy") == ["destroy v4 0", "destroy v4 2"]
    assert refusal(state, "destroy v4 1") == "Those armies are immune and can’t be destroyed. Choose others."


def test_r46_an_immune_player_cannot_destroy_their_own_armies() -> None:
    state = taking("night-wizard", armies=HOME, owned={ALICE: ["dire-giant"]})
    assert offers(state, "destroy") == ["destroy v4 1", "destroy v4 2"]
    assert refusal(state, "destroy v4 0") == "Those armies are immune and can’t be destroyed. Choose others."


def test_r68_the_two_castles_differ_in_their_actions() -> None:
    place_or_build = taking("castle-a", 4, armies={"v4": (1, 1, 1, 1)})
    move_and_build = taking("castle-b", 4, armies={"v4": (1, 1, 1, 1)})
    assert offers(place_or_build, "place") and not offers(place_or_build, "move")
    assert offers(move_and_build, "move") and not offers(move_and_build, "place")


def test_only_the_seat_to_move_has_steps() -> None:
    state = taking("dire-eye", armies=HOME)
    assert LEGENDS.legal(state, BOB) == []
    assert refusal(state, "place v4", CAROL) == "It’s not your turn."
