"""Formatted days, cached because long lists repeat the same ones."""

from datetime import date
from functools import lru_cache

from django.utils.formats import date_format
from django.utils.translation import get_language


def written(day: date) -> str:
    """Format a day as `5 Mar 2027`, in the reader's language."""
    return _written(day, "j M Y", get_language())


def short(day: date) -> str:
    """Format a day as `5 Mar`, in the reader's language."""
    return _written(day, "j M", get_language())


@lru_cache(maxsize=4096)
def _written(day: date, form: str, _language: str | None) -> str:
    return date_format(day, form)
