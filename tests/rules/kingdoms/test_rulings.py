"""Every ruling of the specification, K1 to K105, has a test that names it."""

import re
from pathlib import Path

import msgspec
import pytest

from games.rules.kingdoms.state import State, parse, text
from games.rules.protocol import IllegalAction
from tests.each import for_each
from tests.rules.kingdoms.play import game
from tests.rules.kingdoms.positions import ALICE, BOB, KINGDOMS, after, position, short

LAST = 105


def test_every_ruling_has_a_test() -> None:
    sources = (path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    names = [name for source in sources for name in re.findall(r"def (test_\w+)", source)]
    proven = {int(number) for name in names for number in re.findall(r"_k(\d+)(?=_|$)", name)}
    assert proven == set(range(1, LAST + 1))


def test_k104_a_position_lists_everything_the_game_waits_for() -> None:
    """Cards owed, the hand being viewed, the Showdown, removed cards, the deal, and picks made for a defense."""
    steps = game(4, seed=2).steps
    for step in steps:
        assert parse(text(step.after)) == step.after
    fields = {field.name for field in msgspec.structs.fields(State)}
    assert {"owed", "look", "showdown", "out", "deal", "battle", "queue", "flags"} <= fields


def test_cards_and_seats_may_be_given_in_any_order_and_are_sorted() -> None:
    state = position(hands={ALICE: "A4 C9"}, flop="E A5 A6")
    small, large = state.hands[ALICE]
    action = KINGDOMS.parse(f"attack 1 with {large}+{small}")
    assert KINGDOMS.text(action) == f"attack 1 with {small}+{large}"
    assert KINGDOMS.text(KINGDOMS.parse("tribute 2+1")) == "tribute 1+2"


@for_each(
    "text",
    [
        "",
        "fly",
        "draw twice",
        "attack one with sun-attack-4-1",
        "attack 1 by sun-attack-4-1",
        "attack 1 with sun-attack-4-1+sun-attack-4-1",
        "attack 1 with",
        "buy sun-attack-4-1 with sun-attack-5-1",
        "protect against",
        "not-so-secret sun-attack-4-1 of 1 king",
        "tribute 1+1",
        "storm 10",
        "storm -1",
        "boss warmaster 1",
        "boss spymaster",
        "boss king",
        "boss builder x",
        "defend nothing more",
    ],
)
def test_meaningless_actions_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        KINGDOMS.parse(text)
    assert str(refused.value).endswith(".")


def test_actions_name_cards_of_two_decks_with_their_prefix() -> None:
    text = "boss d2:builder d1:sun-kingdom-queen-1"
    assert KINGDOMS.text(KINGDOMS.parse(text)) == text
    assert KINGDOMS.parse("boss d2:warmaster").card == "d2:boss-warmaster"


def test_the_example_of_the_specification_pays_one_and_three_for_four() -> None:
    state = after(position(hands={ALICE: "A4 C9"}, flop="E A5 A6"), "buy A4+C9 for E")
    assert short(state.hands[ALICE]) == "E"
    back = after(position(hands={ALICE: "E"}, flop="A4 C9 A6"), "buy E for A4+C9")
    assert short(back.hands[ALICE]) == "A4 C9"
    assert KINGDOMS.view(back, BOB).players[ALICE].cards == 2
