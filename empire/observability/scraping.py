"""Endpoints for Prometheus: /metrics of web processes, answered before Django, and a separate port for workers."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from django.db import connections

from empire.observability import metrics
from empire.web import peers
from empire.web.live import Scope, Send

one_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="metrics")  # with one connection


def is_scrape(scope: Scope) -> bool:
    """Return whether this is a scrape. It bypasses Django, because it uses hosts not in ALLOWED_HOSTS, without TLS."""
    return bool(scope["type"] == "http" and scope["path"] == metrics.PATH)


def answered(authorization: str, is_this_machine: bool) -> metrics.Answer:
    """Answer in a thread without Django's request cleanup."""
    try:
        return metrics.answer(authorization, is_this_machine=is_this_machine)
    finally:
        connections.close_all()  # scrapes are rare


async def respond(scope: Scope, send: Send) -> None:
    sent: Mapping[bytes, bytes] = dict(scope["headers"])
    authorization = sent.get(b"authorization", b"").decode("latin-1")
    address, _port = scope.get("client") or ("", 0)
    is_this_machine = peers.is_this_machine(address, (name.decode("latin-1") for name in sent))
    loop = asyncio.get_running_loop()
    status, headers, body = await loop.run_in_executor(one_thread, answered, authorization, is_this_machine)
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        is_this_machine = peers.is_this_machine(str(self.client_address[0]), self.headers)
        status, headers, body = answered(self.headers.get("Authorization", ""), is_this_machine)
        self.send_response(status)
        for header in [*headers, ("Content-Length", str(len(body)))]:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log scrapes."""


def serve(port: int) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("", port), Handler)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
