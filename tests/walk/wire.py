"""The site as a web server calls it, through ASGI with plain bytes."""

import asyncio
import gzip
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connections

from empire import asgi

Headers = list[tuple[bytes, bytes]]

BETWEEN_REQUESTS = (request_started, request_finished)


@dataclass(frozen=True, repr=False)
class Sent:
    """A request as it is sent. `path` is encoded, in ASCII."""

    who: str
    method: str
    path: str
    query: bytes = b""
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    has_token: bool = True  # the CSRF token

    def __repr__(self) -> str:
        parts = (self.method, self.path[:300], self.query[:300], self.headers, self.body[:900])
        return f"{self.who} sent {parts}{'' if self.has_token else ' without a token'}"[:2000]

    @property
    def text(self) -> str:
        """Everything that the sender has sent and so knows."""
        whole = b"\n".join([self.path.encode(), self.query, self.body, *(value for _name, value in self.headers)])
        return unquote(whole.decode("utf-8", "replace"))


@dataclass
class Heard:
    status: int = 0
    headers: Headers = field(default_factory=list)
    body: bytes = b""

    @property
    def onward(self) -> str:
        """The redirect within this site, or the empty string."""
        place = dict(self.headers).get(b"location", b"").decode("latin-1")
        return place if place.startswith("/") and not place.startswith("//") else ""

    @property
    def text(self) -> str:
        """Headers and body, because headers can leak too."""
        packed = (b"content-encoding", b"gzip") in self.headers
        body = gzip.decompress(self.body) if packed and self.body else self.body
        head = b"\n".join(name + b": " + value for name, value in self.headers)
        return (head + b"\n\n" + body).decode("utf-8", "replace")


class Wire:
    """Requests run in a thread that shares our database connection, and are sent from another thread.

    Our own thread may already have an event loop, that of the browser's driver.
    """

    def __init__(self) -> None:
        ours = connections["default"]
        ours.inc_thread_sharing()
        self.thread = ThreadPoolExecutor(1)
        self.threads = asgi.handler.threads
        asgi.handler.threads = ThreadPoolExecutor(1, initializer=lambda: connections.__setitem__("default", ours))

    def send(self, sent: Sent, cookies: str) -> Heard:
        for signal in BETWEEN_REQUESTS:
            signal.disconnect(close_old_connections)
        try:
            return self.thread.submit(asyncio.run, _ask(_scope(sent, cookies), sent.body)).result()
        finally:
            for signal in BETWEEN_REQUESTS:
                signal.connect(close_old_connections)

    def close(self) -> None:
        self.thread.shutdown()
        asgi.handler.threads.shutdown()
        asgi.handler.threads = self.threads
        connections["default"].dec_thread_sharing()


TOKEN = "t" * 32


def _scope(sent: Sent, cookies: str) -> dict[str, Any]:
    names = {name for name, _value in sent.headers}
    usual = {b"host": b"testserver", b"cookie": cookies.encode(), b"content-length": str(len(sent.body)).encode()}
    if sent.has_token:
        usual |= {b"x-csrftoken": TOKEN.encode(), b"cookie": f"{cookies}; csrftoken={TOKEN}".encode()}
    extra: Mapping[bytes, bytes] = dict(sent.headers)
    if b"cookie" in extra:
        usual[b"cookie"] += b"; " + extra[b"cookie"]
    headers = [(name, value) for name, value in usual.items() if name not in names - {b"cookie"}]
    headers += [(name, value) for name, value in sent.headers if name != b"cookie"]
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": sent.method, "scheme": "http",
        "path": unquote(sent.path), "raw_path": sent.path.encode(), "query_string": sent.query, "root_path": "",
        "headers": headers, "client": ("127.0.0.1", 50000), "server": ("testserver", 80),
    }  # fmt: skip


async def _ask(scope: dict[str, Any], body: bytes) -> Heard:
    heard = Heard()
    half = len(body) // 2
    parts = [(body[:half], True), (body[half:], False)]

    async def receive() -> dict[str, Any]:
        if not parts:
            await asyncio.Event().wait()
        part, more = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": more}

    async def send(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            heard.status, heard.headers = message["status"], [(n.lower(), v) for n, v in message["headers"]]
        heard.body += message.get("body", b"")

    await asgi.application(scope, receive, send)
    return heard
