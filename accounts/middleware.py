"""Who comes in: the clock they live by, how often they try, and guests at the door, who are strangers there."""

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from django.contrib.auth.models import AnonymousUser
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts.http import Request
from accounts.models import User
from accounts.zones import zone_names
from empire import limits

Answer = Callable[[HttpRequest], HttpResponse]

TIME_ZONE_COOKIE = "time_zone"  # set by site.js
TOO_OFTEN = {"too_many_login_attempts", "rate_limited"}  # how allauth's forms call it
FAILED_WAIT = 5 * 60
DOORS = {
    "account_signup",
    "account_login",
    "account_request_login_code",
    "account_confirm_login_code",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_email_verification_sent",
    "mfa_authenticate",
    "mfa_login_webauthn",
}


def guessed_time_zone(request: HttpRequest) -> str:
    name = unquote(request.COOKIES.get(TIME_ZONE_COOKIE, ""))
    return name if name in zone_names() else "UTC"


def local_time(get_response: Answer) -> Answer:
    """Times are shown by the clock of the reader."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = request.user.time_zone if isinstance(request.user, User) else guessed_time_zone(request)
        with timezone.override(zone):
            return get_response(request)

    return middleware


class GuestsAtTheDoor:
    """`request.guest` is the guest who asks to sign up or in; on these pages `request.user` is nobody yet."""

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        request.guest = None
        return self.get_response(request)

    def process_view(self, request: Request, view: Callable, args: Any, kwargs: Any) -> None:
        is_door = request.resolver_match is not None and request.resolver_match.url_name in DOORS
        if is_door and isinstance(request.user, User) and request.user.is_guest:
            request.guest, request.user = request.user, AnonymousUser()


class TooOftenIsTold:
    """A form of allauth that was refused because of too many tries is shown again, as 429."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, answer: TemplateResponse) -> TemplateResponse:
        form = (answer.context_data or {}).get("form")
        if isinstance(form, BaseForm) and form.is_bound:
            codes = {error.code for errors in form.errors.as_data().values() for error in errors}
            if codes & TOO_OFTEN:
                answer.status_code = 429
                limits.patient(answer, FAILED_WAIT)
        return answer
