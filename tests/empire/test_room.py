"""A web process answers one request at a time, and more while that takes long; others wait in order."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from empire.web import handler
from empire.web.handler import AT_A_TIME, SPARE, Pages, Send

HEAD = {"type": "http", "method": "GET", "query_string": b"", "headers": [(b"host", b"testserver")]}


class Visits:
    """Visitors who come at the same time: how many were inside together, and in which order they were let in.

    `together` visitors leave at the same time, so that as many must be inside at once.
    """

    def __init__(self, pages: Pages, together: int) -> None:
        self.inside = self.most = 0
        self.seen: list[str] = []
        self.door, self.way_out = Lock(), Barrier(together, timeout=30)
        self.pages = pages
        pages._middleware_chain = self.page

    def page(self, request: HttpRequest) -> HttpResponse:
        with self.door:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.seen.append(request.path)
        self.way_out.wait()
        with self.door:
            self.inside -= 1
        return HttpResponse("here")

    async def come(self, visitors: int) -> None:
        await asyncio.gather(*(self.visit(f"/{number}") for number in range(visitors)))

    async def visit(self, path: str) -> None:
        messages: list[dict] = []
        await ask(self.pages, path, keep(messages))
        assert messages[0]["status"] == 200


async def ask(pages: Pages, path: str, send: Send) -> None:
    whole = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict:
        return whole.pop() if whole else await asyncio.Event().wait()

    await pages({**HEAD, "path": path}, receive, send)


def keep(messages: list[dict]) -> Send:
    async def send(message: dict) -> None:
        messages.append(message)

    return send


def elsewhere(work: Coroutine) -> Any:
    """Run it in another thread: the browser driver keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def come(pages: Pages, together: int, visitors: int) -> Visits:
    visits = Visits(pages, together)
    elsewhere(visits.come(visitors))
    return visits


def test_requests_are_answered_in_order_and_one_at_a_time(monkeypatch) -> None:
    monkeypatch.setattr(handler, "SLOW", 30.0)
    visits = come(Pages(), 1, 20)
    assert visits.seen == [f"/{number}" for number in range(20)] and visits.most == 1


def test_while_requests_take_long_others_are_answered_as_far_as_there_are_connections(settings) -> None:
    assert come(Pages(2), 2, 6).most == 2
    assert come(Pages(), AT_A_TIME, 2 * AT_A_TIME).most == AT_A_TIME
    settings.DATABASE_POOL = SPARE + 3
    assert come(Pages(), 3, 6).most == 3
    settings.DATABASE_POOL = 2
    assert come(Pages(), 1, 30).most == 1


def test_a_slow_request_that_ends_does_not_let_in_two_others(monkeypatch) -> None:
    monkeypatch.setattr(handler, "SLOW", 0.05)
    pages = Pages()
    visits = come(pages, 2, 8)  # of two inside, one is slow
    assert visits.most == 2 and (pages.room.inside, pages.room.slow) == (0, 0)


def test_a_client_that_does_not_read_its_answer_does_not_block_others() -> None:
    pages = Pages(1)
    pages._middleware_chain = lambda request: StreamingHttpResponse([b"a long file"] * 3)

    async def visit() -> list[dict]:
        messages: list[dict] = []
        has_begun = asyncio.Event()

        async def never_done(message: dict) -> None:
            has_begun.set()
            await asyncio.Event().wait()

        slow = asyncio.create_task(ask(pages, "/slow", never_done))
        await has_begun.wait()
        await ask(pages, "/next", keep(messages))
        slow.cancel()
        return messages

    start, body = elsewhere(visit())
    assert start["status"] == 200 and body["body"] == b"a long file" * 3
