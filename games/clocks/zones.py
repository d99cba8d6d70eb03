"""Local time. A wall-clock time means the first instant at which clocks there show it or a later time.

So each wall-clock time happens once: if an hour occurs twice the first counts, and a skipped time happens at the moment
of the change.
"""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from itertools import count
from zoneinfo import ZoneInfo, available_timezones

from games.clocks.clock import IllegalClock
from games.clocks.spans import Span
from games.rules.words import gettext_noop

NO_PLACES = {"Factory", "localtime"}  # names in tzdata that depend on the machine
DAY = timedelta(days=1)
MIDNIGHT = time()


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all zones, such as `Europe/Berlin`."""
    return frozenset(available_timezones() - NO_PLACES)


@cache
def zone(name: str) -> ZoneInfo:
    """Return the zone with this name. Raises `IllegalClock`."""
    if name not in zone_names():
        raise IllegalClock(gettext_noop("There is no time zone “{name}”."), name=name)
    return ZoneInfo(name)


@lru_cache(maxsize=1 << 15)  # all games of a player ask for the same nights
def instant(place: ZoneInfo, day: date, at: time = MIDNIGHT) -> datetime:
    """Return the first moment, in UTC, at which clocks in the zone show `at` of that day, or later."""
    there = datetime.combine(day, at, place)
    moment, other = there.astimezone(UTC), there.replace(fold=1).astimezone(UTC)
    return moment if moment <= other else _jump(place, other, moment)


def _jump(place: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """Return the moment between these two at which the clocks go forward, to the second."""
    put_forward = after.astimezone(place).utcoffset()
    seconds = range(round((after - before).total_seconds()))

    def has_jumped(second: int) -> bool:
        return (before + timedelta(seconds=second)).astimezone(place).utcoffset() == put_forward

    return before + timedelta(seconds=bisect_left(seconds, True, key=has_jumped))


def local_date(place: ZoneInfo, moment: datetime) -> date:
    return moment.astimezone(place).date()


def days(place: ZoneInfo, first: date, number: int = 1) -> Span:
    """Return a number of whole local days: usually 24 hours each, 23 or 25 when the clocks change."""
    return Span(instant(place, first), instant(place, first + number * DAY))


def dates(first: date, step: timedelta = DAY) -> Iterator[date]:
    """Yield dates from `first` without end."""
    return (first + step * number for number in count())
