"""Running clocks: deadlines, and the time spent so far."""

from datetime import date, datetime, timedelta

import pytest

from games.clocks.clock import each_move
from games.clocks.running import deadline, settle, spent
from games.clocks.vacations import announce
from tests.clocks.moments import NO_NIGHTS, TWO_DAYS, WEEKENDS_OFF, asleep, at, hours, utc

BERLIN = "Europe/Berlin"


def test_without_pauses_time_just_runs() -> None:
    since = utc("2026-01-10 12:00")
    assert deadline(TWO_DAYS, hours(48), since, NO_NIGHTS) == since + hours(48)
    assert spent(TWO_DAYS, since, since + hours(30), NO_NIGHTS) == hours(30)


def test_nights_stop_the_clock() -> None:
    nights, since = asleep(BERLIN, "23:00-07:00"), at("2026-01-10 12:00", BERLIN)
    assert deadline(TWO_DAYS, hours(48), since, nights) == at("2026-01-13 12:00", BERLIN)


def test_a_turn_that_begins_at_night_starts_to_count_in_the_morning() -> None:
    nights = asleep(BERLIN, "23:00-07:00")
    assert deadline(TWO_DAYS, hours(1), at("2026-01-11 03:00", BERLIN), nights) == at("2026-01-11 08:00", BERLIN)


def test_time_can_run_out_exactly_when_a_night_begins() -> None:
    nights, since = asleep(BERLIN, "23:00-07:00"), at("2026-01-10 12:00", BERLIN)
    assert deadline(TWO_DAYS, hours(11), since, nights) == at("2026-01-10 23:00", BERLIN)
    second = timedelta(seconds=1)
    assert deadline(TWO_DAYS, hours(11) + second, since, nights) == at("2026-01-11 07:00", BERLIN) + second


def test_a_player_without_time_left_times_out_immediately_even_at_night() -> None:
    now = at("2026-01-11 03:00", BERLIN)
    assert deadline(TWO_DAYS, hours(0), now, asleep(BERLIN, "23:00-07:00")) == now


def test_weekends_stop_the_clock_if_the_table_has_weekends_off() -> None:
    friday = utc("2026-01-09 12:00")
    assert deadline(WEEKENDS_OFF, hours(48), friday, NO_NIGHTS) == friday + hours(96)
    assert deadline(TWO_DAYS, hours(48), friday, NO_NIGHTS) == friday + hours(48)


def test_overlapping_rests_count_once() -> None:
    friday = at("2026-01-09 12:00", BERLIN)
    off = announce([], date(2026, 1, 10), date(2026, 1, 10), BERLIN, friday)
    due = deadline(WEEKENDS_OFF, hours(48), friday, asleep(BERLIN, "23:00-07:00"), [off])
    # 11 hours on Friday; 16 hours a day from Monday, whose first 7 hours are night
    assert due == at("2026-01-14 12:00", BERLIN)


@pytest.mark.parametrize(
    ("since", "due"), [("2026-03-28 12:00", "2026-03-31 12:00"), ("2026-10-24 12:00", "2026-10-27 12:00")]
)
def test_an_hour_lost_or_gained_at_night_does_not_count(since: str, due: str) -> None:
    nights = asleep(BERLIN, "23:00-07:00")
    assert deadline(TWO_DAYS, hours(48), at(since, BERLIN), nights) == at(due, BERLIN)


def test_an_hour_lost_or_gained_by_day_counts_as_elapsed_time() -> None:
    assert deadline(TWO_DAYS, hours(48), at("2026-03-28 12:00", BERLIN), asleep(BERLIN, "10:00-11:00")) == at(
        "2026-03-30 15:00", BERLIN
    )
    assert deadline(TWO_DAYS, hours(48), at("2026-10-24 12:00", BERLIN), asleep(BERLIN, "10:00-11:00")) == at(
        "2026-10-26 13:00", BERLIN
    )


def test_both_passes_of_a_repeated_hour_are_distinguished() -> None:
    first, second = at("2026-10-25 02:30", BERLIN), at("2026-10-25 02:30", BERLIN, fold=1)
    assert spent(TWO_DAYS, first, second, NO_NIGHTS) == hours(1)


def test_a_leap_day_counts() -> None:
    assert deadline(TWO_DAYS, hours(48), utc("2028-02-28 12:00"), NO_NIGHTS) == utc("2028-03-01 12:00")
    assert deadline(TWO_DAYS, hours(48), utc("2027-02-28 12:00"), NO_NIGHTS) == utc("2027-03-02 12:00")


def test_moments_may_be_in_any_zone_and_deadlines_are_in_utc() -> None:
    since = datetime.fromisoformat("2026-01-10T12:00:00+05:45")
    due = deadline(TWO_DAYS, hours(48), since, NO_NIGHTS)
    assert due == since + hours(48)
    assert due.utcoffset() == hours(0)


def test_a_moment_without_a_zone_is_an_error() -> None:
    bare, now = datetime(2026, 1, 10), utc("2026-01-10")
    with pytest.raises(ValueError, match="time zone"):
        deadline(TWO_DAYS, hours(48), bare, NO_NIGHTS)
    with pytest.raises(ValueError, match="time zone"):
        spent(TWO_DAYS, now, bare, NO_NIGHTS)
    with pytest.raises(ValueError, match="time zone"):
        settle(TWO_DAYS, hours(48), now, bare, NO_NIGHTS)


def test_nothing_is_spent_before_a_turn_begins() -> None:
    now = utc("2026-01-10 12:00")
    assert spent(TWO_DAYS, now, now, NO_NIGHTS) == spent(TWO_DAYS, now, now - hours(5), NO_NIGHTS) == hours(0)


def test_weekends_nights_and_a_vacation_all_stop_a_clock_of_weeks() -> None:
    """24 days of 14 hours: 6 hours of the first, 23 whole ones without 6 weekends and 3 days off, and 8 hours."""
    clock, since = each_move(14 * 24, weekends_off=True), at("2026-03-10 16:00", BERLIN)
    nights = asleep(BERLIN, "22:00-08:00")
    off = [announce([], date(2026, 3, 20), date(2026, 3, 24), BERLIN, since)]
    assert deadline(clock, clock.at_start, since, nights, off) == at("2026-04-16 16:00", BERLIN)
