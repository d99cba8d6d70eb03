"""The same clocks, minute by minute and without any thought: what the quick ones are compared with.

The stepper walks in UTC and looks at the wall. When the wall clock goes back it waits until it shows something new,
so every wall-clock time comes once.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from games.clocks.clock import Clock
from games.clocks.rest import Rest, Window
from games.clocks.vacations import Vacation

MINUTE = timedelta(minutes=1)
RUN_UP = timedelta(days=3)


class Wall:
    """A clock on a wall that is never seen to go back."""

    def __init__(self, zone: str) -> None:
        self.zone = ZoneInfo(zone)
        self.shown = datetime.min

    def look(self, now: datetime) -> datetime:
        self.shown = max(self.shown, now.astimezone(self.zone).replace(tzinfo=None))
        return self.shown


def night_of(window: Window, wall: datetime) -> date | None:
    """The day on which the night began that the wall clock is in."""
    if window.begins < window.ends:
        return wall.date() if window.begins <= wall.time() < window.ends else None
    if wall.time() >= window.begins:
        return wall.date()
    return wall.date() - timedelta(days=1) if wall.time() < window.ends else None


class Sleeper:
    """Somebody who goes to bed when the window says so, for ten hours at most, after fourteen hours at least."""

    def __init__(self, rest: Rest) -> None:
        self.window = rest.window
        self.wall = Wall(rest.zone)
        self.night: date | None = None
        self.bedtime = self.woke = self.woke_before = datetime.min.replace(tzinfo=ZoneInfo("UTC"))

    def sleeps(self, now: datetime) -> bool:
        night = night_of(self.window, self.wall.look(now)) if self.window else None
        if night and night != self.night:
            self.night, self.bedtime, self.woke_before = night, now, self.woke
        if night is None or now - self.bedtime >= timedelta(hours=10):
            return False
        self.woke = now + MINUTE
        return now - self.woke_before >= timedelta(hours=14)


def counted_minutes(
    clock: Clock, since: datetime, rest: Rest, vacations: Iterable[Vacation]
) -> Iterator[tuple[datetime, bool]]:
    """Each minute from `since` on, and whether it counts."""
    sleeper, here = Sleeper(rest), Wall(rest.zone)
    away = [(vacation, Wall(vacation.zone)) for vacation in vacations]
    now = since - RUN_UP
    while True:
        still = [sleeper.sleeps(now), clock.weekends_off and here.look(now).weekday() >= 5]
        still += [_is_away(vacation, wall.look(now), now) for vacation, wall in away]
        if now >= since:
            yield now, not any(still)
        now += MINUTE


def _is_away(vacation: Vacation, wall: datetime, now: datetime) -> bool:
    begun = vacation.first <= wall.date() <= vacation.last and now >= vacation.announced
    return begun and (vacation.cancelled is None or now < vacation.cancelled)


def deadline(
    clock: Clock, bank: timedelta, since: datetime, rest: Rest, vacations: Iterable[Vacation] = ()
) -> datetime:
    for now, counts in counted_minutes(clock, since, rest, vacations):
        if bank <= timedelta(0):
            return now
        bank -= MINUTE * counts
        if bank <= timedelta(0):
            return now + MINUTE
    raise AssertionError("Minutes have no end.")
