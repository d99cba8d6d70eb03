"""Middleware for accounts: time zones, rate limits on signing in, guests on sign-in pages, and the way there and back.

It also keeps account pages out of browser caches, and requires a recent sign-in for sensitive ones.
"""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, OperationalError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from accounts import acceptance
from accounts.http import Request
from accounts.models import User
from accounts.moderation.services import need_account
from accounts.proof import sign_in_again
from empire.web import languages, limits
from empire.web.middleware import Middleware
from games.clocks.zones import zone_names
from games.errors import GameError

Answer = Callable[[HttpRequest], HttpResponse]

TIME_ZONE_COOKIE = "time_zone"  # set by site.js
TOO_MANY_ATTEMPTS = {"too_many_login_attempts", "rate_limited"}  # error codes of allauth's forms
FAILED_WAIT = 5 * 60
SIGN_IN_PAGES = {
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
ACCOUNT_PAGES = "/accounts/"
# Pages that guests have no use for. What they keep: their data, deleting it, and ending what works without signing in
NEED_ACCOUNT = {
    "account_change_password", "account_set_password", "account_reauthenticate", "own_bots", "own_bot", "add_hook",
    "create_league", "open_tournament", "open_duplicate", "create_team",
}  # fmt: skip
SECOND_FACTORS = "mfa_"  # the beginning of the names of allauth's pages about them
OPEN_TO_SUSPENDED = {
    "moderators_messages", "own_data", "fetch_data", "delete_account", "choose_language", "usersessions_list",
    "end_session", "email_again", "unsubscribe", "accept_terms", "end_access",
}  # fmt: skip
PROTECTED = {
    "account_email", "account_set_password", "delete_account", "mfa_activate_totp", "mfa_add_webauthn",
    "mfa_generate_recovery_codes", "own_data", "fetch_data",
}  # fmt: skip


def guessed_time_zone(request: HttpRequest) -> str:
    name = unquote(request.COOKIES.get(TIME_ZONE_COOKIE, ""))
    return name if name in zone_names() else "UTC"


def current_language() -> str:
    """Return the language of the request, for a new account."""
    return languages.supported(translation.get_language())


def local_language(get_response: Answer) -> Answer:
    """Show pages in the language that the account has chosen. A page opened by an email is in its reader's.

    Links of emails about an account name the language, because nobody needs to be signed in to follow them.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if isinstance(request.user, User) and (chosen := languages.supported(request.user.language)):
            languages.activate(request, chosen)
        elif request.path.startswith(ACCOUNT_PAGES) and (of_email := languages.supported(request.GET.get("language"))):
            languages.activate(request, of_email)
            request.language_to_keep = of_email  # type: ignore[attr-defined]
        answer = get_response(request)
        languages.add_headers(answer)
        if of_reader := getattr(request, "language_to_keep", ""):
            languages.remember(answer, of_reader)
        return answer

    return middleware


def use_language_of(request: HttpRequest, reader: User) -> None:
    """Show this page, and the next ones in a browser that is not signed in, in the language of an email's reader."""
    if not request.user.is_authenticated and (chosen := languages.supported(reader.language)):
        languages.activate(request, chosen)
        request.language_to_keep = chosen  # type: ignore[attr-defined]


def local_time(get_response: Answer) -> Answer:
    """Show times in the reader's time zone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = request.user.time_zone if isinstance(request.user, User) else guessed_time_zone(request)
        with timezone.override(zone):
            return get_response(request)

    return middleware


class GuestSignIn(Middleware):
    """Make guests anonymous on the pages for signing up and in, and set `request.guest` to the guest."""

    def __call__(self, request: Request) -> HttpResponse:
        request.guest = None
        return self.get_response(request)

    def process_view(self, request: Request, view: Callable, args: Any, kwargs: Any) -> None:
        is_sign_in_page = request.resolver_match is not None and request.resolver_match.url_name in SIGN_IN_PAGES
        if is_sign_in_page and isinstance(request.user, User) and request.user.is_guest:
            request.guest, request.user = request.user, AnonymousUser()


class GuestRestrictions(Middleware):
    """Lead guests from pages that need an account to the sign-up page, which explains that they keep their games.

    A passkey, an authenticator app or a password of a guest would still open the account after someone else has signed
    up in the same browser. The email page is for guests who have given an address, to correct it.
    """

    def process_view(self, request: HttpRequest, view: Callable, args: Any, kwargs: Any) -> HttpResponse | None:
        user = request.user  # anonymous on the pages for signing in
        if not isinstance(user, User) or not user.is_guest or request.resolver_match is None:
            return None
        name = request.resolver_match.url_name or ""
        if name == "account_email":
            needs_account = not EmailAddress.objects.filter(user=user).exists()
        else:
            needs_account = name in NEED_ACCOUNT or name.startswith(SECOND_FACTORS)
        if not needs_account:
            return None
        messages.info(request, _("That page is for players with an account. Sign up first; you keep your games."))
        onward = f"?{urlencode({'next': request.get_full_path()})}" if request.method in ("GET", "HEAD") else ""
        return redirect(reverse("account_signup") + onward)


def back_to_the_form(get_response: Answer) -> Answer:
    """If a form needs a sign-in that has ended, lead people back to its page afterward.

    Django's `login_required` leads to the form's own address, but many of these take POST requests only.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if request.method != "POST" or answer.status_code != 302:
            return answer
        page = request.headers.get("Referer", "")
        is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}) and urlsplit(page).netloc
        if is_ours and answer.headers["Location"] == redirect_to_login(request.get_full_path()).url:
            parts = urlsplit(page)
            answer.headers["Location"] = redirect_to_login(urlunsplit(("", "", parts.path, parts.query, ""))).url
        return answer

    return middleware


def whole_sign_in_page(get_response: Answer) -> Answer:
    """Keep the sign-in page out of the parts of an open page that htmx loads when the session has ended.

    What a page loads leads to the sign-in page. A form is refused with a sentence, and keeps what was typed.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        answer, htmx = get_response(request), HtmxDetails(request)
        if not htmx or answer.status_code != 302:
            return answer
        if urlsplit(answer.headers["Location"]).path != resolve_url(settings.LOGIN_URL):
            return answer
        if request.method == "POST":
            words = _("You’re signed out, so nothing was sent. Sign in again in a new tab, then reload this page.")
            return HttpResponse(words, status=401, content_type="text/plain; charset=utf-8")
        try:
            page = htmx.current_url_abs_path or request.get_full_path()
        except ValueError:  # no browser sends an address that is not valid
            page = request.get_full_path()
        return HttpResponse(headers={"HX-Redirect": redirect_to_login(page).url})

    return middleware


class TooManyAttempts(Middleware):
    """Set status 429 when a form of allauth is refused because of too many attempts."""

    def process_template_response(self, request: HttpRequest, answer: TemplateResponse) -> TemplateResponse:
        form = (answer.context_data or {}).get("form")
        if isinstance(form, BaseForm) and form.is_bound:
            codes = {error.code for errors in form.errors.as_data().values() for error in errors}
            if codes & TOO_MANY_ATTEMPTS:
                answer.status_code = 429
                limits.with_retry_after(answer, FAILED_WAIT)
        return answer


def never_cache_account_pages(get_response: Answer) -> Answer:
    """Forbid caching of account pages, which the back button of a shared browser would show to the next person."""

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if request.path_info.startswith(ACCOUNT_PAGES):
            add_never_cache_headers(answer)
        return answer

    return middleware


class DeletedMeanwhile(Middleware):
    """Answer a request whose account was deleted while it ran, such as in another tab, with the page to sign in.

    Its rows are gone then, or can't be written anymore, wherever the request was.
    """

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, DatabaseError | ObjectDoesNotExist) or isinstance(error, OperationalError):
            return None
        if not isinstance(request.user, User) or User.objects.filter(pk=request.user.pk).exists():
            return None
        messages.info(request, _("This account doesn’t exist anymore."))
        return redirect("account_login")


class AccountRestrictions(Middleware):
    """Refuse what suspended people send, except about their own account. They can still read, answer and leave.

    The same holds for people who have not accepted new terms in time. The first page that they open asks them to.
    """

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        user = request.user
        if not isinstance(user, User) or not (user.is_suspended or user.must_accept):
            return None
        if request.method in ("GET", "HEAD", "OPTIONS"):
            # The banner is on whole pages, not on what the scripts of an open page load
            is_page = "text/html" in request.headers.get("Accept", "text/html") and "HX-Request" not in request.headers
            if user.must_accept and request.method == "GET" and is_page:
                acceptance.ask(user)
            return None
        name = (request.resolver_match.url_name if request.resolver_match else None) or ""
        if name in OPEN_TO_SUSPENDED or name.startswith(("account_", "mfa_")):
            return None
        try:
            need_account(user)
            acceptance.need_in_time(user)
        except GameError as refusal:
            if request.headers.get("HX-Request"):
                return HttpResponse(str(refusal), status=403, content_type="text/plain; charset=utf-8")
            return render(request, "accounts/suspended.html", {"refusal": str(refusal)}, status=403)
        return None


class RecentSignIn(Middleware):
    """Require a recent code before sensitive pages for accounts that have neither a password nor a second factor.

    Allauth asks other accounts to reauthenticate, but has nothing to ask these for.
    """

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = request.resolver_match.url_name if request.resolver_match else None
        is_look = name == "account_email" and request.method in ("GET", "HEAD")
        user = request.user if name in PROTECTED and not is_look else None
        if not isinstance(user, User) or get_adapter().get_reauthentication_methods(user) or not user.is_proven:
            return None
        codes = [record["at"] for record in get_authentication_records(request, user) if record["method"] == "code"]
        if codes and time.time() - codes[-1] < app_settings.REAUTHENTICATION_TIMEOUT:
            return None
        return sign_in_again(request)
