"""Vacations: their cost, their effect on deadlines, and that they never give time back."""

from datetime import date, datetime, timedelta

import msgspec

from games.clocks.nights import Nights
from games.clocks.running import deadline, spent
from games.clocks.spans import Span
from games.clocks.vacations import DAYS_A_YEAR, Vacation, announce, cancel, days_left, pause, pauses_by_day
from tests.clocks.moments import NO_NIGHTS, TWO_DAYS, at, hours, refusal, utc

BERLIN = "Europe/Berlin"
NOW = utc("2026-06-01 10:00")


def off(first: str, last: str, *, now: datetime = NOW, had: tuple[Vacation, ...] = (), zone: str = BERLIN) -> Vacation:
    return announce(had, date.fromisoformat(first), date.fromisoformat(last), zone, now)


def refused(first: str, last: str, *, now: datetime = NOW, had: tuple[Vacation, ...] = ()) -> str:
    return refusal(announce, had, date.fromisoformat(first), date.fromisoformat(last), BERLIN, now)


def test_a_vacation_covers_whole_days_in_the_players_zone() -> None:
    assert pause(off("2026-06-05", "2026-06-07")) == Span(
        at("2026-06-05 00:00", BERLIN), at("2026-06-08 00:00", BERLIN)
    )


def test_a_vacation_that_begins_today_begins_when_it_is_announced() -> None:
    assert pause(off("2026-06-01", "2026-06-01")) == Span(NOW, at("2026-06-02 00:00", BERLIN))


def test_today_is_the_day_in_the_players_zone() -> None:
    late = at("2026-06-01 23:30", "America/New_York")  # June 2 in Berlin
    off("2026-06-01", "2026-06-02", now=late, zone="America/New_York")
    assert (
        refused("2026-06-01", "2026-06-02", now=late)
        == "A vacation can’t begin in the past. Choose today or a later day."
    )


def test_absurd_vacations_are_refused_with_a_sentence() -> None:
    assert refused("2026-06-05", "2026-06-04") == "This vacation ends before it begins. Check the dates."
    assert refused("2026-05-31", "2026-06-04") == "A vacation can’t begin in the past. Choose today or a later day."
    assert (
        refused("2028-01-01", "2028-01-02") == "A vacation can’t go past the end of 2027. Choose an earlier last day."
    )
    assert (
        refused("2026-06-05", "9999-12-31") == "A vacation can’t go past the end of 2027. Choose an earlier last day."
    )
    assert refusal(announce, (), NOW.date(), NOW.date(), "Mars/Olympus", NOW) == "There is no time zone “Mars/Olympus”."


def test_each_day_costs_a_day_of_that_years_bank() -> None:
    assert days_left((), 2026) == DAYS_A_YEAR
    assert days_left([off("2026-06-05", "2026-06-07")], 2026) == DAYS_A_YEAR - 3
    assert days_left([off("2026-06-05", "2026-06-07")], 2027) == DAYS_A_YEAR


def test_a_vacation_over_new_year_uses_the_banks_of_both_years() -> None:
    vacation = off("2026-12-20", "2027-01-05")
    assert days_left([vacation], 2026) == DAYS_A_YEAR - 12
    assert days_left([vacation], 2027) == DAYS_A_YEAR - 5


def test_a_vacation_that_exceeds_the_bank_of_a_year_is_refused() -> None:
    assert (
        refused("2026-07-01", "2026-07-29") == "Not enough vacation days in 2026: this takes 29, and you have 28 left."
    )
    had = (off("2027-02-01", "2027-02-26"),)
    assert (
        refused("2026-12-30", "2027-01-03", had=had)
        == "Not enough vacation days in 2027: this takes 3, and you have 2 left."
    )


def test_the_whole_bank_may_be_taken_at_once() -> None:
    assert days_left([off("2026-07-01", "2026-07-28")], 2026) == 0


def test_days_that_are_already_announced_cost_nothing() -> None:
    had = (off("2026-07-01", "2026-07-28"),)
    off("2026-07-10", "2026-07-12", had=had)
    assert (
        refused("2026-07-10", "2026-07-29", had=had)
        == "Not enough vacation days in 2026: this takes 1, and you have 0 left."
    )


def test_the_same_date_in_two_zones_is_two_days() -> None:
    east = off("2026-07-01", "2026-07-01", zone="Pacific/Kiritimati")
    west = off("2026-07-01", "2026-07-01", zone="Etc/GMT+12", had=(east,))
    assert days_left([east, west], 2026) == DAYS_A_YEAR - 2


def test_a_leap_day_is_an_ordinary_day() -> None:
    vacation = off("2028-02-28", "2028-03-01", now=utc("2028-02-01"))
    assert [day.isoformat() for day, _span in pauses_by_day(vacation)] == ["2028-02-28", "2028-02-29", "2028-03-01"]
    assert pause(vacation).length == timedelta(days=3)
    assert days_left([vacation], 2028) == DAYS_A_YEAR - 3


def test_a_day_lasts_23_or_25_hours_when_the_clocks_change() -> None:
    assert pause(off("2027-03-28", "2027-03-28")).length == hours(23)
    assert pause(off("2026-10-25", "2026-10-25")).length == hours(25)
    assert pause(off("2027-04-30", "2027-04-30", zone="Africa/Cairo")).length == hours(23)  # midnight is skipped


def test_a_date_that_a_zone_skipped_costs_and_stops_nothing() -> None:
    vacation = off("2011-12-29", "2011-12-31", now=utc("2011-12-01"), zone="Pacific/Apia")
    assert pause(vacation).length == timedelta(days=2)
    assert days_left([vacation], 2011) == DAYS_A_YEAR - 2


def test_a_vacation_moves_the_deadline_by_its_length() -> None:
    vacation = off("2026-06-02", "2026-06-03")
    assert deadline(TWO_DAYS, hours(48), NOW, NO_NIGHTS, [vacation]) == NOW + hours(96)


def test_a_vacation_after_the_deadline_changes_nothing() -> None:
    due = deadline(TWO_DAYS, hours(48), utc("2026-05-29 22:00"), NO_NIGHTS)
    assert due == utc("2026-05-31 22:00")
    vacation = off("2026-06-01", "2026-06-20", now=utc("2026-05-30 00:00"))
    assert pause(vacation).begins == due  # to the second
    assert deadline(TWO_DAYS, hours(48), utc("2026-05-29 22:00"), NO_NIGHTS, [vacation]) == due


def test_a_vacation_announced_too_late_gives_no_time_back() -> None:
    since = NOW - hours(60)
    vacation = off("2026-06-01", "2026-06-20")
    assert deadline(TWO_DAYS, hours(48), since, NO_NIGHTS, [vacation]) == since + hours(48)


def test_announcing_a_vacation_during_it_keeps_the_time_already_counted() -> None:
    since = NOW - hours(8)  # today in Berlin; the vacation day does not reach back to it
    vacation = off("2026-06-01", "2026-06-02")
    back = at("2026-06-03 00:00", BERLIN)
    assert spent(TWO_DAYS, since, NOW, NO_NIGHTS, [vacation]) == hours(8)
    assert deadline(TWO_DAYS, hours(48), since, NO_NIGHTS, [vacation]) == back + hours(40)


def test_canceling_a_vacation_during_it_starts_the_clock_immediately() -> None:
    since, back = NOW, at("2026-06-03 15:00", BERLIN)
    vacation = cancel(off("2026-06-01", "2026-06-10"), back)
    assert spent(TWO_DAYS, since, back, NO_NIGHTS, [vacation]) == hours(0)
    assert deadline(TWO_DAYS, hours(48), since, NO_NIGHTS, [vacation]) == back + hours(48)


def test_canceling_returns_the_days_that_have_not_begun() -> None:
    vacation = off("2026-06-01", "2026-06-10")
    assert days_left([cancel(vacation, at("2026-06-03 15:00", BERLIN))], 2026) == DAYS_A_YEAR - 3
    assert days_left([cancel(vacation, at("2026-06-03 00:00", BERLIN))], 2026) == DAYS_A_YEAR - 2


def test_a_vacation_canceled_before_it_begins_has_no_effect() -> None:
    vacation = cancel(off("2026-06-05", "2026-06-07"), NOW + hours(1))
    assert days_left([vacation], 2026) == DAYS_A_YEAR
    assert deadline(TWO_DAYS, hours(120), NOW, NO_NIGHTS, [vacation]) == NOW + hours(120)


def test_canceling_twice_keeps_the_first_moment() -> None:
    vacation = cancel(off("2026-06-01", "2026-06-10"), NOW + hours(5))
    assert cancel(vacation, NOW + hours(50)) == vacation


def test_canceling_and_announcing_the_same_day_again_costs_it_once() -> None:
    first = cancel(off("2026-06-01", "2026-06-02"), NOW + hours(1))
    again = off("2026-06-01", "2026-06-01", now=NOW + hours(3), had=(first,))
    assert days_left([first, again], 2026) == DAYS_A_YEAR - 1
    assert spent(TWO_DAYS, NOW, NOW + hours(5), NO_NIGHTS, [first, again]) == hours(2)


def test_a_vacation_keeps_the_zone_it_was_announced_in() -> None:
    vacation = off("2026-06-05", "2026-06-05")
    flown = Nights("Pacific/Honolulu")
    assert deadline(TWO_DAYS, hours(120), NOW, flown, [vacation]) == deadline(
        TWO_DAYS, hours(120), NOW, Nights(BERLIN), [vacation]
    )


def test_a_vacation_round_trips_through_json() -> None:
    vacation = cancel(off("2026-06-01", "2026-06-10"), NOW + hours(5))
    assert msgspec.json.decode(msgspec.json.encode(vacation), type=Vacation) == vacation
