"""A month of a site in virtual time: emails, clocks and bots with everything that can go wrong.

Tasks are lost, delivered twice and out of order; workers are killed while they hold a notice; the email server and the
queue are down for hours. In the end every email that was due has arrived once, and none is about a turn that had been
taken.
"""

import random
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from email import message_from_bytes, policy
from itertools import pairwise
from queue import Empty

import pytest
import time_machine
from django.core.cache import cache
from django.db.models import Min, QuerySet
from django.utils import timezone
from kombu.simple import SimpleQueue

from accounts.models import User
from empire.celery import app
from games import tasks
from games.errors import GameError
from games.notices.delivery import deliver
from games.notices.delivery.channels import email
from games.notices.delivery.preferences import set_how
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeReason, NoticeState
from games.tables.models import Entry, Game, Handover, Seat, Status
from games.tables.models.log import By
from games.tables.selectors import position
from games.tables.services import bots, handover, lobby, records
from games.tables.services.play import submit_turn
from tests.cast import person
from tests.notices.smtp import MailServer

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)  # daylight saving time begins in New York and Berlin that month
MONTH = timedelta(days=30)
AFTERWARDS = timedelta(hours=3)
TABLES = 3
CLOCKS = ("move 1d", "bank 2d +6h cap 3d", "move 1d weekends-off")
MAIL_IS_DOWN = (MONDAY + timedelta(days=9), MONDAY + timedelta(days=9, hours=5))
QUEUE_IS_DOWN = (MONDAY + timedelta(days=15), MONDAY + timedelta(days=15, hours=12))
PAUSE = (MONDAY + timedelta(days=5), MONDAY + timedelta(days=9))
NIGHT = {"window": {"begins": "23:00:00", "ends": "07:00:00"}}
LATEST = timedelta(seconds=60)  # after a deadline

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint no boards: the pictures in emails are tested elsewhere."""
    monkeypatch.setattr(email, "board_jpeg", lambda *_: b"\xff\xd8")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def queues(settings) -> Iterator[list[SimpleQueue]]:
    """The site's queues, without workers."""
    app.conf.task_always_eager = False
    with app.connection_for_read() as connection:
        all_queues = [connection.SimpleQueue(name, no_ack=True) for name in settings.QUEUES]
        for queue in all_queues:
            queue.clear()
        yield all_queues
        for queue in all_queues:
            queue.clear()


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """The source of all the site's random choices, so that a month can be repeated."""
    dice = random.Random()
    monkeypatch.setattr(secrets, "token_bytes", dice.randbytes)
    monkeypatch.setattr(secrets, "randbits", dice.getrandbits)
    monkeypatch.setattr(secrets, "choice", dice.choice)
    return dice


class Month:
    """The site and its players. `dice` decides what they do and what goes wrong."""

    def __init__(
        self, clock: time_machine.Traveller, server: MailServer, queues: list[SimpleQueue], seed: int, end: datetime
    ) -> None:
        self.clock, self.server, self.queues, self.dice = clock, server, queues, random.Random(seed)
        self.end, self.people = end, cast()
        self.visits = {user.pk: self.next_visit() for user in self.people}

    @property
    def now(self) -> datetime:
        return timezone.now()

    def next_visit(self) -> datetime:
        """Return when a player visits next: mostly within a day, sometimes so late that they time out."""
        hours = self.dice.choice((4, 11, 20, 27, 60))
        return self.now + timedelta(hours=hours, minutes=self.dice.randrange(60))

    def live(self) -> None:
        while self.now < self.end:
            self.pause()
            self.open_tables()
            self.welcome()
            self.work()
            self.pass_time(until=self.end)
        self.visits.clear()  # the visits end, and what is due is sent
        while self.now < self.end + AFTERWARDS:
            self.work()
            self.pass_time(until=self.end + AFTERWARDS)
        self.work()

    def pause(self) -> None:
        """Pause Erin's notifications for some days."""
        if within(self.now, PAUSE):
            User.objects.filter(username="Erin").update(is_paused=True, paused_until=PAUSE[1])

    def open_tables(self) -> None:
        while Game.objects.filter(status=Status.RUNNING).count() < TABLES:
            first, *others = self.next_players()
            has_bot = self.dice.random() < 0.3
            game = lobby.open_table(
                user=first, players=1 + len(others) + has_bot, bots=["random"] * has_bot, listed=True,
                clock=self.dice.choice(CLOCKS), time_out=self.dice.choice(("turn", "seat")),
            )  # fmt: skip
            for other in others:
                lobby.join_table(game=game, user=other)

    def next_players(self) -> list[User]:
        """Return the next two or three players, in rotation."""
        self.people = self.people[2:] + self.people[:2]
        return self.people[: self.dice.choice((2, 3))]

    def welcome(self) -> None:
        """Let the players who are due to visit take the turns they owe, or most of them."""
        for user in self.people:
            if self.visits[user.pk] <= self.now:
                self.visits[user.pk] = self.next_visit()
                for seat in Seat.objects.filter(owner=user, user=None, game__status=Status.RUNNING):
                    handover.come_back(seat=seat, user=user)
                for seat in Seat.objects.filter(user=user, owes=True, game__status=Status.RUNNING):
                    self.take_turn(seat)

    def take_turn(self, seat: Seat) -> None:
        game = Game.objects.get(pk=seat.game_id)
        state = position.current(game, list(Seat.objects.filter(game=game).order_by("number")), game.snapshot)
        actions = next(bots.turns_to_try(game.rules, game.rules.view(state, seat.number), "random"))
        for _click in range(self.dice.choice((1, 1, 2))):  # an impatient player submits twice
            try:
                submit_turn(game=game, seat=seat.number, actions=actions, expected_seq=game.seq)
            except GameError:
                return

    # The queue and its workers

    def work(self) -> None:
        """Run the tasks that were started and not lost, then the schedule, sometimes twice."""
        self.server.refusals = {"MAIL": "421 not now"} if within(self.now, MAIL_IS_DOWN) else {}
        if self.dice.random() < 0.1:
            self.die_with_a_notice()
        self.run_waiting_tasks()
        late = Seat.objects.filter(owes=True, game__status=Status.RUNNING).aggregate(first=Min("deadline"))["first"]
        assert late is None or self.now - late <= LATEST, (
            "A player ran out of time, and nothing happened within a minute."
        )
        for _beat in range(self.dice.choice((1, 1, 2))):
            for sweep in (tasks.sweep_overdue, tasks.sweep_bots, tasks.sweep_notices, tasks.sweep_full_games):
                sweep()
        self.run_waiting_tasks()

    def run_waiting_tasks(self) -> None:
        """Run the waiting tasks in any order, some twice and some never; none while the queue is down."""
        waiting = sorted(self.waiting(), key=str)
        arriving = [task for task in waiting for _time in range(self.dice.choice((0, 1, 1, 1, 2)))]
        self.dice.shuffle(arriving)
        for task, args in [] if within(self.now, QUEUE_IS_DOWN) else arriving:
            app.tasks[task](*args)

    def waiting(self) -> Iterator[tuple[str, list[object]]]:
        for queue in self.queues:
            with suppress(Empty):
                while message := queue.get_nowait():
                    yield message.headers["task"], message.payload[0]

    def die_with_a_notice(self) -> None:
        """Claim a notice and never send it, like a worker that is killed."""
        waiting = list(deliver.due(self.now).order_by("pk"))
        if waiting:
            deliver.claim(self.dice.choice(waiting).pk)

    def pass_time(self, until: datetime) -> None:
        """Move the clock to the minute in which something is due next, at most to `until`."""
        deadline = Seat.objects.filter(owes=True, game__status=Status.RUNNING).aggregate(at=Min("deadline"))["at"]
        notice = Notice.objects.filter(state__in=(NoticeState.QUEUED, NoticeState.SENDING)).aggregate(at=Min("due_at"))[
            "at"
        ]
        soonest = min(at for at in (deadline, notice, until, *self.visits.values()) if at)
        cache.clear()  # pauses of channels are measured in real time
        minutes = max(1, -(-(soonest - self.now) // timedelta(minutes=1)))
        self.clock.shift(timedelta(minutes=minutes))


def within(moment: datetime, period: tuple[datetime, datetime]) -> bool:
    return period[0] <= moment < period[1]


# The players and their preferences


def cast() -> list[User]:
    """Create the players. Alice gets everything immediately, Bob a daily digest, Carol everything with a delay.

    Dan has quiet hours, Erin pauses for a while, Frank wants no email, and Greta has not confirmed her address.
    """
    alice = person("Alice", time_zone="Europe/Berlin")
    bob = person("Bob", time_zone="America/New_York", digest_hour=7)
    carol = person("Carol", time_zone="Asia/Tokyo", delay=90)
    dan = person("Dan", time_zone="Europe/Berlin", quiet_begins=time(21), quiet_ends=time(8), night=NIGHT)
    erin = person("Erin", is_paused=False)
    frank = person("Frank")
    greta = person("Greta", has_confirmed=False)
    for user, how in ((bob, How.DIGEST), (carol, How.LATER), (frank, How.OFF)):
        set_how(user=user, kinds=[*Kind], channel=Channel.EMAIL, how=how)
    return [alice, bob, carol, dan, erin, frank, greta]


def sent_to(name: str) -> QuerySet[Notice]:
    return Notice.objects.filter(user__username=name, state=NoticeState.SENT).order_by("sent_at")


def at_home(notice: Notice) -> datetime:
    assert notice.sent_at
    return notice.sent_at.astimezone(notice.user.zone)


# What must be true at the end


def every_email_arrived_once(server: MailServer) -> None:
    """Check that the server received exactly the notices marked as sent, once each, and by the right reader."""
    kept = [message_from_bytes(content, policy=policy.default) for content in server.kept]
    arrived = Counter((email["Message-ID"], email["To"]) for email in kept)
    sent = set(Notice.objects.filter(state=NoticeState.SENT).values_list("message_id", "user__email"))
    assert set(arrived) == sent and max(arrived.values()) == 1


def nothing_is_overdue() -> None:
    now = timezone.now()
    assert not deliver.due(now).exists()
    for game in Game.objects.filter(status=Status.RUNNING):
        assert Seat.objects.filter(game=game, owes=True, deadline__gt=now - LATEST).exists()


def no_taken_turn_was_announced() -> None:
    for notice in Notice.objects.filter(kind=Kind.TURN, state=NoticeState.SENT).select_related("seat"):
        moves = Entry.objects.filter(game=notice.seat.game_id, seat=notice.seat.number, seq__gt=notice.seq)
        assert not moves.filter(at__lt=notice.sent_at).exists()


def turn_notices_were_dropped_only_for_taken_turns() -> None:
    for notice in Notice.objects.filter(
        kind=Kind.TURN, state=NoticeState.DROPPED, why=NoticeReason.TAKEN
    ).select_related("seat__game"):
        moves = Entry.objects.filter(game=notice.seat.game_id, seat=notice.seat.number, seq__gt=notice.seq)
        assert moves.exists() or notice.seat.game.is_finished


def alice_was_notified_of_every_turn() -> None:
    """Check that each of Alice's turns had a notice, unless she was at the table anyway: she was bidding, or had just
    taken her seat back.
    """
    kinds = (Kind.TURN, Kind.STARTED, Kind.AWAY)
    for seat in Seat.objects.filter(owner__username="Alice"):
        entries = list(Entry.objects.filter(game=seat.game_id).order_by("seq"))
        notified = set(Notice.objects.filter(seat=seat, kind__in=kinds).values_list("seq", flat=True))
        came_back = list(Handover.objects.filter(seat=seat, to=seat.owner).values_list("at", flat=True))
        for before, entry in pairwise(entries):
            is_new = before.seat not in (None, seat.number) and before.at < entry.at
            is_here = "bid" in str(before.actions) or any(before.at <= at <= entry.at for at in came_back)
            if is_new and not is_here and entry.seat == seat.number and entry.by in (By.SEAT, By.CLOCK):
                assert before.seq in notified, f"Alice got no notice for {seat} after entry {before.seq}."


def all_were_notified_as_they_prefer() -> None:
    assert sent_to("Alice").exists()
    days = [(at_home(notice).date(), notice.message_id) for notice in sent_to("Bob")]
    assert days and len(set(days)) == len({day for day, _name in days})
    bad_days = {MAIL_IS_DOWN[0].date(), QUEUE_IS_DOWN[0].date()}
    in_peace = [notice for notice in sent_to("Bob") if notice.sent_at.date() not in bad_days]
    assert in_peace and all(at_home(notice).hour == 7 for notice in in_peace)
    assert all(
        notice.sent_at - notice.created_at >= timedelta(minutes=90)
        for notice in sent_to("Carol").filter(kind=Kind.TURN)
    )
    assert sent_to("Dan").exists() and all(8 <= at_home(notice).hour < 21 for notice in sent_to("Dan"))
    assert sent_to("Erin").exists() and not sent_to("Erin").filter(sent_at__gt=PAUSE[0], sent_at__lt=PAUSE[1]).exists()
    assert not sent_to("Frank").exists() and not sent_to("Greta").exists()


def every_log_verifies() -> None:
    games = Game.objects.filter(seq__gte=0)
    assert games.filter(status=Status.FINISHED).exists()
    assert [records.verify(game=game) for game in games] == [[]] * games.count()


def some_players_timed_out() -> None:
    assert Entry.objects.filter(by=By.CLOCK).exists()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 22))
def test_a_month_of_failures_loses_and_duplicates_no_email(clock, mail_server, queues, chance, seed):
    chance.seed(seed)
    random.seed(seed)
    Month(clock, mail_server, queues, seed, MONDAY + MONTH).live()
    every_email_arrived_once(mail_server)
    nothing_is_overdue()
    no_taken_turn_was_announced()
    turn_notices_were_dropped_only_for_taken_turns()
    alice_was_notified_of_every_turn()
    all_were_notified_as_they_prefer()
    every_log_verifies()
    some_players_timed_out()
