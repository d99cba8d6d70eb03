"""Explanations of a wait: the parts add up, and each moment is counted once."""

from datetime import date

from games.clocks.nights import Nights
from games.clocks.running import NIGHT, VACATION, WEEKEND, Part, explain
from games.clocks.vacations import announce
from tests.clocks.moments import NO_NIGHTS, TWO_DAYS, WEEKENDS_OFF, asleep, at, hours, utc

BERLIN = "Europe/Berlin"


def test_without_pauses_there_is_nothing_to_explain() -> None:
    wait = explain(TWO_DAYS, hours(48), utc("2026-01-10 12:00"), NO_NIGHTS)
    assert wait.parts == ()
    assert wait.deadline == wait.without_pauses == utc("2026-01-12 12:00")


def test_48_hours_for_the_move_and_3_nights_of_8_hours() -> None:
    since = at("2026-01-10 12:00", BERLIN)
    wait = explain(TWO_DAYS, hours(48), since, asleep(BERLIN, "23:00-07:00"))
    assert wait.parts == (Part(NIGHT, 3, hours(8)),)
    assert wait.bank == hours(48)
    assert wait.without_pauses == since + hours(48)
    assert wait.deadline == since + hours(72)


def test_2_vacation_days_include_their_nights() -> None:
    since = at("2026-01-12 12:00", BERLIN)
    off = [announce([], date(2026, 1, 14), date(2026, 1, 15), BERLIN, since)]
    wait = explain(TWO_DAYS, hours(48), since, asleep(BERLIN, "00:00-08:00"), off)
    assert wait.parts == (Part(VACATION, 2, hours(24)), Part(NIGHT, 3, hours(8)))
    assert wait.deadline == at("2026-01-17 12:00", BERLIN)


def test_a_night_that_runs_into_a_vacation_only_counts_before_it() -> None:
    since = at("2026-01-12 12:00", BERLIN)
    off = [announce([], date(2026, 1, 14), date(2026, 1, 15), BERLIN, since)]
    wait = explain(TWO_DAYS, hours(20), since, asleep(BERLIN, "23:00-07:00"), off)
    assert wait.parts == (Part(NIGHT, 1, hours(8)),)
    wait = explain(TWO_DAYS, hours(28), since, asleep(BERLIN, "23:00-07:00"), off)
    assert wait.parts == (
        Part(VACATION, 2, hours(24)),
        Part(NIGHT, 1, hours(8)),
        Part(NIGHT, 1, hours(7)),
        Part(NIGHT, 1, hours(1)),
    )


def test_a_wait_that_begins_at_night_includes_the_rest_of_that_night() -> None:
    wait = explain(TWO_DAYS, hours(2), at("2026-01-11 04:00", BERLIN), asleep(BERLIN, "23:00-07:00"))
    assert wait.parts == (Part(NIGHT, 1, hours(3)),)


def test_a_weekend_that_overlaps_other_rest_counts_once() -> None:
    friday = at("2026-01-09 12:00", BERLIN)
    wait = explain(WEEKENDS_OFF, hours(48), friday, asleep(BERLIN, "00:00-06:00"))
    assert wait.parts == (Part(WEEKEND, 1, hours(48)), Part(NIGHT, 2, hours(6)))
    assert explain(TWO_DAYS, hours(48), friday, Nights(BERLIN)).parts == ()


def test_two_vacations_on_the_same_day_count_once() -> None:
    since = at("2026-01-12 12:00", BERLIN)
    once = announce([], date(2026, 1, 13), date(2026, 1, 13), BERLIN, since)
    wait = explain(TWO_DAYS, hours(48), since, NO_NIGHTS, [once, once])
    assert wait.parts == (Part(VACATION, 1, hours(24)),)


def test_a_vacation_announced_today_counts_from_then() -> None:
    since = at("2026-01-12 06:00", BERLIN)
    off = announce([], date(2026, 1, 12), date(2026, 1, 13), BERLIN, at("2026-01-12 18:00", BERLIN))
    wait = explain(TWO_DAYS, hours(48), since, NO_NIGHTS, [off])
    assert wait.parts == (Part(VACATION, 1, hours(24)), Part(VACATION, 1, hours(6)))


def test_the_night_of_a_clock_change_is_listed_separately() -> None:
    wait = explain(TWO_DAYS, hours(48), at("2026-03-27 12:00", BERLIN), asleep(BERLIN, "23:00-07:00"))
    assert wait.parts == (Part(NIGHT, 2, hours(8)), Part(NIGHT, 1, hours(7)))
