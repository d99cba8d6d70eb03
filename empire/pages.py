"""Django's pages: a few at a time, and those that come meanwhile in their order.

Each request has a thread of its own. Many at once hinder each other, for one of them computes at a time, and time out
waiting for a connection: of eighteen at a time the same pages took a quarter more of the processor than of four.
"""

import asyncio

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

AT_A_TIME = 6  # of which some wait for the database
SPARE = 2  # connections for the live streams, and for what else looks


class Pages(ASGIHandler):
    def __init__(self, at_a_time: int | None = None) -> None:
        super().__init__()
        self.room = asyncio.Semaphore(at_a_time or max(1, min(AT_A_TIME, settings.DATABASE_POOL - SPARE)))

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Behind the body, however slowly that came, and before the answer goes out."""
        async with self.room:
            return await super().get_response_async(request)
