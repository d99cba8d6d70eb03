"""Choices of Medium, and its strength against random play."""

import pytest

from games.bots.bot import play_turn
from games.bots.eight_minute import knowledge as eight_minute
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.eight_minute.state import BID, FIRST, State
from games.rules.fairness import Quick
from tests.rules.positions import ALICE, BOB, LEGENDS, RULES, after, points, position, scored, taking

MEDIUM, RANDOM = BOTS["medium"], BOTS["random"]


def turn(state: State, seat: int = ALICE) -> list[str]:
    return play_turn(LEGENDS, LEGENDS.view(state, seat), MEDIUM, Quick(1))


def last_turn(*row: str, **laid: object) -> State:
    """Return the last turn of a game with two players, where only the score matters."""
    state = position(2, row=row, **laid)  # type: ignore[arg-type]
    plain = [card for card in RULES.deck(2) if card not in row and not RULES.cards[card].abilities[0].points]
    state.owned = [plain[:10], plain[:11]]
    state.turn = ALICE
    return state


def test_it_takes_the_card_that_scores() -> None:
    armies = {"v4": (1, 2)}
    assert turn(last_turn("dire-goblin", "ancient-sage", armies=armies, coins=[1, 0]))[0] == "take ancient-sage"


def test_it_moves_far_enough_to_win_a_region_and_an_island() -> None:
    state = last_turn("ancient-sage", armies={"v4": (5, 1), "v5": (1, 2), "v6": (1, 2), "v7": (0, 1)})
    finished = after(state, *turn(state))
    assert points(finished, "islands") == 1
    assert points(finished, "regions") > points(state, "regions")


def test_it_crosses_the_sea_for_an_empty_island() -> None:
    state = last_turn("ancient-sage", armies={"v4": (5, 1)})
    assert turn(state) == ["take ancient-sage", "move v4 m4"]


def test_it_destroys_the_army_that_costs_it_a_region() -> None:
    state = last_turn("night-wizard", armies={"v4": (4, 1), "m2": (2, 2), "f1": (1, 3)}, start="v4")
    assert "destroy m2 1" in turn(state)


def test_it_places_where_that_wins_a_region() -> None:
    state = last_turn("noble-hills", armies={"v4": (4, 1), "m2": (0, 2)}, cities={"m2": (1,)})
    assert turn(state).count("place m2") == 2


def test_it_does_not_leave_a_region_that_it_would_lose() -> None:
    state = last_turn("dire-ogre", armies={"v4": (2, 1), "v3": (1, 0), "v5": (1, 0)}, cities={"v7": (0, 1)})
    assert scored(after(state, *turn(state))).total >= scored(state).total


def test_it_ends_a_turn_that_could_only_do_harm() -> None:
    state = last_turn("dire-ogre", armies={"t1": (1,), "t2": (1,), "t3": (1,)}, **TALL)
    assert turn(state)[-1] == "done"
    assert scored(after(state, *turn(state))).total >= scored(state).total


TALL = {"layout": "centre:tall_islands:0,north:horse_shoe:0,east:meadows:0,south:volcano:0", "start": "t1"}


def test_it_continues_a_turn_that_was_begun() -> None:
    state = after(taking("noble-hills", 2, armies={"v4": (3, 3)}), "place v4")
    assert set(turn(state)) <= {"place v4", "done"}


def test_it_names_itself_as_the_first_player() -> None:
    assert turn(position(phase=FIRST, turn=BOB), BOB)[0] == "first 1"


def test_it_bids_no_more_than_it_has() -> None:
    assert turn(position(phase=BID, turn=-1, coins=[0, 5, 5])) == ["bid 0"]


@pytest.mark.parametrize(("worths", "coins"), [([1.0, 0.9, 0.2], 0), ([2.0, 1.0], 1), ([9.0, 1.0], 2), ([1.0, 1.0], 0)])
def test_it_bids_what_the_best_card_is_worth_over_the_second_best(worths: list[float], coins: int) -> None:
    assert eight_minute.bid(worths) == coins


def test_moves_take_the_cheapest_route() -> None:
    state = position(armies={"v4": (1,)})
    ways = {
        state.map.regions[target]: journey for target, journey in eight_minute.reach(state.layout, state.start, 3, 5)
    }
    assert [move.target for move in ways["v7"]] == ["v5", "v6", "v7"]
    assert [move.target for move in ways["m5"]] == ["m4", "m5"]
    assert "v4" not in ways
    assert "f2" not in ways  # v3, v1 across the sea and f3 would cost more than five


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_beats_random_play(players: int) -> None:
    """One Medium bot wins all of ten games against random bots."""
    for number in range(10):
        bots = [RANDOM] * players
        bots[number % players] = MEDIUM
        game = Table(LEGENDS, {}, bots, seed_of("strength", number)).play(budget=1000)
        assert game.record.scoresheet.winners == (number % players,)
