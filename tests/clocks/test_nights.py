"""Nights and weekends in a player's zone, including changes of its clocks."""

from itertools import islice

import pytest

from games.clocks.nights import Nights, Window, nights_after, parse_window, weekends_after, window_text
from games.clocks.spans import Span
from tests.clocks.moments import asleep, at, hours, refusal, span, utc
from tests.each import for_each

BERLIN = "Europe/Berlin"
SPRING = utc("2026-03-29 01:00")  # Berlin: 02:00 becomes 03:00
AUTUMN = utc("2026-10-25 01:00")  # Berlin: 03:00 becomes 02:00


def first_night(nights: Nights, since: str) -> Span:
    return next(nights_after(nights, utc(since)))


@pytest.mark.parametrize("line", ["23:00-07:00", "00:00-10:00", "14:30-00:00", "12:00-12:01", "23:59-00:00"])
def test_a_window_round_trips_through_text(line: str) -> None:
    assert window_text(parse_window(line)) == line


@for_each("line", ["", "23-7", "24:00-07:00", "23:00-07:60", "23:00 07:00", "23:00-07:00 ", "7:00-8:00"])
def test_other_texts_are_no_windows(line: str) -> None:
    assert refusal(parse_window, line) == f"“{line}” isn’t a valid night. Write, for example, “23:00-07:00”."


@pytest.mark.parametrize("line", ["22:00-08:01", "08:00-07:59", "00:00-23:59", "07:00-23:00"])
def test_a_night_is_at_most_ten_hours_long(line: str) -> None:
    assert refusal(parse_window, line) == "A night can last at most 10 hours."


def test_a_night_cannot_be_empty() -> None:
    assert refusal(parse_window, "23:00-23:00") == "A night can’t begin and end at the same time."
    begins = parse_window("23:00-07:00").begins
    assert refusal(Window, begins, begins.replace(second=1)) == "The start and end of a night can’t include seconds."


@for_each(
    "name",
    ["", "Berlin", "europe/berlin", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "localtime", "Factory",
     "UTC+25", "Europe/Berlin\x00", "Europe"],
)  # fmt: skip
def test_absurd_zones_are_refused_with_a_sentence(name: str) -> None:
    assert refusal(Nights, name) == f"There is no time zone “{name}”."


def test_nights_follow_each_other_without_end() -> None:
    nights = asleep(BERLIN, "23:00-07:00")
    assert list(islice(nights_after(nights, utc("2026-01-10 12:00")), 2)) == [
        span("2026-01-10 22:00", "2026-01-11 06:00"),
        span("2026-01-11 22:00", "2026-01-12 06:00"),
    ]


def test_the_current_night_comes_first_and_one_that_just_ended_is_left_out() -> None:
    nights = asleep(BERLIN, "23:00-07:00")
    assert first_night(nights, "2026-01-11 05:59") == span("2026-01-10 22:00", "2026-01-11 06:00")
    assert first_night(nights, "2026-01-11 06:00") == span("2026-01-11 22:00", "2026-01-12 06:00")


def test_a_night_need_not_cross_midnight() -> None:
    assert first_night(asleep(BERLIN, "00:00-08:00"), "2026-01-10 12:00") == span(
        "2026-01-10 23:00", "2026-01-11 07:00"
    )


def test_a_player_without_a_window_has_no_nights() -> None:
    assert list(nights_after(Nights(BERLIN), utc("2026-01-10 12:00"))) == []


def test_the_night_when_clocks_are_put_forward_is_an_hour_shorter() -> None:
    night = first_night(asleep(BERLIN, "23:00-07:00"), "2026-03-28 12:00")
    assert night == span("2026-03-28 22:00", "2026-03-29 05:00")


def test_the_night_when_clocks_are_put_back_is_an_hour_longer() -> None:
    night = first_night(asleep(BERLIN, "23:00-07:00"), "2026-10-24 12:00")
    assert night == span("2026-10-24 21:00", "2026-10-25 06:00")


def test_a_night_that_begins_in_the_skipped_hour_begins_at_the_jump() -> None:
    night = first_night(asleep(BERLIN, "02:30-08:00"), "2026-03-28 12:00")
    assert night == Span(SPRING, at("2026-03-29 08:00", BERLIN))


def test_a_night_that_ends_in_the_skipped_hour_ends_at_the_jump() -> None:
    night = first_night(asleep(BERLIN, "22:00-02:30"), "2026-03-28 12:00")
    assert night == Span(at("2026-03-28 22:00", BERLIN), SPRING)


def test_a_night_inside_the_skipped_hour_is_left_out() -> None:
    night = first_night(asleep(BERLIN, "02:15-02:45"), "2026-03-28 12:00")
    assert night == span("2026-03-30 00:15", "2026-03-30 00:45")


def test_a_night_that_begins_in_the_repeated_hour_begins_at_its_first_pass() -> None:
    night = first_night(asleep(BERLIN, "02:30-08:00"), "2026-10-24 12:00")
    assert night == Span(AUTUMN - hours(0.5), at("2026-10-25 08:00", BERLIN))


def test_a_night_that_ends_in_the_repeated_hour_ends_at_its_first_pass() -> None:
    night = first_night(asleep(BERLIN, "22:00-02:30"), "2026-10-24 12:00")
    assert night == Span(at("2026-10-24 22:00", BERLIN), AUTUMN - hours(0.5))


def test_a_night_is_at_most_ten_hours_long_even_if_clocks_are_put_back() -> None:
    night = first_night(asleep(BERLIN, "22:00-08:00"), "2026-10-24 12:00")
    assert night == Span(at("2026-10-24 22:00", BERLIN), at("2026-10-25 07:00", BERLIN))


def test_nights_are_fourteen_hours_apart_even_if_clocks_are_put_forward() -> None:
    saturday, sunday, monday = islice(nights_after(asleep(BERLIN, "12:00-22:00"), utc("2026-03-28 00:00")), 3)
    assert saturday == Span(at("2026-03-28 12:00", BERLIN), at("2026-03-28 22:00", BERLIN))
    assert sunday == Span(at("2026-03-29 13:00", BERLIN), at("2026-03-29 22:00", BERLIN))
    assert monday.length == hours(10)


def test_a_night_is_the_same_however_early_it_is_computed() -> None:
    nights = asleep(BERLIN, "12:00-22:00")
    sunday = Span(at("2026-03-29 13:00", BERLIN), at("2026-03-29 22:00", BERLIN))
    assert first_night(nights, "2026-03-29 11:30") == sunday
    assert sunday in list(islice(nights_after(nights, utc("2026-03-01 00:00")), 31))


@for_each(
    "zone, local, length",
    [
        ("Asia/Kathmandu", "2026-05-01 23:00", 8),  # 5 hours 45 minutes ahead
        ("Pacific/Chatham", "2026-04-04 23:00", 9),  # 13:45, and 12:45 from this night
        ("Australia/Lord_Howe", "2026-04-04 23:00", 8.5),  # put back by half an hour
        ("Antarctica/Troll", "2026-03-28 23:00", 6),  # put forward by two hours
        ("Africa/Cairo", "2026-04-23 23:00", 7),  # put forward at midnight
        ("Asia/Almaty", "2024-02-29 23:00", 9),  # back from March 1 into the leap day
        ("Pacific/Kiritimati", "2026-01-01 23:00", 8),  # 14 hours ahead
        ("Etc/GMT+12", "2026-01-01 23:00", 8),  # 12 hours behind
    ],
)
def test_zones_with_odd_offsets_have_nights_on_their_own_wall_clock(zone: str, local: str, length: float) -> None:
    begins = at(local, zone)
    assert next(nights_after(asleep(zone, "23:00-07:00"), begins)) == Span(begins, begins + hours(length))


def test_weekends_are_in_the_players_zone() -> None:
    for zone in (BERLIN, "Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata"):
        weekend = next(weekends_after(Nights(zone), utc("2026-01-07 12:00")))
        assert weekend == Span(at("2026-01-10 00:00", zone), at("2026-01-12 00:00", zone))


def test_the_current_weekend_comes_first_and_one_that_just_ended_is_left_out() -> None:
    assert next(weekends_after(Nights("UTC"), utc("2026-01-11 23:59"))) == span("2026-01-10", "2026-01-12")
    assert next(weekends_after(Nights("UTC"), utc("2026-01-12 00:00"))) == span("2026-01-17", "2026-01-19")


def test_a_weekend_has_49_or_47_hours_when_the_clocks_change() -> None:
    assert next(weekends_after(Nights(BERLIN), utc("2026-10-22"))).length == hours(49)
    assert next(weekends_after(Nights(BERLIN), utc("2026-03-26"))).length == hours(47)
