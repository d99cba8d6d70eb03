"""The outbox: which notices are written, and for which players."""

from collections.abc import Collection
from datetime import timedelta
from typing import ClassVar

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.services import make_guest
from games.notices import outlets
from games.notices.delivery.deliver import reasons
from games.notices.delivery.messages import Message
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, Outage
from games.notices.outbox import outbox
from games.tables.models import Seat
from games.tables.services import bots, lobby
from tests.cast import again, person, seats_of, submit, table_of
from tests.notices.emails import html_of, notice, only_email, send_due, take, text_of

pytestmark = pytest.mark.django_db


def kinds_for(name: str) -> list[str]:
    return list(Notice.objects.filter(seat__name=name).order_by("seq", "kind").values_list("kind", flat=True))


def test_a_turn_writes_a_notice_for_now_and_a_reminder_for_later(game):
    take(game, 0)
    turn, reminder = notice(Kind.TURN, "Bob", game), notice(Kind.TIME, "Bob", game)
    assert turn.due_at == timezone.now()
    assert reminder.due_at == timezone.now() + timedelta(hours=0.8 * 48)


def test_the_same_notice_is_written_once(game):
    seat = seats_of(game)[1]
    first, second = (outbox.tell(kind=Kind.TURN, seat=seat, seq=9) for _time in range(2))
    assert first == second and len(first) == 1
    assert Notice.objects.filter(seq=9).count() == 1


def test_a_turn_that_is_rolled_back_leaves_no_notice(game, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks, pytest.raises(ZeroDivisionError), transaction.atomic():
        take(game, 0)
        raise ZeroDivisionError
    assert (callbacks, Notice.objects.count()) == ([], 0)


def test_bots_get_no_notices(alice):
    game = lobby.play_now(user=alice, bots=["random"])
    submit(game, 0, "bid 0")
    bots.sweep_bots()
    assert again(game).seq > 0
    assert {notice.seat.name for notice in Notice.objects.all()} == {"Alice"}


def test_only_guests_with_an_address_get_notices(game, bob):
    silent, reachable = make_guest(), make_guest()
    reachable.email = "guest@example.org"
    reachable.save()
    other = table_of(silent, reachable, bob)
    assert set(Notice.objects.filter(seat__game=other).values_list("seat__user", flat=True)) <= {reachable.pk, bob.pk}
    assert kinds_for(reachable.username) and not kinds_for(silent.username)


@pytest.mark.parametrize("kind", Kind)
def test_no_notice_is_written_of_a_kind_that_its_reader_turned_off(kind, game, bob):
    seat = seats_of(game)[1]
    seat.user.notice_settings = {Channel.EMAIL: {kind: How.OFF}}
    assert outbox.tell(kind=kind, seat=seat, seq=77) == []
    assert not Notice.objects.filter(seq=77).exists()


def test_a_notice_after_a_bots_immediate_turn_waits_in_case_the_player_is_still_there(alice):
    game = lobby.play_now(user=alice, bots=["medium"])
    bots.sweep_bots()
    submit(game, 0, "bid 12")
    submit(game, 0, "first 1")
    bots.sweep_bots()
    turn = notice(Kind.TURN, "Alice", game)
    assert turn.due_at == timezone.now() + timedelta(minutes=10)
    take(game, 0)
    assert reasons([turn]) == ["taken"]


def test_a_bid_is_announced_even_if_notices_of_started_games_are_off(clock):
    table_of(person("Alice", notice_settings={"email": {"started": "off"}}), person("Bob"))
    assert kinds_for("Alice") == ["time", "turn"]


def ask_to_substitute(user: User) -> list[Notice]:
    return outbox.tell_user(
        kind=Kind.ASKED, user=user, about="seat.7", title="Alice asks you to play for them",
        lead="Alice is away and asks you to take their seat.", url="/desk/",
    )  # fmt: skip


def test_a_notice_about_no_seat_is_sent_once_with_the_text_it_was_given(bob, client):
    assert ask_to_substitute(bob) == ask_to_substitute(bob)
    assert (send_due(), send_due()) == (1, 0)
    email = only_email("Bob")
    assert email["Subject"] == "Alice asks you to play for them"
    assert email["Message-ID"] == f"<asked.seat.7.{bob.pk}@testserver>" and email["References"] is None
    assert "Alice is away and asks you to take their seat." in html_of(email)
    assert "http://testserver/desk/" in text_of(email) and "/accounts/notices/" in text_of(email)
    client.force_login(bob)
    assert "Alice asks you to play for them" in client.get("/notices/").content.decode()


def test_a_long_title_is_cut_to_what_the_database_takes(bob):
    [email, *_others] = outbox.tell_user(
        kind=Kind.SEASON, user=bob, about="season.1", title="x" * 500, lead="", url="/leagues/"
    )
    assert email.title == "x" * Notice._meta.get_field("title").max_length


def test_a_withdrawn_notice_is_not_sent(bob):
    ask_to_substitute(bob)
    assert (outbox.withdraw(kind=Kind.ASKED, about="seat.7"), send_due()) == (1, 0)
    assert Notice.objects.get().why == "settled"


def test_notices_of_what_was_settled_are_withdrawn_from_those_who_need_no_answer_and_nothing_else_is(alice, bob, carol):
    for about, user in (("seat.7", bob), ("seat.7.2", carol), ("seat.71", bob)):
        words = {"title": "Alice asks", "lead": "", "url": "/desk/"}
        outbox.tell_from(by=alice, kind=Kind.ASKED, user=user, about=about, **words)
    assert outbox.withdraw(kind=Kind.ASKED, about="seat.7", users=[carol.pk]) == 1
    assert outbox.withdraw(kind=Kind.ASKED, about="seat.7") == 1
    assert Notice.objects.get(state="queued").about == f"seat.71.by.{alice.pk}"


def test_a_player_replaced_by_a_bot_is_notified_without_a_key(game, bob):
    seat = seats_of(game)[1]
    Seat.objects.filter(pk=seat.pk).update(user=None, bot="medium")
    outbox.tell(kind=Kind.AWAY, seat=seat, seq=3, reader=bob)
    assert send_due() == 1
    email = only_email("Bob")
    assert email["Subject"] == "A bot is playing for you: Legends with Alice"
    assert "/enter/" not in text_of(email), "keys are only for the seat's current player"


def test_a_player_who_is_back_is_not_told_that_a_bot_plays_the_seat(game, bob):
    outbox.tell(kind=Kind.AWAY, seat=seats_of(game)[1], seq=3, reader=bob)
    assert send_due() == 0
    assert Notice.objects.get(kind=Kind.AWAY).why == "settled"


class Deaf(outlets.Outlet):
    """A channel that is always down."""

    def targets(self, users: Collection[User]) -> dict[int, list[int]]:
        return {user.pk: [1, 2] for user in users}

    def send(self, notice: Notice, message: Message) -> None:
        raise outlets.Down("nobody answers")


class Off(Deaf):
    """A channel whose targets are all gone."""

    off: ClassVar[list[tuple[int, str]]] = []

    def send(self, notice: Notice, message: Message) -> None:
        raise outlets.Gone("thrown away")

    def take_off(self, notice: Notice, reason: str) -> None:
        self.off.append((notice.target, reason))


def test_a_failing_channel_does_not_delay_others(game, monkeypatch):
    both = {Channel.PUSH: Deaf(), Channel.EMAIL: outlets.outlet(Channel.EMAIL), Channel.HOOK: Off()}
    monkeypatch.setattr(outlets, "all_outlets", lambda: both)
    take(game, 0)
    turns = Notice.objects.filter(kind=Kind.TURN)
    assert turns.count() == 5
    assert send_due() == 1
    assert sorted(turns.filter(channel=Channel.PUSH).values_list("attempts", flat=True)) == [0, 1], (
        "the channel is paused after the first failure"
    )
    assert list(turns.filter(channel=Channel.HOOK).values_list("state", "why")) == [("failed", "thrown away")] * 2
    assert sorted(Off.off) == [(1, "thrown away"), (2, "thrown away")]
    assert turns.get(channel=Channel.EMAIL).state == "sent"
    assert Outage.objects.get().reason == "nobody answers"
