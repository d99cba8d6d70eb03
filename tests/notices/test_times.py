"""Notices come when their reader wishes: after a while, not at night, not in a pause."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.notices.delivery import deliver
from games.notices.delivery.preferences import keep_wishes
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Fate, Notice, Why
from games.notices.outbox import times
from games.tables.models import Game
from tests.cast import in_turns, person, play_out
from tests.notices.letters import notice, received, subjects, take

pytestmark = pytest.mark.django_db

NIGHT = {"quiet_begins": time(23), "quiet_ends": time(7)}


def mails(**how: How) -> dict[str, object]:
    return {"wishes": {Channel.MAIL: how}}


def fate(one: Notice) -> tuple[str, str]:
    one.refresh_from_db()
    return one.state, one.why


def utc(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)


def test_who_wants_to_hear_later_hears_after_the_delay(game, bob, clock):
    keep_wishes(user=bob, delay=45, **mails(turn=How.LATER))
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == timezone.now() + timedelta(minutes=45)
    clock.shift(timedelta(minutes=44))
    assert deliver.sweep() == 0
    clock.shift(timedelta(minutes=1))
    assert deliver.sweep() == 1


def test_a_turn_taken_in_the_delay_cancels_it(game, bob, clock):
    keep_wishes(user=bob, **mails(turn=How.LATER))
    take(game, 0)
    take(game, 1)
    clock.shift(timedelta(hours=1))
    deliver.sweep()
    assert received("Bob") == []
    assert fate(Notice.objects.get(kind=Kind.TURN, user=bob)) == (Fate.DROPPED, "taken")


def test_what_falls_due_at_night_waits_for_the_morning(game, bob, clock):
    keep_wishes(user=bob, **NIGHT)
    clock.move_to(utc(2026, 3, 2, 15))  # midnight in Tokyo
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == utc(2026, 3, 2, 22)
    clock.move_to(utc(2026, 3, 2, 22))
    assert deliver.sweep() == 1


def test_a_night_that_is_chosen_afterwards_holds_what_is_due_then(game, bob, clock):
    keep_wishes(user=bob, **mails(turn=How.LATER))
    take(game, 0)
    one = notice(Kind.TURN, "Bob", game)
    User.objects.update(quiet_begins=time(18), quiet_ends=time(20))
    clock.shift(timedelta(minutes=30))
    assert deliver.sweep() == 0
    assert (*fate(one), one.due_at, one.attempts) == (Fate.QUEUED, Why.QUIET, utc(2026, 3, 2, 11), 0)
    keep_wishes(user=bob, quiet_begins=None, quiet_ends=None)
    assert deliver.sweep() == 1


def test_a_reminder_of_a_deadline_at_night_comes_before_the_night(bob, clock):
    keep_wishes(user=bob, quiet_begins=time(20), quiet_ends=time(7))
    clock.move_to(utc(2026, 3, 2, 16))  # one in the morning in Tokyo; so is the deadline, and the reminder due at 20:12
    take(in_turns(person("Carol"), bob, clock="move 1d"), 0)
    assert Notice.objects.filter(kind=Kind.TIME, user=bob).latest("pk").due_at == utc(2026, 3, 3, 10, 55)


def test_a_deadline_is_in_the_last_digest_before_it(game, bob, clock):
    keep_wishes(user=bob, **mails(time=How.DIGEST))
    clock.move_to(utc(2026, 3, 2, 22))  # 7 in the morning in Tokyo; the deadline is two days later, an hour before 8
    take(game, 0)
    assert notice(Kind.TIME, "Bob", game).due_at == utc(2026, 3, 3, 23)


def test_in_a_pause_nothing_comes_and_what_still_waits_comes_after_it(game, bob, clock):
    keep_wishes(user=bob, is_paused=True)
    take(game, 0)
    one = notice(Kind.TURN, "Bob", game)
    deliver.sweep()
    assert fate(one) == (Fate.QUEUED, Why.PAUSED)
    clock.shift(timedelta(hours=30))
    deliver.sweep()
    assert received("Bob") == []
    keep_wishes(user=bob, is_paused=False)
    deliver.sweep()
    assert subjects("Bob") == ["Your turn: Legends with Alice"]


def test_a_pause_ends_by_itself_on_its_day(game, bob, clock):
    keep_wishes(user=bob, is_paused=True, paused_until=utc(2026, 3, 3, 15))
    take(game, 0)
    deliver.sweep()
    assert notice(Kind.TURN, "Bob", game).due_at == utc(2026, 3, 3, 15)
    clock.move_to(utc(2026, 3, 3, 15))
    assert deliver.sweep() == 1


def test_news_of_a_pause_are_told_by_nobody(game, bob):
    keep_wishes(user=bob, is_paused=True)
    play_out(game)
    deliver.sweep()
    assert fate(Notice.objects.get(kind=Kind.ENDED, user=bob)) == (Fate.DROPPED, Why.PAUSED)


@pytest.mark.parametrize(
    ("begins", "ends", "moment", "until"),
    [
        (time(23), time(7), utc(2026, 3, 28, 22), utc(2026, 3, 29, 5)),  # the night that is an hour shorter
        (time(23), time(7), utc(2026, 10, 24, 21), utc(2026, 10, 25, 6)),  # the one that is an hour longer
        (time(23), time(2, 30), utc(2026, 3, 29, 0, 59), utc(2026, 3, 29, 1)),  # half past two is skipped
        (time(2), time(3), utc(2026, 10, 25, 1, 30), utc(2026, 10, 25, 2)),  # two comes twice
        (time(9), time(17), utc(2026, 6, 1, 14, 59), utc(2026, 6, 1, 15)),
        (time(9), time(17), utc(2026, 6, 1, 15), None),
        (time(23), time(7), utc(2026, 6, 1, 20, 59), None),
    ],
)
def test_quiet_hours_are_those_of_the_readers_own_clocks(begins, ends, moment, until):
    somebody = User(time_zone="Europe/Berlin", quiet_begins=begins, quiet_ends=ends)
    quiet = times.quiet_around(somebody, moment)
    assert (quiet and quiet.ends) == until


@pytest.mark.parametrize("hour", range(24))
@pytest.mark.parametrize("day", [date(2026, 3, 27), date(2026, 10, 23), date(2028, 2, 27)])
def test_each_day_has_one_digest_whatever_the_clocks_do(hour, day):
    somebody, at = User(time_zone="Europe/Berlin", digest_hour=hour), datetime.combine(day, time(), UTC)
    for _day in range(5):
        following = times.next_digest(somebody, at)
        assert timedelta(hours=22) < following - at < timedelta(hours=26) or _day == 0
        assert following.astimezone(somebody.zone).hour in {hour, hour + 1}
        at = following


def test_who_wants_word_at_once_again_gets_what_waits_for_the_digest(
    game: Game, bob, django_capture_on_commit_callbacks
):
    keep_wishes(user=bob, **mails(turn=How.DIGEST))
    take(game, 0)
    assert deliver.sweep() == 0
    with django_capture_on_commit_callbacks(execute=True):
        keep_wishes(user=bob, wishes={})
    assert len(received("Bob")) == 1
