"""When a player's clock rests: the night in their own time zone, and the weekend there if the table has it off.

A night is at most 10 hours long and at least 14 hours lie between two nights, whatever the clocks of the zone do and
however often a player changes zone or window. That alone is why nobody rests more than 10 hours in any 24.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import takewhile

import msgspec

from games.clocks.refusal import IllegalClock
from games.clocks.spans import NEVER, Span, in_utc
from games.clocks.zones import DAY, dates, days, instant, local_date, zone
from games.rules.words import gettext_noop

LONGEST_NIGHT = timedelta(hours=10)
AWAKE = DAY - LONGEST_NIGHT  # at least, between two nights
WEEK = 7 * DAY
WORKING = 5 * DAY  # at least, between the weekends of two zones
SATURDAY = 5
WINDOW = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])")


class Window(msgspec.Struct, frozen=True):
    """A night on the wall clock, to the minute; it may cross midnight. Raises `IllegalClock`."""

    begins: time
    ends: time

    def __post_init__(self) -> None:
        if any(at.second or at.microsecond or at.tzinfo for at in (self.begins, self.ends)):
            raise IllegalClock(gettext_noop("A night begins and ends at a full minute."))
        if self.begins == self.ends:
            raise IllegalClock(gettext_noop("A night cannot begin and end at the same time."))
        if self.length > LONGEST_NIGHT:
            raise IllegalClock(
                gettext_noop("A night has at most {hours} hours."), hours=LONGEST_NIGHT // timedelta(hours=1)
            )

    @property
    def length(self) -> timedelta:
        """As the wall clock has it on a usual night."""
        any_day = date.min
        ends = datetime.combine(any_day + self.crosses_midnight * DAY, self.ends)
        return ends - datetime.combine(any_day, self.begins)

    @property
    def crosses_midnight(self) -> bool:
        """Whether it ends on the day after it began."""
        return self.ends < self.begins


class Rest(msgspec.Struct, frozen=True):
    """A player's zone and night, none where `window` is null. Raises `IllegalClock` for an unknown zone.

    `last_night` and `last_weekend` began under what was set before and rest as they were; they keep a change from
    resting twice (see `change`).
    """

    zone: str
    window: Window | None = None
    last_night: Span | None = None
    last_weekend: Span | None = None

    def __post_init__(self) -> None:
        zone(self.zone)


def window_text(window: Window) -> str:
    """`23:00-07:00`; the inverse of `parse_window`."""
    return f"{window.begins:%H:%M}-{window.ends:%H:%M}"


def parse_window(line: str) -> Window:
    """The window that a text means. Raises `IllegalClock`."""
    found = WINDOW.fullmatch(line)
    if found is None:
        raise IllegalClock(gettext_noop("“{line}” is not a night. Write “23:00-07:00”."), line=line)
    begin_hour, begin_minute, end_hour, end_minute = map(int, found.groups())
    return Window(time(begin_hour, begin_minute), time(end_hour, end_minute))


def nights(rest: Rest, since: datetime) -> Iterator[Span]:
    """The nights that end after `since`, in order and without end; `since` is in UTC."""
    if rest.last_night:
        yield from _ending_after(since, [rest.last_night])
    if rest.window:
        earliest = rest.last_night.ends + AWAKE if rest.last_night else NEVER
        yield from _ending_after(since, _with_days_between(_windows(rest, since), earliest))


def weekends(rest: Rest, since: datetime) -> Iterator[Span]:
    """The Saturdays and Sundays of the player's zone that end after `since`, as `nights`."""
    if rest.last_weekend:
        yield from _ending_after(since, [rest.last_weekend])
    earliest = rest.last_weekend.ends + WORKING if rest.last_weekend else NEVER
    usual = (days(zone(rest.zone), saturday, 2) for saturday in dates(_saturday(rest, since), WEEK))
    yield from _ending_after(since, (Span(max(weekend.begins, earliest), weekend.ends) for weekend in usual))


def change(rest: Rest, zone_name: str, window: Window | None, now: datetime) -> Rest:
    """The rest of a player who sets another zone or window.

    It counts at once, for the time from `now` on: settle the running clocks under the old rest first. A night or a
    weekend that has begun goes on as it was set; the next night comes at least 14 hours after its end, the next
    weekend at least 5 days after. Who only rests more by changing gains nothing; who travels loses at most that night.
    """
    if (zone_name, window) == (rest.zone, rest.window):
        return rest
    now = in_utc(now)
    night = _last_begun(nights(rest, now - 2 * DAY), now)
    weekend = rest.last_weekend if zone_name == rest.zone else _last_begun(weekends(rest, now - WEEK), now)
    return Rest(zone_name, window, night, weekend)


def _windows(rest: Rest, since: datetime) -> Iterator[Span]:
    """The nights as the wall clock has them, from one that is over at `since`; never more than 10 hours."""
    assert rest.window
    place, begins, ends = zone(rest.zone), rest.window.begins, rest.window.ends
    until = rest.window.crosses_midnight * DAY
    for day in dates(local_date(place, since) - 2 * DAY):
        fell = instant(place, day, begins)
        yield Span(fell, min(instant(place, day + until, ends), fell + LONGEST_NIGHT))


def _with_days_between(windows: Iterable[Span], earliest: datetime) -> Iterator[Span]:
    """The nights, each cut to begin 14 hours or more after the one before."""
    for night in windows:
        yield Span(max(night.begins, earliest), night.ends)
        earliest = max(earliest, night.ends + AWAKE)


def _ending_after(since: datetime, spans: Iterable[Span]) -> Iterator[Span]:
    return (span for span in spans if span.ends > since and span.length)


def _saturday(rest: Rest, since: datetime) -> date:
    """The Saturday in the player's zone on which the last weekend began, or begins on that day."""
    today = local_date(zone(rest.zone), since)
    return today - (today.weekday() - SATURDAY) % 7 * DAY


def _last_begun(spans: Iterable[Span], now: datetime) -> Span | None:
    begun = list(takewhile(lambda span: span.begins <= now, spans))
    return begun[-1] if begun else None
