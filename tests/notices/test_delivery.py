"""Delivery: each notice goes out once, with many workers, killed workers and any answer of the email server."""

import threading
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.utils import timezone

from games.notices.delivery import deliver
from games.notices.delivery.preferences import set_how
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeState
from games.tables.models import Game, Seat
from games.tables.services.lobby import open_table
from games.tables.services.timeouts import sweep_overdue
from tests.cast import in_turns, person, seats_of
from tests.notices import emails
from tests.notices.emails import deliver_alone, notice, received, send_due, take

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def turn_notice(game) -> Notice:
    """The waiting notice that it is Bob's turn."""
    take(game, 0)
    return notice(Kind.TURN, "Bob", game)


def fate(row: Notice) -> tuple[str, str]:
    row.refresh_from_db()
    return row.state, row.why


def wait(clock, **time: float) -> None:
    clock.shift(timedelta(**time))


def test_two_sweeps_send_one_email(turn_notice):
    assert (send_due(), send_due()) == (1, 0)
    assert fate(turn_notice) == (NoticeState.SENT, "")
    assert (turn_notice.attempts, turn_notice.sent_at) == (1, timezone.now())
    assert turn_notice.message_id == received("Bob")[0]["Message-ID"]


def test_a_task_that_runs_twice_sends_one_email(turn_notice):
    assert (deliver_alone(turn_notice.pk), deliver_alone(turn_notice.pk)) == (True, False)
    assert len(received("Bob")) == 1


def test_a_turn_that_has_been_taken_is_not_announced(turn_notice, game):
    take(game, 1)
    send_due()
    assert fate(turn_notice) == (NoticeState.DROPPED, "taken")
    assert received("Bob") == []


def test_a_turn_that_timed_out_is_not_announced(turn_notice, game, clock):
    wait(clock, hours=49)
    sweep_overdue(timezone.now())
    send_due()
    assert fate(turn_notice) == (NoticeState.DROPPED, "taken")


def test_a_reminder_of_a_turn_that_has_been_taken_is_dropped(turn_notice, game, clock):
    reminder = notice(Kind.TIME, "Bob", game)
    send_due()
    take(game, 1)
    wait(clock, hours=40)
    send_due()
    assert fate(reminder) == (NoticeState.DROPPED, "taken")
    assert len(received("Bob")) == 1


def test_a_notice_is_dropped_if_its_kind_was_turned_off_in_the_meantime(turn_notice, bob):
    set_how(user=bob, kinds=[Kind.TURN], channel=Channel.EMAIL, how=How.OFF)
    send_due()
    assert fate(turn_notice) == (NoticeState.DROPPED, "unwanted")


def test_an_unconfirmed_address_gets_no_notices(turn_notice, bob):
    EmailAddress.objects.filter(user=bob).update(verified=False)
    send_due()
    assert fate(turn_notice) == (NoticeState.DROPPED, "unconfirmed")
    assert mail.outbox == []


def test_a_notice_is_dropped_if_someone_else_plays_the_seat_now(turn_notice, bob):
    Seat.objects.filter(pk=turn_notice.seat_id).update(user=person("Carol"))
    send_due()
    assert fate(turn_notice) == (NoticeState.DROPPED, "left")
    assert mail.outbox == []


def test_a_deleted_account_gets_no_notices(turn_notice, bob):
    bob.delete()
    send_due()
    assert (mail.outbox, Notice.objects.filter(pk=turn_notice.pk).exists()) == ([], False)


def test_the_sweep_sends_the_notice_of_a_killed_worker_when_the_lease_expires(turn_notice, clock):
    assert deliver.claim(turn_notice.pk)
    wait(clock, minutes=4, seconds=59)
    assert send_due() == 0
    wait(clock, seconds=1)
    assert (send_due(), send_due()) == (1, 0)
    assert (fate(turn_notice)[0], turn_notice.attempts, len(received("Bob"))) == (NoticeState.SENT, 2, 1)


def test_a_worker_whose_lease_has_expired_sends_nothing(turn_notice, clock):
    asleep = deliver.claim(turn_notice.pk)
    wait(clock, minutes=6)
    assert not deliver.hand_over(deliver.prepare([asleep])), "it sent after its lease had expired"
    send_due()
    assert not deliver.hand_over(deliver.prepare([asleep])), "it sent what another worker had sent"
    assert len(received("Bob")) == 1


def test_an_email_server_that_is_down_is_retried_at_growing_intervals(turn_notice, clock, settings):
    locmem = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    waits = []
    for _attempt in range(5):
        send_due()
        assert fate(turn_notice) == (NoticeState.QUEUED, "ConnectionRefusedError: [Errno 111] Connection refused")
        waits.append((turn_notice.due_at - timezone.now()) / timedelta(minutes=1))
        assert send_due() == 0
        clock.move_to(turn_notice.due_at)
    settings.EMAIL_BACKEND = locmem
    assert send_due() == 1
    assert waits == [1, 5, 15, 60, 60]
    assert (fate(turn_notice), turn_notice.attempts) == ((NoticeState.SENT, ""), 6)


def test_a_notice_fails_with_the_reason_after_a_day_of_attempts(alice, clock, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    closed_notice = emails.email_notice(seats_of(open_table(user=alice))[0], Kind.CLOSED)
    began = timezone.now()
    while fate(closed_notice)[0] == NoticeState.QUEUED:
        clock.move_to(max(closed_notice.due_at, timezone.now()))
        send_due()
    assert fate(closed_notice) == (NoticeState.FAILED, "ConnectionRefusedError: [Errno 111] Connection refused")
    assert timedelta(hours=23) < timezone.now() - began < timedelta(hours=25)


def test_while_the_email_server_is_down_only_one_email_a_minute_tries_it(turn_notice, game, clock, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    take(in_turns(*(seat.user for seat in seats_of(game))), 0)
    send_due()
    assert Notice.objects.filter(attempts__gt=0, state=NoticeState.QUEUED).count() == 1


def test_an_smtp_server_receives_the_whole_email(turn_notice, mail_server):
    send_due()
    (kept,) = mail_server.kept
    assert message_id_of(turn_notice) in kept.decode() and kept.endswith(b"==--\r\n")


def message_id_of(row: Notice) -> str:
    row.refresh_from_db()
    return row.message_id


def test_an_address_that_does_not_exist_is_not_retried(turn_notice, mail_server):
    mail_server.refusals["RCPT"] = "550 no such mailbox"
    send_due()
    assert fate(turn_notice) == (NoticeState.FAILED, "550 no such mailbox")
    assert send_due() == 0


def test_a_greylisted_address_is_retried(turn_notice, mail_server, clock):
    mail_server.refusals["RCPT"] = "450 come back in a minute"
    send_due()
    assert fate(turn_notice)[0] == NoticeState.QUEUED
    mail_server.refusals.clear()
    wait(clock, minutes=1)
    assert send_due() == 1


def test_an_email_that_the_server_rejects_does_not_delay_others(turn_notice, mail_server, game):
    mail_server.refusals["DATA"] = "554 looks like spam"
    take(in_turns(*(seat.user for seat in seats_of(game))), 0)
    send_due()
    assert fate(turn_notice)[0] == NoticeState.QUEUED
    assert Notice.objects.filter(attempts=1).count() > 1


def test_a_notice_that_cannot_be_composed_stays_queued_and_does_not_delay_others(turn_notice, game):
    broken = seats_of(open_table(user=person("Carol")))[0]
    Game.objects.filter(pk=broken.game_id).update(ruleset="lost")
    odd = emails.email_notice(broken, Kind.STARTED)
    assert send_due() == 1
    assert fate(odd)[0] == NoticeState.QUEUED and odd.why
    assert fate(turn_notice)[0] == NoticeState.SENT


def test_six_concurrent_workers_send_one_email(transactional_db, clock):
    game = in_turns(person("Alice"), person("Bob"))
    take(game, 0)
    turn_notice = notice(Kind.TURN, "Bob", game)
    Notice.objects.filter(pk=turn_notice.pk).update(
        state=NoticeState.QUEUED, due_at=timezone.now()
    )  # its task has already sent it
    mail.outbox.clear()
    workers, ready, sent = 6, threading.Barrier(6), []

    def work() -> None:
        ready.wait()
        sent.append(deliver_alone(turn_notice.pk))
        connection.close()

    threads = [threading.Thread(target=work) for _worker in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sent) == [False] * 5 + [True]
    assert len(mail.outbox) == 1
    assert fate(turn_notice)[0] == NoticeState.SENT
