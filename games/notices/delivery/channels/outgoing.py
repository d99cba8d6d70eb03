"""HTTPS posts to URLs given by users, sent only to IP addresses that were checked to be public.

HTTP libraries look the name up again when they connect, and may then reach another address.

Redirects are not followed, only the beginning of a response is read, and one deadline covers the whole request.
"""

import http.client
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from math import inf, isfinite
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext

from games.notices import outlets
from games.notices.delivery.channels import addresses
from games.notices.delivery.channels.addresses import Address, NoAnswer, NotTaken
from games.notices.outlets import Gone, Refused, TryAgain

CONNECT = 5.0  # seconds to connect to one IP address
WHOLE = 10.0  # seconds for the whole request
ENOUGH = 500  # bytes of a response that are read, for the error message
LONGEST_WAIT = timedelta(hours=1)
SLOW = 5.0  # seconds, after which further messages of the same owner wait: emails wait for the same workers
SLOW_WAIT = timedelta(minutes=5)

_page_waits = Lock()  # while a page of this process waits for another host


@dataclass(frozen=True)
class Answer:
    """An HTTP response. `words`: the beginning of its body, in one line. `retry_after`: how long it asks us to wait."""

    status: int
    words: str = ""
    retry_after: timedelta | None = None

    @property
    def is_yes(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        return self.status in {404, 410}

    @property
    def is_for_now(self) -> bool:
        """Whether a later attempt may succeed."""
        return self.status in {408, 425, 429} or self.status >= 500

    @property
    def sentence(self) -> str:
        """Describe the response, as in `It answered 404 Not Found: no_service`."""
        status = f"{self.status} {http.client.responses.get(self.status, '')}".strip()
        if 300 <= self.status < 400:
            return gettext("It answered %(status)s: a redirect, which we don’t follow.") % {"status": status}
        if not self.words or self.is_yes:
            return gettext("It answered %(status)s.") % {"status": status}
        return gettext("It answered %(status)s: %(words)s") % {"status": status, "words": self.words}


def hand_over(url: str, send: Callable[[], Answer], *, owner: str) -> None:
    """Send a notice, or raise a subclass of `Unsent`. After no response, the host is left alone for a while.

    After a slow response all hosts of the `owner` are (`need_quick`), because anyone can have many slow hosts.
    """
    host = urlsplit(url).netloc
    place = f"https://{host}"  # never the name of a channel, whatever a user's host is called
    if outlets.is_paused(place):
        raise TryAgain(gettext("%(host)s isn’t responding right now.") % {"host": host})
    began = time.monotonic()
    try:
        answer = send()
    except NoAnswer as silence:
        outlets.pause(place)
        raise TryAgain(str(silence)) from silence
    except NotTaken as refusal:
        raise Refused(str(refusal)) from refusal
    finally:
        if time.monotonic() - began > SLOW:
            outlets.pause(_slow(owner), SLOW_WAIT.seconds)
    if answer.is_gone:
        raise Gone(answer.sentence)
    if answer.is_for_now:
        raise TryAgain(answer.sentence, after=answer.retry_after)
    if not answer.is_yes:
        raise Refused(answer.sentence)


def need_quick(owner: str) -> None:
    """Raise `TryAgain` if a host of this owner responded slowly a moment ago."""
    if outlets.is_paused(_slow(owner)):
        raise TryAgain(gettext("One of your other addresses responded too slowly, so this one waits."), after=SLOW_WAIT)


def _slow(owner: str) -> str:
    return f"slow {owner}"


@contextmanager
def for_a_page() -> Iterator[None]:
    """Let a page wait for another host. Raises `NotTaken` if another page of this process does so already.

    Otherwise a few readers with slow hosts could occupy all threads that answer pages.
    """
    if not _page_waits.acquire(blocking=False):
        raise NotTaken(gettext("Someone else is adding or testing an address right now. Try again in a few seconds."))
    try:
        yield
    finally:
        _page_waits.release()


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post and return the response, whatever its status. Raises `BadAddress` before sending anything, or `NoAnswer`."""
    until = time.monotonic() + WHOLE
    address = addresses.read(url)
    connection = Pinned(address, addresses.resolve(address), until)
    try:
        connection.request("POST", address.path, body, {"User-Agent": "eight-minutes", **headers})
        response = connection.getresponse()
        try:
            words = response.read1(ENOUGH).decode(errors="replace")
        except (OSError, http.client.HTTPException):  # it does not matter: the status is known
            words = ""
        words = " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())[:200]
        return Answer(response.status, words, wait(response.headers.get("Retry-After", "")))
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(_why(error)) from error
    finally:
        connection.close()


def seconds_until(deadline: float) -> float:
    """Return the time-out for a socket: the seconds left, and never 0, which would mean not to wait at all."""
    return max(deadline - time.monotonic(), 0.001)


class Impatient(ssl.SSLSocket):
    """A TLS socket with one deadline for the whole exchange, even if the server sends byte by byte."""

    until = inf

    def _hurry(self) -> None:
        if time.monotonic() > self.until:  # a server that never stops sending is never waited for
            raise TimeoutError
        self.settimeout(seconds_until(self.until))

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self._hurry()
        return super().recv_into(*args, **kwargs)

    def send(self, *args: Any, **kwargs: Any) -> int:
        self._hurry()
        return super().send(*args, **kwargs)


class Pinned(http.client.HTTPSConnection):
    """A connection to the given IP addresses, without resolving the name again. The certificate must match the name."""

    def __init__(self, address: Address, ips: list[str], until: float) -> None:
        self.ips, self.until, self.context = ips, until, context(settings.OUTGOING_CA)
        super().__init__(address.host, address.port, context=self.context)

    def connect(self) -> None:
        plain = self._first_to_pick_up()
        try:
            plain.settimeout(seconds_until(self.until))
            tls = self.context.wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise
        assert isinstance(tls, Impatient)
        tls.until = self.until
        self.sock = tls

    def _first_to_pick_up(self) -> socket.socket:
        for ip in self.ips[:-1]:
            try:
                return self._reach(ip)
            except OSError:
                continue
        return self._reach(self.ips[-1])

    def _reach(self, ip: str) -> socket.socket:
        return socket.create_connection((ip, self.port), min(CONNECT, seconds_until(self.until)))


@cache
def context(authorities: str) -> ssl.SSLContext:
    """Return a TLS context that trusts the system's authorities and those in the given file, if any."""
    tls_context = ssl.create_default_context()
    if authorities:
        tls_context.load_verify_locations(authorities)
    tls_context.sslsocket_class = Impatient
    return tls_context


def wait(retry_after: str) -> timedelta | None:
    """Parse Retry-After, seconds or a date (RFC 9110, 10.2.3), capped at LONGEST_WAIT. None if it is missing or bad."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            at = parsedate_to_datetime(retry_after)
        except (ValueError, OverflowError):  # a year or an offset can be too large, too
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - timezone.now()).total_seconds()
    if not isfinite(seconds):
        return None
    # The cap comes first, because a timedelta of a huge number overflows
    return timedelta(seconds=min(max(seconds, 0), LONGEST_WAIT.total_seconds()))


def _why(error: Exception) -> str:
    match error:
        case TimeoutError():
            return gettext("It did not respond in time.")
        case ssl.SSLCertVerificationError():
            return gettext("Its certificate is not valid: %(why)s.") % {"why": error.verify_message}
        case ssl.SSLError():
            return gettext("The HTTPS connection failed.")
        case ConnectionRefusedError():
            return gettext("It refused the connection.")
        case ConnectionError():
            return gettext("The connection was lost.")
        case http.client.HTTPException():
            return gettext("Its response was not valid HTTP.")
        case _:
            return gettext("It could not be reached.")
