"""Django's pages: a few at a time, in threads that stay, and those that come meanwhile in their order.

All our pages are synchronous. Django's own handler would give each request a thread of its own, pass it to and fro
between that and the event loop at every view, and watch for readers who go away: a third of what a light page costs.
Many at once hinder each other, for one of them computes at a time, and time out waiting for a connection: of six at a
time the same pages took a quarter more of the processor than of four.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from empire.bounds import Scope, Send

AT_A_TIME = 4  # of which some wait for the database
SPARE = 2  # connections for the live streams, and for what else looks

Message = Mapping[str, Any]
Hear = Callable[[], Awaitable[Message]]


class Visit(NamedTuple):
    """One request on its way: what it is, its body, and whom to answer, from another thread."""

    scope: Scope
    body: IO[bytes]
    send: Send
    loop: asyncio.AbstractEventLoop

    def say(self, message: Message) -> None:
        asyncio.run_coroutine_threadsafe(self.send(message), self.loop).result()  # type: ignore[arg-type]  # any coroutine


class Pages(ASGIHandler):
    def __init__(self, at_a_time: int | None = None) -> None:
        self.load_middleware()  # as threads call it
        most = at_a_time or max(1, min(AT_A_TIME, settings.DATABASE_POOL - SPARE))
        self.threads = ThreadPoolExecutor(most, thread_name_prefix="pages")

    async def handle(self, scope: Scope, receive: Hear, send: Send) -> None:
        """A thread takes the request when its body is here, however slowly that came."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop = asyncio.get_running_loop()
        visit = Visit(scope, body, send, loop)
        for message in await loop.run_in_executor(self.threads, copy_context().run, self.answer, visit):
            await send(message)

    def answer(self, visit: Visit) -> list[Message]:
        """What is left to send; an answer that comes in pieces is sent from here, each when the one before is gone."""
        set_script_prefix(get_script_prefix(visit.scope))
        request_started.send(sender=self.__class__, scope=visit.scope)
        request, refusal = self.create_request(visit.scope, visit.body)
        response: Any = self.get_response(request) if request else refusal
        response._handler_class = self.__class__
        try:
            if not response.streaming:
                return [head(response), {"type": "http.response.body", "body": response.content}]
            visit.say(head(response))
            for piece in pieces(response):
                visit.say({"type": "http.response.body", "body": piece, "more_body": True})
            return [{"type": "http.response.body"}]
        finally:
            response.close()
            visit.body.close()


def head(response: HttpResponseBase) -> Message:
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    cookies = [(b"Set-Cookie", cookie.OutputString().encode("ascii")) for cookie in response.cookies.values()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers + cookies}


def pieces(response: Any) -> Iterator[bytes]:
    if isinstance(response, FileResponse):
        response.block_size = ASGIHandler.chunk_size
    return iter(response)
