"""Middleware: numbers and counts for log and metrics, headers, compression, unreadable requests, error pages."""

import gzip
import json
import re
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import is_valid_path, reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, gettext_noop
from zlib_ng import zlib_ng

from empire.observability import logs, metrics
from empire.web.views import bad_request

UTF_8 = "utf-8"
NUMBER = re.compile(r"[\w.-]{1,64}", re.ASCII)


class Middleware:
    """Base class of middleware with hooks such as `process_view`. Middleware without hooks are functions."""

    def __init__(self, get_response: Callable[[Any], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        return self.get_response(request)


class RequestNumber(Middleware):
    """Number each request, or keep the proxy's number. Log lines have it, with the user and the game."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = request.headers.get("X-Request-ID", "")
        number = request_id if NUMBER.fullmatch(request_id) else uuid.uuid4().hex
        logs.begin(request=number)
        response = self.get_response(request)
        response["X-Request-ID"] = number
        return response

    def process_view(self, request: HttpRequest, view: Callable, args: Any, kwargs: dict[str, Any]) -> None:
        user = getattr(request, "user", None)  # already loaded, for the time zone of the page
        if user and user.pk:
            logs.know(user=user.pk)
        if "public_id" in kwargs:
            logs.know(game=kwargs["public_id"])


def count_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count requests by view name, so that no URL becomes a label."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        method = request.method if request.method in metrics.METHODS else "other"
        is_static = request.path_info.startswith(f"/{settings.STATIC_URL.strip('/')}/")
        view = request.resolver_match.view_name if request.resolver_match else "static" if is_static else "none"
        metrics.requests.labels(view, method, response.status_code).inc()
        metrics.request_seconds.labels(view, method).observe(time.perf_counter() - began)
        return response

    return middleware


def permissions_policy(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Add the Permissions-Policy header, which allows pages only passkeys."""
    policy = ", ".join(f"{feature}={whom}" for feature, whom in settings.PERMISSIONS_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        answer["Permissions-Policy"] = policy
        return answer

    return middleware


FOR_PROGRAMS = "/api/"
NO_PAGES = {
    400: gettext_noop("This request can’t be read. Send JSON in UTF-8, without null characters, as application/json."),
    404: gettext_noop("This address does not exist. docs/bots.md lists the addresses."),
    503: gettext_noop(
        "The site can’t answer right now. Nothing is lost. Try again in a moment. A turn counts only once, even if you"
        " send it again."
    ),
}
REFUSED = gettext_noop("The site does not accept this request, and will not accept it if you send it again.")
FAULT = gettext_noop("Your games are safe, and we have recorded the error. Try again in a moment.")


def json_for_programs(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Replace error pages by a sentence in JSON for programs, which would stumble over HTML."""

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        is_json = answer.headers.get("Content-Type") == "application/json"
        if answer.status_code >= 400 and request.path_info.startswith(FOR_PROGRAMS) and not is_json:
            is_fault = answer.status_code >= 500  # other refusals are not recorded, and another try would not help
            sentence = gettext(NO_PAGES.get(answer.status_code, FAULT if is_fault else REFUSED))
            answer.content = json.dumps({"refused": sentence}, ensure_ascii=False)
            answer["Content-Type"], answer["Content-Length"] = "application/json", str(len(answer.content))
            answer.headers.pop("Content-Encoding", None)
        return answer

    return middleware


FORMAT = 31  # gzip, as `wbits` of zlib
LEVEL = 5
PACKED = ("image/jpeg", "image/png", "image/webp", "application/zip")  # which gzip makes no smaller


class Compression(GZipMiddleware):
    """Django's, but with zlib-ng, which compresses a page in 0.5 ms instead of 1.4, and makes it 1% larger."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.get("Content-Type") in PACKED:
            return response
        if not isinstance(response, HttpResponse) or len(response.content) < 200 or "Content-Encoding" in response:
            return super().process_response(request, response)
        patch_vary_headers(response, ["Accept-Encoding"])
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            response.content = self.compressed(response.content)
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(response.content))
            if response.get("ETag", "").startswith('"'):
                response["ETag"] = "W/" + response["ETag"]
        return response

    def compressed(self, content: bytes) -> bytes:
        """Return the content with a file name of random length, so that its size tells less about it."""
        packed, name = zlib_ng.compress(content, LEVEL, FORMAT), b"a" * secrets.randbelow(self.max_random_bytes)
        return b"".join((packed[:3], bytes([gzip.FNAME]), packed[4:10], name, b"\0", packed[10:]))


class ValidText(Middleware):
    """Refuse encodings other than UTF-8, at some of which Django fails, and nulls, which PostgreSQL cannot store."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.content_params or {}).get("charset", UTF_8).lower() != UTF_8:
            return bad_request(request)
        sent = (request.path_info, *request.COOKIES.values(), *texts(request.GET))
        return bad_request(request) if any("\0" in text for text in sent) else self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        return bad_request(request) if any("\0" in text for text in texts(request.POST)) else None


def texts(fields: QueryDict) -> Iterator[str]:
    for name, values in fields.lists():
        yield name
        yield from values


class NotFoundPage(Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.DEBUG and not is_valid_path(request.path_info):
            return not_found(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, OverflowError | DataError) and request.path.startswith(reverse("admin:index")):
            return bad_request(request)  # the admin looks up any number it is sent
        return not_found(request) if isinstance(error, Http404) else None


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the 404 page without reading the request body, unlike Django's view, because it may be unreadable."""
    return render(request, "404.html", status=404)
