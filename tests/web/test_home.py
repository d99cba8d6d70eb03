"""The front page: what a newcomer sees, and the button that starts a game at once."""

import re

import pytest

from accounts.models import User
from games.rules.registry import RULESETS
from games.tables.models import Game, Seat
from games.tables.services import lobby
from tests.web.reading import main, text

pytestmark = pytest.mark.django_db


def test_a_newcomer_sees_what_the_site_is_a_map_and_the_button(come):
    page = come().get("/").content.decode()
    assert "Play now against bots" in page
    assert "/boards/" in page and 'class="pieces' in page
    assert " style=" not in page


def test_viewing_the_front_page_creates_no_guest(come):
    come().get("/")
    assert not User.objects.exists() and not Game.objects.exists()


def test_the_button_creates_a_guest_at_a_running_table(come):
    answer = come().post("/play-now/", {"opponents": "3", "strength": "easy"}, follow=True)
    game = Game.objects.get()
    assert answer.redirect_chain == [(f"/games/{game.public_id}/", 302)] and answer.status_code == 200
    assert game.is_running and not game.listed
    assert [seat.bot for seat in Seat.objects.filter(game=game)] == ["", "easy", "easy", "easy"]
    assert User.objects.get().is_guest


def test_the_default_opponent_of_a_newcomer_is_one_easy_bot(come):
    come().post("/play-now/")
    assert list(Seat.objects.values_list("bot", flat=True)) == ["", "easy"]


def test_the_classic_game_can_be_played_now_against_four_bots(come):
    come().post("/play-now/", {"ruleset": "classic", "opponents": "4", "strength": "easy"})
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


def test_players_with_games_are_sent_to_their_desk_which_links_to_play_now(come, alice, eve):
    lobby.play_now(user=alice)
    assert come(alice).get("/").headers["location"] == "/desk/"
    assert come(eve).get("/").status_code == 200
    assert 'href="/play-now/"' in main(come(alice).get("/desk/"))
    page = come(alice).get("/play-now/")
    assert page.status_code == 200 and "Play now against bots" in page.content.decode()


@pytest.mark.parametrize(("address", "is_open"), [("/", False), ("/play-now/", True)])
def test_the_options_are_folded_on_the_front_page_and_open_on_the_page_of_their_own(come, address, is_open):
    page = come().get(address).content.decode()
    assert ('<details class="play-options" open>' in page) == is_open
    assert ("How it works" in page) != is_open
    assert page.index('class="play-options"') < page.index('id="opponents"') < page.index("Play now against bots")


@pytest.mark.parametrize("address", ["/play-now/", "/lobby/open/"])
def test_measured_ratings_of_the_levels_are_shown_where_players_choose_them(come, address, monkeypatch):
    """Only those of games that were measured."""
    measured = {"legends": {"easy": 1210, "medium": 1500, "hard": 1890}}
    monkeypatch.setattr("games.tables.templatetags.seats.ratings", lambda: measured)
    page = come().get(address).content.decode()
    table = page[page.index('class="levels"') :]
    assert re.findall(r'<th scope="row">([^<]+)</th>', table) == [RULESETS["legends"].name]
    assert re.findall(r'<td class="number">([^<]+)</td>', table) == ["1210", "1500", "1890", "–"]
    monkeypatch.setattr("games.tables.templatetags.seats.ratings", dict)
    assert 'class="levels"' not in come().get(address).content.decode()


def test_play_now_says_why_it_starts_no_game(come, alice, monkeypatch):
    monkeypatch.setattr(lobby, "MOST_OPEN", 0)
    answer = come(alice).post("/play-now/")
    assert answer.status_code == 422 and "You have too many open tables." in text(answer)
    assert not Game.objects.exists()


def test_viewing_play_now_starts_nothing(come):
    come().get("/play-now/")
    assert not User.objects.exists() and not Game.objects.exists()


# The last choice


WISH = {"ruleset": "classic", "opponents": "3", "strength": "easy", "preset": "rulebook", "pace": "move 7d"}


def chosen(answer) -> dict[str, str]:
    page = answer.content.decode()
    radios = dict(re.findall(r'type="radio" name="(\w+)" value="([\w-]+)" id="\w+" checked', page))
    pace = re.search(r'name="pace".*?<option value="([^"]+)" selected>', page, re.DOTALL)
    return {"ruleset": re.search(r'<option value="(\w+)" selected>', page)[1], **radios, "pace": pace[1]}


def test_play_now_remembers_the_last_choice_in_this_browser(come):
    reader = come()
    assert reader.post("/play-now/", WISH).status_code == 302
    assert chosen(reader.get("/play-now/")) == WISH
    cookie = reader.cookies["last_table"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"
    assert chosen(come().get("/play-now/"))["ruleset"] == "legends"


def test_the_button_on_the_desk_repeats_the_last_choice(come, alice):
    reader = come(alice)
    for wish in (WISH, {}):
        reader.post("/play-now/", wish)
    first, again = Game.objects.order_by("pk")
    assert (again.ruleset, again.players, again.clock) == (first.ruleset, first.players, first.clock)
    assert again.clock == "move 7d" and again.ruleset == "classic"
    assert set(Seat.objects.filter(game=again).values_list("bot", flat=True)) == {"", "easy"}


def test_remembered_choices_that_another_game_lacks_get_its_defaults(come):
    reader = come()
    reader.post("/play-now/", {**WISH, "opponents": "4"})
    shown = chosen(reader.get("/play-now/", {"ruleset": "legends"}))
    assert (shown["ruleset"], shown["opponents"], shown["preset"]) == ("legends", "1", "first-game")


@pytest.mark.parametrize(
    "cookie", ["ruleset=chess&opponents=9", "ruleset=classic&opponents=-1&pace=x&preset=<b>", "%00", "=&=&", "a" * 4000]
)
def test_a_damaged_cookie_does_no_harm(come, cookie):
    reader = come()
    reader.cookies["last_table"] = cookie
    assert [reader.get(path).status_code for path in ("/play-now/", "/lobby/open/")] == [200, 200]
    assert reader.post("/play-now/").status_code == 302
    assert Game.objects.get().ruleset in RULESETS


def test_the_form_for_a_table_begins_with_the_last_game_and_clock(come, alice):
    reader = come(alice)
    reader.post("/play-now/", WISH)
    page = reader.get("/lobby/open/").content.decode()
    assert '<input type="radio" name="ruleset" value="classic"' in page
    form = reader.get("/lobby/open/").context["form"]
    assert (form.data["ruleset"], form.data["players"], form.data["pace"]) == ("classic", "4", "move 7d")
    friends = reader.get("/lobby/open/", {"for": "friends"}).context["form"]
    assert (friends.data["players"], friends.data["listed"]) == ("3", "no")


def test_newcomers_are_offered_the_lesson_of_the_game_they_choose(come, alice):
    lesson = 'form="learn-first" formaction="/learn/kingdoms/begin"'
    assert "formaction" not in come().get("/play-now/").content.decode(), "the page already offers that of Legends"
    assert lesson in come().get("/play-now/", {"ruleset": "kingdoms"}).content.decode()
    part = come(alice).get("/play-now/", {"ruleset": "kingdoms"}, headers={"hx-request": "true"}).content.decode()
    assert part.count('id="learn-chosen" hx-swap-oob="true"') == 1 and lesson in part
    game = lobby.play_now(user=alice, ruleset="kingdoms")
    Game.objects.filter(pk=game.pk).update(status="finished")
    assert lesson not in come(alice).get("/play-now/", {"ruleset": "kingdoms"}).content.decode()


def test_only_listed_open_tables_are_counted_without_reading_their_seats(come, alice, bob, django_assert_num_queries):
    lobby.open_table(user=alice, listed=True)
    lobby.open_table(user=bob, listed=False)
    with django_assert_num_queries(1):
        assert '<span class="count">1</span>' in come().get("/").content.decode()


def test_the_map_of_the_front_page_is_in_the_language_of_each_reader(come):
    english, german = (come().get("/", headers={"accept-language": code}).content.decode() for code in ("en", "de"))
    assert 'aria-label="The board"' in english and 'aria-label="Der Spielplan"' in german
    assert 'aria-label="The board"' in come().get("/", headers={"accept-language": "en"}).content.decode()
