"""A naive minute-by-minute model of the clocks, to compare the fast implementation with.

The stepper walks in UTC and reads a wall clock. When that is put back, it keeps its time until it shows a new one, so
every wall-clock time occurs once.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from games.clocks.clock import Clock
from games.clocks.nights import Nights, Window
from games.clocks.vacations import Vacation

MINUTE = timedelta(minutes=1)
RUN_UP = timedelta(days=3)


class Wall:
    """A wall clock in a zone that never goes back."""

    def __init__(self, zone: str) -> None:
        self.zone = ZoneInfo(zone)
        self.shown = datetime.min

    def look(self, now: datetime) -> datetime:
        self.shown = max(self.shown, now.astimezone(self.zone).replace(tzinfo=None))
        return self.shown


def night_of(window: Window, wall: datetime) -> date | None:
    """Return the day on which the night around this wall-clock time began."""
    if window.begins < window.ends:
        return wall.date() if window.begins <= wall.time() < window.ends else None
    if wall.time() >= window.begins:
        return wall.date()
    return wall.date() - timedelta(days=1) if wall.time() < window.ends else None


class Sleeper:
    """A player who sleeps in the window, for at most ten hours and after at least fourteen hours awake."""

    def __init__(self, nights: Nights, wall: Wall) -> None:
        self.window, self.wall = nights.window, wall
        self.night: date | None = None
        self.bedtime = self.woke = self.woke_before = datetime.min.replace(tzinfo=ZoneInfo("UTC"))

    def sleeps(self, now: datetime) -> bool:
        night = night_of(self.window, self.wall.shown) if self.window else None
        if night and night != self.night:
            self.night, self.bedtime, self.woke_before = night, now, self.woke
        if night is None or now - self.bedtime >= timedelta(hours=10):
            return False
        self.woke = now + MINUTE
        return now - self.woke_before >= timedelta(hours=14)


def counted_minutes(
    clock: Clock, since: datetime, nights: Nights, vacations: Iterable[Vacation]
) -> Iterator[tuple[datetime, bool]]:
    """Yield each minute from `since`, and whether it counts."""
    vacations = list(vacations)
    walls = {zone: Wall(zone) for zone in (nights.zone, *(vacation.zone for vacation in vacations))}
    sleeper = Sleeper(nights, walls[nights.zone])
    now = since - RUN_UP
    while True:
        shown = {zone: wall.look(now) for zone, wall in walls.items()}
        still = [sleeper.sleeps(now), clock.weekends_off and shown[nights.zone].weekday() >= 5]
        still += [_is_away(vacation, shown[vacation.zone], now) for vacation in vacations]
        if now >= since:
            yield now, not any(still)
        now += MINUTE


def _is_away(vacation: Vacation, wall: datetime, now: datetime) -> bool:
    begun = vacation.first <= wall.date() <= vacation.last and now >= vacation.announced
    return begun and (vacation.cancelled is None or now < vacation.cancelled)


def deadline(
    clock: Clock, bank: timedelta, since: datetime, nights: Nights, vacations: Iterable[Vacation] = ()
) -> datetime:
    for now, counts in counted_minutes(clock, since, nights, vacations):
        if bank <= timedelta(0):
            return now
        bank -= MINUTE * counts
        if bank <= timedelta(0):
            return now + MINUTE
    raise AssertionError("Minutes have no end.")
