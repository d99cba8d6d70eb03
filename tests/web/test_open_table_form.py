"""The form that opens a table, for every ruleset: presets, options, players, without scripts and with htmx."""

import re
from html import unescape
from itertools import combinations_with_replacement

import pytest
from django.test import Client

from games.rules.registry import RULESETS
from games.tables.forms.open_table import OpenTableForm
from games.tables.forms.options import OWN, PREFIX, offered, unusual
from games.tables.models import FullGame, Game
from tests.rules.tables import thinned
from tests.web.reading import ATTRIBUTE, text

pytestmark = pytest.mark.django_db

FORM = "/lobby/open/"
EVERY_TABLE = [(slug, players) for slug, rules in RULESETS.items() for players in rules.seat_counts]
EVERY_PRESET = [(slug, players, preset) for slug, players in EVERY_TABLE for preset in RULESETS[slug].presets]
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
    """Somebody who fills the form in as the page shows it: what stands in it is what is sent."""

    def __init__(self, client: Client, **address: str) -> None:
        self.client = client
        self.read(client.get(FORM, address))

    def read(self, answer) -> None:
        self.answer, self.page = answer, text(answer)
        self.fields = {}
        for tag in re.findall(r"<(?:input|select)\b[^>]*>", self.page):
            one = dict(ATTRIBUTE.findall(tag))
            ticked = re.search(r"\schecked\b", tag)
            if one.get("type") not in ("radio", "checkbox") or ticked:
                self.fields[one["name"]] = unescape(one.get("value", "" if tag.startswith("<select") else "on"))

    def change(self, **fields: str) -> "Reader":
        self.fields.update(fields)
        return self

    def untick(self, name: str) -> "Reader":
        del self.fields[name]
        return self

    def look(self, **headers: str) -> "Reader":
        """Have the form shown again as it is filled in."""
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
    return lambda **address: Reader(come(alice), **address)


# What is shown


@pytest.mark.parametrize(("slug", "players"), EVERY_TABLE)
def test_the_form_shows_what_a_game_offers_for_so_many_players_each_with_its_sentence(reader, slug, players):
    shown = reader(ruleset=slug, players=str(players))
    page = unescape(shown.page)
    rules = RULESETS[slug]
    assert shown.options == [field.name for field in offered(rules, players)]
    for field in offered(rules, players):
        assert field.label in page and field.sentence in page
        assert field.kind == "yes-no" or all(choice.label in page for choice in field.choices)
    assert [shown.fields["ruleset"], shown.fields["players"]] == [slug, str(players)]
    assert re.findall(r'name="players" value="(\d)"', page) == [str(n) for n in rules.seat_counts]
    assert re.findall(r'name="preset" value="([\w-]+)"', page) == [*(one.slug for one in rules.presets), OWN]
    assert all(one.sentence in page for one in rules.presets)


def test_for_htmx_it_is_the_part_that_depends_on_the_game(reader):
    shown = reader().change(ruleset="classic", players="5").look(**{"HX-Request": "true"})
    assert "<html" not in shown.page and 'id="game"' in shown.page
    assert "option_goods_tokens" in shown.page and "option_dragon" not in shown.page
    assert shown.fields["players"] == "5" and "seat_1" not in shown.fields


def test_a_layout_is_offered_where_there_is_a_choice_of_them(reader):
    assert "layout" in reader(ruleset="prototype", players="3").options
    assert "layout" not in reader(ruleset="prototype", players="4").options


def test_an_option_says_which_other_one_it_needs(reader):
    assert "Only with “Explore tokens”." in reader().page


@pytest.mark.parametrize("address", [{"ruleset": "chess"}, {"players": "x"}, {"players": "99999999"}, {"for": "?"}])
def test_an_address_that_means_nothing_shows_the_form_as_usual(reader, address):
    shown = reader(**address)
    assert shown.answer.status_code == 200 and shown.fields["ruleset"] == "legends"


def test_the_nearest_number_of_players_is_chosen_when_a_game_does_not_have_the_one(reader):
    shown = reader(ruleset="classic", players="5").change(ruleset="legends").look()
    assert shown.fields["players"] == "4"


NO_FORM = ["", "{", "[]", '{"a":' * 9000, '{"ruleset": "legends", "players": 77, "preset": "", "values": {}}']


@pytest.mark.parametrize("shown", NO_FORM, ids=range(len(NO_FORM)))
def test_what_comes_back_damaged_does_no_harm(reader, shown):
    again = reader().change(shown=shown, option_leaders="on").look()
    assert again.answer.status_code == 200 and "option_leaders" in again.fields


# What is chosen stays


def test_everything_already_chosen_stays_when_the_form_is_shown_again(reader):
    shown = reader().change(pace="move 7d", listed="no", full="yes", seat_1="random", players="4", option_dragon="6")
    shown.change(option_leaders="on").look()
    for name, value in {"pace": "move 7d", "listed": "no", "full": "yes", "players": "4"}.items():
        assert shown.fields[name] == value
    assert shown.fields["option_dragon"] == "6" and "option_leaders" in shown.fields
    assert '<option value="random" selected>' in shown.page


def test_what_another_game_has_too_stays_when_one_changes_the_game(reader):
    shown = reader().change(option_explore="on", option_leaders="on", option_ties="die")
    shown.change(ruleset="prototype").look()
    assert "option_explore" in shown.fields and shown.fields["option_ties"] == "die"
    assert "option_leaders" not in shown.page and shown.fields["option_layout"] == "l"


def test_a_layout_that_other_numbers_of_players_do_not_have_is_left_out_when_the_form_is_shown_again(reader):
    shown = reader(ruleset="prototype", players="3").change(option_layout="row").look()
    assert shown.change(players="4").look().answer.status_code == 200
    assert "layout" not in shown.options
    shown.send()
    assert Game.objects.get().options == {"ties": "die"}


# Presets


def ties(slug: str) -> dict[str, str]:
    """What a new table is given where nobody chooses how ties between bids are broken."""
    return {} if slug == "kingdoms" else {"ties": "die"}


@pytest.mark.parametrize(
    ("slug", "players", "preset"), [thinned(*one, slug=one[0], players=one[1]) for one in EVERY_PRESET], ids=PRESET_IDS
)
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


def test_without_looking_again_a_preset_counts_all_the_same(reader):
    reader().change(preset="everything").send()
    assert Game.objects.get().options["leaders"] is True


def test_what_is_ticked_besides_a_preset_counts_over_it_without_looking_again(reader):
    reader().change(preset="house-rules", option_leaders="on").send()
    assert Game.objects.get().options == {"dragon": "7", "leaders": True, "ties": "die"}


def test_options_that_are_no_preset_are_somebodys_own(reader):
    shown = reader().change(preset="everything").look().untick("option_leaders").look()
    assert shown.preset == OWN and "option_leaders" not in shown.fields and "option_portals" in shown.fields


def test_options_that_come_to_a_preset_are_that_preset(reader):
    assert reader().change(option_dragon="7").look().preset == "house-rules"


def test_who_wants_to_choose_for_themselves_keeps_what_stood_there(reader):
    shown = reader().change(preset="everything").look().change(preset=OWN).look()
    assert shown.preset == OWN and "option_leaders" in shown.fields


# The single options stand folded under a preset


def is_folded(shown: Reader) -> bool:
    return re.search(r'<details class="options" id="options"( open)?>', shown.page)[1] is None


@pytest.mark.parametrize(("slug", "preset"), [(slug, one) for slug, rules in RULESETS.items() for one in rules.presets])
def test_under_a_preset_the_options_are_folded_and_say_how_many_of_them_are_not_as_usual(reader, slug, preset):
    shown = reader(ruleset=slug, preset=preset.slug)
    n = len(unusual(offered(RULESETS[slug], int(shown.fields["players"])), preset.options))
    words = f"{n} differ{'s' if n == 1 else ''} from the rulebook" if n else "all as in the rulebook"
    assert is_folded(shown) and words in shown.page


def test_who_chooses_for_themselves_has_the_options_in_sight(reader):
    shown = reader().change(preset=OWN).look()
    assert not is_folded(shown)
    assert is_folded(shown.change(preset="everything").look())


def test_options_that_are_changed_singly_stay_in_sight_though_they_come_to_a_preset(reader):
    assert not is_folded(reader().change(option_dragon="7").look())


@pytest.mark.parametrize(("before", "now"), [(one, other) for one in RULESETS for other in RULESETS if one != other])
def test_another_game_is_as_in_its_rulebook_if_nothing_was_chosen_in_the_one_before(reader, before, now):
    shown = reader(ruleset=before).change(ruleset=now).look()
    assert shown.preset == RULESETS[now].presets[0].slug and is_folded(shown)
    shown = reader(ruleset=before).change(ruleset=now)
    shown.send()
    assert Game.objects.get().options == ties(now), "without looking again too"


def test_an_option_that_is_refused_is_in_sight(reader):
    shown = reader().change(preset="everything").look()
    shown.read(shown.change(shown="", preset="", option_setup="x").send())
    assert not is_folded(shown) and 'role="alert"' in shown.page


# Tables are opened with their options


def test_options_go_to_the_table(reader):
    reader().change(players="3", option_explore="on", option_dragon="7", option_setup="by-hand").send()
    game = Game.objects.get()
    chosen = {"explore": True, "dragon": "7", "setup": "by-hand"}
    assert game.options == {"ties": "die", **chosen} and game.players == 3


def test_a_full_game_carries_the_options(reader):
    reader().change(full="yes", option_portals="on", seat_1="greedy").send()
    assert Game.objects.get().options == FullGame.objects.get().options == {"ties": "die", "portals": True}


@pytest.mark.parametrize("slug", ["legends", "prototype", "classic"])
def test_new_tables_break_ties_by_die_unless_age_is_chosen(reader, slug):
    reader(ruleset=slug).send()
    reader(ruleset=slug).change(preset=OWN, option_ties="age").send()
    assert [game.options["ties"] for game in Game.objects.order_by("pk")] == ["die", "age"]


def test_five_play_the_classic_game(reader):
    reader(ruleset="classic").change(players="5", seat_4="random").send()
    game = Game.objects.get()
    assert (game.ruleset, game.players) == ("classic", 5)


@pytest.mark.parametrize(("slug", "players", "chosen", "sentence"), REFUSED)
def test_what_makes_no_sense_is_refused_beside_its_field_in_the_rulesets_words(reader, slug, players, chosen, sentence):
    shown = reader(ruleset=slug, players=str(players))
    answer = shown.change(shown="", **{PREFIX + name: value for name, value in chosen.items()}).send()
    form = answer.context["form"]
    assert answer.status_code == 422 and not Game.objects.exists()
    (field, (said,)) = next(iter(form.errors.items()))
    assert said.startswith(sentence) and said in unescape(text(answer))
    assert field == PREFIX + next(iter(chosen)) or (field == "__all__" and field not in form.fields)


def test_a_combination_that_makes_no_sense_is_seen_at_once_and_is_no_error_yet(reader):
    shown = reader().change(option_poison_swamp="on").look(**{"HX-Request": "true"})
    assert shown.answer.status_code == 200
    assert (
        "“Poison Swamp” can only be used with “Explore tokens”." in unescape(shown.page)
        and 'role="alert"' in shown.page
    )
    assert "option_poison_swamp" in shown.fields


def test_the_form_refuses_just_what_the_rules_refuse():
    """Pairs of answers for every game and number of players: a third of all for each number, of which no two are next
    to one another.
    """
    for slug, players in EVERY_TABLE:
        fields = [(field.name, choice.value) for field in offered(RULESETS[slug], players) for choice in field.choices]
        for one, other in list(combinations_with_replacement(fields, 2))[players % 3 :: 3]:
            wanted = {one[0]: one[1], other[0]: other[1]}
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
