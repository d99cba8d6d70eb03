"""Days and times in the order of each language: 5 March, 5. März, 5 mars, 5 de marzo."""

from datetime import date, datetime
from functools import lru_cache

from django.utils.formats import date_format
from django.utils.translation import get_language

# For each language, what replaces the parts of our formats, which are written in the English order; `b` is a month in
# small letters
ORDER = {
    "de": (("l j", "l, j"), ("D j", "D, j"), ("j M", "j. M"), ("j F", "j. F")),
    "fr": (("l, j", "l j"), ("M", "b")),
    "es": (("l, j", "l j"), ("F Y", r"F \d\e Y"), ("j F", r"j \d\e F"), ("M", "b")),
}

TIME = ", H:i"  # the end of most formats


def localized(moment: date | datetime, form: str) -> str:
    """Format a day or a time as the reader's language writes it. `form` is a format of Django, in the English order."""
    language = get_language() or ""
    if not isinstance(moment, datetime):
        return _day(moment, form, language)
    if form.endswith(TIME):
        return f"{_day(moment.date(), form.removesuffix(TIME), language)}, {moment:%H:%M}"
    return date_format(moment, _format_for(moment, form, language))


@lru_cache(maxsize=1024)
def _day(day: date, form: str, language: str) -> str:
    """Format a day, which takes Django long. A page of a table shows the same few again and again."""
    return date_format(day, _format_for(day, form, language))


def _format_for(day: date, form: str, language: str) -> str:
    form = in_order(form, language)
    if day.day == 1 and language.startswith("fr"):
        return form.replace("j", r"j\e\r")  # “1er mars”: the first of a month is an ordinal
    return form


@lru_cache(maxsize=512)
def in_order(form: str, language: str) -> str:
    for english, local in ORDER.get(language.partition("-")[0], ()):
        form = form.replace(english, local)
    return form
