"""Players who look at the table need no email for each turn, and may turn them off for one game."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.errors import NotYours
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeReason, NoticeState
from games.tables.models import Game, Seat
from games.tables.services import handover, notify
from tests.cast import in_turns, person, seats_of
from tests.notices.emails import html_of, notice, received, send_due, take, text_of

pytestmark = pytest.mark.django_db


def browser(user: User, *, htmx: bool = False) -> Client:
    client = Client(headers={"HX-Request": "true"} if htmx else None)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_a_player_at_the_table_gets_the_email_only_if_they_leave(htmx, game, bob, clock):
    browser(bob, htmx=htmx).get(game.get_absolute_url())
    clock.shift(timedelta(seconds=50))
    take(game, 0)
    assert send_due() == 0 and received("Bob") == []
    clock.shift(timedelta(minutes=bob.delay) - timedelta(seconds=1))
    assert send_due() == 0
    clock.shift(timedelta(seconds=1))
    assert send_due() == 1 and len(received("Bob")) == 1


def test_a_player_at_the_table_who_takes_the_turn_gets_no_email(game, bob, clock):
    browser(bob).get(game.get_absolute_url())
    take(game, 0)
    clock.shift(timedelta(minutes=5))
    take(game, 1)
    clock.shift(timedelta(days=1))
    send_due()
    assert received("Bob") == []
    assert (notice(Kind.TURN, "Bob", game).state, notice(Kind.TURN, "Bob", game).why) == (
        NoticeState.DROPPED,
        NoticeReason.TAKEN,
    )


def test_a_player_who_looked_some_minutes_ago_gets_the_email_right_away(game, bob, clock):
    browser(bob).get(game.get_absolute_url())
    clock.shift(timedelta(minutes=2))
    take(game, 0)
    assert send_due() == 1 and len(received("Bob")) == 1


def test_looking_as_a_spectator_or_as_someone_else_delays_nobodys_email(game, alice, bob, clock):
    Game.objects.filter(pk=game.pk).update(listed=True)
    Client().get(game.get_absolute_url())
    browser(alice).get(game.get_absolute_url())
    take(game, 0)
    assert send_due() == 1 and len(received("Bob")) == 1


def test_on_a_short_clock_the_email_waits_for_a_quarter_of_the_time_at_most(alice, bob, clock):
    game = in_turns(alice, bob, clock="move 1h")
    browser(bob).get(game.get_absolute_url())
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == timezone.now() + timedelta(minutes=15)


def test_the_delay_of_one_minute_waits_three_at_the_table(game, bob, clock):
    User.objects.filter(pk=bob.pk).update(delay=1)
    browser(bob).get(game.get_absolute_url())
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == timezone.now() + timedelta(minutes=3)


def test_a_digest_keeps_its_hour_for_a_player_at_the_table(game, bob, clock):
    bob.notice_settings = {Channel.EMAIL: {Kind.TURN: How.DIGEST}}
    bob.save()
    take(game, 0)
    away = notice(Kind.TURN, "Bob", game).due_at
    Notice.objects.all().delete()
    take(game, 1)
    browser(bob).get(game.get_absolute_url())
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == away


def test_an_open_page_says_that_its_player_is_still_there(game, alice, bob, clock):
    page = browser(bob)
    page.get(game.get_absolute_url())
    for _minute in range(5):
        clock.shift(timedelta(minutes=1))
        assert page.get(f"{game.get_absolute_url()}here").status_code == 204
    take(game, 0)
    assert send_due() == 0
    for stranger in (Client(), browser(person("Eve"))):
        answers = [stranger.get(path) for path in (f"{game.get_absolute_url()}here", "/games/nogamexx/here")]
        assert [(answer.status_code, answer.content) for answer in answers] == [(200, b""), (200, b"")]
    assert seats_of(game)[0].looked_at is None


def test_a_look_is_written_at_most_every_twenty_seconds(game, bob, clock):
    page = browser(bob, htmx=True)
    page.get(game.get_absolute_url())
    first = seats_of(game)[1].looked_at
    assert first == timezone.now()
    clock.shift(timedelta(seconds=19))
    page.get(game.get_absolute_url())
    assert seats_of(game)[1].looked_at == first
    clock.shift(timedelta(seconds=1))
    page.get(game.get_absolute_url())
    assert seats_of(game)[1].looked_at == timezone.now()


# Off for one game


def mute_link(email: EmailMessage) -> str:
    match = re.search(r"http://testserver(/games/\w+/mute/[\w:-]+/)", text_of(email))
    assert match and match[1] in html_of(email)
    return match[1]


@pytest.fixture
def link(game) -> str:
    """The link in the footer of the email about Bob's turn."""
    take(game, 0)
    send_due()
    return mute_link(received("Bob")[0])


def test_a_scanner_that_follows_the_link_turns_nothing_off(link, game, client):
    assert client.get(link).status_code == client.head(link).status_code == 200
    assert seats_of(game)[1].mute == ""


def test_the_link_in_the_footer_turns_turns_off_without_signing_in_and_keeps_the_reminder(link, game, client, clock):
    assert "only notify you when your time" in client.post(link, {"mute": "turns"}, follow=True).content.decode()
    take(game, 1)
    take(game, 0)
    send_due()
    assert len(received("Bob")) == 1
    assert notice(Kind.TURN, "Bob", game).why == NoticeReason.MUTED
    clock.shift(timedelta(hours=40))
    send_due()
    assert [email["Subject"].partition(":")[0] for email in received("Bob")[1:]] == ["Your time is running out"]


def test_off_is_off_for_the_reminder_too_until_it_is_turned_on(link, game, client, clock):
    client.post(link, {"mute": "all"})
    take(game, 1)
    take(game, 0)
    clock.shift(timedelta(hours=30))
    send_due()
    client.post(link, {"mute": ""})
    clock.shift(timedelta(hours=9))
    send_due()
    assert len(received("Bob")) == 2  # the reminder, which became due after he had turned it on again


def test_other_notices_and_other_games_are_not_muted(link, game, client, alice, bob):
    client.post(link, {"mute": "all"})
    seat = seats_of(game)[1]
    assert [seat.is_muted_for(bob.pk, kind) for kind in (Kind.TURN, Kind.TIME, Kind.ENDED)] == [True, True, False]
    assert not seat.is_muted_for(alice.pk, Kind.TURN)
    assert not Seat.objects.exclude(pk=seat.pk).exclude(mute="").exists()


def test_a_mute_link_opens_no_seat_and_ends_with_the_password(link, game, client, bob):
    client.post(link, {"mute": "all"})
    assert client.get(game.get_absolute_url()).status_code == 404
    assert client.post(link.replace("/mute/", "/enter/")).status_code == 410
    bob.set_password("a new password of Bob")
    bob.save()
    assert client.post(link, {"mute": ""}).status_code == 410
    assert seats_of(game)[1].mute == "all"


@pytest.mark.parametrize("choice", ["loud", "all ", "0"])
def test_an_unknown_choice_is_refused_with_a_sentence(choice, link, game, client):
    page = client.post(link, {"mute": choice})
    assert page.status_code == 422 and "Choose which notifications" in page.content.decode()
    assert seats_of(game)[1].mute == ""


def test_the_page_of_the_seat_turns_notices_off_and_on(game, bob):
    page, url = browser(bob), f"{game.get_absolute_url()}seat/"
    assert "On: we notify you" in page.get(url).content.decode()
    assert "not even when your time" in page.post(url, {"action": "mute", "mute": "all"}, follow=True).content.decode()
    assert (seats_of(game)[1].mute, seats_of(game)[1].muted_by) == ("all", bob)
    page.post(url, {"action": "mute", "mute": ""})
    assert (seats_of(game)[1].mute, seats_of(game)[1].muted_by) == ("", None)


def test_only_the_player_of_a_seat_can_mute_it(game, alice, bob):
    with pytest.raises(NotYours):
        notify.mute(seat=seats_of(game)[1], user=alice, choice="all")
    assert seats_of(game)[1].mute == ""


def test_a_substitute_is_notified_although_the_owner_had_muted_the_game(game, bob):
    notify.mute(seat=seats_of(game)[1], user=bob, choice="all")
    carol = person("Carol")
    handover.ask(seat=seats_of(game)[1], user=bob, name="Carol")
    handover.accept(seat=seats_of(game)[1], user=carol)
    take(game, 0)
    send_due()
    assert [email["Subject"].partition(":")[0] for email in received("Carol")] == ["Your turn"]


def test_nobody_else_can_read_whether_a_player_is_at_the_table(game, alice, bob, eve):
    """The pages and answers of others are the same, letter by letter, whether the player is looking or not."""

    def seen() -> list[str]:
        pages = ("", "chat/", "here", "view.json")
        read = [browser(user).get(game.get_absolute_url() + page) for user in (alice, eve) for page in pages]
        read += [browser(eve).get(f"/players/{bob.username}/"), browser(alice).get("/desk/")]
        changing = r'csrf\S+ value=\S+|X-CSRFToken\S+ \S+|data-live="[^"]+"'
        return [re.sub(changing, "", response.content.decode()) for response in read]

    seen()  # what was new to Alice is not anymore
    before = seen()
    assert browser(bob).get(game.get_absolute_url() + "here").status_code == 204
    assert seen() == before


def test_saying_that_one_is_here_answers_a_stranger_the_same_for_every_address(game, eve):
    private = Game.objects.filter(pk=game.pk)
    answers = []
    for url in (game.get_absolute_url(), "/games/nosuchid/"):
        for is_listed in (True, False):
            private.update(listed=is_listed)
            answer = browser(eve).get(f"{url}here")
            answers.append((answer.status_code, answer.content))
    assert set(answers) == {(200, b"")}
