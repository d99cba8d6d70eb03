"""Changes of window or zone: time that was spent stays spent, and nobody rests twice."""

from itertools import islice

import msgspec

from games.clocks.rest import Rest, change, nights, parse_window, weekends
from games.clocks.running import Running, deadline, settle, spent
from games.clocks.spans import Span
from tests.clocks.moments import TWO_DAYS, WEEKENDS_OFF, asleep, at, hours, span, utc

BERLIN, TOKYO, NEW_YORK = "Europe/Berlin", "Asia/Tokyo", "America/New_York"
EASTMOST, WESTMOST = "Pacific/Kiritimati", "Etc/GMT+12"  # 26 hours apart


def moved(rest: Rest, window: str, now: str) -> Rest:
    return change(rest, rest.zone, parse_window(window), utc(now))


def following(rest: Rest, now: str) -> Span:
    return next(nights(rest, utc(now)))


def test_settling_a_clock_keeps_its_deadline() -> None:
    rest, since = asleep(BERLIN, "23:00-07:00"), utc("2026-03-27 15:00")
    due = deadline(TWO_DAYS, hours(48), since, rest)
    for later in range(0, 80, 7):
        now = since + hours(later)
        turn = settle(TWO_DAYS, hours(48), since, now, rest)
        assert turn.bank + spent(TWO_DAYS, since, now, rest) == hours(48) or now >= due
        assert deadline(TWO_DAYS, turn.bank, turn.since, rest) == due


def test_settling_before_the_turn_began_changes_nothing() -> None:
    since = utc("2026-03-27 15:00")
    assert settle(TWO_DAYS, hours(48), since, since - hours(1), Rest("UTC")) == Running(hours(48), since)


def test_a_turn_that_timed_out_stays_timed_out() -> None:
    since = utc("2026-03-27 15:00")
    turn = settle(TWO_DAYS, hours(48), since, since + hours(60), Rest("UTC"))
    assert turn == Running(hours(0), since + hours(48))
    rested = asleep(BERLIN, "12:00-22:00")
    assert deadline(TWO_DAYS, turn.bank, turn.since, rested) == since + hours(48)


def test_moving_the_window_over_spent_time_keeps_it_spent() -> None:
    rest, since, now = Rest("UTC"), utc("2026-01-10 08:00"), utc("2026-01-10 16:00")
    turn = settle(TWO_DAYS, hours(48), since, now, rest)
    over_the_day = change(rest, "UTC", parse_window("08:00-16:00"), now)
    assert turn == Running(hours(40), now)
    assert deadline(TWO_DAYS, turn.bank, turn.since, over_the_day) == now + hours(40 + 2 * 8)


def test_setting_the_same_window_changes_nothing() -> None:
    rest = asleep(BERLIN, "23:00-07:00")
    assert change(rest, BERLIN, rest.window, utc("2026-01-10 23:30")) == rest


def test_a_small_change_applies_from_the_same_evening() -> None:
    rest = moved(asleep("UTC", "22:00-06:00"), "23:00-08:00", "2026-01-10 12:00")
    assert following(rest, "2026-01-10 12:00") == span("2026-01-10 23:00", "2026-01-11 08:00")


def test_a_night_that_has_begun_is_not_changed() -> None:
    for window in ("23:30-08:00", "02:00-12:00", "10:00-20:00"):
        rest = moved(asleep("UTC", "22:00-06:00"), window, "2026-01-10 23:00")
        assert following(rest, "2026-01-10 23:00") == span("2026-01-10 22:00", "2026-01-11 06:00")


def test_a_night_that_begins_at_the_moment_of_the_change_has_begun() -> None:
    rest = moved(asleep("UTC", "22:00-06:00"), "23:00-08:00", "2026-01-10 22:00")
    assert following(rest, "2026-01-10 22:00") == span("2026-01-10 22:00", "2026-01-11 06:00")


def test_a_night_that_has_begun_continues_although_the_window_is_removed() -> None:
    rest = change(asleep("UTC", "22:00-06:00"), "UTC", None, utc("2026-01-10 23:00"))
    assert list(nights(rest, utc("2026-01-10 23:00"))) == [span("2026-01-10 22:00", "2026-01-11 06:00")]


def test_a_new_night_begins_at_least_fourteen_hours_after_the_last() -> None:
    rest = moved(asleep("UTC", "22:00-08:00"), "08:00-18:00", "2026-01-11 07:59")
    slept, next_night = islice(nights(rest, utc("2026-01-11 07:59")), 2)
    assert slept.ends == utc("2026-01-11 08:00")
    assert next_night == span("2026-01-12 08:00", "2026-01-12 18:00")


def test_the_rest_of_a_window_after_fourteen_hours_counts_as_night() -> None:
    rest = moved(asleep("UTC", "22:00-08:00"), "20:00-06:00", "2026-01-11 12:00")
    assert following(rest, "2026-01-11 12:00") == span("2026-01-11 22:00", "2026-01-12 06:00")


def test_removing_the_window_and_setting_another_gains_nothing() -> None:
    given_up = change(asleep("UTC", "22:00-08:00"), "UTC", None, utc("2026-01-11 08:00"))
    rest = moved(given_up, "08:00-18:00", "2026-01-11 08:01")
    assert following(rest, "2026-01-11 08:01") == span("2026-01-12 08:00", "2026-01-12 18:00")


def test_a_player_who_flies_west_has_a_night_there_on_the_same_day() -> None:
    rest = change(asleep(BERLIN, "23:00-07:00"), NEW_YORK, parse_window("23:00-07:00"), utc("2026-01-11 12:00"))
    assert following(rest, "2026-01-11 12:00").begins == at("2026-01-11 23:00", NEW_YORK)


def test_a_player_who_flies_east_has_the_rest_of_the_night_there() -> None:
    rest = change(asleep(BERLIN, "23:00-07:00"), TOKYO, parse_window("23:00-07:00"), utc("2026-01-11 12:00"))
    first, second = islice(nights(rest, utc("2026-01-11 12:00")), 2)
    assert first == Span(at("2026-01-11 21:00", BERLIN), at("2026-01-12 07:00", TOKYO))
    assert second.length == hours(8)


def test_a_weekend_that_has_begun_does_not_repeat_farther_west() -> None:
    now = utc("2026-01-11 09:00")
    rest = change(Rest(EASTMOST), WESTMOST, None, now)
    this, following_one = islice(weekends(rest, now), 2)
    assert this == Span(at("2026-01-10 00:00", EASTMOST), at("2026-01-12 00:00", EASTMOST))
    assert following_one == Span(at("2026-01-17 00:00", WESTMOST), at("2026-01-19 00:00", WESTMOST))


def test_a_weekend_farther_east_begins_five_days_after_the_last_one() -> None:
    now = utc("2026-01-13 09:00")
    rest = change(Rest(WESTMOST), EASTMOST, None, now)
    assert next(weekends(rest, now)) == span("2026-01-17 12:00", "2026-01-18 10:00")


def test_moving_the_window_does_not_change_weekends() -> None:
    rest = moved(asleep(BERLIN, "22:00-06:00"), "23:00-07:00", "2026-03-28 12:00")
    assert rest.last_weekend is None
    travelled = change(Rest(TOKYO), BERLIN, None, utc("2026-03-25 12:00"))
    assert moved(travelled, "23:00-07:00", "2026-03-28 12:00").last_weekend == travelled.last_weekend


def test_a_change_applies_at_tables_with_weekends_off_too() -> None:
    now = utc("2026-01-11 09:00")
    rest = change(Rest(EASTMOST), WESTMOST, None, now)
    assert deadline(WEEKENDS_OFF, hours(48), now, rest) == utc("2026-01-13 10:00")


def test_a_changed_rest_round_trips_through_json() -> None:
    rest = change(asleep(EASTMOST, "22:00-08:00"), WESTMOST, parse_window("08:00-18:00"), utc("2026-01-11 09:00"))
    assert rest.last_night and rest.last_weekend
    assert msgspec.json.decode(msgspec.json.encode(rest), type=Rest) == rest
