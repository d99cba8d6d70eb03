"""Middleware: headers of every response, refusal of unreadable requests, and our 404 page even with DEBUG."""

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import is_valid_path, reverse

from empire.views import senseless

UTF_8 = "utf-8"


def permissions(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Add the Permissions-Policy header, which allows pages only passkeys."""
    policy = ", ".join(f"{feature}={whom}" for feature, whom in settings.PERMISSIONS_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        answer["Permissions-Policy"] = policy
        return answer

    return middleware


class InPlainText:
    """Refuse requests in encodings other than UTF-8, at some of which Django fails.

    Also refuse null characters, which PostgreSQL cannot store or search for.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.content_params or {}).get("charset", UTF_8).lower() != UTF_8:
            return senseless(request)
        told = (request.path_info, *request.COOKIES.values(), *texts(request.GET))
        return senseless(request) if any("\0" in text for text in told) else self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        return senseless(request) if any("\0" in text for text in texts(request.POST)) else None


def texts(fields: QueryDict) -> Iterator[str]:
    for name, values in fields.lists():
        yield name
        yield from values


class OwnNotFound:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.DEBUG and not is_valid_path(request.path_info):
            return not_found(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, OverflowError | DataError) and request.path.startswith(reverse("admin:index")):
            return senseless(request)  # the admin looks up any number it is sent
        return not_found(request) if isinstance(error, Http404) else None


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the 404 page without reading the request body, unlike Django's view, because it may be unreadable."""
    return render(request, "404.html", status=404)
