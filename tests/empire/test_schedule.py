"""The schedule goes on when the clock is set back, and when its file cannot be written."""

import resource
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from time_machine import travel

from empire.celery import app
from empire.schedule import Scheduler

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
A_DAY = 24 * 3600
MINUTELY = "sweep notices"


class Noted(Scheduler):
    """Notes what is due where the real one rings for it."""

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        self.rung[entry.name] += 1

    producer = None
    rung: Counter[str] = Counter()


@pytest.fixture
def schedule(tmp_path: Path) -> Noted:
    with travel(NOON, tick=False):
        schedule = Noted(app=app, schedule_filename=str(tmp_path / "beat"))
    schedule.rung = Counter()
    return schedule


def ticks(schedule: Noted) -> Counter[str]:
    """What is rung for until nothing is due any more."""
    schedule.rung.clear()
    for _tick in range(2 * len(schedule.schedule) + 1):
        if schedule.tick() > 0:
            break
    return schedule.rung


def test_each_minute_each_sweep_is_due_once(schedule):
    with travel(NOON, tick=False) as clock:
        ticks(schedule)
        for _minute in range(3):
            clock.shift(60)
            assert ticks(schedule)[MINUTELY] == 1
            assert set(schedule.rung.values()) == {1}


def test_a_clock_that_is_set_forward_lets_each_sweep_run_once(schedule):
    with travel(NOON, tick=False) as clock:
        ticks(schedule)
        clock.shift(3600)
        assert ticks(schedule)[MINUTELY] == 1
        assert ticks(schedule)[MINUTELY] == 0


def test_a_clock_that_is_set_back_a_day_does_not_silence_the_schedule_for_a_day(schedule, caplog):
    with travel(NOON, tick=False) as clock:
        clock.shift(60)
        ticks(schedule)
        clock.shift(-A_DAY)
        ticks(schedule)
        clock.shift(61)
        assert ticks(schedule)[MINUTELY] == 1
    assert [record.getMessage() for record in caplog.records] == ["The clock was set back by 1 day, 0:00:00."]


def test_a_schedule_that_was_written_before_the_clock_was_set_back_is_taken_up(schedule):
    with travel(NOON, tick=False) as clock:
        clock.shift(60)
        ticks(schedule)
        schedule.close()
        clock.shift(-A_DAY)
        later = Noted(app=app, schedule_filename=schedule.schedule_filename)
        ticks(later)
        clock.shift(61)
        assert ticks(later)[MINUTELY] == 1


def test_a_full_disk_does_not_end_the_schedule(schedule, caplog):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        schedule.sync()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    schedule.sync()
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_without_room_for_its_file_a_new_schedule_is_kept_in_memory(tmp_path, caplog):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with travel(NOON, tick=False) as clock:
            schedule = Noted(app=app, schedule_filename=str(tmp_path / "beat"))
            clock.shift(60)
            assert ticks(schedule)[MINUTELY] == 1
            schedule.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caplog.messages[0].startswith("The schedule is kept in memory")


def test_the_file_of_the_schedule_is_for_its_owner_alone(schedule):
    schedule.close()
    modes = [path.stat().st_mode & 0o777 for path in Path(schedule.schedule_filename).parent.glob("beat*")]
    assert modes and set(modes) == {0o600}
