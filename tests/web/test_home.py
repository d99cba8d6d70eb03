"""The front page: what a newcomer sees, and the button that starts a game at once."""

import re

import pytest

from accounts.models import User
from games.rules.registry import RULESETS
from games.tables.models import Game, Seat
from games.tables.services import lobby

pytestmark = pytest.mark.django_db


def test_a_newcomer_sees_what_the_site_is_a_map_and_the_button(come):
    page = come().get("/").content.decode()
    assert "Play now against bots" in page
    assert "/boards/" in page and 'class="pieces"' in page
    assert " style=" not in page


def test_viewing_the_front_page_creates_no_guest(come):
    come().get("/")
    assert not User.objects.exists() and not Game.objects.exists()


def test_the_button_creates_a_guest_at_a_running_table(come):
    answer = come().post("/play-now/", {"opponents": "3", "strength": "random"}, follow=True)
    game = Game.objects.get()
    assert answer.redirect_chain == [(f"/games/{game.public_id}/", 302)] and answer.status_code == 200
    assert game.is_running and not game.listed
    assert [seat.bot for seat in Seat.objects.filter(game=game)] == ["", "random", "random", "random"]
    assert User.objects.get().is_guest


def test_the_default_opponent_is_one_greedy_bot(come):
    come().post("/play-now/")
    assert list(Seat.objects.values_list("bot", flat=True)) == ["", "greedy"]


def test_the_classic_game_can_be_played_now_against_four_bots(come):
    come().post("/play-now/", {"ruleset": "classic", "opponents": "4", "strength": "random"})
    game = Game.objects.get()
    assert (game.ruleset, game.players, game.is_running) == ("classic", 5, True)


def test_legends_is_the_default_game(come):
    page = come().get("/").content.decode()
    assert '<option value="legends" selected>' in page
    assert all(f'<option value="{slug}"' in page for slug in RULESETS)


@pytest.mark.parametrize("slug", RULESETS)
def test_each_game_offers_as_many_opponents_as_it_has_seats(come, slug):
    fragment = come(htmx=True).get("/", {"ruleset": slug}).content.decode()
    assert "<html" not in fragment
    offered = [int(n) for n in re.findall(r'name="opponents" value="(\d+)"', fragment)]
    assert offered == [n - 1 for n in RULESETS[slug].seat_counts]


def test_a_signed_in_user_plays_as_themselves(come, alice):
    come(alice).post("/play-now/", {"opponents": "1"})
    assert Game.objects.get().opener == alice and User.objects.count() == 1


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"opponents": "9"}, "Choose 1 to 3 opponents for Eight-Minute Empire: Legends."),
        ({"opponents": "many"}, "Choose 1 to 3 opponents for Eight-Minute Empire: Legends."),
        ({"ruleset": "prototype", "opponents": "4"}, "Choose 1 to 3 opponents for "),
        ({"ruleset": "chess"}, "We don’t have this game. Choose another."),
        ({"strength": "deep-thought"}, "We have no bots of this strength."),
    ],
)
def test_an_invalid_request_gets_a_sentence_and_writes_nothing(come, wish, sentence):
    answer = come().post("/play-now/", wish)
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert not User.objects.exists() and not Game.objects.exists()


def test_the_button_is_a_form_not_a_link(come):
    assert come().get("/play-now/").status_code == 405


def test_players_with_games_are_sent_to_their_desk(come, alice, eve):
    lobby.play_now(user=alice)
    assert come(alice).get("/").headers["location"] == "/desk/"
    assert come(eve).get("/").status_code == 200


def test_only_listed_open_tables_are_counted(come, alice, bob):
    lobby.open_table(user=alice, listed=True)
    lobby.open_table(user=bob, listed=False)
    assert '<span class="count">1</span>' in come().get("/").content.decode()
