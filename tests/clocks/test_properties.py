"""Properties for any zone, window and vacation: the clocks agree with the naive model, and pauses are limited."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import cache
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clocks.clock import Clock
from games.clocks.nights import Nights, Window, change, nights_after, weekends_after
from games.clocks.running import deadline, explain, settle, spent
from games.clocks.spans import Span
from games.clocks.vacations import Vacation, cancel
from games.clocks.zones import zone_names
from tests.clocks import stepper
from tests.clocks.moments import clock_for, hours

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
FROM, TO = datetime(2024, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)
RESTLESS = [  # their clocks change by half an hour, an hour or two, by day, at night and at midnight
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham", "Antarctica/Troll",
    "Africa/Cairo", "Asia/Beirut", "Africa/Casablanca", "America/Havana", "America/Nuuk", "Asia/Almaty",
]  # fmt: skip


def holds_for(*strategies: st.SearchStrategy, examples: int = 40) -> Callable[[Callable], Callable]:
    """Make a property a test with this many examples in the short run, and ten times as many in the long one."""

    def decorate(holds: Callable) -> Callable:
        @pytest.mark.parametrize("examples", [examples, pytest.param(10 * examples, marks=pytest.mark.long)])
        def test(examples: int) -> None:
            settings(max_examples=examples, deadline=None)(given(*strategies)(holds))()

        return test

    return decorate


@cache
def clock_changes(zone: str) -> list[datetime]:
    """Return the days before clocks of the zone are put forward or back."""
    place = ZoneInfo(zone)
    all_days = [FROM + DAY * number for number in range((TO - FROM).days)]
    offsets = [day.astimezone(place).utcoffset() for day in all_days]
    return [day for day, before, after in zip(all_days, offsets, offsets[1:], strict=False) if before != after]


zones = st.one_of(st.sampled_from(RESTLESS), st.sampled_from(sorted(zone_names())))


@st.composite
def windows(draw: st.DrawFn) -> Window:
    begins = draw(st.one_of(st.integers(0, 1439), st.integers(0, 5 * 12).map(lambda fives: 5 * fives)))
    length = draw(st.one_of(st.just(600), st.integers(1, 600)))
    return Window(time(*divmod(begins, 60)), time(*divmod((begins + length) % 1440, 60)))


@st.composite
def moments(draw: st.DrawFn, zone: str) -> datetime:
    """Draw a full minute, mostly in the days around a change of the clocks."""
    if (changes := clock_changes(zone)) and draw(st.integers(0, 3)):
        return draw(st.sampled_from(changes)) + draw(st.integers(-5 * 1440, 2 * 1440)) * MINUTE
    return FROM + draw(st.integers(0, (TO - FROM) // MINUTE)) * MINUTE


@st.composite
def vacations_after(draw: st.DrawFn, since: datetime, zone: str) -> Vacation:
    """Draw a vacation announced around `since`, for some days around then, and possibly canceled."""
    announced = since + draw(st.integers(-3 * 1440, 4 * 1440)) * MINUTE
    first = (announced.date()) + draw(st.integers(0, 4)) * DAY
    cancelled = draw(st.none() | st.integers(0, 6 * 1440).map(lambda minutes: announced + minutes * MINUTE))
    last = first + draw(st.integers(0, 3)) * DAY
    return Vacation(first, last, draw(st.sampled_from([zone, "UTC", "Asia/Kathmandu"])), announced, cancelled)


@dataclass(frozen=True)
class Turn:
    """Everything that a deadline depends on."""

    clock: Clock
    bank: timedelta
    since: datetime
    nights: Nights
    vacations: tuple[Vacation, ...]

    @property
    def due(self) -> datetime:
        return deadline(self.clock, self.bank, self.since, self.nights, self.vacations)

    def spent(self, until: datetime) -> timedelta:
        return spent(self.clock, self.since, until, self.nights, self.vacations)


@st.composite
def turns(draw: st.DrawFn, days: int = 3) -> Turn:
    """Draw a turn with up to this many days of time."""
    zone = draw(zones)
    since, bank = draw(moments(zone)), draw(st.integers(0, days * 1440)) * MINUTE
    off = draw(st.lists(vacations_after(since, zone), max_size=3))
    clock = clock_for(bank, weekends_off=draw(st.booleans()))
    return Turn(clock, bank, since, Nights(zone, draw(st.none() | windows())), tuple(off))


minutes = st.integers(0, 20 * 1440).map(lambda number: number * MINUTE)


@holds_for(turns(), examples=20)
def test_a_deadline_agrees_with_the_naive_model(turn: Turn) -> None:
    assert turn.due == stepper.deadline(turn.clock, turn.bank, turn.since, turn.nights, turn.vacations)


@holds_for(turns(), st.integers(0, 8 * 1440), examples=20)
def test_time_spent_agrees_with_the_naive_model(turn: Turn, number: int) -> None:
    walk = stepper.counted_minutes(turn.clock, turn.since, turn.nights, turn.vacations)
    counted = sum(counts for _now, counts in islice(walk, number))
    assert turn.spent(turn.since + number * MINUTE) == counted * MINUTE


@holds_for(turns(days=30), st.integers(0, 10**9))
def test_the_bank_is_spent_at_the_deadline_and_not_a_microsecond_before(turn: Turn, micros: int) -> None:
    odd = replace(turn, bank=turn.bank + timedelta(microseconds=micros))
    assert odd.spent(odd.due) == odd.bank
    moment = timedelta(microseconds=1)
    assert not odd.bank or odd.spent(odd.due - moment) == odd.bank - moment


@holds_for(turns(days=30), minutes)
def test_settling_at_any_moment_keeps_the_deadline(turn: Turn, later: timedelta) -> None:
    settled = settle(turn.clock, turn.bank, turn.since, turn.since + later, turn.nights, turn.vacations)
    assert replace(turn, bank=settled.bank, since=settled.since).due == turn.due
    assert settled.bank == turn.bank - min(turn.spent(turn.since + later), turn.bank)


@holds_for(turns(days=30), minutes, minutes)
def test_time_spent_adds_up(turn: Turn, first: timedelta, second: timedelta) -> None:
    middle, end = turn.since + first, turn.since + first + second
    assert turn.spent(middle) + replace(turn, since=middle).spent(end) == turn.spent(end)


@holds_for(turns(days=10), st.data())
def test_announcing_a_vacation_does_not_change_the_past(turn: Turn, data: st.DataObject) -> None:
    another = data.draw(vacations_after(turn.since, turn.nights.zone))
    more = replace(turn, vacations=(*turn.vacations, another))
    assert more.spent(another.announced) == turn.spent(another.announced)
    assert more.due >= turn.due
    assert more.due == turn.due or another.announced < turn.due


@holds_for(turns(days=10), st.data())
def test_canceling_a_vacation_does_not_change_the_past(turn: Turn, data: st.DataObject) -> None:
    drawn = data.draw(vacations_after(turn.since, turn.nights.zone))
    whole = msgspec.structs.replace(drawn, cancelled=None)
    now = whole.announced + data.draw(minutes)
    before = replace(turn, vacations=(*turn.vacations, whole))
    after = replace(turn, vacations=(*turn.vacations, cancel(whole, now)))
    assert after.spent(now) == before.spent(now)
    assert after.due <= before.due
    assert after.due == before.due or now < before.due


@holds_for(turns(days=10))
def test_the_parts_of_a_wait_add_up(turn: Turn) -> None:
    wait = explain(turn.clock, turn.bank, turn.since, turn.nights, turn.vacations)
    still = sum((part.count * part.each for part in wait.parts), timedelta())
    assert wait.since + wait.bank + still == wait.deadline == turn.due
    assert all(part.count > 0 and part.each > timedelta(0) for part in wait.parts)


Life = list[tuple[datetime, Nights]]


@st.composite
def rests_through_time(draw: st.DrawFn) -> Life:
    """Draw the rests of a player who changes zone and window often, each with the moment from which it counts."""
    zone = draw(zones)
    now = draw(moments(zone))
    nights = Nights(zone, draw(st.none() | windows()))
    through = [(now, nights)]
    for later in draw(st.lists(st.integers(0, 3 * 1440), max_size=8)):
        now += later * MINUTE
        nights = change(nights, draw(st.just(nights.zone) | zones), draw(st.none() | windows()), now)
        through.append((now, nights))
    return through


def as_they_were(life: Life, kind: Callable[[Nights, datetime], Iterator[Span]]) -> Iterator[Span]:
    """Yield the nights or weekends that applied, cut where they changed."""
    ends = [moment for moment, _nights in life[1:]] + [life[-1][0] + 16 * DAY]
    for (begins, nights), end in zip(life, ends, strict=True):
        those = takewhile(lambda span, end=end: span.begins < end, kind(nights, begins))
        yield from (span.within(Span(begins, end)) for span in those)


def most_in_any(length: timedelta, spans: list[Span]) -> timedelta:
    """Return the longest total pause in any stretch of this length. One that begins or ends with a pause has it."""
    stretches = [Span(span.begins, span.begins + length) for span in spans]
    stretches += [Span(span.ends - length, span.ends) for span in spans]
    return max((sum((s.within(stretch).length for s in spans), timedelta()) for stretch in stretches), default=DAY * 0)


@holds_for(rests_through_time())
def test_moving_windows_gives_at_most_ten_hours_of_night_in_any_24(life: Life) -> None:
    assert most_in_any(DAY, list(as_they_were(life, nights_after))) <= hours(10)


@holds_for(rests_through_time())
def test_moving_zones_gives_at_most_one_weekend_in_any_seven_days(life: Life) -> None:
    # 48 hours, plus the change of the clocks: an hour, or two at Antarctica/Troll
    assert most_in_any(7 * DAY, list(as_they_were(life, weekends_after))) <= hours(50)
