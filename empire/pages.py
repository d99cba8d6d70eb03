"""Django's pages: so many at a time as a process has connections for, and those that come meanwhile in their order.

Each request has a thread of its own. A hundred at once would hinder each other, and time out waiting for a connection.
"""

import asyncio

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

SPARE = 2  # connections for the live streams, and for what else looks


class Pages(ASGIHandler):
    def __init__(self, at_a_time: int | None = None) -> None:
        super().__init__()
        self.room = asyncio.Semaphore(at_a_time or max(1, settings.DATABASE_POOL - SPARE))

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Behind the body, however slowly that came, and before the answer goes out."""
        async with self.room:
            return await super().get_response_async(request)
