"""The ASGI application: Django with request limits, and the live stream, /metrics and /livez in front of it."""

import os
import signal
from importlib import import_module
from threading import Event, current_thread, main_thread
from types import FrameType

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
django.setup(set_prefix=False)

from empire import memory  # noqa: E402  they need the apps to be loaded
from empire.observability import metrics  # noqa: E402
from empire.web import live  # noqa: E402
from empire.web.handler import Pages, bounded  # noqa: E402
from empire.web.peers import Receive, Scope, Send  # noqa: E402

NOBODY_KNOWN = ("0.0.0.0", 0)
ALIVE = "/livez"  # a liveness probe for any host name; health is a separate question

import_module(settings.ROOT_URLCONF)  # import everything that pages need before the first request
live.raise_file_limit(live.hub.limit)
is_leaving, asks = Event(), Event()  # whether this process is told to end, and whether a proxy asks for that


def drain(seconds: int) -> None:
    """After SIGTERM, answer for some more seconds, with 503 at /livez, before the server ends.

    Otherwise requests that the proxy has sent and the server has not yet accepted are lost: the proxy can't know
    whether a POST was carried out, so it does not send it to another process.
    """
    asks.set()
    end = signal.getsignal(signal.SIGTERM)
    if not (seconds and callable(end) and current_thread() is main_thread()):
        return

    def leave(number: int, frame: FrameType | None) -> None:
        if is_leaving.is_set():  # told twice
            end(number, frame)
            return
        is_leaving.set()
        signal.signal(signal.SIGALRM, lambda _alarm, frame: end(number, frame))
        signal.alarm(seconds)

    signal.signal(signal.SIGTERM, leave)


handler = Pages()
pages = bounded(handler)
memory.freeze()


def as_connected(scope: Scope) -> Scope:
    """Replace a client address that came from a header although `BEHIND_PROXY` is off.

    Without --no-proxy-headers, uvicorn uses the address in `X-Forwarded-For` for connections from this machine, so a
    visitor could choose the address that rate limits count. The true one is lost, so they all count as one visitor.
    """
    if settings.BEHIND_PROXY or not scope.get("client"):
        return scope
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin1")
    return scope | {"client": NOBODY_KNOWN} if scope["client"][0] in forwarded else scope


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        scope = as_connected(scope)
    if scope["type"] == "http" and scope["path"].startswith(live.PREFIX):
        await live.stream(scope, receive, send)
    elif metrics.is_scrape(scope):
        await metrics.respond(scope, send)
    elif scope["type"] == "http" and scope["path"] == ALIVE:
        if not asks.is_set():  # by now the server has installed its own handlers of signals
            drain(settings.DRAIN_SECONDS)
        await (live.refuse(send, 503) if is_leaving.is_set() else live.say(send, "alive"))
    else:
        await pages(scope, receive, send)
