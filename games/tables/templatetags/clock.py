"""Template filters for times: how long is left, and how long a turn may take."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django import template
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import get_language, gettext, ngettext, npgettext_lazy

from accounts.models import User
from empire import dates
from games.tables.models.game import Game, parsed_clock

register = template.Library()

CALENDAR = 28 * 24 * 60  # minutes, from which on months depend on the date
SOON = 5  # the last fifth of a clock, when the reminder is sent too
# Spans before “ago”, where languages such as German need another case
PAST: dict[str, Any] = {
    "year": npgettext_lazy("ago", "%(num)d year", "%(num)d years", "num"),
    "month": npgettext_lazy("ago", "%(num)d month", "%(num)d months", "num"),
    "week": npgettext_lazy("ago", "%(num)d week", "%(num)d weeks", "num"),
    "day": npgettext_lazy("ago", "%(num)d day", "%(num)d days", "num"),
    "hour": npgettext_lazy("ago", "%(num)d hour", "%(num)d hours", "num"),
    "minute": npgettext_lazy("ago", "%(num)d minute", "%(num)d minutes", "num"),
}


@register.filter
def time_left(deadline: datetime | None) -> str:
    """Return the time left, such as “1 day, 3 hours left”."""
    if deadline is None:
        return ""
    left = deadline - timezone.now()
    if left <= timedelta(0):
        return gettext("out of time")
    if left < timedelta(minutes=1):
        return gettext("less than a minute left")
    return gettext("%(time)s left") % {"time": time_words(left)}


@register.filter
def until(deadline: datetime) -> str:
    """Return the deadline in the reader's time zone, such as “until Fri 4 Dec, 18:00”."""
    return gettext("until %(time)s") % {"time": dates.localized(timezone.localtime(deadline), "D j M, H:i")}


@register.filter
def ago(moment: datetime) -> str:
    """Return the time since a moment, such as “2 hours ago”."""
    passed = timezone.now() - moment
    if passed < timedelta(minutes=1):
        return gettext("just now")
    return gettext("%(time)s ago") % {"time": time_words(passed, depth=1, is_past=True)}


def time_words(time: timedelta, depth: int = 2, *, is_past: bool = False) -> str:
    """Return a span as Django's `timesince` does, such as “1 day, 3 hours”. A desk of fifty games shows a hundred."""
    minutes = time // timedelta(minutes=1)
    for unit, smaller in ((7 * 24 * 60, 24 * 60), (24 * 60, 60)):  # what is not shown does not count
        if minutes >= unit:
            minutes -= minutes % smaller
    if minutes >= CALENDAR:
        now = timezone.now()
        return timesince(now - time, now, time_strings=PAST if is_past else None, depth=depth)
    return _time_words(minutes, depth, is_past, get_language())


@lru_cache(maxsize=4096)
def _time_words(minutes: int, depth: int, is_past: bool, language: str | None) -> str:
    day = datetime(2026, 3, 1, tzinfo=UTC)
    return timesince(day - timedelta(minutes=minutes), day, time_strings=PAST if is_past else None, depth=depth)


def is_soon(deadline: datetime | None, clock: str) -> bool:
    """Return whether the last fifth of the clock has begun."""
    return deadline is not None and deadline - timezone.now() < parsed_clock(clock).at_start / SOON


@register.filter
def a_turn(clock: str) -> str:
    """Return a short text: “2 days per turn” for `move 2d`, “5 days, +12 h per turn, at most 7 days” for a bank."""
    return _a_turn(clock, get_language())


@lru_cache(maxsize=1024)
def _a_turn(clock: str, language: str | None) -> str:
    times = parsed_clock(clock)
    if times.is_for_each_move:
        words = gettext("%(time)s per turn") % {"time": hours(times.start)}
    else:
        adds = times.increment
        increment = gettext("%(n)d h") % {"n": adds} if adds % 24 else gettext("%(n)d d") % {"n": adds // 24}
        values = {"start": hours(times.start), "increment": increment, "cap": hours(times.cap)}
        words = gettext("%(start)s, +%(increment)s per turn, at most %(cap)s") % values
    return gettext("%(time)s, weekends off") % {"time": words} if times.weekends_off else words


@register.filter
def clock_sentence(clock: str) -> str:
    """Describe a clock, given as it is stored, in a sentence."""
    times = parsed_clock(clock)
    if times.is_for_each_move:
        words = gettext("Each player has %(time)s per turn.") % {"time": hours(times.start)}
    else:
        words = gettext("Each player starts with %(start)s and gains %(increment)s per turn, up to %(cap)s.") % {
            "start": hours(times.start),
            "increment": hours(times.increment),
            "cap": hours(times.cap),
        }
    return " ".join([words, gettext("Clocks pause on weekends.")]) if times.weekends_off else words


def asks_for(percent: int) -> str:
    """Return the minimum reliability of a table in few words; empty if it has none."""
    return gettext("at least %(n)d%% on time") % {"n": percent} if percent else ""


@register.filter
def rating_range(game: Game) -> str:
    """Return the ratings that a table asks for, in few words; empty if it asks for none."""
    if game.rating_from and game.rating_to:
        return gettext("rating from %(low)d to %(high)d") % {"low": game.rating_from, "high": game.rating_to}
    if game.rating_from:
        return gettext("rating of %(low)d or more") % {"low": game.rating_from}
    return gettext("rating of %(high)d or less") % {"high": game.rating_to} if game.rating_to else ""


@register.filter
def percent_in_time(user: User | None) -> str:
    """Return a player’s reliability, such as “98% on time”; empty if they have not played a turn yet."""
    reliability = user.reliability if user else None
    return gettext("%(percent)d%% on time") % {"percent": reliability.percent} if reliability else ""


@register.filter
def hours(number: int) -> str:
    """Format hours: 48 is “2 days”."""
    if number % 24:
        return ngettext("%(n)d hour", "%(n)d hours", number) % {"n": number}
    return ngettext("%(n)d day", "%(n)d days", number // 24) % {"n": number // 24}


@register.filter
def of(words: Mapping[int, Sequence[str]], seat: int) -> Sequence[str]:
    """Return the words about one seat."""
    return words.get(seat, ())


@register.filter
def span(length: timedelta) -> str:
    """Format a duration, such as “2 days 3 hours”; minutes only if it is shorter than a day."""
    minutes = max(length // timedelta(minutes=1), 0)
    days, hour, minute = minutes // 1440, minutes // 60 % 24, 0 if minutes >= 1440 else minutes % 60
    parts = [
        ngettext("%(n)d day", "%(n)d days", days) % {"n": days} if days else "",
        ngettext("%(n)d hour", "%(n)d hours", hour) % {"n": hour} if hour else "",
        ngettext("%(n)d minute", "%(n)d minutes", minute) % {"n": minute} if minute else "",
    ]
    return " ".join(part for part in parts if part) or gettext("less than a minute")
