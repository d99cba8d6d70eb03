"""Opening tables of Kingdoms: two to eight players, the preset for newcomers, refusals, and playing at once."""

import re
from html import unescape

import pytest

from games.boards.themes import BANNER_SHAPES, BANNERS
from games.help.families import players_note
from games.rules.registry import RULESETS
from games.tables.forms.game import MOST_PLAYERS
from games.tables.models import Game, Seat
from games.tables.models.game import Status
from games.tables.selectors.rights import is_new_to
from games.tables.services import lobby
from tests.web.reading import text
from tests.web.test_open_table_form import FORM, Reader

pytestmark = pytest.mark.django_db

COUNTS = RULESETS["kingdoms"].seat_counts
QUICK = {"mode": "quickplay"}
NEWCOMER = "You have not finished a game of Kingdoms yet."


@pytest.fixture
def reader(come, alice):
    return lambda **address: Reader(come(alice), **address)


@pytest.fixture
def old_hand(alice):
    """Alice, who has finished a game of Kingdoms."""
    game = lobby.play_now(user=alice, ruleset="kingdoms")
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED)
    return alice


# Two to eight


def test_the_site_seats_up_to_eight_players():
    assert MOST_PLAYERS == max(COUNTS) == 8


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.sampled
def test_the_form_without_scripts_opens_a_table_for_each_number_of_players(reader, players):
    shown = reader(ruleset="kingdoms", players=str(players)).change(preset="rulebook")
    shown.send()
    game = Game.objects.get()
    assert (game.ruleset, game.players, game.options, game.is_open) == ("kingdoms", players, {}, True)


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.sampled
def test_with_htmx_the_form_follows_the_number_of_players_and_explains_its_effect(reader, players):
    shown = reader(ruleset="kingdoms").change(players=str(players)).look(**{"HX-Request": "true"})
    assert "<html" not in shown.page and players_note("kingdoms", players) in unescape(shown.page)
    assert shown.fields["players"] == str(players)
    assert ("hold_two" in shown.options) == (players == 2)


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.sampled
def test_a_table_full_of_bots_begins_at_once_and_every_seat_has_its_symbol(reader, come, alice, players):
    bots = {f"seat_{seat}": "easy" for seat in range(1, players)}
    answer = reader(ruleset="kingdoms", players=str(players)).change(**bots).send()
    game = Game.objects.get()
    assert game.is_running and Seat.objects.filter(game=game).count() == players
    marks = set(re.findall(r"#seat-(\d)", text(come(alice).get("/desk/"))))
    assert marks == {str(seat) for seat in range(players)}
    table = text(come(alice).get(answer.headers["location"]))
    assert all(BANNER_SHAPES[paint.shape] in table for paint in BANNERS[:players])


def test_an_open_table_for_eight_shows_eight_symbols_and_the_lobby_describes_it(come, alice):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=8, listed=True, options={"castle_wall": "0"})
    page = text(come(alice).get(f"/games/{game.public_id}/"))
    assert [mark for mark in range(8) if f"#seat-{mark}" in page] == list(range(8))
    assert "7 seats are free" in page and "no castle wall" in page
    assert "no castle wall" in text(come().get("/lobby/"))


def test_a_conquest_that_need_not_hold_is_described_as_such(come, alice):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=2, options={"hold_two": False})
    page = text(come(alice).get(f"/games/{game.public_id}/"))
    assert "a conquest wins at once" in page and "tip-option-hold_two" in page


# Newcomers


def test_three_rounds_are_preselected_for_players_who_never_finished_a_game(reader):
    shown = reader(ruleset="kingdoms", players="4")
    assert shown.preset == "quickplay" and shown.fields["option_mode"] == "quickplay"
    assert NEWCOMER in shown.page and "“Three rounds” is a good place to start." in unescape(shown.page)
    shown.send()
    assert Game.objects.get().options == QUICK


def test_three_rounds_are_preselected_for_visitors_and_for_players_who_only_began_a_game(come, alice):
    lobby.play_now(user=alice, ruleset="kingdoms")
    for browser in (come(), come(alice)):
        assert Reader(browser, ruleset="kingdoms").preset == "quickplay"


def test_players_who_finished_a_game_get_the_rulebook(come, old_hand):
    shown = Reader(come(old_hand), ruleset="kingdoms")
    assert shown.preset == "rulebook" and NEWCOMER not in shown.page


def test_games_of_others_and_other_rulesets_do_not_count(come, bob, old_hand):
    assert is_new_to(bob, "kingdoms") and not is_new_to(old_hand, "kingdoms")
    assert is_new_to(old_hand, "legends")


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
def test_changing_to_kingdoms_in_the_form_offers_three_rounds_too(reader, headers):
    shown = reader().change(ruleset="kingdoms", option_ties="die").look(**headers)
    assert shown.preset == "quickplay" and shown.fields["option_ties"] == "ask"


def test_another_choice_stays_when_the_number_of_players_changes(reader):
    shown = reader(ruleset="kingdoms").change(preset="rulebook").look().change(players="5").look()
    assert shown.preset == "rulebook" and shown.fields["option_mode"] == "standard"


def test_an_address_can_name_a_preset(reader):
    assert reader(ruleset="kingdoms", preset="calm").preset == "calm"


@pytest.mark.parametrize("slug", ["legends", "prototype", "classic"])
def test_a_first_game_without_bids_is_preselected_for_newcomers_to_the_other_games(come, alice, slug):
    shown = Reader(come(alice), ruleset=slug)
    assert shown.preset == "first-game" and "“A first game” is a good place to start." in unescape(shown.page)
    shown.send()
    assert Game.objects.get().options == {"ties": "die", "opening": "drawn"}


# Refusals


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"option_mode": "quickplay", "option_opening_truce": "3"}, "must attack at least once, so the truce can"),
        ({"option_castle_wall": "9"}, "“Castle wall” can’t be “9”."),
        ({"option_spoils": "everything"}, "“Spoils” can’t be “everything”."),
        ({"players": "9"}, "Kingdoms can’t be played with that many players. Choose another number."),
        ({"players": "1"}, "Kingdoms can’t be played with that many players. Choose another number."),
        ({"seat_7": "deep-thought"}, "Leave the seat free or choose one of our bots."),
    ],
)
@pytest.mark.sampled
def test_unknown_values_are_refused_with_a_sentence(reader, chosen, sentence):
    answer = reader(ruleset="kingdoms", players="8").change(shown="", **chosen).send()
    assert answer.status_code == 422 and sentence in unescape(text(answer))
    assert not Game.objects.exists()


def test_a_refused_form_keeps_its_choices_and_the_note_for_newcomers(reader):
    answer = reader(ruleset="kingdoms", players="5").change(pace="soon", option_castle_wall="5").send()
    page = unescape(text(answer))
    assert answer.status_code == 422 and NEWCOMER in page and players_note("kingdoms", 5) in page
    assert re.search(r'name="option_castle_wall" value="5"[^>]*checked', page)


def test_the_form_has_the_address_that_tests_use(come):
    assert come().get(FORM, {"ruleset": "kingdoms", "players": "8"}).status_code == 200


# Play now


@pytest.mark.parametrize("players", COUNTS)
def test_play_now_leads_to_a_working_table(come, players):
    wish = {"ruleset": "kingdoms", "opponents": str(players - 1), "strength": "easy"}
    browser = come()
    answer = browser.post("/play-now/", wish, follow=True)
    game = Game.objects.get()
    assert answer.status_code == 200 and game.is_running and game.players == players
    assert f"/games/{game.public_id}/" in answer.redirect_chain[-1][0]


def test_play_now_offers_three_rounds_to_newcomers_and_the_rulebook_to_others(come, old_hand):
    fragment = text(come(htmx=True).get("/", {"ruleset": "kingdoms"}))
    assert re.findall(r'name="preset" value="([\w-]+)"', fragment) == ["quickplay", "rulebook"]
    assert "“Three rounds” is a good place to start. For a first game: three rounds" in unescape(fragment)
    fragment = text(come(htmx=True).get("/", {"ruleset": "legends"}))
    assert re.findall(r'name="preset" value="([\w-]+)"', fragment) == ["first-game", "rulebook"]
    come().post("/play-now/", {"ruleset": "kingdoms"})
    come(old_hand).post("/play-now/", {"ruleset": "kingdoms"})
    newest, newcomers = Game.objects.order_by("-pk")[:2]
    assert (newcomers.options, newest.options) == (QUICK, {})


@pytest.mark.parametrize(("preset", "options"), [("quickplay", QUICK), ("rulebook", {})])
def test_play_now_uses_the_chosen_rules(come, preset, options):
    come().post("/play-now/", {"ruleset": "kingdoms", "opponents": "3", "preset": preset})
    assert Game.objects.get().options == options


def test_unknown_rules_are_refused(come):
    answer = come().post("/play-now/", {"ruleset": "kingdoms", "preset": "chess"})
    assert answer.status_code == 422 and "We don’t have these rules. Choose others." in text(answer)
    assert not Game.objects.exists()
