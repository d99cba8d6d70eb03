"""Time off from a player's clock: the night in their time zone, and weekends there if the game has them off.

A night lasts at most 10 hours, and there are at least 14 hours between two nights, whatever the zone's daylight saving
and however often a player changes zone or window. So nobody's nights take more than 10 of any 24 hours.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import takewhile

import msgspec

from games.clocks.clock import IllegalClock
from games.clocks.spans import NEVER, Span, in_utc
from games.clocks.zones import DAY, dates, days, instant, local_date, zone
from games.rules.words import gettext_noop

LONGEST_NIGHT = timedelta(hours=10)
AWAKE = DAY - LONGEST_NIGHT  # minimum between two nights
WEEK = 7 * DAY
WORKING = 5 * DAY  # minimum between the weekends of two zones
SATURDAY = 5
WINDOW = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])")


class Window(msgspec.Struct, frozen=True):
    """A night in wall-clock time, to the minute; it may cross midnight. Raises `IllegalClock`."""

    begins: time
    ends: time

    def __post_init__(self) -> None:
        if any(at.second or at.microsecond or at.tzinfo for at in (self.begins, self.ends)):
            raise IllegalClock(gettext_noop("The start and end of a night can’t include seconds."))
        if self.begins == self.ends:
            raise IllegalClock(gettext_noop("A night can’t begin and end at the same time."))
        if self.length > LONGEST_NIGHT:
            raise IllegalClock(
                gettext_noop("A night can last at most {hours} hours."), hours=LONGEST_NIGHT // timedelta(hours=1)
            )

    @property
    def length(self) -> timedelta:
        """The window's length on a normal night."""
        any_day = date.min
        ends = datetime.combine(any_day + self.crosses_midnight * DAY, self.ends)
        return ends - datetime.combine(any_day, self.begins)

    @property
    def crosses_midnight(self) -> bool:
        """Whether it ends on the day after it began."""
        return self.ends < self.begins


class Nights(msgspec.Struct, frozen=True):
    """A player's zone and night; there is no night if `window` is null. Raises `IllegalClock` for an unknown zone.

    `last_night` and `last_weekend` began under earlier settings and keep their times, so that a change of settings does
    not pause the clock twice (see `change`).
    """

    zone: str
    window: Window | None = None
    last_night: Span | None = None
    last_weekend: Span | None = None

    def __post_init__(self) -> None:
        zone(self.zone)


def window_text(window: Window) -> str:
    """Return the window's text, `23:00-07:00`; the inverse of `parse_window`."""
    return f"{window.begins:%H:%M}-{window.ends:%H:%M}"


def parse_window(line: str) -> Window:
    """Return the window of a text. Raises `IllegalClock`."""
    match = WINDOW.fullmatch(line)
    if match is None:
        raise IllegalClock(gettext_noop("“{line}” isn’t a valid night. Write, for example, “23:00-07:00”."), line=line)
    begin_hour, begin_minute, end_hour, end_minute = map(int, match.groups())
    return Window(time(begin_hour, begin_minute), time(end_hour, end_minute))


def nights_after(nights: Nights, since: datetime) -> Iterator[Span]:
    """Yield the nights that end after `since` (UTC), in order and without end."""
    earliest = NEVER
    if nights.last_night:
        yield from _ending_after(since, [nights.last_night])
        earliest = nights.last_night.ends + AWAKE
    if nights.window is None:
        return
    place, begins, ends = zone(nights.zone), nights.window.begins, nights.window.ends
    until = nights.window.crosses_midnight * DAY
    for day in dates(local_date(place, since) - 2 * DAY):  # from a night that is over at `since`
        dusk = instant(place, day, begins)
        dawn = min(instant(place, day + until, ends), dusk + LONGEST_NIGHT)
        # Each is shortened to begin at least 14 hours after the one before.
        night = Span(max(dusk, earliest), dawn)
        earliest = max(earliest, dawn + AWAKE)
        yield from _ending_after(since, [night])


def weekends_after(nights: Nights, since: datetime) -> Iterator[Span]:
    """Yield the weekends of the player's zone that end after `since` (UTC), in order and without end."""
    earliest = NEVER
    if nights.last_weekend:
        yield from _ending_after(since, [nights.last_weekend])
        earliest = nights.last_weekend.ends + WORKING
    place = zone(nights.zone)
    today = local_date(place, since)
    saturday = today - (today.weekday() - SATURDAY) % 7 * DAY  # of the current or the last weekend
    usual = (days(place, first, 2) for first in dates(saturday, WEEK))
    yield from _ending_after(since, (Span(max(weekend.begins, earliest), weekend.ends) for weekend in usual))


def change(nights: Nights, zone_name: str, window: Window | None, now: datetime) -> Nights:
    """Return the nights of a player who changes zone or window at `now`.

    It applies from `now` on: settle the running clocks under the old nights first. A night or a weekend that has begun
    keeps its times; the next night starts at least 14 hours after it ends, the next weekend at least 5 days after. So
    changing settings never gains time, and traveling costs at most that night.
    """
    if (zone_name, window) == (nights.zone, nights.window):
        return nights
    now = in_utc(now)
    night = _last_begun(nights_after(nights, now - 2 * DAY), now)
    weekend = nights.last_weekend if zone_name == nights.zone else _last_begun(weekends_after(nights, now - WEEK), now)
    return Nights(zone_name, window, night, weekend)


def _ending_after(since: datetime, spans: Iterable[Span]) -> Iterator[Span]:
    return (span for span in spans if span.ends > since and span.length)


def _last_begun(spans: Iterable[Span], now: datetime) -> Span | None:
    begun = list(takewhile(lambda span: span.begins <= now, spans))
    return begun[-1] if begun else None
