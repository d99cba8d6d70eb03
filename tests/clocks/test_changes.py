"""Changes of window or zone: time that was spent stays spent, and nobody rests twice."""

from itertools import islice

import msgspec

from games.clocks.nights import Nights, change, nights_after, parse_window, weekends_after
from games.clocks.running import Running, deadline, settle, spent
from games.clocks.spans import Span
from tests.clocks.moments import TWO_DAYS, WEEKENDS_OFF, asleep, at, hours, span, utc

BERLIN, TOKYO, NEW_YORK = "Europe/Berlin", "Asia/Tokyo", "America/New_York"
EASTMOST, WESTMOST = "Pacific/Kiritimati", "Etc/GMT+12"  # 26 hours apart


def moved(nights: Nights, window: str, now: str) -> Nights:
    return change(nights, nights.zone, parse_window(window), utc(now))


def following(nights: Nights, now: str) -> Span:
    return next(nights_after(nights, utc(now)))


def test_settling_a_clock_keeps_its_deadline() -> None:
    nights, since = asleep(BERLIN, "23:00-07:00"), utc("2026-03-27 15:00")
    due = deadline(TWO_DAYS, hours(48), since, nights)
    for later in range(0, 80, 7):
        now = since + hours(later)
        turn = settle(TWO_DAYS, hours(48), since, now, nights)
        assert turn.bank + spent(TWO_DAYS, since, now, nights) == hours(48) or now >= due
        assert deadline(TWO_DAYS, turn.bank, turn.since, nights) == due


def test_settling_before_the_turn_began_changes_nothing() -> None:
    since = utc("2026-03-27 15:00")
    assert settle(TWO_DAYS, hours(48), since, since - hours(1), Nights("UTC")) == Running(hours(48), since)


def test_a_turn_that_timed_out_stays_timed_out() -> None:
    since = utc("2026-03-27 15:00")
    turn = settle(TWO_DAYS, hours(48), since, since + hours(60), Nights("UTC"))
    assert turn == Running(hours(0), since + hours(48))
    rested = asleep(BERLIN, "12:00-22:00")
    assert deadline(TWO_DAYS, turn.bank, turn.since, rested) == since + hours(48)


def test_moving_the_window_over_spent_time_keeps_it_spent() -> None:
    nights, since, now = Nights("UTC"), utc("2026-01-10 08:00"), utc("2026-01-10 16:00")
    turn = settle(TWO_DAYS, hours(48), since, now, nights)
    over_the_day = change(nights, "UTC", parse_window("08:00-16:00"), now)
    assert turn == Running(hours(40), now)
    assert deadline(TWO_DAYS, turn.bank, turn.since, over_the_day) == now + hours(40 + 2 * 8)


def test_setting_the_same_window_changes_nothing() -> None:
    nights = asleep(BERLIN, "23:00-07:00")
    assert change(nights, BERLIN, nights.window, utc("2026-01-10 23:30")) == nights


def test_a_small_change_applies_from_the_same_evening() -> None:
    nights = moved(asleep("UTC", "22:00-06:00"), "23:00-08:00", "2026-01-10 12:00")
    assert following(nights, "2026-01-10 12:00") == span("2026-01-10 23:00", "2026-01-11 08:00")


def test_a_night_that_has_begun_is_not_changed() -> None:
    for window in ("23:30-08:00", "02:00-12:00", "10:00-20:00"):
        nights = moved(asleep("UTC", "22:00-06:00"), window, "2026-01-10 23:00")
        assert following(nights, "2026-01-10 23:00") == span("2026-01-10 22:00", "2026-01-11 06:00")


def test_a_night_that_begins_at_the_moment_of_the_change_has_begun() -> None:
    nights = moved(asleep("UTC", "22:00-06:00"), "23:00-08:00", "2026-01-10 22:00")
    assert following(nights, "2026-01-10 22:00") == span("2026-01-10 22:00", "2026-01-11 06:00")


def test_a_night_that_has_begun_continues_although_the_window_is_removed() -> None:
    nights = change(asleep("UTC", "22:00-06:00"), "UTC", None, utc("2026-01-10 23:00"))
    assert list(nights_after(nights, utc("2026-01-10 23:00"))) == [span("2026-01-10 22:00", "2026-01-11 06:00")]


def test_a_new_night_begins_at_least_fourteen_hours_after_the_last() -> None:
    nights = moved(asleep("UTC", "22:00-08:00"), "08:00-18:00", "2026-01-11 07:59")
    slept, next_night = islice(nights_after(nights, utc("2026-01-11 07:59")), 2)
    assert slept.ends == utc("2026-01-11 08:00")
    assert next_night == span("2026-01-12 08:00", "2026-01-12 18:00")


def test_the_rest_of_a_window_after_fourteen_hours_counts_as_night() -> None:
    nights = moved(asleep("UTC", "22:00-08:00"), "20:00-06:00", "2026-01-11 12:00")
    assert following(nights, "2026-01-11 12:00") == span("2026-01-11 22:00", "2026-01-12 06:00")


def test_removing_the_window_and_setting_another_gains_nothing() -> None:
    given_up = change(asleep("UTC", "22:00-08:00"), "UTC", None, utc("2026-01-11 08:00"))
    nights = moved(given_up, "08:00-18:00", "2026-01-11 08:01")
    assert following(nights, "2026-01-11 08:01") == span("2026-01-12 08:00", "2026-01-12 18:00")


def test_a_player_who_flies_west_has_a_night_there_on_the_same_day() -> None:
    nights = change(asleep(BERLIN, "23:00-07:00"), NEW_YORK, parse_window("23:00-07:00"), utc("2026-01-11 12:00"))
    assert following(nights, "2026-01-11 12:00").begins == at("2026-01-11 23:00", NEW_YORK)


def test_a_player_who_flies_east_has_the_rest_of_the_night_there() -> None:
    nights = change(asleep(BERLIN, "23:00-07:00"), TOKYO, parse_window("23:00-07:00"), utc("2026-01-11 12:00"))
    first, second = islice(nights_after(nights, utc("2026-01-11 12:00")), 2)
    assert first == Span(at("2026-01-11 21:00", BERLIN), at("2026-01-12 07:00", TOKYO))
    assert second.length == hours(8)


def test_a_weekend_that_has_begun_does_not_repeat_farther_west() -> None:
    now = utc("2026-01-11 09:00")
    nights = change(Nights(EASTMOST), WESTMOST, None, now)
    this, following_one = islice(weekends_after(nights, now), 2)
    assert this == Span(at("2026-01-10 00:00", EASTMOST), at("2026-01-12 00:00", EASTMOST))
    assert following_one == Span(at("2026-01-17 00:00", WESTMOST), at("2026-01-19 00:00", WESTMOST))


def test_a_weekend_farther_east_begins_five_days_after_the_last_one() -> None:
    now = utc("2026-01-13 09:00")
    nights = change(Nights(WESTMOST), EASTMOST, None, now)
    assert next(weekends_after(nights, now)) == span("2026-01-17 12:00", "2026-01-18 10:00")


def test_moving_the_window_does_not_change_weekends() -> None:
    nights = moved(asleep(BERLIN, "22:00-06:00"), "23:00-07:00", "2026-03-28 12:00")
    assert nights.last_weekend is None
    travelled = change(Nights(TOKYO), BERLIN, None, utc("2026-03-25 12:00"))
    assert moved(travelled, "23:00-07:00", "2026-03-28 12:00").last_weekend == travelled.last_weekend


def test_a_change_applies_at_tables_with_weekends_off_too() -> None:
    now = utc("2026-01-11 09:00")
    nights = change(Nights(EASTMOST), WESTMOST, None, now)
    assert deadline(WEEKENDS_OFF, hours(48), now, nights) == utc("2026-01-13 10:00")


def test_a_changed_rest_round_trips_through_json() -> None:
    nights = change(asleep(EASTMOST, "22:00-08:00"), WESTMOST, parse_window("08:00-18:00"), utc("2026-01-11 09:00"))
    assert nights.last_night and nights.last_weekend
    assert msgspec.json.decode(msgspec.json.encode(nights), type=Nights) == nights
