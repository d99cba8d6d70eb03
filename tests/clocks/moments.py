"""Moments, nights and refusals, written shortly."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.clocks.clock import Clock, IllegalClock, each_move
from games.clocks.rest import Rest, parse_window
from games.clocks.spans import Span

TWO_DAYS = each_move(48)
WEEKENDS_OFF = each_move(48, weekends_off=True)
NO_REST = Rest("UTC")


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def utc(line: str) -> datetime:
    """“2026-03-29 01:00” in UTC."""
    return datetime.fromisoformat(line).replace(tzinfo=UTC)


def at(line: str, zone: str, fold: int = 0) -> datetime:
    """The same on the clocks of a zone, as a moment in UTC."""
    return datetime.fromisoformat(line).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def asleep(zone: str, window: str) -> Rest:
    return Rest(zone, parse_window(window))


def span(begins: str, ends: str) -> Span:
    """From one moment in UTC to another."""
    return Span(utc(begins), utc(ends))


def clock_for(bank: timedelta, *, weekends_off: bool = False) -> Clock:
    """A clock with at least so much time; only its weekends matter where the bank is handed in."""
    return each_move(max(1, -(-bank // hours(1))), weekends_off=weekends_off)


def refusal(what: Callable[..., object], *args: object) -> str:
    with pytest.raises(IllegalClock) as refused:
        what(*args)
    return str(refused.value)
