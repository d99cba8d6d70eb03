"""Vacations: whole local days, planned in advance, from a yearly allowance per player.

A vacation pauses the clock from the moment it was announced at the earliest, and until it was canceled at the latest.
So the past is never recounted, and a vacation that was canceled after it began must be kept.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import takewhile

import msgspec

from games.clocks.clock import IllegalClock
from games.clocks.spans import EVER, Span, in_utc
from games.clocks.zones import dates, days, local_date, zone
from games.rules.words import gettext_noop

DAYS_A_YEAR = 28
MOST_PLANNED = 20  # vacations of one player that have not ended: every page with one of their clocks reads them


class Vacation(msgspec.Struct, frozen=True):
    """The days from `first` to `last`, both included, in the zone of the announcement; moments in UTC."""

    first: date
    last: date
    zone: str
    announced: datetime
    cancelled: datetime | None = None


def announce(vacations: Iterable[Vacation], first: date, last: date, zone_name: str, now: datetime) -> Vacation:
    """Return a new vacation of a player who already has `vacations`, in the player's own zone.

    Days that are already announced cost nothing more. Raises `IllegalClock`.
    """
    now = in_utc(now)
    today = local_date(zone(zone_name), now)
    if last < first:
        raise IllegalClock(gettext_noop("This vacation ends before it begins. Check the dates."))
    if first < today:
        raise IllegalClock(gettext_noop("A vacation can’t begin in the past. Choose today or a later day."))
    if last.year > today.year + 1:
        raise IllegalClock(
            gettext_noop("A vacation can’t go past the end of {year}. Choose an earlier last day."), year=today.year + 1
        )
    earlier, vacation = list(vacations), Vacation(first, last, zone_name, now)
    if sum(before.last >= today and not is_void(before) for before in earlier) >= MOST_PLANNED:
        raise IllegalClock(
            gettext_noop("You can plan at most {n} vacations at a time. Wait until one of them is over."),
            n=MOST_PLANNED,
        )
    for year in range(first.year, last.year + 1):
        left, after = days_left(earlier, year), days_left([*earlier, vacation], year)
        if after < 0:
            raise IllegalClock(
                gettext_noop("Not enough vacation days in {year}: this takes {wanted}, and you have {left} left."),
                year=year,
                left=left,
                wanted=left - after,
            )
    return vacation


def cancel(vacation: Vacation, now: datetime) -> Vacation:
    """Return the vacation ended at `now`, for good; days that have not begun are refunded."""
    return msgspec.structs.replace(vacation, cancelled=min(in_utc(now), vacation.cancelled or EVER))


def days_left(vacations: Iterable[Vacation], year: int) -> int:
    """Return how many of the year's days are neither used nor announced. A day belongs to the year of its date."""
    # The same date in two zones counts as two days, since both last longer than one.
    taken = {(vacation.zone, day) for vacation in vacations for day, _span in pauses_by_day(vacation)}
    return DAYS_A_YEAR - sum(day.year == year for _zone, day in taken)


def pause(vacation: Vacation) -> Span:
    """Return the span in which it pauses a clock; of zero length if it was canceled before it began."""
    whole = days(zone(vacation.zone), vacation.first, (vacation.last - vacation.first).days + 1)
    return whole.within(_in_force(vacation))


def is_void(vacation: Vacation) -> bool:
    """Return whether it never pauses a clock, because it was canceled before it began."""
    return not pause(vacation).length


def pauses_by_day(vacation: Vacation) -> Iterator[tuple[date, Span]]:
    """Yield the pause day by day, without days of zero length."""
    place, in_force = zone(vacation.zone), _in_force(vacation)
    for day in takewhile(lambda day: day <= vacation.last, dates(vacation.first)):
        if (span := days(place, day).within(in_force)).length:
            yield day, span


def _in_force(vacation: Vacation) -> Span:
    return Span(vacation.announced, vacation.cancelled or EVER)
