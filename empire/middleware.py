"""What stands in every answer; and our own page for what is not there, where Django would show its innards."""

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import is_valid_path


def permissions(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """What pages may ask of a browser: passkeys, and nothing else."""
    policy = ", ".join(f"{feature}={whom}" for feature, whom in settings.PERMISSIONS_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        answer["Permissions-Policy"] = policy
        return answer

    return middleware


class OwnNotFound:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.DEBUG and not is_valid_path(request.path_info):
            return not_found(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return not_found(request) if isinstance(error, Http404) else None


def not_found(request: HttpRequest) -> HttpResponse:
    return render(request, "404.html", status=404)
