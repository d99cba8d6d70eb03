"""Notices that are due together: they share a connection, and each is still sent once and only if it is true."""

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from empire import on_commit
from empire.celery import app
from games.notices import outlets
from games.notices.delivery import deliver
from games.notices.delivery.preferences import save_settings, set_how
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeState
from games.tables.models import Game
from tests.cast import in_turns, person
from tests.kept import kept_if_first
from tests.notices.emails import deliver_alone, notice, received, send_due, subjects, take
from tests.notices.smtp import MailServer

pytestmark = pytest.mark.django_db
TABLES = 4


def tables_of(alice: User, bob: User) -> list[Game]:
    """Create tables where it is Bob's turn; his notices are waiting."""
    kept_if_first("together", play=lambda: bobs_turns(alice, bob)[0])
    return list(Game.objects.order_by("pk"))


def bobs_turns(alice: User, bob: User) -> list[Game]:
    with on_commit.without_tasks():
        games = [in_turns(alice, bob) for _table in range(TABLES)]
        Notice.objects.all().delete()
        for game in games:
            take(game, 0)
    Notice.objects.exclude(kind=Kind.TURN).delete()
    return games


@pytest.fixture
def games(alice, bob) -> list[Game]:
    return tables_of(alice, bob)


def pks() -> list[int]:
    return list(Notice.objects.order_by("pk").values_list("pk", flat=True))


def fates() -> list[tuple[str, str, int]]:
    return list(Notice.objects.order_by("pk").values_list("state", "why", "attempts"))


def names(server: MailServer) -> list[str]:
    return [message_from_bytes(content, policy=policy.default)["Message-ID"] for content in server.kept]


def test_one_task_sends_all_due_emails_over_one_connection(games, mail_server):
    assert [deliver.deliver_with_others(pk) for pk in pks()] == [TABLES, 0, 0, 0]
    assert fates() == [(NoticeState.SENT, "", 1)] * TABLES
    assert mail_server.lines == 1
    assert sorted(names(mail_server)) == sorted(Notice.objects.values_list("message_id", flat=True))


def test_a_task_sends_what_nobody_has_tried_yet_with_few_statements(games, mail_server, django_assert_max_num_queries):
    most = 8 + 2 * TABLES  # without row locks, each notice is claimed by a statement of its own
    with django_assert_max_num_queries(most):
        assert deliver.deliver_due(Channel.EMAIL) == TABLES
    assert fates() == [(NoticeState.SENT, "", 1)] * TABLES
    with django_assert_max_num_queries(3):  # with the savepoint of a test's transaction
        assert deliver.deliver_due(Channel.EMAIL) == 0


def test_a_task_continues_until_less_than_a_batch_is_left(games, mail_server, monkeypatch):
    monkeypatch.setattr(outlets.outlet(Channel.EMAIL), "together", 2)
    assert (deliver.deliver_due(Channel.EMAIL), mail_server.lines) == (TABLES, 2)


def test_a_task_leaves_retries_and_digests_to_the_sweep(games):
    first, second, *_others = pks()
    Notice.objects.filter(pk=first).update(how=How.DIGEST, message_id="<digest@testserver>")
    Notice.objects.filter(pk=second).update(attempts=1)
    assert deliver.deliver_due(Channel.EMAIL) == TABLES - 2
    assert send_due() == 2


def test_a_sweep_sends_all_due_emails_over_one_connection(games, mail_server):
    assert (send_due(), send_due(), mail_server.lines) == (TABLES, 0, 1)


def test_the_email_about_a_first_turn_needs_only_the_seats_and_the_last_entries(alice, bob, django_assert_num_queries):
    game = in_turns(alice, bob)  # Alice has only placed a sealed bid
    Notice.objects.exclude(kind=Kind.TURN).delete()
    claimed = deliver.claim_with_others(notice(Kind.TURN, "Alice", game).pk)
    with django_assert_num_queries(2):
        (email,) = deliver.prepare(claimed)
    assert "Since your last turn" in email.ready.body


def test_emails_sent_together_equal_emails_sent_one_by_one(games):
    deliver.deliver_with_others(pks()[0])
    together = [email.as_string() for email in received("Bob")]
    Notice.objects.update(state=NoticeState.QUEUED, attempts=0, due_at=timezone.now())
    for pk in pks():
        deliver_alone(pk)
    assert [email.as_string() for email in received("Bob")[TABLES:]] == together
    assert subjects("Bob") == ["Your turn: Legends with Alice"] * 2 * TABLES


def test_emails_above_the_limit_are_sent_in_a_second_batch(games, mail_server, monkeypatch):
    monkeypatch.setattr(outlets.outlet(Channel.EMAIL), "together", 3)
    last = pks()[-1]
    assert (deliver.deliver_with_others(last), mail_server.lines) == (TABLES, 2)


def test_a_task_for_a_notice_due_later_sends_nothing(games):
    first, *_others = pks()
    Notice.objects.filter(pk=first).update(due_at=timezone.now() + timedelta(minutes=1))
    assert deliver.deliver_with_others(first) == 0
    assert {state for state, _why, _attempts in fates()} == {NoticeState.QUEUED}


def test_notices_in_quiet_hours_are_not_sent_with_the_others(games, alice, bob, clock):
    with on_commit.without_tasks():
        take(games[0], 1)
    Notice.objects.exclude(kind=Kind.TURN).delete()
    save_settings(user=bob, quiet_begins=timezone.now().time(), quiet_ends=(timezone.now() + timedelta(hours=1)).time())
    User.objects.filter(pk=bob.pk).update(time_zone="UTC")
    assert deliver.deliver_with_others(notice(Kind.TURN, "Alice", games[0]).pk) == 1
    assert (len(received("Alice")), received("Bob")) == (1, [])
    assert fates() == [(NoticeState.QUEUED, "quiet", 0)] * TABLES + [(NoticeState.SENT, "", 1)]


def test_digests_and_retries_are_sent_alone(games, bob):
    first, second, *others = pks()
    Notice.objects.filter(pk=first).update(how=How.DIGEST, message_id="<digest@testserver>")
    Notice.objects.filter(pk=second).update(attempts=1)
    assert deliver.deliver_with_others(others[0]) == TABLES - 2
    assert [deliver.deliver_with_others(pk) for pk in (first, second)] == [1, 1]
    assert [attempts for _state, _why, attempts in fates()] == [1, 2, 1, 1]


def test_notices_that_are_no_longer_true_are_dropped(games, mail_server):
    with on_commit.without_tasks():
        take(games[1], 1)
    Notice.objects.exclude(kind=Kind.TURN, user__username="Bob").delete()
    assert deliver.deliver_with_others(pks()[0]) == TABLES - 1
    assert fates()[1] == (NoticeState.DROPPED, "taken", 1)


def test_if_all_turns_were_taken_meanwhile_nothing_is_sent_or_logged(games, mail_server, caplog):
    emails = deliver.prepare(deliver.claim_with_others(pks()[0]))
    with on_commit.without_tasks():
        for game in games:
            take(game, 1)
    assert len(emails) == TABLES and deliver.hand_over(emails) == 0
    bobs = Notice.objects.filter(user__username="Bob", kind=Kind.TURN).order_by("pk").values_list("state", "why")
    assert list(bobs)[:TABLES] == [(NoticeState.DROPPED, "taken")] * TABLES
    assert mail_server.kept == [] and caplog.messages == []


def test_a_refused_recipient_does_not_delay_others(games, alice, mail_server):
    with on_commit.without_tasks():
        take(games[1], 1)  # so that a notice to Alice is waiting too
    Notice.objects.exclude(kind=Kind.TURN).delete()
    User.objects.filter(username="Bob").update(notice_settings={"email": {"turn": "now"}})
    mail_server.refusals["RCPT TO:<BOB@EXAMPLE.ORG>"] = "550 no such mailbox"
    assert deliver.deliver_with_others(pks()[0]) == 1
    gone = (NoticeState.FAILED, "550 no such mailbox", 1)
    assert fates()[0] == gone
    assert fates()[-1] == (NoticeState.SENT, "", 1)


def test_after_the_email_server_hangs_up_the_other_emails_are_sent_later_once(games, mail_server, clock):
    mail_server.room = 2
    assert deliver.deliver_with_others(pks()[0]) == 2
    assert [(state, attempts) for state, _why, attempts in fates()] == [
        (NoticeState.SENT, 1), (NoticeState.SENT, 1), (NoticeState.QUEUED, 1), (NoticeState.QUEUED, 0),
    ]  # fmt: skip
    assert (Notice.objects.last().claimed_at, Notice.objects.last().due_at) == (None, timezone.now())
    mail_server.room = TABLES
    clock.shift(timedelta(minutes=1))
    cache.clear()  # pauses of channels are measured in real time
    assert send_due() == 2
    assert len(set(names(mail_server))) == len(mail_server.kept) == TABLES


class Killed(BaseException):
    """The worker was killed by a signal that it cannot catch."""


class DeadlyConnection(outlets.Connection):
    def __init__(self, readied: list[str], until: int) -> None:
        self.said, self.until = readied, until

    def hand_over(self, ready: str) -> None:
        if len(self.said) == self.until:
            raise Killed
        self.said.append(ready)


class Deadly(outlets.Outlet):
    """A channel that accepts some messages, then the worker is killed."""

    together = 10

    def __init__(self) -> None:
        self.said: list[str] = []
        self.until = 2

    def ready(self, notice: Notice, message: object) -> str:
        return notice.message_id

    def connection(self) -> outlets.Connection:
        return DeadlyConnection(self.said, self.until)


@pytest.fixture
def deadly(monkeypatch) -> Deadly:
    channel = Deadly()
    monkeypatch.setattr(outlets, "all_outlets", lambda: {Channel.EMAIL: channel})
    return channel


def test_a_worker_killed_halfway_has_recorded_its_sent_notices_and_the_rest_go_out_after_the_lease(
    games, deadly, clock
):
    with pytest.raises(Killed):
        deliver.deliver_with_others(pks()[0])
    assert [state for state, _why, _attempts in fates()] == [
        NoticeState.SENT,
        NoticeState.SENT,
        NoticeState.SENDING,
        NoticeState.SENDING,
    ]
    deadly.until = TABLES
    assert send_due() == 0
    clock.shift(deliver.LEASE)
    assert (send_due(), send_due()) == (2, 0)
    assert len(deadly.said) == len(set(deadly.said)) == TABLES


def test_a_worker_whose_lease_expired_halfway_sends_nothing_more(games, deadly, clock):
    with transaction.atomic():
        parcels = deliver.claim_with_others(pks()[0])
    emails = deliver.prepare(parcels)
    clock.shift(deliver.LEASE)
    deadly.until = TABLES
    assert send_due() == TABLES
    assert deliver.hand_over(emails) == 0
    assert len(deadly.said) == TABLES


@pytest.fixture
def shared(transactional_db, clock) -> Iterator[list[Game]]:
    """Tables committed for the threads of several workers; no tasks are triggered."""
    app.conf.task_always_eager = False
    with on_commit.without_tasks():
        yield tables_of(person("Alice"), person("Bob"))


def test_a_turn_taken_while_an_earlier_email_is_being_sent_is_not_announced(shared, mail_server):
    mail_server.door.clear()
    worker = start_worker(pks()[0])
    while worker.is_alive() and not mail_server.waiting:
        time.sleep(0.01)
    take(shared[2], 1)
    time.sleep(deliver.CHECK_LASTS)
    mail_server.door.set()
    worker.join()
    bobs = Notice.objects.filter(user__username="Bob").order_by("pk").values_list("state", flat=True)
    assert list(bobs)[:TABLES] == [NoticeState.SENT, NoticeState.SENT, NoticeState.DROPPED, NoticeState.SENT]
    assert len(mail_server.kept) == TABLES - 1


@pytest.mark.long
def test_concurrent_workers_send_each_email_once(shared, mail_server):
    for worker in [start_worker(pk) for pk in pks() * 2]:
        worker.join()
    assert fates() == [(NoticeState.SENT, "", 1)] * TABLES
    assert len(set(names(mail_server))) == len(mail_server.kept) == TABLES


def start_worker(pk: int) -> threading.Thread:
    def work() -> None:
        deliver.deliver_with_others(pk)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    return worker


def test_notices_of_a_kind_turned_off_in_the_meantime_are_dropped(games, bob, mail_server):
    set_how(user=bob, kinds=[Kind.TURN], channel=Channel.EMAIL, how=How.OFF)
    assert deliver.deliver_with_others(pks()[0]) == 0
    assert fates() == [(NoticeState.DROPPED, "unwanted", 1)] * TABLES
