"""Short notation for moments, nights and refusals."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.clocks.clock import Clock, IllegalClock, each_move
from games.clocks.nights import Nights, parse_window
from games.clocks.spans import Span

TWO_DAYS = each_move(48)
WEEKENDS_OFF = each_move(48, weekends_off=True)
NO_NIGHTS = Nights("UTC")


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def utc(line: str) -> datetime:
    """Parse a moment in UTC, such as “2026-03-29 01:00”."""
    return datetime.fromisoformat(line).replace(tzinfo=UTC)


def at(line: str, zone: str, fold: int = 0) -> datetime:
    """Parse a moment on the clocks of a zone and return it in UTC."""
    return datetime.fromisoformat(line).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def asleep(zone: str, window: str) -> Nights:
    return Nights(zone, parse_window(window))


def span(begins: str, ends: str) -> Span:
    """Return the span between two moments in UTC."""
    return Span(utc(begins), utc(ends))


def clock_for(bank: timedelta, *, weekends_off: bool = False) -> Clock:
    """Return a clock with at least this much time. If the bank is passed separately, only the weekends matter."""
    return each_move(max(1, -(-bank // hours(1))), weekends_off=weekends_off)


def refusal(action: Callable[..., object], *args: object) -> str:
    with pytest.raises(IllegalClock) as refused:
        action(*args)
    return str(refused.value)
