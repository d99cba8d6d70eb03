"""Explanations of deadlines: the wait split into its parts, as data for a page.

A moment in which the clock stops for several reasons counts once: as vacation before weekend, as weekend before night.
So the parts and the time for the turn add up to the wait, to the second.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import takewhile

import msgspec

from games.clocks.clock import Clock
from games.clocks.rest import Rest, nights, weekends
from games.clocks.running import deadline
from games.clocks.spans import Span, in_utc, outside_all
from games.clocks.vacations import Vacation, still_by_day

VACATION, WEEKEND, NIGHT = "vacation", "weekend", "night"


class Part(msgspec.Struct, frozen=True):
    """A part of the wait, such as “3 nights of 8 hours”.

    `count` of a `kind` (`vacation` days, `weekend`, `night`), each as long as `each`.
    """

    kind: str
    count: int
    each: timedelta


class Explanation(msgspec.Struct, frozen=True):
    """A wait from `since` to `deadline` (UTC): the `bank` and the parts in which the clock stops, longest first."""

    bank: timedelta
    since: datetime
    deadline: datetime
    parts: tuple[Part, ...]

    @property
    def without_rest(self) -> datetime:
        """When time would run out if the clock never stopped."""
        return self.since + self.bank


def explain(
    clock: Clock, bank: timedelta, since: datetime, rest: Rest, vacations: Sequence[Vacation] = ()
) -> Explanation:
    """Return the parts of the wait that begins at `since` with `bank` left."""
    wait = Span(in_utc(since), deadline(clock, bank, since, rest, vacations))
    still = _still(clock, wait, rest, vacations)
    return Explanation(bank, wait.begins, wait.ends, tuple(_parts(still)))


def _still(clock: Clock, wait: Span, rest: Rest, vacations: Iterable[Vacation]) -> dict[str, list[Span]]:
    """Return when the clock stops, by kind and cut to the wait; kinds that count first come first."""
    off = weekends(rest, wait.begins) if clock.weekends_off else ()
    return {
        VACATION: [span.within(wait) for vacation in vacations for _day, span in still_by_day(vacation)],
        WEEKEND: _within(wait, off),
        NIGHT: _within(wait, nights(rest, wait.begins)),
    }


def _within(wait: Span, spans: Iterable[Span]) -> list[Span]:
    return [span.within(wait) for span in takewhile(lambda span: span.begins < wait.ends, spans)]


def _parts(still: dict[str, list[Span]]) -> Iterator[Part]:
    counted: list[Span] = []
    for kind, spans in still.items():
        lengths: Counter[timedelta] = Counter()
        for span in spans:
            fresh = outside_all(span, counted)
            lengths[sum((part.length for part in fresh), timedelta())] += 1
            counted += fresh
        yield from (Part(kind, lengths[each], each) for each in sorted(lengths, reverse=True) if each)
