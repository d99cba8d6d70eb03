"""The page for handing over a seat, as seen by its owner, by a substitute, and by a player who is asked."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.notices.models import Notice
from games.tables.models import Game, Handover, Seat
from games.tables.services import handover, timeouts
from tests.cast import again, in_turns, play_out, table_of
from tests.web.at_table import first_turn
from tests.web.reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def saturday_noon():
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False):
        yield


@pytest.fixture
def game(alice, bob) -> Game:
    return first_turn(alice, bob, listed=False)


def page_of(game: Game) -> str:
    return f"/games/{game.public_id}/seat/"


def seat_of(game: Game, owner) -> Seat:
    return Seat.objects.get(game=game, owner=owner)


def test_a_seat_goes_to_a_bot_for_a_while_and_returns(come, bob, game):
    visit, form = come(bob), {"action": "bot", "bot-length": "day", "bot-day": "2026-11-28"}
    answer = visit.post(page_of(game), form, follow=True)
    assert "A bot is now playing your seat." in text(answer)
    assert "A bot is playing for you until 28 November, 00:00." in text(answer)
    assert seat_of(game, bob).user is None and seat_of(game, bob).back_at.isoformat() == "2026-11-28T00:00:00+00:00"
    assert "a bot is playing for you" in text(visit.get("/desk/"))
    answer = visit.post(page_of(game), {"action": "back"}, follow=True)
    assert "Welcome back" in text(answer) and seat_of(game, bob).user == bob


@pytest.mark.parametrize("ruleset", ["legends", "kingdoms"])
def test_the_result_says_for_whom_a_bot_played_to_the_end(come, alice, bob, ruleset):
    game = table_of(alice, bob, ruleset=ruleset)
    handover.resign(seat=seat_of(game, bob), user=bob)
    running = text(come(alice).get(game.get_absolute_url()))
    game = play_out(again(game))
    result = text(come(alice).get(game.get_absolute_url())).partition('class="ranks')[2].partition("</ol>")[0]
    assert result.count("a bot played to the end") == 1 and "a bot played to the end" not in running
    [about_bob] = [line for line in result.split("</li>") if "Bob" in line]
    assert "a bot played to the end" in about_bob


@pytest.mark.parametrize(
    ("time_out", "sentence"),
    [
        ("seat", "You ran out of time, so a bot is playing for you until you come back."),
        ("out", "You ran out of time. At this table that means you resign, so a bot plays your seat to the end."),
    ],
)
def test_the_owner_reads_that_time_ran_out_on_the_table_and_on_the_seats_page(come, alice, bob, time_out, sentence):
    game = in_turns(alice, bob, clock="move 1d", time_out=time_out)
    Seat.objects.filter(game=game, user=alice).update(deadline=timezone.now(), since=timezone.now() - timedelta(days=1))
    timeouts.sweep_overdue(timezone.now())
    visit = come(alice)
    for page in (game.get_absolute_url(), page_of(game)):
        shown = text(visit.get(page))
        assert sentence in shown and "You have resigned." not in shown


def test_replacing_for_good_needs_confirmation(come, bob, game):
    visit, form = come(bob), {"action": "bot", "bot-length": "good"}
    answer = visit.post(page_of(game), form)
    assert "You can’t undo this." in text(answer) and seat_of(game, bob).user == bob
    table = text(visit.post(page_of(game), {**form, "sure": "1"}, follow=True))
    assert table.count("You have resigned.") == 1 and "A bot is now playing your seat." not in table
    seat = seat_of(game, bob)
    assert (seat.user, seat.owner, seat.has_given_up) == (None, bob, True)
    page = text(visit.get(page_of(game)))
    assert "You have resigned. A bot plays your seat to the end." in page and "I’m back" not in page
    assert "to the end" in text(visit.post(page_of(game), {"action": "back"}))
    assert seat_of(game, bob).user is None


@pytest.mark.parametrize(
    ("form", "sentence", "typed"),
    [
        ({"action": "bot", "bot-length": "day"}, "Enter the day you’ll be back.", ""),
        (
            {"action": "bot", "bot-length": "day", "bot-day": "2026-11-20"},
            "That date is in the past. Choose a later one.",
            "2026-11-20",
        ),
        (
            {"action": "bot", "bot-length": "day", "bot-day": "2030-01-01"},
            "You can hand over a seat for at most a year. Choose an earlier date or leave the end open.",
            "2030-01-01",
        ),
        ({"action": "bot", "bot-length": "day", "bot-day": "soon"}, "Enter a valid date.", "soon"),
        ({"action": "bot", "bot-length": "x"}, "Select a valid choice", ""),
        ({"action": "ask", "ask-length": "back", "ask-name": "Nemo"}, "You can’t ask “Nemo”.", "Nemo"),
        (
            {"action": "ask", "ask-length": "back", "ask-name": "Bob"},
            "You can’t ask yourself. Enter another player’s name.",
            "Bob",
        ),
        ({"action": "ask", "ask-length": "back", "ask-name": "Alice"}, "already plays at this table.", "Alice"),
        ({"action": "ask", "ask-length": "back", "ask-name": ""}, "Enter the name of the player to ask.", ""),
    ],
)
def test_an_invalid_request_gets_a_sentence_and_keeps_what_was_typed(come, bob, game, form, sentence, typed):
    answer = come(bob).post(page_of(game), form)
    assert answer.status_code == 422 and sentence in text(answer) and f'value="{typed}"' * bool(typed) in text(answer)
    assert seat_of(game, bob).user == bob and seat_of(game, bob).asked is None


def test_a_player_is_asked_to_substitute_accepts_and_stops(come, bob, dan, game):
    owner, substitute = come(bob), come(dan)
    answer = owner.post(page_of(game), {"action": "ask", "ask-length": "back", "ask-name": "dan"}, follow=True)
    assert "You asked Dan to play for you until you come back." in text(answer)
    assert "Will you play for Bob?" in text(substitute.get("/desk/")), "even though the table is private"
    assert "Bob asked you to play for them." in text(substitute.get(game.get_absolute_url()))
    assert "including their hidden cards" in text(substitute.get(page_of(game)))
    answer = substitute.post(page_of(game), {"action": "accept"}, follow=True)
    assert "You are now playing this seat." in text(answer) and seat_of(game, bob).user == dan
    assert "Dan is playing for you." in text(owner.get(game.get_absolute_url()))
    assert "for Bob" in text(substitute.get("/desk/"))
    substitute.post(page_of(game), {"action": "stop"})
    assert (seat_of(game, bob).user, seat_of(game, bob).owner) == (None, bob)


def test_the_desk_says_for_whom_a_finished_game_was_played(come, bob, dan, game):
    handover.ask(seat=seat_of(game, bob), user=bob, name="Dan")
    handover.accept(seat=seat_of(game, bob), user=dan)
    play_out(again(game))
    finished = [text(come(user).get("/desk/")).partition('id="finished"')[2] for user in (dan, bob)]
    assert ["for Bob" in part for part in finished] == [True, False]


def test_an_owner_who_does_not_play_reads_that_a_request_changes_nothing_yet(come, bob, dan, game):
    visit, address = come(bob), page_of(game)
    assert "You keep playing until they accept." in text(visit.get(address))
    visit.post(address, {"action": "bot", "bot-length": "back"})
    page = text(visit.get(address))
    assert "Nothing changes until they accept." in page and "You keep playing" not in page
    page = text(visit.post(address, {"action": "ask", "ask-name": "Dan", "ask-length": "back"}, follow=True))
    assert "Request sent. Nothing changes until they accept." in page and "You keep playing" not in page


def test_a_player_declines_or_the_request_is_withdrawn(come, bob, dan, game):
    handover.ask(seat=seat_of(game, bob), user=bob, name="Dan")
    substitute = come(dan)
    substitute.get(page_of(game))
    come(bob).post(page_of(game), {"action": "withdraw"})
    assert substitute.post(page_of(game), {"action": "accept"}).status_code == 404, "the private table is hidden again"
    assert "Will you play" not in text(substitute.get("/desk/"))
    handover.ask(seat=seat_of(game, bob), user=bob, name="Dan")
    substitute.post(page_of(game), {"action": "decline"})
    assert seat_of(game, bob).asked is None
    answer = come(bob).post(page_of(game), {"action": "ask", "ask-name": "Dan", "ask-length": "back"})
    assert answer.status_code == 422 and "You can’t ask Dan to play this seat again." in text(answer)


def test_late_answers_get_a_sentence(come, bob, dan, game):
    Game.objects.update(listed=True)
    handover.ask(seat=seat_of(game, bob), user=bob, name="Dan")
    answer = come(dan).post(page_of(game), {"action": "back"})
    assert answer.status_code == 409 and "This is not your seat." in text(answer)
    answer = come(dan).post(page_of(game), {"action": "withdraw"})
    assert answer.status_code == 409 and "This is not your seat." in text(answer)


@pytest.mark.parametrize(
    ("before", "who", "form"),
    [
        ([], "bob", {"action": "bot", "bot-length": "back"}),
        ([], "bob", {"action": "bot", "bot-length": "good", "sure": "1"}),
        ([], "bob", {"action": "ask", "ask-name": "Dan", "ask-length": "back"}),
        (["lend"], "bob", {"action": "back"}),
        (["ask"], "bob", {"action": "withdraw"}),
        (["ask"], "dan", {"action": "accept"}),
        (["ask"], "dan", {"action": "decline"}),
        (["ask", "accept"], "dan", {"action": "stop"}),
    ],
    ids=["lend", "resign", "ask", "back", "withdraw", "accept", "decline", "stop"],
)
def test_the_second_of_two_taps_leads_to_the_same_page(come, bob, dan, game, before, who, form):
    for step in before:
        seat = seat_of(game, bob)
        match step:
            case "lend":
                handover.hand_to_bot(seat=seat, user=bob)
            case "ask":
                handover.ask(seat=seat, user=bob, name="Dan")
            case "accept":
                handover.accept(seat=seat, user=dan)
    browser = come({"bob": bob, "dan": dan}[who])
    answers = [browser.post(page_of(game), form) for _tap in range(2)]
    assert answers[0].status_code == answers[1].status_code == 302 and answers[0].url == answers[1].url
    assert Handover.objects.count() <= len(before) + 1 and Notice.objects.filter(kind="asked").count() <= 2


def test_visitors_and_spectators_have_no_seat_to_hand_over(come, eve, alice, bob, game):
    assert come().get(page_of(game)).headers["location"].startswith("/accounts/login/")
    assert come(eve).post(page_of(game), {"action": "bot", "bot-length": "back"}).status_code == 404
    Game.objects.update(listed=True)
    assert come(eve).post(page_of(game), {"action": "accept"}).status_code == 404


def test_when_the_game_is_over_there_is_nothing_to_hand_over(come, bob, game):
    play_out(game)
    page = text(come(bob).get(page_of(game)))
    assert "The game is over." in page and "Let a bot play" not in page
