"""The database is away for a moment, or a disk is full: a page that says so, and keeps what had been sent to us.

Whatever a request was about, and wherever it came upon that. Nothing half done stays behind: the transaction is gone.
"""

import errno
import sqlite3
import sys
from collections.abc import Callable

from django.conf import settings
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.debug import ExceptionReporter

from empire import limits

WAIT = 10  # seconds that we ask for
PASSING = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class WhileAway:
    """503 in place of the page for faults of ours, and of the trace that a machine of one's own shows for them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        got_request_exception.connect(note)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        return try_again(request) if getattr(request, "met_nobody", False) else answer


def note(request: HttpRequest, **kwargs: object) -> None:
    """Django calls this with what broke in hand, be it in a view or in a middleware."""
    if is_passing(sys.exc_info()[1]):
        request.met_nobody = True  # type: ignore[attr-defined]
        request.exception_reporter_class = Brief


class Brief(ExceptionReporter):
    """In place of the values of variables: many would ask the database once more, and wait for it once more."""

    def get_traceback_html(self) -> SafeString:
        return SafeString(sentence())

    get_traceback_text = get_traceback_html


def is_passing(error: BaseException | None) -> bool:
    """Whether it is the machine that failed and not our code: SQLite calls both of them operational."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    code = getattr(error.__cause__, "sqlite_errorcode", None) if error else None
    return isinstance(error, OperationalError | InterfaceError) and (code is None or code & 0xFF in PASSING)


def try_again(request: HttpRequest) -> HttpResponse:
    """The page, with a button that sends the same once more; for htmx the sentence alone, above the page as it is."""
    if request.headers.get("HX-Request"):
        answer = HttpResponse(sentence(), status=503, content_type="text/plain; charset=utf-8")
    else:
        answer = HttpResponse(render_to_string("503.html", facts(request)), status=503)
    answer["Retry-After"] = str(WAIT)
    answer["Cache-Control"] = "no-store"
    return answer


def sentence() -> str:
    return _(
        "The database is not available right now. Nothing is lost. Try again in a moment. A turn counts only once,"
        " even if you send it again."
    )


def facts(request: HttpRequest) -> dict[str, object]:
    """Nothing of it asks the database who is there. What had been sent can be sent again if its token still holds."""
    found: dict[str, object] = {"site_name": settings.SITE_NAME, "sentence": sentence()}
    found["again"] = request.get_full_path()
    if request.method == "POST" and "CSRF_COOKIE" in request.META:
        return found | {"csrf_token": get_token(request), "typed": list(limits.typed(request))}
    return found
