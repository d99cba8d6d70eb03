"""The picture on the page about clocks: a two-day turn, day by day, worked out by the code of the clocks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import takewhile

from django.utils.translation import gettext as _

from games.clocks.clock import parse
from games.clocks.nights import Nights, Window, nights_after, weekends_after
from games.clocks.running import NIGHT, VACATION, WEEKEND, Explanation, explain, spent
from games.clocks.spans import Span
from games.clocks.vacations import Vacation, pause
from games.clocks.zones import DAY, dates, days, local_date, zone

ZONE = "Europe/Berlin"
CLOCK = parse("move 2d weekends-off")
NIGHTS = Nights(ZONE, Window(time(23), time(7)))
BEGINS = datetime(2026, 11, 19, 18, tzinfo=zone(ZONE))
AWAY = Vacation(date(2026, 11, 24), date(2026, 11, 24), ZONE, BEGINS)
RUNS, OVER = "runs", "over"

# In units of the picture: where the days begin, how wide a day is, and how high its row
LEFT, TOP, WIDTH, HEIGHT = 68, 22, 284, 30


@dataclass(frozen=True)
class Bar:
    """A stretch of a day. `kind` is `RUNS`, a kind of pause, or `OVER`: the turn has not begun or is over."""

    kind: str
    x: float
    width: float


@dataclass(frozen=True)
class DayRow:
    """The row of a day, and how many hours of the time limit have been counted by its end."""

    day: date
    y: int
    bars: tuple[Bar, ...]
    hours: int


@dataclass(frozen=True)
class Timeline:
    """The picture. `begins` and `ends` are the x positions of the marks for the start and the deadline."""

    why: Explanation
    rows: tuple[DayRow, ...]
    begins: float
    ends: float

    @property
    def height(self) -> int:
        return TOP + HEIGHT * len(self.rows)

    @property
    def hours(self) -> list[tuple[int, float]]:
        """The hours marked along the top, with their x positions."""
        return [(hour, LEFT + WIDTH * hour / 24) for hour in range(0, 25, 6)]

    @property
    def last(self) -> DayRow:
        return self.rows[-1]


def kinds() -> list[tuple[str, str]]:
    """Return each fill pattern with its meaning."""
    return [
        (RUNS, _("your clock runs")), (NIGHT, _("night")), (WEEKEND, _("weekend")), (VACATION, _("vacation")),
    ]  # fmt: skip


def timeline() -> Timeline:
    """Return the picture of the example, in which the later of two overlapping bars covers the earlier one."""
    why = explain(CLOCK, CLOCK.at_start, BEGINS, NIGHTS, [AWAY])
    turn, here = Span(why.since, why.deadline), zone(ZONE)
    first, last = local_date(here, turn.begins), local_date(here, turn.ends)
    rows = []
    for number, day in enumerate(takewhile(lambda day: day <= last, dates(first))):
        whole = days(here, day)
        layers = (  # in drawing order: reasons that count first are drawn last, on top
            (OVER, [whole]),
            (RUNS, [turn]),
            (NIGHT, _pauses(nights_after(NIGHTS, whole.begins), whole, turn)),
            (WEEKEND, _pauses(weekends_after(NIGHTS, whole.begins), whole, turn)),
            (VACATION, [pause(AWAY).within(turn)]),
        )
        bars = []
        for kind, spans in layers:
            for part in [span.within(whole) for span in spans]:
                if part.length:
                    bars.append(Bar(kind, _x(whole, part.begins), round(WIDTH * (part.length / DAY), 1)))
        counted = spent(CLOCK, turn.begins, min(whole.ends, turn.ends), NIGHTS, [AWAY])
        rows.append(DayRow(day, TOP + number * HEIGHT, tuple(bars), round(counted / timedelta(hours=1))))
    return Timeline(why, tuple(rows), _x(days(here, first), turn.begins), _x(days(here, last), turn.ends))


def _pauses(spans: Iterable[Span], day: Span, turn: Span) -> list[Span]:
    """Return the parts of pauses that are in the turn, for pauses that begin before the end of the day."""
    return [span.within(turn) for span in takewhile(lambda span: span.begins < day.ends, spans)]


def _x(day: Span, moment: datetime) -> float:
    """Return where a moment lies in the row of its day."""
    return round(LEFT + WIDTH * ((moment - day.begins) / day.length), 1)
