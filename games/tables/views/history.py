"""Stepping through a game: every log entry has a URL, `?at=N`, with links to the others.

With `&from=M` it is a replay of what happened after entry M, up to the current table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Step:
    """A link to another entry; `url` is empty if there is none."""

    rel: str
    sign: str
    words: str
    url: str


@dataclass(frozen=True)
class History:
    """The entry shown, and links to others. `title` tells how far it is, `start` is where a replay begins."""

    at: int
    title: str
    line: Any
    steps: tuple[Step, ...]
    start: int | None = None

    @property
    def is_replay(self) -> bool:
        return self.start is not None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the entry; empty at the beginning of a replay."""
        return self.line.sentences if self.line and self.at != self.start else ()


def history(at: int, last: int, log: Sequence[Any], *, start: int | None = None, now: str = "") -> History:
    """Return the stepper at entry `at` of a log that ends with `last`; with `start` as a replay that ends at `now`."""
    line = next((line for line in log if line.seq == at), None)
    if start is None or not 0 <= start <= at or start == last:
        return History(at, _("Entry {at} of {last}").format(at=at + 1, last=last + 1), line, _steps(at, last))
    return History(at, _progress(at - start, last - start), line, _replayed(at, start, last, now), start)


def _progress(n: int, count: int) -> str:
    if n == 0:
        return _("Before move 1 of {count}").format(count=count)
    return _("Move {n} of {count}").format(n=n, count=count)


def _steps(at: int, last: int) -> tuple[Step, ...]:
    back, on = at > 0, at < last
    return (
        Step("first", "«", _("First entry"), _url(0, back)),
        Step("prev", "‹", _("Previous entry"), _url(at - 1, back)),
        Step("next", "›", _("Next entry"), _url(at + 1, on)),
        Step("last", "»", _("Last entry"), _url(last, on)),
    )


def _replayed(at: int, start: int, last: int, now: str) -> tuple[Step, ...]:
    """Return the steps of a replay. After its last move comes the current table."""
    back, on, behind = at > start, at < last, f"&from={start}"
    return (
        Step("first", "«", _("First move"), _url(start, back, behind)),
        Step("prev", "‹", _("Previous move"), _url(at - 1, back, behind)),
        Step("next", "›", _("Next move") if on else _("Go to the table"), _url(at + 1, on, behind) or now),
        Step("last", "»", _("Last move"), _url(last, on, behind)),
    )


def _url(at: int, exists: bool, behind: str = "") -> str:
    return f"?at={at}{behind}" if exists else ""
