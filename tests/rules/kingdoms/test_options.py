"""Table options (section 13): their descriptions for forms, and the combinations that are refused."""

import pytest

from games.rules.kingdoms.options import FIELDS, PRESETS, SEAT_COUNTS, Options, chosen, fields
from games.rules.protocol import IllegalAction
from tests.each import for_each

REFUSALS = [
    ({}, 1, "This game is for 2 to 8 players. Choose another number."),
    ({}, 9, "This game is for 2 to 8 players. Choose another number."),
    ({"atlantis": True}, 3, "There is no option “atlantis”."),
    ({"castle_wall": 3}, 3, "“Castle wall” can’t be “3”."),
    ({"castle_wall": "6"}, 3, "“Castle wall” can’t be “6”."),
    ({"collusion": "yes"}, 3, "“Collusion” can’t be “yes”."),
    ({"leave_princes": "0"}, 3, "“Princes” can’t be “0”."),
    ({"leave_princes": "4"}, 3, "“Princes” can’t be “4”."),
    ({"decks": "2"}, 3, "There is no option “decks”."),
    (
        {"mode": "quickplay", "opening_truce": "3"},
        3,
        "In a three-round game, everyone must attack at least once, so the truce can last at most two rounds.",
    ),
]


@for_each("data, players, sentence", REFUSALS)
def test_invalid_options_are_refused_with_a_reason_k96_k98(data: dict, players: int, sentence: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        chosen(data, players)
    assert str(refused.value) == sentence


def test_quickplay_has_a_truce_of_two_rounds_k96() -> None:
    assert chosen({"mode": "quickplay", "opening_truce": "2"}, 4).truce_rounds(4) == 2
    assert all(chosen({"mode": "quickplay"}, players).quick for players in SEAT_COUNTS)


@pytest.mark.parametrize(("players", "rounds"), [(2, 2), (3, 2), (4, 1), (8, 1)])
def test_the_opening_truce_depends_on_the_number_of_players_k4(players: int, rounds: int) -> None:
    assert Options().truce_rounds(players) == rounds
    assert Options(opening_truce="0").truce_rounds(players) == 0


def test_the_options_determine_the_numbers_of_a_table() -> None:
    plain, other = Options(), Options(castle_wall="0", leave_princes="2", leave_princesses="1")
    assert (plain.wall, plain.princes, plain.princesses) == (3, None, None)  # K24, K61
    assert (other.wall, other.princes, other.princesses) == (0, 2, 1)


def test_the_default_of_an_option_is_a_choice_and_applies_to_the_table() -> None:
    assert list(FIELDS) == list(Options.__struct_fields__)
    for name, field in FIELDS.items():
        assert field.default == getattr(Options(), name)
        assert field.default in [choice.value for choice in field.choices]


def test_only_chosen_options_are_stored() -> None:
    assert chosen({}, 2) == Options()
    assert chosen({"collusion": False, "castle_wall": "3"}, 2) == Options()


def test_forms_describe_every_option() -> None:
    for field in fields():
        assert field.label and field.sentence.endswith(".")
        assert field.kind == ("yes-no" if isinstance(field.default, bool) else "choice")
        assert len(field.choices) > 1 and all(choice.label for choice in field.choices)


def test_confirming_a_conquest_is_an_option_for_two_players_k41() -> None:
    assert "hold_two" in {field.name for field in fields(2)}
    assert "hold_two" not in {field.name for field in fields(3)}


def test_every_preset_fits_every_table_and_quickplay_comes_first() -> None:
    assert PRESETS[0].slug == "quickplay"
    for preset in PRESETS:
        assert preset.label and preset.sentence.endswith(".")
        assert all(chosen(preset.options, players) for players in SEAT_COUNTS)
