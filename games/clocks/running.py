"""Running clocks: when time runs out, how much was used, and why a wait is as long as it is. Only awake time counts.

A turn has two values, `bank` (what was left when it began) and `since` (when that was). `nights` and `vacations` are
the player's, from `since` on; `settle` running turns before they change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from heapq import merge
from itertools import takewhile

import msgspec

from games.clocks.clock import Clock
from games.clocks.nights import Nights, nights_after, weekends_after
from games.clocks.spans import EVER, NOTHING, Span, in_utc, outside_all
from games.clocks.vacations import Vacation, pause, pauses_by_day

VACATION, WEEKEND, NIGHT = "vacation", "weekend", "night"


class Running(msgspec.Struct, frozen=True):
    """What was left of a turn's time at a moment in UTC."""

    bank: timedelta
    since: datetime


def deadline(
    clock: Clock, bank: timedelta, since: datetime, nights: Nights, vacations: Iterable[Vacation] = ()
) -> datetime:
    """Return the first moment, in UTC, at which a turn that began at `since` has used up its `bank`."""
    since, left = in_utc(since), bank
    if left <= NOTHING:
        return since
    stretches = awake(clock, since, nights, vacations)
    while left > (stretch := next(stretches)).length:
        left -= stretch.length
    return stretch.begins + left


def spent(
    clock: Clock, since: datetime, until: datetime, nights: Nights, vacations: Iterable[Vacation] = ()
) -> timedelta:
    """Return the awake time from `since` to `until`; nothing if `until` is earlier."""
    turn = Span(in_utc(since), in_utc(until))
    begun = takewhile(lambda stretch: stretch.begins < turn.ends, awake(clock, turn.begins, nights, vacations))
    return sum((stretch.within(turn).length for stretch in begun), NOTHING)


def settle(
    clock: Clock, bank: timedelta, since: datetime, now: datetime, nights: Nights, vacations: Iterable[Vacation] = ()
) -> Running:
    """Return the turn as of `now`. Time used stays used; time that has run out has run out since its deadline."""
    since, now, vacations = in_utc(since), in_utc(now), list(vacations)
    due = deadline(clock, bank, since, nights, vacations)
    if now >= due:
        return Running(NOTHING, due)
    return Running(bank - spent(clock, since, now, nights, vacations), max(since, now))


def awake(clock: Clock, since: datetime, nights: Nights, vacations: Iterable[Vacation]) -> Iterator[Span]:
    """Yield the spans from `since` (UTC) in which the clock runs, in order; the last one, if any, has no end."""
    away = sorted(span for span in map(pause, vacations) if span.length and span.ends > since)
    off = weekends_after(nights, since) if clock.weekends_off else ()
    woke = since
    for span in merge(nights_after(nights, since), away, off):
        if woke < span.begins:
            yield Span(woke, span.begins)
        woke = max(woke, span.ends)
    yield Span(woke, EVER)


# Why a wait is as long as it is


class Part(msgspec.Struct, frozen=True):
    """A part of the wait: `count` of a `kind` (`vacation` days, `weekend`, `night`), each as long as `each`."""

    kind: str
    count: int
    each: timedelta


class Explanation(msgspec.Struct, frozen=True):
    """A wait from `since` to `deadline` (UTC): the `bank`, and the pauses of the clock in `parts`, longest first."""

    bank: timedelta
    since: datetime
    deadline: datetime
    parts: tuple[Part, ...]

    @property
    def without_pauses(self) -> datetime:
        """When time would run out if the clock never paused."""
        return self.since + self.bank


def explain(
    clock: Clock, bank: timedelta, since: datetime, nights: Nights, vacations: Sequence[Vacation] = ()
) -> Explanation:
    """Return the parts of the wait that begins at `since` with `bank` left, as data for a page.

    A moment in which the clock pauses for several reasons counts once: as vacation before weekend, as weekend before
    night. So the parts and the time for the turn add up to the wait, to the second.
    """
    wait = Span(in_utc(since), deadline(clock, bank, since, nights, vacations))
    off = weekends_after(nights, wait.begins) if clock.weekends_off else ()
    pauses_by_kind: dict[str, Iterable[Span]] = {
        VACATION: (span for vacation in vacations for _day, span in pauses_by_day(vacation)),
        WEEKEND: takewhile(lambda span: span.begins < wait.ends, off),
        NIGHT: takewhile(lambda span: span.begins < wait.ends, nights_after(nights, wait.begins)),
    }
    counted: list[Span] = []
    parts: list[Part] = []
    for kind, spans in pauses_by_kind.items():
        lengths: Counter[timedelta] = Counter()
        for span in spans:
            fresh = outside_all(span.within(wait), counted)
            lengths[sum((part.length for part in fresh), NOTHING)] += 1
            counted += fresh
        parts += (Part(kind, lengths[each], each) for each in sorted(lengths, reverse=True) if each)
    return Explanation(bank, wait.begins, wait.ends, tuple(parts))
