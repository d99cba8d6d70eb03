"""The prototype of 2013: R8, R37, R41, and its numbers."""

import pytest

from games.rules.eight_minute.edition import edition
from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo
from tests.rules.positions import ALICE, LEGENDS, RULES, after, events, line, points, position, refusal, scored
from tests.rules.tables import FAMILY

PROTOTYPE = FAMILY["prototype"]
DATA = edition("prototype")


def opened(players: int):
    options, seats = PROTOTYPE.options({}, players), [SeatInfo()] * players
    state = PROTOTYPE.initial(options, seats)
    for event in PROTOTYPE.start(options, seats, Quick(1)):
        PROTOTYPE.evolve(state, event)
    return state


@pytest.mark.parametrize(("players", "coins", "cards"), [(2, 14, 13), (3, 11, 10), (4, 9, 8)])
def test_coins_and_cards_depend_on_the_number_of_players(players: int, coins: int, cards: int) -> None:
    state = opened(players)
    assert state.coins == [coins] * players
    assert state.cards_owned == cards


def test_r37_the_deck_is_the_final_one_except_for_two_cards() -> None:
    changed = {card for card in RULES.cards if DATA.cards[card] != RULES.cards[card]}
    assert list(DATA.cards) == list(RULES.cards)
    assert changed == {"noble-hills", "dire-ogre"}


def test_r37_the_three_nobles_are_worth_five_points() -> None:
    nobles = {ALICE: ["noble-hills", "noble-knight", "noble-unicorn"]}
    assert points(position(owned=nobles, ruleset="prototype"), "noble-hills") == 5
    assert points(position(owned=nobles), "noble-hills") == 4


@pytest.mark.parametrize(("coins", "expected"), [(1, 0), (2, 1), (5, 2)])
def test_r37_two_coins_are_worth_a_point_for_the_ogre(coins: int, expected: int) -> None:
    state = position(owned={ALICE: ["dire-ogre"]}, coins=[coins, 0, 0], ruleset="prototype")
    assert points(state, "dire-ogre") == expected


def bidding():
    return position(2, phase="bid", turn=-1, ruleset="prototype")


def test_r8_the_winner_of_the_bidding_goes_first() -> None:
    state = bidding()
    for seat, text in ((0, "bid 1"), (1, "bid 3")):
        for event in events(state, text, seat):
            PROTOTYPE.evolve(state, event)
    assert (state.phase, state.turn) == ("turn", 1)
    assert state.coins == [14, 11]


def test_r41_nobody_names_the_first_player() -> None:
    assert refusal(bidding(), "first 0", ALICE) == "Everyone must bid first."
    state = position(2, ruleset="prototype")
    assert refusal(state, "first 0") == "It’s too late for that: the first turn has started."


def test_continents_score_like_islands() -> None:
    state = position(armies={"v3": (1,), "c3": (1,)}, ruleset="prototype")
    assert line(state, "continents").items == ("v3", "c3")
    assert scored(state).total == 4
    assert "islands" not in {line.source for line in scored(state).lines}


def test_everything_else_matches_legends() -> None:
    state = position(2, row=["ancient-sage"], armies={"v4": (2, 2)}, ruleset="prototype")
    assert events(after(state, "take ancient-sage"), "move v4 m4")[0].cost == 3
    assert LEGENDS.view(state, ALICE).ruleset == "prototype"
