"""The form that opens a table, for every ruleset: presets, options and players, with and without htmx."""

import re
from html import unescape
from itertools import combinations_with_replacement, permutations

import pytest
from django.test import Client

from games.rules.registry import RULESETS
from games.tables.forms.game import MOST_PLAYERS
from games.tables.forms.open_table import OpenTableForm
from games.tables.forms.options import OWN, PREFIX, offered, unusual
from games.tables.models import FullGame, Game
from tests.rules.tables import thinned
from tests.web.reading import ATTRIBUTE, text

pytestmark = pytest.mark.django_db

FORM = "/lobby/open/"
EVERY_TABLE = [(slug, players) for slug, rules in RULESETS.items() for players in rules.seat_counts]
EVERY_PRESET = [(slug, players, preset) for slug, players in EVERY_TABLE for preset in RULESETS[slug].presets]
NEXT_GAME = list(zip(RULESETS, [*RULESETS][1:] + [*RULESETS][:1], strict=True))  # each one after the one before it
REST = [pair for pair in permutations(RULESETS, 2) if pair not in NEXT_GAME]
PRESET_IDS = [f"{slug}-{players}-{preset.slug}" for slug, players, preset in EVERY_PRESET]
REFUSED = [
    ("legends", 3, {"poison_swamp": "on"}, "“Poison Swamp” can only be used with “Explore tokens”."),
    ("legends", 3, {"dragon": "8"}, "With 3 players, “Rampaging Dragon” can’t be “8”."),
    ("legends", 2, {"layout": "row"}, "With 2 players, “Boards” can’t be “row”."),
    ("prototype", 4, {"layout": "row"}, "With 4 players, “Boards” can’t be “row”."),
    ("classic", 3, {"side": "side-c"}, "With 3 players, “Board” can’t be “side-c”."),
    ("classic", 4, {"setup": "by-hand"}, "In this game, only the third color is set up by hand"),
]


class Reader:
    """A reader who fills in the form: they send what the page shows."""

    def __init__(self, client: Client, **address: str) -> None:
        self.client = client
        self.read(client.get(FORM, address))

    def read(self, answer) -> None:
        self.answer, self.page = answer, text(answer)
        self.fields = {}
        for tag in re.findall(r"<(?:input|select)\b[^>]*>", self.page):
            attributes = dict(ATTRIBUTE.findall(tag))
            ticked = re.search(r"\schecked\b", tag)
            if attributes.get("type") not in ("radio", "checkbox") or ticked:
                empty = "on" if attributes.get("type") in ("radio", "checkbox") else ""
                self.fields[attributes["name"]] = unescape(attributes.get("value", empty))

    def change(self, **fields: str) -> "Reader":
        self.fields.update(fields)
        return self

    def untick(self, name: str) -> "Reader":
        del self.fields[name]
        return self

    def look(self, **headers: str) -> "Reader":
        """Request the form again as it is filled in."""
        self.read(self.client.get(FORM, self.fields, headers=headers))
        return self

    def send(self):
        return self.client.post(FORM, self.fields)

    @property
    def preset(self) -> str:
        return self.fields["preset"]

    @property
    def options(self) -> list[str]:
        """The options that the page has fields for."""
        return list(dict.fromkeys(re.findall(rf'name="{PREFIX}(\w+)"', self.page)))


@pytest.fixture
def reader(come, alice):
    """Open the form with the rulebook’s options, not those that newcomers are offered."""
    return lambda **address: Reader(come(alice), **{"preset": "rulebook", **address})


# What the form shows


@pytest.mark.parametrize(("slug", "players"), EVERY_TABLE)
@pytest.mark.sampled
def test_the_form_shows_each_option_of_a_game_with_its_sentence(reader, slug, players):
    shown = reader(ruleset=slug, players=str(players))
    page = unescape(shown.page)
    rules = RULESETS[slug]
    assert shown.options == [field.name for field in offered(rules, players)]
    for field in offered(rules, players):
        assert field.label in page and field.sentence in page
        assert field.kind == "yes-no" or all(choice.label in page for choice in field.choices)
    assert [shown.fields["ruleset"], shown.fields["players"]] == [slug, str(players)]
    assert re.findall(r'name="players" value="(\d)"', page) == [str(n) for n in rules.seat_counts]
    assert re.findall(r'name="preset" value="([\w-]+)"', page) == [*(preset.slug for preset in rules.presets), OWN]
    assert all(preset.sentence in page for preset in rules.presets)


def test_for_htmx_the_form_is_only_the_part_that_depends_on_the_game(reader):
    shown = reader().change(ruleset="classic", players="5").look(**{"HX-Request": "true"})
    assert "<html" not in shown.page and 'id="game"' in shown.page
    assert "option_goods_tokens" in shown.page and "option_dragon" not in shown.page
    assert shown.fields["players"] == "5" and "seat_1" not in shown.fields


def test_layouts_are_offered_only_where_there_are_several(reader):
    assert "layout" in reader(ruleset="prototype", players="3").options
    assert "layout" not in reader(ruleset="prototype", players="4").options


def test_an_option_names_the_option_that_it_needs(reader):
    assert "Only with “Explore tokens”." in reader().page


@pytest.mark.parametrize("address", [{"ruleset": "chess"}, {"players": "x"}, {"players": "99999999"}, {"for": "?"}])
def test_an_invalid_query_shows_the_usual_form(reader, address):
    shown = reader(**address)
    assert shown.answer.status_code == 200 and shown.fields["ruleset"] == "legends"


def test_an_impossible_number_of_players_becomes_the_nearest_possible_one(reader):
    shown = reader(ruleset="classic", players="5").change(ruleset="legends").look()
    assert shown.fields["players"] == "4"


NO_FORM = ["", "{", "[]", '{"a":' * 9000, '{"ruleset": "legends", "players": 77, "preset": "", "values": {}}']


@pytest.mark.parametrize("shown", NO_FORM, ids=range(len(NO_FORM)))
@pytest.mark.sampled
def test_a_damaged_state_of_the_form_does_no_harm(reader, shown):
    again = reader().change(shown=shown, option_leaders="on").look()
    assert again.answer.status_code == 200 and "option_leaders" in again.fields


# Choices are kept


def test_choices_are_kept_when_the_form_is_shown_again(reader):
    shown = reader().change(pace="move 7d", listed="no", full="yes", seat_1="easy", players="4", option_dragon="6")
    shown.change(option_leaders="on").look()
    for name, value in {"pace": "move 7d", "listed": "no", "full": "yes", "players": "4"}.items():
        assert shown.fields[name] == value
    assert shown.fields["option_dragon"] == "6" and "option_leaders" in shown.fields
    assert '<option value="easy" selected>' in shown.page


def test_options_that_both_games_have_are_kept_when_the_game_changes(reader):
    shown = reader().change(option_explore="on", option_leaders="on", option_ties="die")
    shown.change(ruleset="prototype").look()
    assert "option_explore" in shown.fields and shown.fields["option_ties"] == "die"
    assert "option_leaders" not in shown.page and shown.fields["option_layout"] == "l"


def test_a_layout_that_the_new_number_of_players_lacks_is_dropped(reader):
    shown = reader(ruleset="prototype", players="3").change(option_layout="row").look()
    assert shown.change(players="4").look().answer.status_code == 200
    assert "layout" not in shown.options
    shown.send()
    assert Game.objects.get().options == {"ties": "die"}


# Presets


def ties(slug: str) -> dict[str, str]:
    """The options of a new table for which nobody chose how to break ties between bids."""
    return {} if slug == "kingdoms" else {"ties": "die"}


@pytest.mark.parametrize(
    ("slug", "players", "preset"),
    [thinned(*case, slug=case[0], players=case[1]) for case in EVERY_PRESET],
    ids=PRESET_IDS,
)
@pytest.mark.sampled
def test_each_preset_fills_in_the_options_and_opens_a_table_that_has_them(reader, slug, players, preset):
    shown = reader(ruleset=slug, players=str(players)).change(preset=preset.slug).look()
    wanted = unusual(offered(RULESETS[slug], players), preset.options)
    for field in offered(RULESETS[slug], players):
        now = wanted.get(field.name, field.usual)
        stands = shown.fields.get(PREFIX + field.name)
        assert (stands is not None) is now if field.kind == "yes-no" else stands == now or not field.default
    assert shown.preset == preset.slug
    shown.send()
    game = Game.objects.get()
    assert (game.ruleset, game.players, game.options) == (slug, players, ties(slug) | wanted)


def test_a_preset_counts_without_requesting_the_form_again(reader):
    reader().change(preset="everything").send()
    assert Game.objects.get().options["leaders"] is True


def test_options_ticked_on_top_of_a_preset_override_it(reader):
    reader().change(preset="house-rules", option_leaders="on").send()
    assert Game.objects.get().options == {"dragon": "7", "leaders": True, "ties": "die"}


def test_options_that_match_no_preset_are_custom(reader):
    shown = reader().change(preset="everything").look().untick("option_leaders").look()
    assert shown.preset == OWN and "option_leaders" not in shown.fields and "option_portals" in shown.fields


def test_options_that_equal_a_preset_are_that_preset(reader):
    assert reader().change(option_dragon="7").look().preset == "house-rules"


def test_switching_from_a_preset_to_custom_keeps_its_options(reader):
    shown = reader().change(preset="everything").look().change(preset=OWN).look()
    assert shown.preset == OWN and "option_leaders" in shown.fields


# Options are folded under a preset


def is_folded(shown: Reader) -> bool:
    return re.search(r'<details class="options" id="options"( open)?>', shown.page)[1] is None


@pytest.mark.parametrize(
    ("slug", "preset"), [(slug, preset) for slug, rules in RULESETS.items() for preset in rules.presets]
)
@pytest.mark.sampled
def test_under_a_preset_the_options_are_folded_and_say_how_many_differ(reader, slug, preset):
    shown = reader(ruleset=slug, preset=preset.slug)
    n = len(unusual(offered(RULESETS[slug], int(shown.fields["players"])), preset.options))
    words = f"{n} differ{'s' if n == 1 else ''} from the rulebook" if n else "all as in the rulebook"
    assert is_folded(shown) and words in shown.page


def test_custom_options_are_unfolded(reader):
    shown = reader().change(preset=OWN).look()
    assert not is_folded(shown)
    assert is_folded(shown.change(preset="everything").look())


def test_options_changed_one_by_one_stay_unfolded_even_if_they_equal_a_preset(reader):
    assert not is_folded(reader().change(option_dragon="7").look())


@pytest.mark.parametrize(
    ("before", "now"), [*NEXT_GAME, *(pytest.param(*pair, marks=pytest.mark.long) for pair in REST)]
)
def test_another_game_gets_its_default_preset_if_nothing_was_chosen_before(reader, before, now):
    first = RULESETS[now].presets[0]
    shown = reader(ruleset=before, preset="").change(ruleset=now).look()
    assert shown.preset == first.slug and is_folded(shown)
    shown = reader(ruleset=before).change(ruleset=now)
    shown.send()
    assert Game.objects.get().options == ties(now), "also without requesting the form again"


def test_a_refused_option_is_unfolded(reader):
    shown = reader().change(preset="everything").look()
    shown.read(shown.change(shown="", preset="", option_setup="x").send())
    assert not is_folded(shown) and 'role="alert"' in shown.page


# Tables are opened with their options


def test_options_are_stored_with_the_table(reader):
    reader().change(players="3", option_explore="on", option_dragon="7", option_setup="by-hand").send()
    game = Game.objects.get()
    chosen = {"explore": True, "dragon": "7", "setup": "by-hand"}
    assert game.options == {"ties": "die", **chosen} and game.players == 3


def test_a_full_game_keeps_the_options(reader):
    reader().change(full="yes", option_portals="on", seat_1="medium").send()
    assert Game.objects.get().options == FullGame.objects.get().options == {"ties": "die", "portals": True}


@pytest.mark.parametrize("slug", ["legends", "prototype", "classic"])
def test_new_tables_break_ties_by_die_unless_age_is_chosen(reader, slug):
    reader(ruleset=slug).send()
    reader(ruleset=slug).change(preset=OWN, option_ties="age").send()
    assert [game.options["ties"] for game in Game.objects.order_by("pk")] == ["die", "age"]


def test_five_can_play_the_classic_game(reader):
    reader(ruleset="classic").change(players="5", seat_4="easy").send()
    game = Game.objects.get()
    assert (game.ruleset, game.players) == ("classic", 5)


@pytest.mark.parametrize(("slug", "players", "chosen", "sentence"), REFUSED)
@pytest.mark.sampled
def test_invalid_options_are_refused_next_to_their_field_by_the_ruleset(reader, slug, players, chosen, sentence):
    shown = reader(ruleset=slug, players=str(players))
    answer = shown.change(shown="", **{PREFIX + name: value for name, value in chosen.items()}).send()
    form = answer.context["form"]
    assert answer.status_code == 422 and not Game.objects.exists()
    (field, (message,)) = next(iter(form.errors.items()))
    assert message.startswith(sentence) and message in unescape(text(answer))
    assert field == PREFIX + next(iter(chosen)) or (field == "__all__" and field not in form.fields)


def test_an_invalid_combination_is_reported_at_once_without_an_error_status(reader):
    shown = reader().change(option_poison_swamp="on").look(**{"HX-Request": "true"})
    assert shown.answer.status_code == 200
    assert (
        "“Poison Swamp” can only be used with “Explore tokens”." in unescape(shown.page)
        and 'role="alert"' in shown.page
    )
    assert "option_poison_swamp" in shown.fields


@pytest.mark.long
@pytest.mark.parametrize("step", [11, 3])
def test_the_form_refuses_exactly_what_the_rules_refuse(step):
    """Every `step`-th pair of answers, for every game and number of players."""
    for slug, players in EVERY_TABLE:
        fields = [(field.name, choice.value) for field in offered(RULESETS[slug], players) for choice in field.choices]
        for first, second in list(combinations_with_replacement(fields, 2))[players % step :: step]:
            wanted = {first[0]: first[1], second[0]: second[1]}
            data = {PREFIX + name: "on" if value is True else str(value) for name, value in wanted.items() if value}
            form = OpenTableForm({**BARE, "ruleset": slug, "players": str(players), **data})
            assert form.is_valid() == accepted(slug, players, wanted), (slug, players, wanted)


BARE = {"pace": "move 2d", "listed": "yes", "full": "no"}


def accepted(slug: str, players: int, options: dict) -> bool:
    try:
        RULESETS[slug].options(options, players)
    except Exception:
        return False
    return True


def test_a_table_against_a_bot_offers_bots_for_all_seats_also_with_more_players(reader):
    seats = {"against a bot": {"for": "bot"}, "with friends": {"for": "friends"}}
    chosen = {name: reader(**address).page.count('<option value="medium" selected>') for name, address in seats.items()}
    assert chosen == {"against a bot": MOST_PLAYERS - 1, "with friends": 0}
