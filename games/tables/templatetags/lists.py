"""Numbers and days in long lists, which have the same ones over and over: each is worked out once for a language."""

from datetime import datetime
from functools import lru_cache

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.timezone import localtime
from django.utils.translation import get_language

from games.tables.selectors import days

register = template.Library()


@register.filter
def grouped(number: int) -> str:
    """`12,345`, as the language writes it."""
    return _grouped(number, get_language())


@register.filter
def span(numbers: range) -> str:
    """`12–21`, `12`, or nothing."""
    if len(numbers) < 2:
        return grouped(numbers[0]) if numbers else ""
    return f"{grouped(numbers[0])}–{grouped(numbers[-1])}"


@register.filter
def short_day(at: datetime) -> str:
    """`5 Mar`, by the reader's clock."""
    return days.short(localtime(at).date())


@lru_cache(maxsize=4096)
def _grouped(number: int, _language: str | None) -> str:
    return intcomma(number)
