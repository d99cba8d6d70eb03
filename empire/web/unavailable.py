"""The 503 page for when the database is unavailable, a disk is full, or too many requests come. It keeps what was sent.

It applies to every view and middleware. Nothing is half done: the transaction is rolled back, or never began.
"""

import errno
import logging
import sqlite3
import sys
import time
from collections.abc import Callable

from django.conf import settings
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.debug import ExceptionReporter

from empire.web import limits

logger = logging.getLogger(__name__)

WAIT = 10  # seconds, sent as Retry-After
SHORT_WAIT = 5  # the same when too many requests come
ONE_WARNING = 30.0  # seconds between warnings that requests are refused
TEMPORARY = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip
DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def temporary_faults(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer temporary faults with 503 instead of 500, also in DEBUG."""
    got_request_exception.connect(note_temporary_fault)

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if not getattr(request, "met_temporary_fault", False):
            return answer
        if request.headers.get("HX-Request"):
            return limits.plain_answer(sentence(), 503, WAIT)
        return whole_page(request, sentence(), WAIT)

    return middleware


def too_many(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer the requests that `empire.web.handler.Pages` refuses, without the database.

    Pages keep what is laid out or typed: htmx shows only the sentence, and a form comes back with what was sent.
    """
    warned_at = -ONE_WARNING

    def middleware(request: HttpRequest) -> HttpResponse:
        nonlocal warned_at
        if "is_refused" not in getattr(request, "scope", ()):
            return get_response(request)
        if time.monotonic() - warned_at >= ONE_WARNING:
            warned_at = time.monotonic()
            logger.warning("Requests are refused, because more come than this process can answer.")
        words = _("Too many people are using the site right now, so nothing was done. Try again in a moment.")
        if request.headers.get("HX-Request") or "text/html" not in request.headers.get("Accept", ""):
            answer = limits.plain_answer(words, 503, SHORT_WAIT)
        else:
            check = CsrfCheck(get_response)
            check.process_request(request)
            if request.method == "POST" and check.process_view(request, get_response, (), {}):
                request.META.pop("CSRF_COOKIE", None)  # another site sent this form, so it does not come back
            answer = whole_page(request, words, SHORT_WAIT)
        answer._has_been_logged = True  # type: ignore[attr-defined]  # Django would log each one as an error
        return answer

    return middleware


class CsrfCheck(CsrfViewMiddleware):
    """The check of forms, which says only whether one is refused: the page for it would need the user."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return HttpResponse(reason, status=403)


def whole_page(request: HttpRequest, words: str, wait: int) -> HttpResponse:
    return limits.with_retry_after(HttpResponse(render_to_string("503.html", facts(request, words)), status=503), wait)


def note_temporary_fault(request: HttpRequest, **kwargs: object) -> None:
    """Handle Django's signal for an exception in a view or middleware."""
    if is_temporary(sys.exc_info()[1]):
        request.met_temporary_fault = True  # type: ignore[attr-defined]
        request.exception_reporter_class = ReportWithoutVariables


class ReportWithoutVariables(ExceptionReporter):
    """A report without variables, because evaluating them could query the unavailable database again."""

    def get_traceback_html(self) -> SafeString:
        return SafeString(sentence())

    get_traceback_text = get_traceback_html


def is_temporary(error: BaseException | None) -> bool:
    """Return whether the machine failed and not our code. SQLite uses `OperationalError` for both."""
    if isinstance(error, OSError):
        return error.errno in DISK_FULL
    code = getattr(error.__cause__, "sqlite_errorcode", None) if error else None
    return isinstance(error, OperationalError | InterfaceError) and (code is None or code & 0xFF in TEMPORARY)


def sentence() -> str:
    return _(
        "The database is not available right now. Nothing is lost. Try again in a moment. A turn counts only once,"
        " even if you send it again."
    )


def facts(request: HttpRequest, words: str) -> dict[str, object]:
    """Return the context of the page, without database queries. A form can be resent if its CSRF token is valid."""
    context: dict[str, object] = {"site_name": settings.SITE_NAME, "sentence": words}
    context["again"] = request.get_full_path()
    if request.method == "POST" and "CSRF_COOKIE" in request.META:
        return context | {"csrf_token": get_token(request), "typed": list(limits.typed(request))}
    return context
