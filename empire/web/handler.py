"""How requests reach Django's pages: within limits of size and duration, one at a time, and turns first.

Django spools a whole body to disk before it looks at the request, so the limits apply before Django.

All our pages are synchronous. Django's own handler would start a thread per request, switch between it and the event
loop at every view, and watch for disconnects, which is a third of the cost of a light page. Here a fixed pool of
threads answers, and the other requests wait in order; no library does this without a thread waiting for each slow
client (docs/architecture.md). Threads hinder each other because of the GIL: four at a time need a tenth more CPU than
one for the same pages, and each of them takes four times as long. So one request is answered at a time, and the next
one begins early only if that takes long, as waiting for a lock or a picture does.

If more requests come than the process can answer, turns go before pages, pages before refreshes of open ones, and these
before pictures. A request that would wait too long is refused (`empire.web.unavailable.too_many`), because otherwise
all of them would be answered late.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from enum import IntEnum
from functools import partial
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from empire.web.peers import Receive, Scope, Send
from games.rules.record import LARGEST

LARGEST_BODY = LARGEST + 100_000  # bytes: a record and the form around it
LONGEST = 60.0  # seconds to receive a body

AT_A_TIME = 4  # at most, while some are slow
SLOW = 0.1  # seconds after which the next request need not wait for this one
SPARE = 2  # database connections for live streams, metrics and the like

Message = Mapping[str, Any]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
]


# Limits


class Refused(Exception):  # noqa: N818 - an answer, not an error
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def too_large() -> Refused:
    return Refused(413, f"This upload is too large. The limit is {LARGEST_BODY // 1_000_000} MB.")


def bounded(application: Application, most: int = LARGEST_BODY, longest: float = LONGEST) -> Application:
    """Wrap the application so that it answers 413 or 408 for bodies that are too large or too slow."""

    async def within_bounds(scope: Scope, receive: Receive, send: Send) -> None:
        content_length = next((value for name, value in scope.get("headers", ()) if name == b"content-length"), b"0")
        is_number = content_length.isdigit() and len(content_length) < 20
        try:
            if not is_number or int(content_length) > most:
                raise too_large()
            await application(scope, counted(receive, most, longest), send)
        except Refused as refusal:
            await send({"type": "http.response.start", "status": refusal.status, "headers": HEADERS})
            await send({"type": "http.response.body", "body": str(refusal).encode()})

    return within_bounds


def counted(receive: Receive, most: int, longest: float) -> Receive:
    """Wrap `receive` so that it raises `Refused` for bodies that are too large or too slow."""
    deadline = asyncio.get_running_loop().time() + longest
    taken, is_whole = 0, False

    async def hear() -> dict[str, Any]:
        nonlocal taken, is_whole
        if is_whole:
            return await receive()  # wait for the disconnect, without a limit
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise Refused(408, "The upload took too long. Try again.") from None
        taken += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if taken > most:
            raise too_large()
        return message

    return hear


# One at a time


class Urgency(IntEnum):
    """The order in which requests are answered, most urgent first."""

    TURN = 0
    PAGE = 1
    REFRESH = 2  # of an open page, which already shows something
    PICTURE = 3


# Seconds to wait at most
PATIENCE = {Urgency.TURN: 5.0, Urgency.PAGE: 2.0, Urgency.REFRESH: 4.0, Urgency.PICTURE: 1.0}
LATEST = 0.1  # weight of the latest request in the average duration
LONGEST_COUNTED = 1.0  # seconds; one slow download says little about the others
MOST_REFUSALS = 50  # written at the same time, in words for their readers; more get a bare sentence


def urgency(path: str, headers: Collection[tuple[bytes, bytes]] = ()) -> Urgency:
    if re.fullmatch(settings.ANSWERED_FIRST, path):
        return Urgency.TURN
    if re.fullmatch(settings.ANSWERED_LAST, path):
        return Urgency.PICTURE
    return Urgency.REFRESH if any(name == b"refresh" for name, _value in headers) else Urgency.PAGE  # see table.js


class Room:
    """The requests that are answered now, and the others in the order in which they will be.

    One is answered at a time, besides `slow` ones, and never more than `places`. Use it from one event loop. `pace` is
    the average number of seconds from one answer to the next.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self.inside = self.slow = 0
        self.pace = 0.0
        self.waiting: dict[Urgency, deque[asyncio.Future[None]]] = {urgency: deque() for urgency in Urgency}

    @property
    def is_full(self) -> bool:
        return self.inside > self.slow or self.inside == self.places

    async def enter(self, urgency: Urgency) -> bool:
        """Wait until it is this request's turn. Return False if that takes, or would take, longer than its patience."""
        if not self.is_full:
            self.inside += 1
            return True
        ahead = sum(len(queue) for other, queue in self.waiting.items() if other <= urgency)
        if ahead * self.pace > PATIENCE[urgency]:
            return False
        turn = asyncio.get_running_loop().create_future()
        self.waiting[urgency].append(turn)
        try:
            async with asyncio.timeout(PATIENCE[urgency]):
                await turn
        except TimeoutError:
            return not turn.cancelled()  # it may have got its place at the last moment
        except asyncio.CancelledError:  # the server stops
            if not turn.cancelled():
                self.leave()
            raise
        finally:
            if turn.cancelled():
                with suppress(ValueError):  # `let_in` has passed over it
                    self.waiting[urgency].remove(turn)
        return True

    def count_as_slow(self) -> None:
        """Let the next request in, because one that is inside takes long."""
        self.slow += 1
        self.let_in()

    def leave(self, seconds: float | None = None, *, was_slow: bool = False) -> None:
        """Let the next request in. `seconds` is how long the answer took."""
        if seconds is not None:
            self.pace += LATEST * (min(seconds, LONGEST_COUNTED) / self.inside - self.pace)
        self.inside -= 1
        self.slow -= was_slow
        self.let_in()

    def let_in(self) -> None:
        for queue in self.waiting.values():
            while queue and not self.is_full:
                turn = queue.popleft()
                if not turn.done():
                    self.inside += 1
                    turn.set_result(None)


class Pages(ASGIHandler):
    def __init__(self, at_a_time: int | None = None) -> None:
        self.load_middleware()  # the synchronous variant
        most = at_a_time or max(1, min(AT_A_TIME, settings.DATABASE_POOL - SPARE))
        self.room = Room(most)
        self.threads = ThreadPoolExecutor(most, thread_name_prefix="pages")
        self.refusing = ThreadPoolExecutor(1, thread_name_prefix="refusals")  # it needs no database
        self.refusals = 0

    async def handle(self, scope: Scope, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        """Answer in a thread, which waits neither for the body nor for sending, so that slow clients occupy none."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        if not await self.room.enter(urgency(scope["path"], scope["headers"])):
            for message in await self.refuse(scope, body):
                await send(message)
            return
        began, is_slow = time.perf_counter(), False

        def count_as_slow() -> None:
            nonlocal is_slow
            is_slow = True
            self.room.count_as_slow()

        alarm = asyncio.get_running_loop().call_later(SLOW, count_as_slow)
        try:
            messages = await self.work(self.threads, scope, body)
        finally:
            alarm.cancel()
            self.room.leave(time.perf_counter() - began, was_slow=is_slow)
        for message in messages:
            await send(message)

    async def refuse(self, scope: Scope, body: IO[bytes]) -> tuple[Message, Message]:
        """Return the answer of `empire.web.unavailable.too_many`, or the bare sentence if even those are too many."""
        if self.refusals >= MOST_REFUSALS:
            body.close()
            raise Refused(503, "The site is busy, so nothing was done. Try again in a moment.")
        self.refusals += 1
        try:
            return await self.work(self.refusing, scope | {"is_refused": True}, body)
        finally:
            self.refusals -= 1

    def work(self, threads: ThreadPoolExecutor, scope: Scope, body: IO[bytes]) -> Awaitable[tuple[Message, Message]]:
        work = partial(copy_context().run, self.answer, scope, body)
        return asyncio.get_running_loop().run_in_executor(threads, work)

    def answer(self, scope: Scope, body: IO[bytes]) -> tuple[Message, Message]:
        """Return head and body. Streaming responses, such as files and exports, are small enough for memory."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = self.get_response(request) if request else refusal
        response._handler_class = self.__class__
        try:
            whole = b"".join(response) if response.streaming else response.content
            return head(response), {"type": "http.response.body", "body": whole}
        finally:
            response.close()
            body.close()


def head(response: HttpResponseBase) -> Message:
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    cookies = [(b"Set-Cookie", cookie.OutputString().encode("ascii")) for cookie in response.cookies.values()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers + cookies}
