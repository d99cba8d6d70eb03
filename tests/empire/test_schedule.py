"""The schedule, which continues when the clock is set back and when its file cannot be written."""

import gc
import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
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
    """A scheduler that records due tasks instead of sending them."""

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        self.rung[entry.name] += 1

    producer = None
    rung: Counter[str] = Counter()


def has_module(name: str) -> bool:
    try:
        import_module(name)
    except ImportError:
        return False
    return True


@pytest.fixture
def schedule(tmp_path: Path) -> Noted:
    with travel(NOON, tick=False):
        schedule = Noted(app=app, schedule_filename=str(tmp_path / "beat"))
    schedule.rung = Counter()
    return schedule


def ticks(schedule: Noted) -> Counter[str]:
    """Count the tasks sent until none is due."""
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


def test_a_clock_set_forward_runs_each_sweep_once(schedule):
    with travel(NOON, tick=False) as clock:
        ticks(schedule)
        clock.shift(3600)
        assert ticks(schedule)[MINUTELY] == 1
        assert ticks(schedule)[MINUTELY] == 0


def test_a_clock_set_back_a_day_does_not_stop_the_schedule_for_a_day(schedule, caplog):
    with travel(NOON, tick=False) as clock:
        clock.shift(60)
        ticks(schedule)
        clock.shift(-A_DAY)
        ticks(schedule)
        clock.shift(61)
        assert ticks(schedule)[MINUTELY] == 1
    assert [record.getMessage() for record in caplog.records] == ["The clock was set back by 1 day, 0:00:00."]


def test_a_schedule_file_from_before_the_clock_was_set_back_is_used(schedule):
    with travel(NOON, tick=False) as clock:
        clock.shift(60)
        ticks(schedule)
        schedule.close()
        clock.shift(-A_DAY)
        later = Noted(app=app, schedule_filename=schedule.schedule_filename)
        ticks(later)
        clock.shift(61)
        assert ticks(later)[MINUTELY] == 1


@contextmanager
def full_disk() -> Iterator[None]:
    """Prevent all files from growing."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# The kinds of database files that this Python can write. Celery uses the first available, which depends on the system
KINDS = [kind for kind in ("sqlite3", "gnu", "ndbm", "dumb") if has_module(f"dbm.{kind}")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_does_not_end_the_schedule(kind, tmp_path, caplog):
    path = str(tmp_path / "beat")
    import_module(f"dbm.{kind}").open(path, "c").close()  # an existing file determines the format
    with travel(NOON, tick=False) as clock:
        schedule = Noted(app=app, schedule_filename=path)
        with full_disk():
            clock.shift(60)
            assert ticks(schedule)[MINUTELY] == 1
            schedule.sync()
        # An ndbm database is written when it is closed, so nothing fails before that
        assert [record.levelname for record in caplog.records] == ["WARNING"] * (kind != "ndbm")
        clock.shift(60)
        assert ticks(schedule)[MINUTELY] == 1
        schedule.close()
        later = Noted(app=app, schedule_filename=path)
        assert ticks(later)[MINUTELY] == 0, "the last run was not stored"
    assert len(caplog.records) == (kind != "ndbm")


# Python 3.13 leaves the connection open if it cannot create the file
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_a_new_schedule_stays_in_memory_if_the_disk_is_full(tmp_path, caplog):
    with full_disk(), travel(NOON, tick=False) as clock:
        schedule = Noted(app=app, schedule_filename=str(tmp_path / "beat"))
        clock.shift(60)
        assert ticks(schedule)[MINUTELY] == 1
        schedule.close()
    assert any(message.startswith("The schedule is kept in memory") for message in caplog.messages)
    caplog.clear()
    gc.collect()  # here rather than in another test


def test_the_schedule_file_is_readable_only_by_its_owner(schedule):
    schedule.close()
    modes = [path.stat().st_mode & 0o777 for path in Path(schedule.schedule_filename).parent.glob("beat*")]
    assert modes and set(modes) == {0o600}


def test_sweeps_that_create_work_for_the_processor_do_not_pile_up_while_their_queue_has_no_worker(settings) -> None:
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        queue = settings.CELERY_TASK_ROUTES[entry["task"]]["queue"]
        if queue in ("bots", "thinking", "luck", "reviews"):
            assert entry["options"]["expires"] <= entry["schedule"], name
