"""The log: one line each, as text or as JSON, with what the work at hand is about, and never a key.

Whoever reads a log must not get a seat by it: signed texts, which links of mails are, do not stand there.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

SIGNED = re.compile(r"[\w-]+(?::|%3A)(?:[\w-]{5,7}(?::|%3A))?[\w-]{27,}")  # as django.core.signing writes it

Facts = dict[str, str | int]  # request, user, game (its public id), seat, seq, task

_facts: ContextVar[Facts | None] = ContextVar("facts", default=None)


def facts() -> Facts:
    return _facts.get() or {}


def begin(**known: str | int) -> None:
    """Something new is done here, and this much is known of it: a request, a task."""
    _facts.set(known)


def know(**more: str | int) -> None:
    _facts.set(facts() | more)


@contextmanager
def about(**more: str | int) -> Iterator[None]:
    """Of a part of the work, and no longer than that."""
    before = _facts.set(facts() | more)
    try:
        yield
    finally:
        _facts.reset(before)


def without_keys(said: str) -> str:
    return SIGNED.sub("***", said)


class WithoutKeys(logging.Filter):
    """Takes signed texts out of what is logged; web servers log addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = without_keys(record.getMessage()), ()
        return True


class VisitorsFaults(logging.Filter):
    """What a visitor did wrong has no trace of ours: a host that is not ours, a form too large."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.exc_info = None
        return True


class Text(logging.Formatter):
    """For people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatException(self, ei: object) -> str:  # noqa: N802  its name in logging
        return without_keys(super().formatException(ei))  # type: ignore[arg-type]  # sys.exc_info()


class Json(Text):
    """For machines: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        error = {"error": self.formatException(record.exc_info)} if record.exc_info else {}
        return json.dumps(said | facts() | error, ensure_ascii=False, default=str)
