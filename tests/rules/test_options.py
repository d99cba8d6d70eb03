"""Table options: their descriptions for forms, and the combinations that are refused."""

import pytest

from games.rules.eight_minute.options import FIELDS, PRESETS, Options
from games.rules.protocol import IllegalAction
from tests.each import for_each
from tests.rules.tables import FAMILY


def refusal(slug: str, options: dict, players: int = 3) -> str:
    with pytest.raises(IllegalAction) as refused:
        FAMILY[slug].options(options, players)
    return str(refused.value)


REFUSALS = [
    ("legends", {}, 5, "This game is for 2 to 4 players. Choose another number."),
    ("prototype", {}, 5, "This game is for 2 to 4 players. Choose another number."),
    ("classic", {}, 6, "This game is for 2 to 5 players. Choose another number."),
    ("legends", {"atlantis": True}, 3, "There is no option “atlantis”."),
    ("legends", {"poison_swamp": True}, 3, "“Poison Swamp” can only be used with “Explore tokens”."),
    ("legends", {"portals": 1}, 3, "With 3 players, “Magic Portals” can’t be “1”."),
    ("legends", {"portals": "yes"}, 3, "With 3 players, “Magic Portals” can’t be “yes”."),
    ("legends", {"dragon": "8"}, 3, "With 3 players, “Rampaging Dragon” can’t be “8”."),
    ("legends", {"dragon": 6}, 3, "With 3 players, “Rampaging Dragon” can’t be “6”."),
    ("legends", {"layout": "row"}, 3, "With 3 players, “Boards” can’t be “row”."),
    ("prototype", {"layout": "row"}, 4, "With 4 players, “Boards” can’t be “row”."),
    ("prototype", {"layout": "rectangle"}, 3, "With 3 players, “Boards” can’t be “rectangle”."),
    ("prototype", {"leaders": True}, 3, "Eight-Minute Empire: Legends, the prototype has no option “Leaders”."),
    ("classic", {"layout": "t"}, 3, "Eight-Minute Empire has no option “Boards”."),
    ("legends", {"goods_tokens": True}, 3, "Eight-Minute Empire: Legends has no option “Goods tokens”."),
    ("classic", {"side": "c"}, 3, "With 3 players, “Board” can’t be “c”."),
    (
        "classic",
        {"setup": "by-hand"},
        3,
        "In this game, only the third color is set up by hand, and it takes part only with two players.",
    ),
    ("legends", {"setter": 3}, 3, "There is no seat 3 in this game."),
]


@for_each("slug, options, players, sentence", REFUSALS)
def test_invalid_options_are_refused_with_a_reason(slug: str, options: dict, players: int, sentence: str) -> None:
    assert refusal(slug, options, players) == sentence


@pytest.mark.parametrize("slug", FAMILY)
def test_a_default_option_is_stored_as_no_choice(slug: str) -> None:
    """Options of one game that are stored for another then do no harm."""
    plain = {name: getattr(Options(), name) for name in FIELDS}
    assert FAMILY[slug].options(plain, 2) == FAMILY[slug].options({}, 2) == Options()


@pytest.mark.parametrize("slug", FAMILY)
def test_forms_describe_every_option_of_the_game(slug: str) -> None:
    for field in FAMILY[slug].option_fields():
        assert field.label and field.sentence.endswith(".")
        assert field.kind == ("yes-no" if isinstance(field.default, bool) else "choice")
        assert len(field.choices) > 1 and all(choice.label for choice in field.choices)
        assert field.default == getattr(Options(), field.name)
        assert not field.needs or field.needs in {other.name for other in FAMILY[slug].option_fields()}


@pytest.mark.parametrize("slug", FAMILY)
def test_each_choice_is_accepted_alone_unless_it_needs_another(slug: str) -> None:
    for field in FAMILY[slug].option_fields(2):
        for choice in field.choices:
            needed = {field.needs: True} if field.needs else {}
            chosen = FAMILY[slug].options({field.name: choice.value, **needed}, 2)
            assert getattr(chosen, field.name) == choice.value


def test_every_option_of_the_family_belongs_to_a_game() -> None:
    shown = {field.name for ruleset in FAMILY.values() for field in ruleset.option_fields()}
    assert shown == set(FIELDS) == set(Options.__struct_fields__) - {"setter"}


def test_layouts_depend_on_the_number_of_players() -> None:
    def layouts(players: int) -> list:
        return [choice.value for choice in FAMILY["prototype"].option_fields(players)[0].choices]

    assert [layouts(players) for players in (2, 3, 4)] == [["l", "row"], ["l", "row"], ["rectangle"]]


@pytest.mark.parametrize("slug", FAMILY)
def test_presets_can_be_played_by_any_number(slug: str) -> None:
    for preset in FAMILY[slug].presets:
        assert preset.sentence.endswith(".")
        for players in FAMILY[slug].seat_counts:
            assert FAMILY[slug].options(preset.options, players)


def test_everything_at_once_turns_on_every_variant_of_legends() -> None:
    variants = {field.name for field in FAMILY["legends"].option_fields() if field.kind == "yes-no"} | {"dragon"}
    assert set(PRESETS["everything"].options) == variants


def test_r67_with_house_rules_the_seventh_army_slays_the_dragon() -> None:
    preset = next(preset for preset in FAMILY["legends"].presets if preset.slug == "house-rules")
    assert FAMILY["legends"].options(preset.options, 4) == Options(dragon="7")
    assert FAMILY["legends"].rules.cities == 3
