"""The four leaders: R32, R48-R50; and the cards and coins of the last turn."""

import pytest

from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import EXTRA, TURN, State
from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo
from tests.rules.positions import (
    ALICE,
    BOB,
    CAROL,
    LEGENDS,
    after,
    armies,
    events,
    line,
    offers,
    points,
    position,
    refusal,
    taking,
    view,
)

HOME = {"v4": (3, 3, 3)}
QUEEN, BANDIT, SORCERESS, KNIGHT = "fairy-queen", "bandit-king", "red-sorceress", "white-knight"


def led(leader: str, *others: str) -> dict:
    """Return a position in which Alice has this leader."""
    rest = [name for name in (KNIGHT, SORCERESS, BANDIT, QUEEN) if name != leader and name not in others]
    return {"options": {"leaders": True}, "leaders": (leader, *others, *rest)[:3]}


def test_r32_every_player_is_dealt_a_leader() -> None:
    for seed in range(20):
        options = LEGENDS.options({"leaders": True}, 3)
        setup = LEGENDS.start(options, [SeatInfo()] * 3, Quick(seed))
        leaders = next(event.leaders for event in setup if isinstance(event, e.LeadersDealt))
        assert len(set(leaders)) == 3
        start = next(event for event in setup if isinstance(event, e.StartChosen))
        assert start.armies == tuple(4 if leader == SORCERESS else 3 for leader in leaders)


def test_r32_red_sorceress_begins_with_five_armies_the_extra_one_on_the_start_region() -> None:
    options, seats = LEGENDS.options({"leaders": True}, 4), [SeatInfo()] * 4
    state = LEGENDS.initial(options, seats)
    for event in LEGENDS.start(options, seats, Quick(1)):
        LEGENDS.evolve(state, event)
    here = armies(state, state.map.regions[state.start])
    for seat, leader in enumerate(state.leaders):
        assert here[seat] == (4 if leader == SORCERESS else 3)
        assert sum(state.armies[seat :: state.colours]) == (5 if leader == SORCERESS else 4)


# Fairy Queen


@pytest.mark.parametrize(("forest", "expected"), [(2, 0), (3, 1), (4, 1)])
def test_r32_three_forest_cards_are_worth_a_point_for_fairy_queen(forest: int, expected: int) -> None:
    cards = ["forest-elf", "forest-gnome", "forest-pixie", "forest-tree-town"][:forest]
    state = position(owned={ALICE: cards, BOB: []}, **led(QUEEN))
    assert points(state, QUEEN) == expected


def last_turn(leader: int = ALICE) -> State:
    """Return the last turn of a game: Carol is about to take her last card."""
    leaders = [BANDIT, SORCERESS, KNIGHT]
    leaders[leader] = QUEEN
    row = ["ancient-sage", "forest-gnome", "dire-ogre", "cursed-tower", "night-wizard", "lake"]
    state = position(row=row, armies=HOME, turn=CAROL, options={"leaders": True}, leaders=leaders, coins=[1, 5, 5])
    state.owned = [["graveyard"] * 10, ["graveyard"] * 10, ["graveyard"] * 9]
    return state


def test_r50_after_the_last_turn_fairy_queen_may_take_one_more_card_at_its_price() -> None:
    state = after(last_turn(), "take ancient-sage", "done")
    assert state.phase == EXTRA
    assert LEGENDS.to_act(state) == (ALICE,)
    assert offers(state) == ["take forest-gnome", "take dire-ogre", "take cursed-tower", "done"]


def test_r50_the_extra_card_counts_in_full_without_steps_or_a_draw() -> None:
    state = after(last_turn(), "take ancient-sage", "done")
    taken = events(state, "take forest-gnome")
    assert [type(event) for event in taken] == [e.CardTaken, e.TurnEnded, e.GameEnded]
    over = after(state, "take forest-gnome")
    assert LEGENDS.is_over(over)
    assert points(over, "elixirs") == 2
    assert len(over.owned[ALICE]) == 11
    assert over.coins[ALICE] == state.coins[ALICE]


def test_r50_the_price_of_the_extra_card_is_paid() -> None:
    state = after(last_turn(), "take ancient-sage", "done")
    assert after(state, "take cursed-tower").coins[ALICE] == 0
    assert (
        refusal(after_poorer(state), "take dire-ogre")
        == "You don’t have enough coins: that card costs 1 and you have 0. Choose a cheaper one."
    )


def after_poorer(state: State) -> State:
    poor = state.copy()
    poor.coins[ALICE] = 0
    return poor


def test_r50_fairy_queen_may_decline_the_extra_card() -> None:
    state = after(last_turn(), "take ancient-sage", "done", "done")
    assert LEGENDS.is_over(state)
    assert len(state.owned[ALICE]) == 10


def test_r50_the_extra_card_comes_after_the_last_turn_even_if_that_was_hers() -> None:
    state = last_turn(CAROL)
    ended = after(state, "take ancient-sage", "done")
    assert LEGENDS.to_act(ended) == (CAROL,)
    assert LEGENDS.is_over(after(ended, "done"))


def test_r50_without_fairy_queen_the_game_ends_immediately() -> None:
    state = last_turn()
    state.leaders = (BANDIT, SORCERESS, KNIGHT)
    assert LEGENDS.is_over(after(state, "take ancient-sage", "done"))


def test_r50_steps_are_refused_with_the_extra_card() -> None:
    state = after(last_turn(), "take ancient-sage", "done")
    assert refusal(state, "place v4") == "Take one more card, without its action, or end your turn."


def before_the_extra_card(version: int) -> State:
    """Return a position in which Alice has come to control a region with a token that she has not looked at."""
    options = {"leaders": True, "explore": True, "poison_swamp": True}
    state = position(
        phase=EXTRA, options=options, leaders=(QUEEN, BANDIT, KNIGHT), armies={"v5": (2, 1)},
        tokens={"v5": "face-down"}, row=["forest-gnome", "lake"], version=version,
    )  # fmt: skip
    state.owned = [["graveyard"] * 10 for _seat in range(3)]
    return state


@pytest.mark.parametrize("action", ["take forest-gnome", "done"])
def test_r50_the_extra_card_ends_the_game_without_another_look_but_in_version_1_with_one(action: str) -> None:
    events_by_version = {number: events(before_the_extra_card(number), action) for number in (1, 2)}
    looks = {
        number: [event for event in some if isinstance(event, e.TokenSeen)]
        for number, some in events_by_version.items()
    }
    assert [(look.seat, look.region) for look in looks[1]] == [(ALICE, "v5")] and looks[2] == []
    assert [event for event in events_by_version[1] if event not in looks[1]] == events_by_version[2]
    assert isinstance(events_by_version[2][-1], e.GameEnded)


@pytest.mark.parametrize("version", [1, 2])
def test_r50_the_last_regular_turn_of_fairy_queen_ends_with_a_look_in_every_version(version: int) -> None:
    state = before_the_extra_card(version)
    state.phase, state.owned[ALICE] = TURN, ["graveyard"] * 9
    ended = after(state, "take forest-gnome", "done")
    assert ended.phase == EXTRA and ended.unseen[ALICE] == ()


# Bandit King


def test_r32_bandit_king_takes_a_coin_for_each_army_destroyed() -> None:
    state = after(taking("night-wizard", armies=HOME, coins=[5, 5, 5], **led(BANDIT)), "destroy v4 1")
    assert state.coins == [6, 4, 5]


def test_r32_bandit_king_takes_nothing_from_a_player_without_coins() -> None:
    state = taking("night-wizard", armies=HOME, coins=[5, 0, 5], **led(BANDIT))
    assert not any(isinstance(event, e.CoinRobbed) for event in events(state, "destroy v4 1"))


def test_r32_bandit_king_gets_nothing_for_his_own_armies() -> None:
    state = taking("night-wizard", armies=HOME, **led(BANDIT))
    assert [type(event) for event in events(state, "destroy v4 0")][:2] == [e.ArmyDestroyed, e.TurnEnded]


def test_r32_the_third_color_gives_no_coin() -> None:
    state = taking("night-wizard", 2, armies={"v4": (3, 3, 2)}, options={"leaders": True}, leaders=(BANDIT, QUEEN))
    assert after(state, "destroy v4 -").coins == state.coins


def test_r32_an_empty_supply_of_armies_is_worth_a_point_for_bandit_king() -> None:
    state = position(armies={"v4": (18, 3, 3)}, **led(BANDIT))
    assert points(state, BANDIT) == 1
    assert points(position(armies={"v4": (17, 3, 3)}, **led(BANDIT)), BANDIT) == 0


def test_r32_captured_armies_do_not_return_to_the_supply() -> None:
    state = taking("night-wizard", armies={"v4": (3, 18, 3)}, **led(SORCERESS, BANDIT))
    state = after(state, "destroy v4 1")
    assert state.supply[BOB] == 0
    assert points(state, BANDIT, BOB) == 1


# Red Sorceress


def test_r49_red_sorceress_captures_destroyed_armies() -> None:
    state = after(taking("night-wizard", armies=HOME, **led(SORCERESS)), "destroy v4 2")
    assert view(state).players[ALICE].captives == (0, 0, 1)
    assert view(state).players[BOB].captives == ()
    assert state.supply == [15, 15, 15]


def test_r49_red_sorceress_captures_armies_of_the_third_color_too() -> None:
    state = taking("night-wizard", 2, armies={"v4": (3, 3, 2)}, options={"leaders": True}, leaders=(SORCERESS, QUEEN))
    state = after(state, "destroy v4 -")
    assert view(state).players[ALICE].captives == (0, 0, 1)


def test_r49_her_own_destroyed_army_returns_to_her_supply() -> None:
    state = after(taking("night-wizard", armies=HOME, **led(SORCERESS)), "destroy v4 0")
    assert state.supply == [16, 15, 15]
    assert sum(state.captives) == 0


@pytest.mark.parametrize(("captives", "expected"), [((0, 2, 0), 0), ((0, 2, 1), 1), ((0, 3, 2), 1), ((0, 3, 3), 2)])
def test_r49_red_sorceress_scores_a_third_of_her_captives(captives: tuple, expected: int) -> None:
    state = position(armies=HOME, **led(SORCERESS))
    state.captives = captives
    assert points(state, SORCERESS) == expected


def test_r49_other_players_destroy_as_usual() -> None:
    state = after(taking("night-wizard", armies=HOME, **led(QUEEN, SORCERESS)), "destroy v4 1")
    assert state.supply[BOB] == 16


# White Knight


def test_r32_white_knight_adds_an_army_to_each_new_city() -> None:
    state = after(taking("stronghold", armies=HOME, **led(KNIGHT)), "build v4")
    assert armies(state, "v4") == [4, 3, 3]
    assert state.supply[ALICE] == 14


def test_r48_white_knight_needs_an_army_in_the_supply() -> None:
    state = taking("stronghold", armies={"v4": (18,)}, **led(KNIGHT))
    assert not any(isinstance(event, e.ArmyMustered) for event in events(state, "build v4"))


def test_r48_the_added_army_is_no_place_action_and_counts_for_the_dragon() -> None:
    """Bonuses for placing do not apply, and the army pays no rogues."""
    owned = {ALICE: ["night-village", "forest-elf"]}
    state = taking("stronghold", armies={"v4": (3, 2)}, tokens={"v4": "dragon"}, owned=owned, **_dragon())
    happened = events(state, "build v4")
    assert sum(isinstance(event, e.ArmyMustered) for event in happened) == 1
    assert e.DragonSlain(ALICE, "v4") in happened


def test_r48_the_added_army_pays_no_rogues() -> None:
    state = taking("stronghold", armies={"v4": (3, 2)}, tokens={"v4": "rogues"}, **led(KNIGHT))
    assert not any(isinstance(event, e.TollPaid) for event in events(state, "build v4"))


def _dragon() -> dict:
    return {**led(KNIGHT), "options": {"leaders": True, "dragon": "6"}}


def test_r32_white_knight_scores_a_point_for_each_controlled_large_island() -> None:
    state = position(armies={"v3": (1,), "v1": (1,), "f1": (1,), "m1": (0, 1)}, **led(KNIGHT))
    assert points(state, "islands") == 3
    assert points(state, KNIGHT) == 2
    assert line(state, KNIGHT).items == ("v3", "f1")
