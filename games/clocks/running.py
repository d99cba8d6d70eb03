"""A clock that runs: when its time is up, and what it has counted. Only awake time counts.

A turn is two values, `bank` (what was left when it began) and `since` (when that was). `rest` and `vacations` are the
player's, from `since` on: before a rest changes, `settle` the turns that run.
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
    """The first moment, in UTC, at which the whole `bank` is spent by a turn that began at `since`."""
    since, left = in_utc(since), bank
    if left <= NOTHING:
        return since
    stretches = awake(clock, since, rest, vacations)
    while left > (stretch := next(stretches)).length:
        left -= stretch.length
    return stretch.begins + left


def spent(clock: Clock, since: datetime, until: datetime, rest: Rest, vacations: Iterable[Vacation] = ()) -> timedelta:
    """The awake time from `since` until `until`; nothing if that is earlier."""
    turn = Span(in_utc(since), in_utc(until))
    begun = takewhile(lambda stretch: stretch.begins < turn.ends, awake(clock, turn.begins, rest, vacations))
    return sum((stretch.within(turn).length for stretch in begun), NOTHING)


def settle(
    clock: Clock, bank: timedelta, since: datetime, now: datetime, rest: Rest, vacations: Iterable[Vacation] = ()
) -> Running:
    """The same turn as it stands at `now`: what is spent stays spent, whatever rests from now on.

    A turn whose time is up stays up, since its deadline.
    """
    since, now, vacations = in_utc(since), in_utc(now), list(vacations)
    due = deadline(clock, bank, since, rest, vacations)
    if now >= due:
        return Running(NOTHING, due)
    return Running(bank - spent(clock, since, now, rest, vacations), max(since, now))


def awake(clock: Clock, since: datetime, rest: Rest, vacations: Iterable[Vacation]) -> Iterator[Span]:
    """The stretches from `since` (UTC) on in which the clock runs, in order; if there is a last one, it has no end."""
    woke = since
    for span in merge(*_still(clock, since, rest, vacations)):
        if woke < span.begins:
            yield Span(woke, span.begins)
        woke = max(woke, span.ends)
    yield Span(woke, EVER)


def _still(clock: Clock, since: datetime, rest: Rest, vacations: Iterable[Vacation]) -> list[Iterable[Span]]:
    """What stops the clock, each kind in order."""
    away = sorted(span for span in map(still, vacations) if span.length and span.ends > since)
    off = [weekends(rest, since)] if clock.weekends_off else []
    return [nights(rest, since), away, *off]
