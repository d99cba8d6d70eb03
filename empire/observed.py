"""Middleware that numbers requests for the log and counts them for the metrics."""

import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from empire import logs, metrics

NUMBER = re.compile(r"[\w.-]{1,64}", re.ASCII)


class Numbered:
    """Add the request number, the user and the game to every log line.

    A number given by the proxy is kept, and each response contains its number.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        number = given if NUMBER.fullmatch(given) else uuid.uuid4().hex
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


def counted(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count requests by view name, so that no URL becomes a label."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        view, method = name_of_view(request), request.method if request.method in metrics.METHODS else "other"
        metrics.requests.labels(view, method, response.status_code).inc()
        metrics.request_seconds.labels(view, method).observe(time.perf_counter() - began)
        return response

    return middleware


def name_of_view(request: HttpRequest) -> str:
    if request.resolver_match:
        return request.resolver_match.view_name
    return "static" if request.path_info.startswith(f"/{settings.STATIC_URL.strip('/')}/") else "none"
