"""The page of standing orders, with and without scripts; and every page of the site with games of Kingdoms."""

import pytest

from games.rules.fairness import Quick
from games.tables.models import Seat
from games.tables.services import lobby
from tests.cast import again, person, seats_of, state_of, table_of
from tests.rules.kingdoms.positions import ALICE, BOB, position
from tests.tables.kingdoms import ASK, do, go_on, kingdoms, owing, put
from tests.web.reading import alert, text

pytestmark = pytest.mark.django_db
HTMX = pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])


@HTMX
def test_orders_are_shown_and_saved(come, alice, bob, htmx):
    game = kingdoms(alice, bob)
    url, browser = f"{game.get_absolute_url()}orders", come(alice, htmx=htmx)
    assert 'value="best" required checked' in text(browser.get(url))
    page = text(browser.post(url, {"defend": "two", "protect": "with", "pick": "not"}))
    assert "Saved. Your orders apply" in page and 'value="two" required checked' in page and ("<html" in page) != htmx
    assert 'hx-swap="outerHTML show:#content:top"' in page  # which has the sentence, above a long form
    assert Seat.objects.get(game=game, number=0).orders == {"defend": "two", "protect": "with", "pick": "not"}


@HTMX
def test_a_refusal_says_why_and_leaves_the_orders_unchanged(come, alice, bob, htmx):
    game = kingdoms(alice, bob)
    answer = come(alice, htmx=htmx).post(f"{game.get_absolute_url()}orders", {"defend": "bravely"})
    assert answer.status_code == (200 if htmx else 422)
    assert alert(answer) == "“When I am attacked”: choose one of the answers."
    assert Seat.objects.get(game=game, number=0).orders == {}


def test_a_player_who_owes_an_answer_is_warned_that_the_orders_will_give_it(come, alice, bob):
    game = put(kingdoms(alice, bob, orders=ASK), position(2, hands={ALICE: "A8 C9", BOB: "A7"}, towers={BOB: "E"}))
    do(game, ALICE, "attack 1 with A8")
    url = f"{game.get_absolute_url()}orders"
    warning = "The game is waiting for your answer."
    assert warning in text(come(bob).get(url))
    come(bob).post(url, {"defend": "best"})
    assert owing(game) == [BOB] and state_of(game).battle is None  # Bob's turn may have drawn an Epic
    assert warning not in text(come(bob).get(url)), "orders don't answer for a player whose turn it is"


def test_only_the_log_of_their_player_marks_what_orders_have_answered_as_their_page_says(come, alice, bob):
    game = put(kingdoms(alice, bob), position(2, hands={ALICE: "A8 C9", BOB: "A7"}, towers={BOB: "E"}))
    do(game, ALICE, "attack 1 with A8")
    assert state_of(game).battle is None  # Bob's orders have defended
    marks = {
        user: "Answered by a standing order." in text(come(user).get(game.get_absolute_url())) for user in (alice, bob)
    }
    assert marks == {alice: False, bob: True}
    assert "don’t see your orders" in text(come(bob).get(f"{game.get_absolute_url()}orders"))


def test_only_players_of_the_table_have_orders(come, alice, bob, eve):
    game = kingdoms(alice, bob)
    url = f"{game.get_absolute_url()}orders"
    assert come(eve).get(url).url == game.get_absolute_url()
    assert "login" in come().get(url).url
    assert come(eve).post(url, {"defend": "ask"}).status_code == 302
    assert all(seat.orders == {} for seat in seats_of(game))
    assert come(eve).get(f"{kingdoms(alice, bob, listed=False).get_absolute_url()}orders").status_code == 404
    assert come(alice).get(f"{table_of(alice, bob).get_absolute_url()}orders").status_code == 404


# The rest of the site


@pytest.mark.long
def test_every_page_works_with_kingdoms(come, alice, bob):
    """Eight players, running and ended games, an open table: no page assumes a map, coins or five colors."""
    people = [alice, bob, *map(person, ("Carol", "Dan", "Erin", "Frank", "Grace", "Heidi"))]
    waiting = lobby.open_table(user=alice, ruleset="kingdoms", players=3, listed=True)
    running, chance = kingdoms(*people), Quick(8)
    for _turn in range(12):
        go_on(running, chance)
    ended = kingdoms(alice, bob, full=True, options={"mode": "quickplay", "opening_truce": "0"})
    while not again(ended).is_finished:
        go_on(ended, chance)
    tables = [game.get_absolute_url() for game in (waiting, running, ended)]
    for url in (
        "/", "/desk/", "/lobby/", "/history/", "/notices/", "/lobby/open/?ruleset=kingdoms&players=8",
        "/players/Alice/",
        f"/full-games/{ended.full_game_id}/", f"/join/{waiting.invite_token}/", *tables, f"{tables[1]}chat/",
        f"{tables[1]}?at=3", f"{tables[1]}?log=all", f"{tables[1]}view.json", f"{tables[2]}record.json",
    ):  # fmt: skip
        answer = come(alice).get(url, follow=True)
        assert answer.status_code == 200, url
    page = text(come(alice).get(f"/full-games/{ended.full_game_id}/"))
    assert "Three games, and the highest total wins. Ties are broken by games won." in page and "coins" not in page
    assert "#seat-7" in text(come(alice).get(tables[1])) or "seat-7" in text(come(alice).get("/desk/"))


def test_the_form_asks_for_the_time_to_answer_only_if_the_game_has_answers(come, alice):
    form = {"ruleset": "kingdoms", "players": "3", "pace": "move 2d", "listed": "yes", "full": "no"}
    assert "Time to respond" in text(come(alice).get("/lobby/open/?ruleset=kingdoms"))
    assert "Time to respond" not in text(come(alice).get("/lobby/open/?ruleset=legends"))
    for chosen, hours in (({"reply_hours": "6"}, 6), ({}, 12)):
        come(alice).post("/lobby/open/", {**form, **chosen})
        assert alice.opened_games.latest("pk").reply_hours == hours
    assert come(alice).post("/lobby/open/", {**form, "reply_hours": "5"}).status_code == 422
