"""Rate limits, set in `ACCOUNT_RATE_LIMITS` for allauth's pages and ours.

They count users, or addresses of visitors, in the cache shared by all processes. A refused request gets status 429 with
a sentence, the seconds to wait, and a form with what was typed.
"""

import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import ngettext

View = Callable[..., HttpResponseBase]

APP = "allauth.account"
USUAL_WAIT = 60  # seconds, if allauth does not tell which limit was reached
SECRET_FIELDS = ("csrf", "password", "code")
MOST_KEPT = 20_000  # characters of a form that are kept


def wait_for(request: HttpRequest, action: str, key: str = "") -> int:
    """Count an attempt. Return 0 if it is within the limits, else the seconds to wait."""
    key = key or who(request)
    if ratelimit.consume(request, app=APP, action=action, key=key, limit_get=True):
        return 0
    # Of each limit that is reached, wait until the oldest attempt expires
    now, wait = time.time(), 1
    for rate in ratelimit.get_rates(app=APP, action=action):
        counted = cache.get(ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key), [])
        if len(counted) >= rate.amount:
            wait = max(wait, round((counted[-1] if counted else now) + rate.duration - now))
    return wait


def who(request: HttpRequest) -> str:
    return f"user {request.user.pk}" if request.user.is_authenticated else ratelimit.get_ip(request)


def mailbox(email: str) -> str:
    """Return the mailbox of an address for rate limits, without the tag after a plus."""
    name, _at, domain = email.strip().lower().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


def limited(action: str, *, reading: bool = False) -> Callable[[View], View]:
    """Decorate a view with a rate limit on POST requests; with `reading`, on all requests."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            counts = reading or request.method == "POST"
            wait = wait_for(request, action) if counts else 0
            if wait and reading:
                return in_plain_words(wait)
            return too_often(request, wait) if wait else view(request, *args, **kwargs)

        return guarded

    return guard


def too_often(request: HttpRequest, wait: int = USUAL_WAIT) -> HttpResponse:
    """Return the 429 page with the submitted form; for htmx only the sentence."""
    if request.headers.get("HX-Request"):
        return in_plain_words(wait)
    context = {"sentence": sentence(wait), "typed": list(typed(request)), "again": request.get_full_path()}
    return patient(render(request, "429.html", context, status=429), wait)


def in_plain_words(wait: int) -> HttpResponse:
    return patient(HttpResponse(sentence(wait), status=429, content_type="text/plain; charset=utf-8"), wait)


def patient(answer: HttpResponse, wait: int) -> HttpResponse:
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer


def sentence(wait: int) -> str:
    minutes = -(-wait // 60)
    return ngettext(
        "Too many requests in a short time. Wait a minute and try again.",
        "Too many requests in a short time. Wait %(n)d minutes and try again.",
        minutes,
    ) % {"n": minutes}


def typed(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the submitted fields without secrets; none if the form is larger than people type."""
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    if sum(len(name) + len(value) for name, value in fields) <= MOST_KEPT:
        yield from (field for field in fields if not any(word in field[0] for word in SECRET_FIELDS))
