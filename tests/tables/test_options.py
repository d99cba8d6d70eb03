"""Options of tables: invalid ones are refused everywhere, and valid ones stay with the game everywhere."""

import pytest

from games.errors import Illegal
from games.rules.registry import RULESETS
from games.tables.models import FullGame, Game, Seat
from games.tables.selectors.options import chosen, short_name
from games.tables.services import lobby, records
from tests.cast import again, play_out, state_of

pytestmark = pytest.mark.django_db

NONSENSE = [
    ("legends", 3, {"poison_swamp": True}, "“Poison Swamp” can only be used with “Explore tokens”."),
    ("legends", 3, {"portals": 1}, "With 3 players, “Magic Portals” can’t be “1”."),
    ("legends", 3, {"dragon": "8"}, "With 3 players, “Rampaging Dragon” can’t be “8”."),
    ("legends", 3, {"atlantis": True}, "There is no option “atlantis”."),
    ("legends", 5, {}, "This game is for 2 to 4 players. Choose another number."),
    ("prototype", 4, {"layout": "row"}, "With 4 players, “Boards” can’t be “row”."),
    ("prototype", 3, {"leaders": True}, "has no option “Leaders”."),
    ("classic", 3, {"setup": "by-hand"}, "In this game, only the third color is set up by hand"),
    ("classic", 5, {"layout": "t"}, "has no option “Boards”."),
]
PRESETS = [
    pytest.param(slug, players, preset, id=f"{slug}-{players}-{preset.slug}")
    for slug, rules in RULESETS.items()
    for players in rules.seat_counts
    for preset in rules.presets
]


@pytest.mark.parametrize(("slug", "players", "options", "sentence"), NONSENSE)
def test_no_table_is_opened_with_invalid_options(alice, slug, players, options, sentence):
    with pytest.raises(Illegal) as refused:
        lobby.open_table(user=alice, ruleset=slug, players=players, options=options)
    assert sentence in str(refused.value) and not Game.objects.exists()


@pytest.mark.parametrize(("slug", "players", "options", "sentence"), NONSENSE)
def test_play_now_refuses_invalid_options(alice, slug, players, options, sentence):
    with pytest.raises(Illegal) as refused:
        lobby.play_now(user=alice, ruleset=slug, bots=["random"] * (players - 1), options=options)
    assert sentence in str(refused.value) and not Game.objects.exists()


def test_nobody_can_join_a_table_whose_options_have_become_invalid(alice, bob):
    """This happens after a change of the rules. Nothing is written."""
    game = lobby.open_table(user=alice)
    Game.objects.filter(pk=game.pk).update(options={"poison_swamp": True})
    with pytest.raises(Illegal, match="can only be used with"):
        lobby.join_table(game=game, user=bob, invite=game.invite_token)
    assert again(game).is_open and Seat.objects.filter(game=game).count() == 1


@pytest.mark.parametrize(("slug", "players", "preset"), PRESETS)
@pytest.mark.sampled
def test_each_preset_begins_with_each_number_of_players(alice, slug, players, preset):
    game = lobby.play_now(user=alice, ruleset=slug, bots=["random"] * (players - 1), options=preset.options)
    options = state_of(again(game)).options
    assert again(game).is_running
    assert all(getattr(options, name) == value for name, value in preset.options.items())


def test_all_games_of_a_full_game_have_its_options(alice):
    wanted = {"explore": True, "dragon": "7"}
    first = lobby.open_table(user=alice, bots=["random"], full=True, options=wanted)
    play_out(first)
    second = FullGame.objects.get().games.get(number=2)
    assert {name: second.options[name] for name in wanted} == wanted
    assert chosen(first) == chosen(second) and len(chosen(second)) == 2
    assert state_of(second).options.dragon == "7"


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("legends", {"leaders": True, "explore": True}),
        ("prototype", {"citadels": True}),
        ("classic", {"coal": "place"}),
    ],
)
def test_options_survive_export_and_import(alice, slug, options):
    played = play_out(lobby.play_now(user=alice, ruleset=slug, bots=["random"], options=options))
    data = records.export(public_id=played.public_id, user=alice)
    taken = records.take_in(data=data, user=alice)
    kept = {"ties": "die", **options}
    assert (records.read(data).options, taken.ruleset, taken.options) == (kept, slug, kept)
    assert chosen(taken) == chosen(played) and records.verify(game=taken) == []


# Descriptions


def words(slug: str, **options: object) -> list[str]:
    return [option.words for option in chosen(Game(ruleset=slug, options=options, players=2))]


def test_a_table_without_options_is_described_by_its_name_alone():
    assert short_name("legends") == "Legends" and words("legends") == []
    assert words("legends", dragon="off", leaders=False, setter=1) == []


def test_options_are_described_briefly_in_the_order_of_the_ruleset():
    assert words("legends", dragon="7", setup="by-hand") == ["set up by hand", "Dragon (7th army)"]
    assert words("prototype", layout="row", ties="age") == ["boards in a row", "ties by age"]
    assert words("prototype", ties="die") == []
    assert words("classic", goods_tokens=True, side="side-b") == ["five continents", "Goods tokens"]


def test_a_preset_is_named_in_place_of_its_options():
    everything = next(preset for preset in RULESETS["legends"].presets if preset.slug == "everything")
    assert words("legends", **everything.options) == ["Everything at once"]
    assert words("legends", **everything.options, ties="age") == ["Everything at once", "ties by age"]


@pytest.mark.parametrize("slug", RULESETS)
def test_every_choice_except_the_default_has_its_own_description(slug):
    for field in RULESETS[slug].option_fields():
        texts = [words(slug, **{field.name: choice.value}) for choice in field.choices if choice.value != field.usual]
        assert all(texts) and len({tuple(text) for text in texts}) == len(texts), field.name
