"""Encounter tokens: the dragon, the portals and the rogues (R28-R30, R54-R56)."""

import pytest

from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import State
from tests.rules.positions import ALICE, BOB, LAYOUT, after, events, offers, points, position, refusal, taking, view
from tests.rules.test_tokens import laid_by_lot

DRAGON = {"options": {"dragon": "6"}, "tokens": {"v5": "dragon"}}
ROGUES = {"options": {"rogues": True}, "tokens": {"v5": "rogues"}}
PORTALS = {"options": {"portals": True}, "tokens": {"v7": "portal", "m1": "portal"}}


def is_slain(state: State) -> bool:
    return "dragon" not in state.tokens


def test_r28_the_sixth_army_in_the_region_slays_the_dragon() -> None:
    state = taking("ancient-sage", armies={"v4": (3, 3, 3), "v5": (1, 2, 2)}, **DRAGON)
    assert e.DragonSlain(ALICE, "v5") in events(state, "move v4 v5")
    slain = after(state, "move v4 v5")
    assert points(slain, "tokens:dragon") == 2
    assert view(slain).players[ALICE].tokens == ("dragon",)


def test_r28_the_fifth_army_does_not_slay_the_dragon() -> None:
    state = taking("ancient-sage", armies={"v4": (3,), "v5": (1, 2, 1)}, **DRAGON)
    assert not is_slain(after(state, "move v4 v5"))


def test_r28_a_placed_army_can_slay_too() -> None:
    state = taking("noble-hills", armies={"v5": (2, 3)}, cities={"v5": (1,)}, **DRAGON)
    assert is_slain(after(state, "place v5"))


def test_r28_cities_do_not_count() -> None:
    state = taking("ancient-sage", armies={"v4": (3,), "v5": (1, 3)}, cities={"v5": (2, 1)}, **DRAGON)
    assert not is_slain(after(state, "move v4 v5"))


def test_r28_armies_of_the_third_color_count() -> None:
    state = taking("ancient-sage", 2, armies={"v4": (3,), "v5": (0, 1, 4)}, **DRAGON)
    assert is_slain(after(state, "move v4 v5"))


def test_r28_a_table_option_makes_it_the_seventh_army() -> None:
    state = taking(
        "ancient-sage", armies={"v4": (3,), "v5": (1, 2, 2)}, options={"dragon": "7"}, tokens={"v5": "dragon"}
    )
    state = after(state, "move v4 v5")
    assert not is_slain(state)
    assert is_slain(after(state, "move v4 v5"))


def test_r54_the_set_up_does_not_slay_the_dragon() -> None:
    for setup in laid_by_lot({"dragon": "6"}, 40, players=2):
        assert not any(isinstance(event, e.DragonSlain) for event in setup)


def test_r54_the_next_army_to_arrive_slays_it_if_there_are_already_enough() -> None:
    state = taking("ancient-sage", armies={"v4": (3,), "v5": (3, 3, 3)}, **DRAGON)
    assert is_slain(after(state, "move v4 v5"))


def test_r54_armies_that_do_not_move_do_not_slay() -> None:
    state = after(taking("ancient-sage", armies={"v4": (3,), "v5": (3, 3, 3)}, **DRAGON), "move v5 v4")
    assert not is_slain(state)


def test_r29_armies_march_between_the_two_portals() -> None:
    state = taking("ancient-sage", armies={"v7": (2,)}, **PORTALS)
    assert "move v7 m1" in offers(state)
    assert "move m1 v7" in offers(after(state, "move v7 m1"))
    assert view(state).portals == ("v7", "m1")


def test_r29_regions_are_not_neighbors_without_portals() -> None:
    state = taking("ancient-sage", armies={"v7": (2,)})
    assert refusal(state, "move v7 m1") == "Those two regions are not neighbors. Choose a neighboring region."


def test_r29_both_portals_are_in_play_or_neither() -> None:
    for setup in laid_by_lot({"portals": True}, 20):
        assert sum(isinstance(event, e.TokenLaid) and event.token == "portal" for event in setup) == 2


def test_r29_portals_do_not_join_islands_for_scoring() -> None:
    plain, with_portals = position(), position(**PORTALS)
    assert plain.map.islands == with_portals.map.islands


@pytest.mark.parametrize("flyers", [[], ["ancient-phoenix"], ["ancient-phoenix", "dire-eye"]])
def test_r56_a_portal_costs_one_with_or_without_flying(flyers: list[str]) -> None:
    state = taking("ancient-sage", armies={"v7": (2,)}, owned={ALICE: flyers}, **PORTALS)
    assert events(state, "move v7 m1")[0].cost == 1


def test_r56_the_cheaper_of_two_routes_is_used() -> None:
    tokens = {"v4": "portal", "m4": "portal"}
    state = taking("ancient-sage", armies={"v4": (2,)}, options={"portals": True}, tokens=tokens)
    assert events(state, "move v4 m4")[0].cost == 1
    assert offers(state).count("move v4 m4") == 1
    assert events(taking("ancient-sage", armies={"v4": (2,)}), "move v4 m4")[0].cost == 3
    assert view(state).layout == LAYOUT


def test_r30_an_army_that_moves_to_the_rogues_costs_its_owner_a_coin() -> None:
    state = taking("ancient-sage", armies={"v4": (3, 3, 3)}, coins=[5, 5, 5], **ROGUES)
    after_one = after(state, "move v4 v5")
    assert after_one.coins == [4, 5, 5]
    assert after(after_one, "move v5 v4").coins == [4, 5, 5]


def test_r30_placing_an_army_by_the_rogues_costs_nothing() -> None:
    state = taking("noble-hills", armies={"v4": (3,)}, cities={"v5": (1,)}, coins=[5, 5, 5], **ROGUES)
    assert after(state, "place v5").coins == [5, 5, 5]


def test_r55_each_entry_costs_a_coin_immediately() -> None:
    state = taking("forest-pixie", armies={"v4": (3,)}, coins=[5, 5, 5], **ROGUES)
    assert after(state, "move v4 v5", "move v5 v4", "move v4 v5").coins == [3, 5, 5]


def test_r55_entering_over_water_costs_a_coin_too() -> None:
    state = taking("ancient-sage", armies={"v2": (3,)}, coins=[5, 5, 5], **ROGUES)
    assert after(state, "move v2 v5").coins == [4, 5, 5]


def test_r55_entering_by_a_portal_costs_a_coin_too() -> None:
    tokens = {"v7": "portal", "m1": "portal", "m2": "rogues"}
    state = taking(
        "ancient-sage", armies={"v7": (3,)}, coins=[5, 5, 5], options={"portals": True, "rogues": True}, tokens=tokens
    )
    assert after(state, "move v7 m1").coins[ALICE] == 5
    assert after(state, "move v7 m1", "move m1 m2").coins[ALICE] == 4


def test_r55_entering_is_free_without_coins() -> None:
    state = taking("ancient-sage", armies={"v4": (3,)}, coins=[0, 5, 5], **ROGUES)
    assert [type(event) for event in events(state, "move v4 v5")] == [e.ArmyMoved]
    assert after(state, "move v4 v5").coins == [0, 5, 5]


def test_a_slain_dragon_is_gone_for_all_players() -> None:
    state = taking("ancient-sage", armies={"v4": (3, 3), "v5": (2, 3)}, **DRAGON)
    state = after(state, "move v4 v5", "move v4 v5")
    assert state.won == (("dragon",), (), ())
    assert BOB not in [seat for seat, tokens in enumerate(state.won) if tokens]
