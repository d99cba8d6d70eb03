"""Filters that every template has: names that the data of the rules has in English, and days in a language's order."""

from typing import Any

from django import template
from django.template import defaultfilters
from django.utils.translation import get_language, gettext

from empire.dates import in_order
from empire.web.languages import display_name

register = template.Library()


@register.filter
def translated(name: str) -> str:
    return gettext(name)


register.filter(display_name)


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, form: str | None = None) -> Any:
    """Format a day or a time as Django's filter does, with its parts in the order of the reader's language."""
    return defaultfilters.date(value, in_order(form, get_language() or "") if form else form)
