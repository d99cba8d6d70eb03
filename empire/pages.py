"""The handler for Django's pages: a few at a time, in a fixed pool of threads, the others queued in order.

All our pages are synchronous. Django's own handler would start a thread per request, switch between it and the event
loop at every view, and watch for disconnects, which is a third of the cost of a light page. Too many threads hinder
each other because of the GIL, and time out waiting for a database connection: six at a time used a quarter more CPU
than four for the same pages.
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

AT_A_TIME = 4  # some of them wait for the database
SPARE = 2  # database connections for live streams, metrics and the like

Message = Mapping[str, Any]
Hear = Callable[[], Awaitable[Message]]


class Pages(ASGIHandler):
    def __init__(self, at_a_time: int | None = None) -> None:
        self.load_middleware()  # the synchronous variant
        most = at_a_time or max(1, min(AT_A_TIME, settings.DATABASE_POOL - SPARE))
        self.threads = ThreadPoolExecutor(most, thread_name_prefix="pages")

    async def handle(self, scope: Scope, receive: Hear, send: Send) -> None:
        """Answer a request in a thread, which is busy neither while the body arrives nor while the response is sent.

        So slow connections do not occupy threads.
        """
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop, work = asyncio.get_running_loop(), partial(copy_context().run, self.answer, scope, body)
        for message in await loop.run_in_executor(self.threads, work):
            await send(message)

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
