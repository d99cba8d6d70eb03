"""Template filters for numbers and days, cached by language because long lists repeat them."""

from datetime import date, datetime
from functools import lru_cache

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.timezone import localtime
from django.utils.translation import get_language

from empire import dates

register = template.Library()


@register.filter
def grouped(number: int) -> str:
    """Format a number with thousands separators: `12,345`."""
    return _grouped(number, get_language())


@register.filter
def span(numbers: range) -> str:
    """Format a range as `12–21`, `12` or an empty string."""
    if len(numbers) < 2:
        return grouped(numbers[0]) if numbers else ""
    return f"{grouped(numbers[0])}–{grouped(numbers[-1])}"


@register.filter
def short_day(at: datetime) -> str:
    """Format a day as `5 Mar`, in the reader's time zone."""
    return _written(localtime(at).date(), "j M", get_language())


@lru_cache(maxsize=4096)
def _grouped(number: int, _language: str | None) -> str:
    return intcomma(number)


def written(day: date) -> str:
    """Format a day as `5 Mar 2027`, in the reader's language."""
    return _written(day, "j M Y", get_language())


@lru_cache(maxsize=4096)
def _written(day: date, form: str, _language: str | None) -> str:
    return dates.localized(day, form)
