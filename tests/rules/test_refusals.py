"""Every refusal is a sentence for the player, and texts mean exactly one thing or nothing."""

import pytest

from games.rules.eight_minute.state import BID, FIRST, OVER, SETUP, State
from games.rules.protocol import IllegalAction
from tests.rules.positions import ALICE, BOB, LEGENDS, after, position, refusal, taking

HOME = {"v4": (3, 3, 3)}


def turn() -> State:
    return position(armies=HOME, row=["ancient-sage", "dire-eye", "lake"], coins=[0, 5, 5])


REFUSALS = [
    (lambda: position(phase=BID), "take lake", "The bids come first."),
    (lambda: position(phase=FIRST), "take lake", "First name who starts."),
    (lambda: position(phase=FIRST), "first 3", "There is no seat 3 at this table."),
    (turn, "bid 1", "The time for that is over: the turns have begun."),
    (turn, "first 1", "The time for that is over: the turns have begun."),
    (turn, "place v4", "Take a card first; the left-most one is free."),
    (turn, "done", "Take a card first; the left-most one is free."),
    (turn, "take atlantis", "That card is not in the row."),
    (turn, "take noble-hills", "That card is not in the row."),
    (turn, "take dire-eye", "That card costs 1 and you have 0 coins."),
    (lambda: taking("dire-eye", armies=HOME), "take lake", "You have taken your card for this turn."),
    (lambda: taking("dire-eye", armies=HOME), "place x9", "There is no region “x9” on this map."),
    (
        lambda: taking("dire-eye", armies=HOME),
        "place v5",
        "Armies are placed on the start region or where you have a city.",
    ),
    (lambda: taking("castle-a", 4, armies={"v5": (18,)}), "place v4", "All your armies are on the map."),
    (lambda: taking("dire-eye", armies=HOME), "move v4 v5", "This card moves no armies."),
    (lambda: taking("dire-eye", armies=HOME), "build v4", "This card builds no city."),
    (lambda: taking("dire-eye", armies=HOME), "destroy v4 1", "This card destroys no army."),
    (lambda: taking("ancient-sage", armies=HOME), "place v4", "This card places no armies."),
    (lambda: taking("ancient-sage", armies=HOME), "move v1 v2", "You have no army in that region."),
    (lambda: taking("ancient-sage", armies=HOME), "move v4 v7", "Those two regions are not neighbours."),
    (lambda: taking("ancient-sage", armies=HOME), "move v4 x9", "There is no region “x9” on this map."),
    (lambda: taking("night-wizard", armies=HOME), "destroy v4 3", "There is no such army in that region."),
    (lambda: taking("castle-b", 4, armies={"v4": (1,)}, cities={"v1": (3,)}), "build v4", "All your cities are built."),
    (
        lambda: after(taking("forest-elf", armies=HOME), "place v4"),
        "move v4 v5",
        "That part of the card is closed: the other part has been begun.",
    ),
    (
        lambda: after(taking("ancient-woods", armies=HOME), "build v4"),
        "build v4",
        "You have built what this card allows.",
    ),
    (
        lambda: after(taking("mountain-dwarf", armies=HOME), "place v4", "place v4"),
        "place v4",
        "You have placed all the armies that this card gives.",
    ),
    (
        lambda: after(taking("castle-b", 4, armies=HOME), "move v4 v5", "move v4 v5", "move v4 v5"),
        "move v5 v4",
        "You have no movement left.",
    ),
    (lambda: position(phase=OVER), "done", "The game is over."),
    (lambda: position(phase=SETUP), "bid 1", "The game has not begun."),
]


@pytest.mark.parametrize(("state", "text", "sentence"), REFUSALS, ids=[f"{text}: {why}" for _, text, why in REFUSALS])
def test_an_illegal_action_is_refused_in_a_sentence(state, text: str, sentence: str) -> None:
    assert refusal(state(), text, ALICE) == sentence


def test_only_the_seat_to_move_can_move() -> None:
    assert refusal(turn(), "take ancient-sage", BOB) == "It is not your turn."


def test_a_refusal_can_be_translated_and_keeps_its_values() -> None:
    with pytest.raises(IllegalAction) as refused:
        LEGENDS.decide(position(phase=FIRST), ALICE, LEGENDS.parse("first 3"), None)
    assert refused.value.say(lambda template: "Platz {seat} gibt es nicht.") == "Platz 3 gibt es nicht."


@pytest.mark.parametrize(
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
def test_a_text_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        LEGENDS.parse(text)
    assert text.strip()[:40] in str(refused.value)


@pytest.mark.parametrize(
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
def test_options_that_do_not_fit_are_refused(data: dict) -> None:
    with pytest.raises(IllegalAction):
        LEGENDS.options(data, 3)


@pytest.mark.parametrize("players", [0, 1, 5])
def test_legends_is_for_two_to_four(players: int) -> None:
    with pytest.raises(IllegalAction, match=f"This game is not for {players} players."):
        LEGENDS.options({}, players)
