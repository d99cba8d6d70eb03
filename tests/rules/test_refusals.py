"""Refusals are sentences for players, and each action text has exactly one meaning or none."""

import pytest

from games.rules.eight_minute.state import BID, FIRST, OVER, SETUP, State
from games.rules.protocol import IllegalAction
from tests.each import for_each
from tests.rules.positions import ALICE, BOB, LEGENDS, after, position, refusal, taking

HOME = {"v4": (3, 3, 3)}


def turn() -> State:
    return position(armies=HOME, row=["ancient-sage", "dire-eye", "lake"], coins=[0, 5, 5])


REFUSALS = [
    (lambda: position(phase=BID), "take lake", "Everyone must bid first."),
    (lambda: position(phase=FIRST), "take lake", "First choose who goes first."),
    (lambda: position(phase=FIRST), "first 3", "There is no seat 3 in this game."),
    (turn, "bid 1", "It’s too late for that: the first turn has started."),
    (turn, "first 1", "It’s too late for that: the first turn has started."),
    (turn, "place v4", "Take a card first. The leftmost one is free."),
    (turn, "done", "Take a card first. The leftmost one is free."),
    (turn, "take atlantis", "That card is gone. Choose another."),
    (turn, "take noble-hills", "That card is gone. Choose another."),
    (turn, "take dire-eye", "You don’t have enough coins: that card costs 1 and you have 0. Choose a cheaper one."),
    (lambda: taking("dire-eye", armies=HOME), "take lake", "You have already taken a card this turn."),
    (lambda: taking("dire-eye", armies=HOME), "place x9", "There is no region “x9” on this map."),
    (
        lambda: taking("dire-eye", armies=HOME),
        "place v5",
        "Place armies on the start region or where you have a city.",
    ),
    (lambda: taking("castle-a", 4, armies={"v5": (18,)}), "place v4", "All your armies are on the map already."),
    (lambda: taking("dire-eye", armies=HOME), "move v4 v5", "This card doesn’t move armies."),
    (lambda: taking("dire-eye", armies=HOME), "build v4", "This card doesn’t build cities."),
    (lambda: taking("dire-eye", armies=HOME), "destroy v4 1", "This card doesn’t destroy armies."),
    (lambda: taking("ancient-sage", armies=HOME), "place v4", "This card doesn’t place armies."),
    (lambda: taking("ancient-sage", armies=HOME), "move v1 v2", "You have no army in that region. Choose another."),
    (
        lambda: taking("ancient-sage", armies=HOME),
        "move v4 v7",
        "Those two regions are not neighbors. Choose a neighboring region.",
    ),
    (lambda: taking("ancient-sage", armies=HOME), "move v4 x9", "There is no region “x9” on this map."),
    (
        lambda: taking("night-wizard", armies=HOME),
        "destroy v4 3",
        "There is no such army in that region. Choose another.",
    ),
    (
        lambda: taking("castle-b", 4, armies={"v4": (1,)}, cities={"v1": (3,)}),
        "build v4",
        "You have no cities left to build.",
    ),
    (
        lambda: after(taking("forest-elf", armies=HOME), "place v4"),
        "move v4 v5",
        "You can’t go back to that part of the card: you have started the other part.",
    ),
    (
        lambda: after(taking("ancient-woods", armies=HOME), "build v4"),
        "build v4",
        "You have built all the cities this card allows.",
    ),
    (
        lambda: after(taking("mountain-dwarf", armies=HOME), "place v4", "place v4"),
        "place v4",
        "You have placed all the armies this card allows.",
    ),
    (
        lambda: after(taking("castle-b", 4, armies=HOME), "move v4 v5", "move v4 v5", "move v4 v5"),
        "move v5 v4",
        "You have no moves left.",
    ),
    (lambda: position(phase=OVER), "done", "The game is over."),
    (lambda: position(phase=SETUP), "bid 1", "The game hasn’t started yet."),
]


@for_each("state, text, sentence", REFUSALS)
def test_an_illegal_action_is_refused_with_a_sentence(state, text: str, sentence: str) -> None:
    assert refusal(state(), text, ALICE) == sentence


def test_only_the_seat_to_move_can_move() -> None:
    assert refusal(turn(), "take ancient-sage", BOB) == "It’s not your turn."


def test_a_refusal_can_be_translated_and_keeps_its_values() -> None:
    with pytest.raises(IllegalAction) as refused:
        LEGENDS.decide(position(phase=FIRST), ALICE, LEGENDS.parse("first 3"), None)
    assert refused.value.say(lambda template: "Platz {seat} gibt es nicht.") == "Platz 3 gibt es nicht."


@for_each(
    "text",
    [
        "",
        " ",
        "fly v1",
        "bid",
        "bid x",
        "bid -1",
        "bid 01",
        "bid 1 2",
        "bid 1000",
        "bid ٣",
        "bid  1",
        " bid 1",
        "Bid 1",
        "first -",
        "take",
        "take a b",
        "place",
        "move v1",
        "move v1 v2 v3",
        "build",
        "destroy v1",
        "destroy v1 x",
        "destroy v1 -1",
        "done now",
        "done\n",
        "{done}",
    ],
)
def test_a_meaningless_text_is_refused(text: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        LEGENDS.parse(text)
    assert text.strip()[:40] in str(refused.value)


@for_each(
    "text",
    [
        "bid 0",
        "bid 12",
        "first 3",
        "take castle-a",
        "place v3",
        "move v3 v5",
        "build i1",
        "destroy v3 2",
        "destroy v3 -",
        "done",
    ],
)
def test_actions_are_short_texts_that_round_trip(text: str) -> None:
    assert LEGENDS.text(LEGENDS.parse(text)) == text


@pytest.mark.parametrize("data", [{"setter": 3}, {"setter": -1}, {"setter": "0"}, {"setter": True}, {"seter": 1}])
def test_unknown_options_are_refused(data: dict) -> None:
    with pytest.raises(IllegalAction):
        LEGENDS.options(data, 3)


@pytest.mark.parametrize("players", [0, 1, 5])
def test_legends_is_for_two_to_four(players: int) -> None:
    with pytest.raises(IllegalAction, match="This game is for 2 to 4 players"):
        LEGENDS.options({}, players)
