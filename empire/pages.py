"""Django's pages: a few at a time, in threads that stay, and those that come meanwhile in their order.

All our pages are synchronous. Django's own handler would give each request a thread of its own, pass it to and fro
between that and the event loop at every view, and watch for readers who go away: a third of what a light page costs.
Many at once hinder each other, for one of them computes at a time, and time out waiting for a connection: of six at a
time the same pages took a quarter more of the processor than of four.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from empire.bounds import Scope, Send

AT_A_TIME = 4  # of which some wait for the database
SPARE = 2  # connections for the live streams, and for what else looks

Message = Mapping[str, Any]
Hear = Callable[[], Awaitable[Message]]


class Pages(ASGIHandler):
    def __init__(self, at_a_time: int | None = None) -> None:
        self.load_middleware()  # as threads call it
        most = at_a_time or max(1, min(AT_A_TIME, settings.DATABASE_POOL - SPARE))
        self.threads = ThreadPoolExecutor(most, thread_name_prefix="pages")

    async def handle(self, scope: Scope, receive: Hear, send: Send) -> None:
        """A thread takes the request when its body is here, and has done before the answer goes out.

        However slowly either goes over the line.
        """
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop, work = asyncio.get_running_loop(), partial(copy_context().run, self.answer, scope, body)
        for message in await loop.run_in_executor(self.threads, work):
            await send(message)

    def answer(self, scope: Scope, body: IO[bytes]) -> tuple[Message, Message]:
        """Head and body. What comes in pieces, files and lists of what was played, is small enough to be kept whole."""
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
