"""Logging: one line per record, as text or JSON, with context, and never with keys.

Signed texts are removed, because links in emails contain them and give access to a seat. So are the links that set a
new password, invitations, and tokens of outside bots. No library would remove them, and the rest is this file
(docs/architecture.md).
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from threading import Thread

# Each alternative begins only where a word does and never steps back, so that it takes no longer than reading the line:
# anyone can request an address with a million letters
KEYS = re.compile(
    r"(?<![\w-])[\w-]++(?::|%3A)(?:[\w-]{5,7}(?::|%3A))?[\w-]{27,}+"  # signed texts, as django.core.signing writes them
    r"|\b[0-9a-zA-Z]++-[0-9a-z]{6,7}-[0-9a-f]{32}\b"  # keys of django.contrib.auth.tokens, with the account's id
    # `models.game.new_token`
    r"|(?:(?<=join/)|(?<=join%2F)|(?<=invited/)|(?<=invited%2F)|(?<=invite=)|(?<=invite%3D))[\w-]{22}(?![\w-])"
    r"|\bebot_[\w-]{20,}"  # `accounts.bots.make_token`
)

EVERY = 600  # seconds between emails about errors
LONGEST_SUBJECT = 150

Facts = dict[str, str | int]  # request, user, game (its public id), seat, seq, task

_facts: ContextVar[Facts | None] = ContextVar("facts", default=None)


def facts() -> Facts:
    return _facts.get() or {}


def begin(**context: str | int) -> None:
    """Start the context of a new request or task."""
    _facts.set(context)


def know(**more: str | int) -> None:
    _facts.set(facts() | more)


@contextmanager
def about(**more: str | int) -> Iterator[None]:
    """Add context for the duration of a block."""
    before = _facts.set(facts() | more)
    try:
        yield
    finally:
        _facts.reset(before)


def without_keys(text: str) -> str:
    return KEYS.sub("***", text)


class WithoutKeys(logging.Filter):
    """Remove signed texts from log messages; web servers log URLs."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = without_keys(record.getMessage()), ()
        return True


class WithoutVisitorsTracebacks(logging.Filter):
    """Remove tracebacks of visitors' mistakes, such as an unknown host or a form that is too large."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.exc_info = None
        return True


class TextFormatter(logging.Formatter):
    """Text for people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatException(self, ei: object) -> str:  # noqa: N802  its name in logging
        return without_keys(super().formatException(ei))  # type: ignore[arg-type]  # sys.exc_info()


class EmailToAdmins(logging.Handler):
    """Email errors to `ADMINS`, at most one in `EVERY` seconds on the whole site: a lost database causes thousands.

    Django's handler would send all of them, with cookies and forms. Errors of `django.security`, which any visitor can
    cause, are left out.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.addFilter(lambda record: not record.name.startswith("django.security."))
        self.sender: Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self.sender is None or not self.sender.is_alive():  # a request must not wait for the email server
            self.sender = Thread(target=self.send, args=(record.getMessage(), self.format(record)), daemon=True)
            self.sender.start()

    def send(self, message: str, text: str) -> None:
        from django.conf import settings
        from django.core.cache import cache
        from django.core.mail import mail_admins

        if cache.add("errors.emailed", True, EVERY):
            subject = " ".join(f"{settings.SITE_NAME}: {message}".split())[:LONGEST_SUBJECT]
            minutes = EVERY // 60
            body = f"{text}\n\nThe log has all errors. For the next {minutes} minutes, you get no email about others.\n"
            try:
                mail_admins(subject, body)
            except Exception as error:
                logging.getLogger(__name__).warning("An email about an error was not sent: %s", error)

    def flush(self) -> None:
        """Let the last email go out before the process ends."""
        if self.sender:
            self.sender.join()


class JsonFormatter(TextFormatter):
    """JSON for machines, one object per line."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        error = {"error": self.formatException(record.exc_info)} if record.exc_info else {}
        return json.dumps(entry | facts() | error, ensure_ascii=False, default=str)
