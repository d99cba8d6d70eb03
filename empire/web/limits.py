"""Rate limits of our own actions, set in `RATE_LIMITS`. allauth counts those in `ACCOUNT_RATE_LIMITS` itself.

They count users, or addresses of visitors: in Redis, shared by all processes, or else in the memory of each process. A
refused request gets status 429 with a sentence, the seconds to wait, and a form with what was typed.
"""

import hashlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial, wraps
from math import ceil
from threading import Lock
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.encoding import punycode
from django.utils.translation import ngettext
from limits import (
    RateLimitItem,
    RateLimitItemPerDay,
    RateLimitItemPerHour,
    RateLimitItemPerMinute,
    RateLimitItemPerSecond,
)
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter

from empire import environment
from empire.cache import pause
from empire.web.peers import client_address

View = Callable[..., HttpResponseBase]

USUAL_WAIT = 60  # seconds, if allauth does not tell which limit was reached
SECRET_FIELDS = ("csrf", "password", "code")
MOST_KEPT = 20_000  # characters of a form that are kept
MOST_COUNTED = 1000  # users and addresses whose attempts are kept in memory, times their limits
DOTS_ARE_IGNORED = ("gmail.com", "googlemail.com")

QUOTED_PAIR = re.compile(r"\\(.)")
RATE = re.compile(r"([0-9]+)/([1-9][0-9]*)?([smhd])/(ip|key|user)")
UNITS = {"s": RateLimitItemPerSecond, "m": RateLimitItemPerMinute, "h": RateLimitItemPerHour, "d": RateLimitItemPerDay}


class Rate(NamedTuple):
    """A number of attempts in a period. `per` says what is counted: each address (`ip`), each `key`, or each `user`."""

    limit: RateLimitItem
    per: str


class Memory(MemoryStorage):
    """Counts of one process: one attempt at a time, and the lowest are forgotten when there are too many.

    `MemoryStorage` looks through all its keys after an attempt (1 ms at 1,000 keys, 150 ms at 100,000) and never
    removes one. It may also start its timer twice if two threads attempt something at once, which is an error.
    """

    def __init__(self) -> None:
        self.one_at_a_time = Lock()
        super().__init__()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        with self.one_at_a_time:
            if len(self.events) >= MOST_COUNTED and key not in self.events:
                self.make_room()
            return super().acquire_entry(key, limit, expiry, amount)

    def make_room(self) -> None:
        """Forget a tenth: what has expired, then the fewest and oldest attempts.

        So nobody gets rid of a count by attempts from many addresses, each of which counts less.
        """
        self.timer.join()  # for some milliseconds: it looks through the keys, and would fail without them
        now = time.time()
        lasting = {key: events for key, events in self.events.items() if events and events[0].expiry > now}
        lowest = sorted(lasting, key=lambda key: (len(lasting[key]), lasting[key][0].atime))
        over = [key for key in self.events if key not in lasting]
        for key in over or lowest[: max(1, MOST_COUNTED // 10)]:
            self.clear(key)


def storage() -> RedisStorage | Memory:
    """Return what keeps the counts."""
    if settings.REDIS_URL:
        return RedisStorage(settings.REDIS_URL, wrap_exceptions=True, **settings.REDIS_TIMEOUTS)
    return Memory()


limiter = MovingWindowRateLimiter(storage())


@cache
def parse(text: str) -> tuple[Rate, ...]:
    """Parse limits such as `60/h/key,300/h/ip`. An empty text means no limit. Raises `ValueError`."""
    rates = []
    for part in text.split(",") if text else ():
        match = RATE.fullmatch(part)
        if not match:
            raise ValueError(part)
        amount, periods, unit, per = match.groups()
        rates.append(Rate(UNITS[unit](int(amount), int(periods or 1)), per))
    return tuple(rates)


def check_setting() -> None:
    """Raise `ImproperlyConfigured` if a limit in `RATE_LIMITS` is not valid."""
    for action, text in settings.RATE_LIMITS.items():
        try:
            parse(text)
        except ValueError:
            wanted = "each limit must look like 60/h/key,300/h/ip"
            raise environment.bad("RATE_LIMITS", f"{action}: {text}", wanted) from None


def wait_for(request: HttpRequest, action: str, key: str = "") -> int:
    """Count an attempt. Return 0 if it is within the limits, else the seconds to wait.

    The key is the user, or the address of a visitor, unless another is given. A limit per `user` counts no visitors.
    While Redis is away, there is no limit.
    """
    counts = [
        (limit, action, per, client_address(request) if per == "ip" else digest(key or who(request)))
        for limit, per in parse(settings.RATE_LIMITS[action])
        if per != "user" or request.user.is_authenticated
    ]
    if all(pause.attempt(partial(limiter.hit, *count), True) for count in counts):
        return 0
    # Of each limit that is reached, wait until the oldest attempt expires
    return max(1, *(pause.attempt(partial(time_left, *count), 0) for count in counts))


def time_left(limit: RateLimitItem, *count: str) -> int:
    """Return the seconds until a limit allows another attempt."""
    window = limiter.get_window_stats(limit, *count)
    return 0 if window.remaining > 0 else ceil(window.reset_time - time.time())


def who(request: HttpRequest) -> str:
    return f"user {request.user.pk}" if request.user.is_authenticated else client_address(request)


def digest(key: str) -> str:
    """Return a short form of a key, which may be long and a secret."""
    return hashlib.sha256(key.encode()).hexdigest()


def mailbox(email: str) -> str:
    """Return the mailbox to which emails to this address go, the same for all spellings of it.

    Tags after a plus make no difference, nor do quotes, other characters for the same name of a host, and at some
    providers dots.
    """
    name, _at, host = email.strip().lower().rpartition("@")
    if name.startswith('"'):  # "name"@host and "n\ame"@host are the same as name@host
        name = QUOTED_PAIR.sub(r"\1", name.strip('"'))
    name = name.partition("+")[0]
    with suppress(UnicodeError):  # then there is no such host
        host = punycode(host)
    if host in DOTS_ARE_IGNORED:
        name, host = name.replace(".", ""), DOTS_ARE_IGNORED[0]
    return f"{name}@{host}"


def limited(action: str, *, reading: bool = False) -> Callable[[View], View]:
    """Decorate a view with a rate limit on POST requests; with `reading`, on all requests."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            counts = reading or request.method == "POST"
            wait = wait_for(request, action) if counts else 0
            if wait and reading:
                return only_sentence(wait)
            return too_often(request, wait) if wait else view(request, *args, **kwargs)

        return guarded

    return guard


def too_often(request: HttpRequest, wait: int = USUAL_WAIT) -> HttpResponse:
    """Return the 429 page with the submitted form; for htmx only the sentence."""
    if request.headers.get("HX-Request"):
        return only_sentence(wait)
    context = {"sentence": sentence(wait), "typed": list(typed(request)), "again": request.get_full_path()}
    return with_retry_after(render(request, "429.html", context, status=429), wait)


def only_sentence(wait: int) -> HttpResponse:
    return plain_answer(sentence(wait), 429, wait)


def plain_answer(words: str, status: int, wait: int) -> HttpResponse:
    """Return a sentence without a page, which htmx shows above the current one."""
    return with_retry_after(HttpResponse(words, status=status, content_type="text/plain; charset=utf-8"), wait)


def with_retry_after(answer: HttpResponse, wait: int) -> HttpResponse:
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
