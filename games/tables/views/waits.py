"""Explanations of deadlines with their pauses, such as “2 days plus 2 nights of 8 hours and a weekend”."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks.running import NIGHT, VACATION, WEEKEND, Explanation, Part
from games.tables.templatetags.clock import span
from games.tables.views.words import listed

NEARLY = timedelta(hours=22)  # a day on which clocks are set forward
WHOLE = {VACATION: NEARLY, WEEKEND: 2 * NEARLY, NIGHT: timedelta(0)}


def wait_words(why: Explanation) -> str:
    """Return the time for the turn and the pauses in it."""
    rests = list(rest_words(why.parts))
    if not rests:
        return _("{time}; the clock doesn’t pause").format(time=span(why.bank))
    return _("{time} plus {rests}").format(time=span(why.bank), rests=listed(rests))


def rest_words(parts: Iterable[Part]) -> Iterator[str]:
    """Yield each kind of pause with its count, and its total time if the pauses differ in length."""
    for kind, some in groupby(parts, key=lambda part: part.kind):
        yield _rest(kind, list(some))


def _rest(kind: str, parts: Sequence[Part]) -> str:
    number, first = sum(part.count for part in parts), parts[0]
    if len(parts) == 1 and kind == NIGHT:
        words = ngettext("a night of {time}", "{n} nights of {time}", number)
        return words.format(n=number, time=span(first.each))
    if len(parts) == 1 and first.each >= WHOLE[kind]:
        return _counted(kind, number)
    together = sum((part.count * part.each for part in parts), timedelta())
    return _("{what} ({time})").format(what=_counted(kind, number), time=span(together))


def _counted(kind: str, n: int) -> str:
    if kind == VACATION:
        words = ngettext("a day of vacation", "{n} days of vacation", n)
    elif kind == WEEKEND:
        words = ngettext("a weekend", "{n} weekends", n)
    else:
        words = ngettext("a night", "{n} nights", n)
    return words.format(n=n)
