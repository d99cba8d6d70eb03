"""Why a deadline is when it is: the waiting time taken apart, as data for a page.

A moment that stands still for several reasons counts once: as vacation before weekend, as weekend before night. So
the parts and the time for the move add up to the wait, to the second.
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
    """“3 nights of 8 hours”: `count` of a `kind` (`vacation` days, `weekend`, `night`), `each` so long."""

    kind: str
    count: int
    each: timedelta


class Explanation(msgspec.Struct, frozen=True):
    """A wait from `since` to `deadline` (UTC): `bank` for the move, and what stands still meanwhile, longest first."""

    bank: timedelta
    since: datetime
    deadline: datetime
    parts: tuple[Part, ...]

    @property
    def without_rest(self) -> datetime:
        """When time would be up if nothing stood still."""
        return self.since + self.bank


def explain(
    clock: Clock, bank: timedelta, since: datetime, rest: Rest, vacations: Sequence[Vacation] = ()
) -> Explanation:
    """The parts of the wait that begins at `since` with `bank` left."""
    wait = Span(in_utc(since), deadline(clock, bank, since, rest, vacations))
    still = _still(clock, wait, rest, vacations)
    return Explanation(bank, wait.begins, wait.ends, tuple(_parts(still)))


def _still(clock: Clock, wait: Span, rest: Rest, vacations: Iterable[Vacation]) -> dict[str, list[Span]]:
    """What stands still, kind by kind and cut to the wait; the kinds that count first come first."""
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
