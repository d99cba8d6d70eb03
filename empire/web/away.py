"""The 503 page for when the database is unavailable or a disk is full. It keeps the submitted form.

It applies to every view and middleware. Nothing is half done, because the transaction is rolled back.
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

from empire.web import limits

WAIT = 10  # seconds, sent as Retry-After
PASSING = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class WhileAway:
    """Middleware that answers temporary faults with 503 instead of 500, also in DEBUG."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        got_request_exception.connect(note)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if not getattr(request, "met_nobody", False):
            return answer
        if request.headers.get("HX-Request"):  # only the sentence, shown above the current page
            answer = HttpResponse(sentence(), status=503, content_type="text/plain; charset=utf-8")
        else:
            answer = HttpResponse(render_to_string("503.html", facts(request)), status=503)
        answer["Retry-After"] = str(WAIT)
        answer["Cache-Control"] = "no-store"
        return answer


def note(request: HttpRequest, **kwargs: object) -> None:
    """Handle Django's signal for an exception in a view or middleware."""
    if is_passing(sys.exc_info()[1]):
        request.met_nobody = True  # type: ignore[attr-defined]
        request.exception_reporter_class = Brief


class Brief(ExceptionReporter):
    """A report without variables, because evaluating them could query the unavailable database again."""

    def get_traceback_html(self) -> SafeString:
        return SafeString(sentence())

    get_traceback_text = get_traceback_html


def is_passing(error: BaseException | None) -> bool:
    """Return whether the machine failed and not our code. SQLite uses `OperationalError` for both."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    code = getattr(error.__cause__, "sqlite_errorcode", None) if error else None
    return isinstance(error, OperationalError | InterfaceError) and (code is None or code & 0xFF in PASSING)


def sentence() -> str:
    return _(
        "The database is not available right now. Nothing is lost. Try again in a moment. A turn counts only once,"
        " even if you send it again."
    )


def facts(request: HttpRequest) -> dict[str, object]:
    """Return the context of the page, without database queries. A form can be resent if its CSRF token is valid."""
    found: dict[str, object] = {"site_name": settings.SITE_NAME, "sentence": sentence()}
    found["again"] = request.get_full_path()
    if request.method == "POST" and "CSRF_COOKIE" in request.META:
        return found | {"csrf_token": get_token(request), "typed": list(limits.typed(request))}
    return found
