"""Times in words: how long is left, and how long a turn may take."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext, ngettext

register = template.Library()

SOON = 5  # the last fifth of a clock, when the reminder goes out too


@register.filter
def time_left(deadline: datetime | None) -> str:
    """How long there still is, as “1 day, 3 hours left”."""
    if deadline is None:
        return ""
    left = deadline - timezone.now()
    if left <= timedelta(0):
        return gettext("time is up")
    if left < timedelta(minutes=1):
        return gettext("less than a minute left")
    return gettext("%(time)s left") % {"time": timeuntil(deadline)}


@register.filter
def until(deadline: datetime) -> str:
    """The moment itself, in the reader's time zone."""
    return gettext("until %(time)s") % {"time": date_format(timezone.localtime(deadline), "D j M, H:i")}


@register.filter
def ago(moment: datetime) -> str:
    """How long since, as “2 hours ago”."""
    if timezone.now() - moment < timedelta(minutes=1):
        return gettext("just now")
    return gettext("%(time)s ago") % {"time": timesince(moment, depth=1)}


@register.filter
def is_soon(deadline: datetime | None, clock_hours: int) -> bool:
    """Whether the last fifth of the clock has begun."""
    return deadline is not None and deadline - timezone.now() < timedelta(hours=clock_hours) / SOON


@register.filter
def a_turn(hours: int) -> str:
    """48 is “2 days a turn”."""
    return gettext("%(time)s a turn") % {"time": clock_words(hours)}


@register.filter
def clock_words(hours: int) -> str:
    """48 is “2 days”."""
    if hours % 24:
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    return ngettext("%(n)d day", "%(n)d days", hours // 24) % {"n": hours // 24}
