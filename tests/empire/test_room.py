"""A web process answers so many requests at a time; the others wait in order, and none is turned away."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import sleep

from django.http import HttpRequest, HttpResponse

from empire.pages import AT_A_TIME, SPARE, Pages

HEAD = {"type": "http", "method": "GET", "query_string": b"", "headers": [(b"host", b"testserver")]}


class Visits:
    """What visitors see who all come at once: how many were inside together, in what order they were answered."""

    def __init__(self, pages: Pages) -> None:
        self.inside = self.most = 0
        self.answered: list[str] = []
        self.door = Lock()
        self.pages = pages
        pages._middleware_chain = self.page

    def page(self, request: HttpRequest) -> HttpResponse:
        with self.door:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.answered.append(request.path)
        sleep(0.005)
        with self.door:
            self.inside -= 1
        return HttpResponse("here")

    async def come(self, visitors: int) -> None:
        await asyncio.gather(*(self.visit(f"/{number}") for number in range(visitors)))

    async def visit(self, path: str) -> None:
        whole = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> dict:
            return whole.pop() if whole else await asyncio.Event().wait()

        async def send(message: dict) -> None:
            assert message.get("status", 200) == 200

        await self.pages({**HEAD, "path": path}, receive, send)


def come(visits: Visits, visitors: int) -> Visits:
    with ThreadPoolExecutor(1) as elsewhere:  # the browser's driver keeps a loop in this thread
        elsewhere.submit(asyncio.run, visits.come(visitors)).result()
    return visits


def test_no_more_than_that_are_inside_and_all_are_answered_in_order() -> None:
    visits = come(Visits(Pages(2)), 20)
    assert visits.most == 2
    assert visits.answered == [f"/{number}" for number in range(20)]


def test_a_process_has_room_for_no_more_than_it_has_connections(settings) -> None:
    assert come(Visits(Pages()), 100).most == AT_A_TIME
    settings.DATABASE_POOL = SPARE + 3
    assert come(Visits(Pages()), 100).most == 3
    settings.DATABASE_POOL = 2
    assert come(Visits(Pages()), 100).most == 1
