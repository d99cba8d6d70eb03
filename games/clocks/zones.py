"""Local time. One idea: a wall-clock time means the first instant at which the clocks there show it or a later time.

So each wall-clock time happens once: of an hour that comes twice the first counts, and a time that is skipped happens
at the moment of the jump.
"""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from itertools import count
from zoneinfo import ZoneInfo, available_timezones

from games.clocks.refusal import IllegalClock
from games.clocks.spans import Span
from games.rules.words import gettext_noop

NO_PLACES = {"Factory", "localtime"}  # names that tzdata has, and that mean another zone on another machine, or none
DAY = timedelta(days=1)
MIDNIGHT = time()


@cache
def zone_names() -> frozenset[str]:
    """The names of all zones there are, as `Europe/Berlin`."""
    return frozenset(available_timezones() - NO_PLACES)


@cache
def zone(name: str) -> ZoneInfo:
    """The zone of that name. Raises `IllegalClock`."""
    if name not in zone_names():
        raise IllegalClock(gettext_noop("We know no time zone “{name}”."), name=name)
    return ZoneInfo(name)


@lru_cache(maxsize=1 << 15)  # all tables of a player ask for the same nights
def instant(place: ZoneInfo, day: date, at: time = MIDNIGHT) -> datetime:
    """The first moment, in UTC, at which clocks in the zone show `at` of that day, or later."""
    there = datetime.combine(day, at, place)
    moment, other = there.astimezone(UTC), there.replace(fold=1).astimezone(UTC)
    return moment if moment <= other else _jump(place, other, moment)


def _jump(place: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The moment between these two at which the clocks are put forward, to the second."""
    put_forward = after.astimezone(place).utcoffset()
    seconds = range(round((after - before).total_seconds()))

    def has_jumped(second: int) -> bool:
        return (before + timedelta(seconds=second)).astimezone(place).utcoffset() == put_forward

    return before + timedelta(seconds=bisect_left(seconds, True, key=has_jumped))


def local_date(place: ZoneInfo, moment: datetime) -> date:
    """The date that calendars in the zone show."""
    return moment.astimezone(place).date()


def days(place: ZoneInfo, first: date, number: int = 1) -> Span:
    """So many whole local days: mostly 24 hours each, 23 or 25 when the clocks change."""
    return Span(instant(place, first), instant(place, first + number * DAY))


def dates(first: date, step: timedelta = DAY) -> Iterator[date]:
    """From `first` on and on."""
    return (first + step * number for number in count())
