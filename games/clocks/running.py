"""Running clocks: when time runs out, and how much was used. Only awake time counts.

A turn has two values, `bank` (what was left when it began) and `since` (when that was). `rest` and `vacations` are the
player's, from `since` on; `settle` running turns before a rest changes.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from heapq import merge
from itertools import takewhile

import msgspec

from games.clocks.clock import Clock
from games.clocks.rest import Rest, nights, weekends
from games.clocks.spans import EVER, NOTHING, Span, in_utc
from games.clocks.vacations import Vacation, still


class Running(msgspec.Struct, frozen=True):
    """What was left of a turn's time at a moment in UTC."""

    bank: timedelta
    since: datetime


def deadline(
    clock: Clock, bank: timedelta, since: datetime, rest: Rest, vacations: Iterable[Vacation] = ()
) -> datetime:
    """Return the first moment, in UTC, at which a turn that began at `since` has used up its `bank`."""
    since, left = in_utc(since), bank
    if left <= NOTHING:
        return since
    stretches = awake(clock, since, rest, vacations)
    while left > (stretch := next(stretches)).length:
        left -= stretch.length
    return stretch.begins + left


def spent(clock: Clock, since: datetime, until: datetime, rest: Rest, vacations: Iterable[Vacation] = ()) -> timedelta:
    """Return the awake time from `since` to `until`; nothing if `until` is earlier."""
    turn = Span(in_utc(since), in_utc(until))
    begun = takewhile(lambda stretch: stretch.begins < turn.ends, awake(clock, turn.begins, rest, vacations))
    return sum((stretch.within(turn).length for stretch in begun), NOTHING)


def settle(
    clock: Clock, bank: timedelta, since: datetime, now: datetime, rest: Rest, vacations: Iterable[Vacation] = ()
) -> Running:
    """Return the turn as of `now`: time used stays used, whatever the rest from now on.

    If time has run out, it remains so, since its deadline.
    """
    since, now, vacations = in_utc(since), in_utc(now), list(vacations)
    due = deadline(clock, bank, since, rest, vacations)
    if now >= due:
        return Running(NOTHING, due)
    return Running(bank - spent(clock, since, now, rest, vacations), max(since, now))


def awake(clock: Clock, since: datetime, rest: Rest, vacations: Iterable[Vacation]) -> Iterator[Span]:
    """Yield the spans from `since` (UTC) in which the clock runs, in order; the last one, if any, has no end."""
    woke = since
    for span in merge(*_still(clock, since, rest, vacations)):
        if woke < span.begins:
            yield Span(woke, span.begins)
        woke = max(woke, span.ends)
    yield Span(woke, EVER)


def _still(clock: Clock, since: datetime, rest: Rest, vacations: Iterable[Vacation]) -> list[Iterable[Span]]:
    """Return what stops the clock; the spans of each kind are in order."""
    away = sorted(span for span in map(still, vacations) if span.length and span.ends > since)
    off = [weekends(rest, since)] if clock.weekends_off else []
    return [nights(rest, since), away, *off]
