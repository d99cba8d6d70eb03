"""Stepping through a game: every entry of the log has an address, `?at=N`, and what leads from one to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Step:
    """A link to another entry; without `url` where there is none."""

    rel: str
    sign: str
    words: str
    url: str


@dataclass(frozen=True)
class History:
    """The entry shown, counted from 1 for people, and the ways from it."""

    at: int
    number: int
    last: int
    line: Any
    steps: tuple[Step, ...]


def history(at: int, last: int, log: Sequence[Any]) -> History:
    """The stepper at entry `at` of a log whose last entry is `last`."""
    line = next((line for line in log if line.seq == at), None)
    return History(at, at + 1, last + 1, line, _steps(at, last))


def _steps(at: int, last: int) -> tuple[Step, ...]:
    back, on = at > 0, at < last
    return (
        Step("first", "«", _("First entry"), _url(0, back)),
        Step("prev", "‹", _("Entry before"), _url(at - 1, back)),
        Step("next", "›", _("Next entry"), _url(at + 1, on)),
        Step("last", "»", _("Last entry"), _url(last, on)),
    )


def _url(at: int, exists: bool) -> str:
    return f"?at={at}" if exists else ""
