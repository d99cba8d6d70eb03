"""Tables of Kingdoms: two to eight players, what is offered to newcomers, what is refused, and playing at once."""

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


def test_the_site_seats_eight():
    assert MOST_PLAYERS == max(COUNTS) == 8


@pytest.mark.parametrize("players", COUNTS)
def test_a_table_for_so_many_is_opened_by_the_form_without_scripts(reader, players):
    shown = reader(ruleset="kingdoms", players=str(players)).change(preset="rulebook")
    shown.send()
    game = Game.objects.get()
    assert (game.ruleset, game.players, game.options, game.is_open) == ("kingdoms", players, {}, True)


@pytest.mark.parametrize("players", COUNTS)
def test_with_htmx_the_form_follows_the_number_of_players_and_says_what_it_makes_of_the_game(reader, players):
    shown = reader(ruleset="kingdoms").change(players=str(players)).look(**{"HX-Request": "true"})
    assert "<html" not in shown.page and players_note("kingdoms", players) in unescape(shown.page)
    assert shown.fields["players"] == str(players)
    assert ("hold_two" in shown.options) == (players == 2)


@pytest.mark.parametrize("players", COUNTS)
def test_bots_in_all_other_seats_begin_at_once_and_every_seat_has_its_mark(reader, come, alice, players):
    bots = {f"seat_{seat}": "random" for seat in range(1, players)}
    answer = reader(ruleset="kingdoms", players=str(players)).change(**bots).send()
    game = Game.objects.get()
    assert game.is_running and Seat.objects.filter(game=game).count() == players
    marks = set(re.findall(r"#seat-(\d)", text(come(alice).get("/desk/"))))
    assert marks == {str(seat) for seat in range(players)}
    table = text(come(alice).get(answer.headers["location"]))
    assert all(BANNER_SHAPES[paint.shape] in table for paint in BANNERS[:players])


def test_an_open_table_for_eight_shows_eight_marks_and_the_lobby_its_words(come, alice):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=8, listed=True, options={"castle_wall": "0"})
    page = text(come(alice).get(f"/games/{game.public_id}/"))
    assert [mark for mark in range(8) if f"#seat-{mark}" in page] == list(range(8))
    assert "7 seats are free" in page and "no castle wall" in page
    assert "no castle wall" in text(come().get("/lobby/"))


def test_a_conquest_that_needs_not_hold_is_said_as_such(come, alice):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=2, options={"hold_two": False})
    page = text(come(alice).get(f"/games/{game.public_id}/"))
    assert "a conquest wins at once" in page and "tip-option-hold_two" in page


# Newcomers


def test_who_never_finished_a_game_gets_three_rounds_preselected_and_named(reader):
    shown = reader(ruleset="kingdoms", players="4")
    assert shown.preset == "quickplay" and shown.fields["option_mode"] == "quickplay"
    assert NEWCOMER in shown.page and "“Three rounds” is a good one to start with." in unescape(shown.page)
    shown.send()
    assert Game.objects.get().options == QUICK


def test_so_does_a_stranger_and_who_has_only_begun_one(come, alice):
    lobby.play_now(user=alice, ruleset="kingdoms")
    for browser in (come(), come(alice)):
        assert Reader(browser, ruleset="kingdoms").preset == "quickplay"


def test_who_has_finished_one_gets_the_rulebook(come, old_hand):
    shown = Reader(come(old_hand), ruleset="kingdoms")
    assert shown.preset == "rulebook" and NEWCOMER not in shown.page


def test_a_game_that_somebody_else_finished_or_another_game_does_not_count(come, bob, old_hand):
    assert is_new_to(bob, "kingdoms") and not is_new_to(old_hand, "kingdoms")
    assert is_new_to(old_hand, "legends")


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
def test_changing_to_kingdoms_in_the_form_offers_three_rounds_too(reader, headers):
    shown = reader().change(ruleset="kingdoms", option_ties="die").look(**headers)
    assert shown.preset == "quickplay" and shown.fields["option_ties"] == "ask"


def test_what_one_has_chosen_instead_stays_when_the_number_of_players_changes(reader):
    shown = reader(ruleset="kingdoms").change(preset="rulebook").look().change(players="5").look()
    assert shown.preset == "rulebook" and shown.fields["option_mode"] == "standard"


def test_an_address_that_names_a_preset_gets_it(reader):
    assert reader(ruleset="kingdoms", preset="calm").preset == "calm"


def test_games_without_a_preset_for_newcomers_begin_as_ever(reader):
    shown = reader(ruleset="legends")
    assert shown.preset == "rulebook" and "” is a good one to start with." not in shown.page


# Refusals


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"option_mode": "quickplay", "option_opening_truce": "3"}, "In three rounds, everyone must attack once"),
        ({"option_castle_wall": "9"}, "“Castle wall” can’t be “9”."),
        ({"option_spoils": "everything"}, "“Spoils” can’t be “everything”."),
        ({"players": "9"}, "Kingdoms can’t be played with that many players. Choose another number."),
        ({"players": "1"}, "Kingdoms can’t be played with that many players. Choose another number."),
        ({"seat_7": "deep-thought"}, "Leave the seat open or choose one of our bots."),
    ],
)
def test_what_the_game_does_not_have_is_refused_in_a_sentence(reader, chosen, sentence):
    answer = reader(ruleset="kingdoms", players="8").change(shown="", **chosen).send()
    assert answer.status_code == 422 and sentence in unescape(text(answer))
    assert not Game.objects.exists()


def test_a_refused_form_keeps_what_was_chosen_and_still_greets_the_newcomer(reader):
    answer = reader(ruleset="kingdoms", players="5").change(pace="soon", option_castle_wall="5").send()
    page = unescape(text(answer))
    assert answer.status_code == 422 and NEWCOMER in page and players_note("kingdoms", 5) in page
    assert re.search(r'name="option_castle_wall" value="5"[^>]*checked', page)


def test_the_address_is_the_form(come):
    assert come().get(FORM, {"ruleset": "kingdoms", "players": "8"}).status_code == 200


# Play now


@pytest.mark.parametrize("players", COUNTS)
def test_playing_now_leads_to_a_table_that_works(come, players):
    wish = {"ruleset": "kingdoms", "opponents": str(players - 1), "strength": "random"}
    browser = come()
    answer = browser.post("/play-now/", wish, follow=True)
    game = Game.objects.get()
    assert answer.status_code == 200 and game.is_running and game.players == players
    assert f"/games/{game.public_id}/" in answer.redirect_chain[-1][0]


def test_playing_now_offers_three_rounds_to_newcomers_and_the_rulebook_to_others(come, old_hand):
    fragment = text(come(htmx=True).get("/", {"ruleset": "kingdoms"}))
    assert re.findall(r'name="preset" value="([\w-]+)"', fragment) == ["quickplay", "rulebook"]
    assert "“Three rounds” is a good one to start with." in unescape(fragment)
    assert 'name="preset"' not in text(come(htmx=True).get("/", {"ruleset": "legends"}))
    come().post("/play-now/", {"ruleset": "kingdoms"})
    come(old_hand).post("/play-now/", {"ruleset": "kingdoms"})
    newest, newcomers = Game.objects.order_by("-pk")[:2]
    assert (newcomers.options, newest.options) == (QUICK, {})


@pytest.mark.parametrize(("preset", "options"), [("quickplay", QUICK), ("rulebook", {})])
def test_playing_now_takes_the_rules_that_were_chosen(come, preset, options):
    come().post("/play-now/", {"ruleset": "kingdoms", "opponents": "3", "preset": preset})
    assert Game.objects.get().options == options


def test_rules_that_we_do_not_have_are_refused(come):
    answer = come().post("/play-now/", {"ruleset": "kingdoms", "preset": "chess"})
    assert answer.status_code == 422 and "We don’t have these rules. Choose others." in text(answer)
    assert not Game.objects.exists()
