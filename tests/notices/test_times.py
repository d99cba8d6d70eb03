"""When notices are sent: after the reader's delay, outside quiet hours and pauses."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.notices.delivery.preferences import save_settings
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeReason, NoticeState
from games.notices.outbox import times
from games.tables.models import Game
from tests.cast import in_turns, person, play_out
from tests.notices.emails import notice, received, send_due, subjects, take

pytestmark = pytest.mark.django_db

NIGHT = {"quiet_begins": time(23), "quiet_ends": time(7)}


def emails(**how: How) -> dict[str, object]:
    return {"notice_settings": {Channel.EMAIL: how}}


def fate(row: Notice) -> tuple[str, str]:
    row.refresh_from_db()
    return row.state, row.why


def utc(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)


def test_delayed_notices_are_sent_after_the_delay(game, bob, clock):
    save_settings(user=bob, delay=45, **emails(turn=How.LATER))
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == timezone.now() + timedelta(minutes=45)
    clock.shift(timedelta(minutes=44))
    assert send_due() == 0
    clock.shift(timedelta(minutes=1))
    assert send_due() == 1


def test_a_turn_taken_during_the_delay_cancels_its_notice(game, bob, clock):
    save_settings(user=bob, **emails(turn=How.LATER))
    take(game, 0)
    take(game, 1)
    clock.shift(timedelta(hours=1))
    send_due()
    assert received("Bob") == []
    assert fate(Notice.objects.get(kind=Kind.TURN, user=bob)) == (NoticeState.DROPPED, "taken")


def test_a_notice_in_quiet_hours_waits_for_their_end(game, bob, clock):
    save_settings(user=bob, **NIGHT)
    clock.move_to(utc(2026, 3, 2, 15))  # midnight in Tokyo
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).due_at == utc(2026, 3, 2, 22)
    clock.move_to(utc(2026, 3, 2, 22))
    assert send_due() == 1


def test_a_digest_in_quiet_hours_is_planned_for_their_end(game, bob, clock):
    save_settings(user=bob, digest_hour=6, **NIGHT, **emails(turn=How.DIGEST))
    take(game, 0)
    assert notice(Kind.TURN, "Bob", game).planned_at == utc(2026, 3, 2, 22)  # 7 in the morning in Tokyo


def test_quiet_hours_chosen_later_hold_waiting_notices_too(game, bob, clock):
    save_settings(user=bob, **emails(turn=How.LATER))
    take(game, 0)
    turn_notice = notice(Kind.TURN, "Bob", game)
    User.objects.update(quiet_begins=time(18), quiet_ends=time(20))
    clock.shift(timedelta(minutes=30))
    assert send_due() == 0
    assert (*fate(turn_notice), turn_notice.due_at, turn_notice.attempts) == (
        NoticeState.QUEUED,
        NoticeReason.QUIET,
        utc(2026, 3, 2, 11),
        0,
    )
    save_settings(user=bob, quiet_begins=None, quiet_ends=None)
    assert send_due() == 1


def test_a_reminder_of_a_deadline_in_quiet_hours_comes_before_them(bob, clock):
    save_settings(user=bob, quiet_begins=time(20), quiet_ends=time(7))
    clock.move_to(utc(2026, 3, 2, 16))  # 01:00 in Tokyo; the deadline is at 01:00, the reminder at 20:12
    take(in_turns(person("Carol"), bob, clock="move 1d"), 0)
    assert Notice.objects.filter(kind=Kind.TIME, user=bob).latest("pk").due_at == utc(2026, 3, 3, 10, 55)


def test_a_deadline_is_in_the_last_digest_before_it(game, bob, clock):
    save_settings(user=bob, **emails(time=How.DIGEST))
    clock.move_to(utc(2026, 3, 2, 22))  # 07:00 in Tokyo; the deadline is two days later at 07:00
    take(game, 0)
    assert notice(Kind.TIME, "Bob", game).due_at == utc(2026, 3, 3, 23)


def test_a_pause_holds_notices_until_it_ends(game, bob, clock):
    save_settings(user=bob, is_paused=True)
    take(game, 0)
    turn_notice = notice(Kind.TURN, "Bob", game)
    send_due()
    assert fate(turn_notice) == (NoticeState.QUEUED, NoticeReason.PAUSED)
    clock.shift(timedelta(hours=30))
    send_due()
    assert received("Bob") == []
    save_settings(user=bob, is_paused=False)
    send_due()
    assert subjects("Bob") == ["Your turn: Legends with Alice"]


def test_a_pause_ends_automatically_on_its_date(game, bob, clock):
    save_settings(user=bob, is_paused=True, paused_until=utc(2026, 3, 3, 15))
    take(game, 0)
    send_due()
    assert notice(Kind.TURN, "Bob", game).due_at == utc(2026, 3, 3, 15)
    clock.move_to(utc(2026, 3, 3, 15))
    assert send_due() == 1


def test_news_during_a_pause_is_dropped(game, bob):
    save_settings(user=bob, is_paused=True)
    play_out(game)
    send_due()
    assert fate(Notice.objects.get(kind=Kind.ENDED, user=bob)) == (NoticeState.DROPPED, NoticeReason.PAUSED)


@pytest.mark.parametrize(
    ("begins", "ends", "moment", "until"),
    [
        (time(23), time(7), utc(2026, 3, 28, 22), utc(2026, 3, 29, 5)),  # the night is an hour shorter
        (time(23), time(7), utc(2026, 10, 24, 21), utc(2026, 10, 25, 6)),  # the night is an hour longer
        (time(23), time(2, 30), utc(2026, 3, 29, 0, 59), utc(2026, 3, 29, 1)),  # 02:30 is skipped
        (time(2), time(3), utc(2026, 10, 25, 1, 30), utc(2026, 10, 25, 2)),  # 02:00 comes twice
        (time(9), time(17), utc(2026, 6, 1, 14, 59), utc(2026, 6, 1, 15)),
        (time(9), time(17), utc(2026, 6, 1, 15), None),
        (time(23), time(7), utc(2026, 6, 1, 20, 59), None),
    ],
)
def test_quiet_hours_follow_the_readers_time_zone(begins, ends, moment, until):
    user = User(time_zone="Europe/Berlin", quiet_begins=begins, quiet_ends=ends)
    quiet = times.quiet_around(user, moment)
    assert (quiet and quiet.ends) == until


@pytest.mark.parametrize("hour", range(24))
@pytest.mark.parametrize("day", [date(2026, 3, 27), date(2026, 10, 23), date(2028, 2, 27)])
def test_each_day_has_one_digest_across_daylight_saving_changes(hour, day):
    user, at = User(time_zone="Europe/Berlin", digest_hour=hour), datetime.combine(day, time(), UTC)
    for _day in range(5):
        following = times.next_digest(user, at)
        assert timedelta(hours=22) < following - at < timedelta(hours=26) or _day == 0
        assert following.astimezone(user.zone).hour in {hour, hour + 1}
        at = following


def test_a_player_who_gives_up_the_digest_gets_its_notices_immediately(
    game: Game, bob, django_capture_on_commit_callbacks
):
    save_settings(user=bob, **emails(turn=How.DIGEST))
    take(game, 0)
    assert send_due() == 0
    with django_capture_on_commit_callbacks(execute=True):
        save_settings(user=bob, notice_settings={})
    assert len(received("Bob")) == 1
