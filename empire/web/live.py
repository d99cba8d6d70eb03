"""The live stream: open pages learn the new version of their game and then fetch what they may see.

It is answered before Django, so that an open page costs a task and not a thread; libraries for Django take a thread, or
store events. One watcher per process queries the versions of all watched games once a second. The signed URL grants the
right to listen, and the stream contains only version numbers, and the ids of the last messages in those rooms of the
chat that the reader hears. With `?now` the version is returned once, for pages that cannot use a stream.
"""

import asyncio
import logging
import resource
import signal
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

import uvicorn
from django.conf import settings
from django.core import signing
from django.db import close_old_connections
from django.utils.module_loading import import_string

from empire.web import peers
from empire.web.peers import Receive, Scope, Send

logger = logging.getLogger(__name__)

SALT = "live"
PREFIX = "/live/"
PULSE = 1.0  # seconds between database queries
OTHER_FILES = 500  # for requests, the database and the log
SILENCE = 20.0  # seconds after which a quiet stream sends a sign of life
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
PLAIN = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
HERE = "event: here\ndata:\n\n"  # an event, because pages cannot see comments in a stream


class Versions(NamedTuple):
    """The version of a game, and the id of the last message in each room of its chat."""

    version: int
    messages: Mapping[str, int]

    def newest(self, rooms: Collection[str]) -> int:
        """Return the id of the last message in these rooms; 0 if there is none."""
        return max((self.messages.get(room, 0) for room in rooms), default=0)


def live_url(
    public_id: str, version: int, reader: int | None = None, *, rooms: Collection[str] = (), last_message: int = 0,
    player: int | None = None,
) -> str:  # fmt: skip
    """Return the URL where a page showing this version of the game listens for later ones.

    With `reader`, for private games, it is valid while that user may see the game. With `rooms` of its chat the page
    also gets messages there after the one with the id `last_message`: those of a seat while this user is its `player`.
    """
    return PREFIX + signing.dumps([public_id, version, reader, list(rooms), last_message, player], salt=SALT)


def read_url(path: str) -> tuple[str, int, int | None, list[str], int, int | None]:
    """Parse a live URL into game, version, reader, rooms, last message and player. Raises `BadSignature`."""
    try:
        public_id, version, reader, rooms, last_message, player = signing.loads(
            path.removeprefix(PREFIX).rstrip("/"), salt=SALT
        )
    except ValueError:  # an obsolete format
        raise signing.BadSignature from None
    return public_id, version, reader, rooms, last_message, player


class Listener:
    """An open page: the version and the last message it knows, an event for later ones, and its client's address.

    `reader` is the user for a private game; when they may no longer see it, the stream ends. `player` is the user whose
    seat the rooms are those of; when someone else plays it, the page hears nothing there. `news` waits to be sent.
    """

    def __init__(
        self, public_id: str, version: int, reader: int | None, rooms: Collection[str], last_message: int,
        player: int | None = None, client: str = "",
    ) -> None:  # fmt: skip
        self.public_id = public_id
        self.version = version
        self.reader = reader
        self.rooms = rooms
        self.last_message = last_message
        self.player = player
        self.client = client
        self.is_over = False
        self.news: dict[str, str] = {}
        self.bell = asyncio.Event()

    def is_behind(self, news: Versions) -> bool:
        return news.version > self.version or news.newest(self.rooms) > self.last_message

    def tell(self, news: Versions) -> None:
        if news.version > self.version:
            self.version = news.version
            self.news["game"] = f"version {self.version}"
        if news.newest(self.rooms) > self.last_message:
            self.last_message = news.newest(self.rooms)
            self.news["chat"] = f"{self.last_message}"
        if self.news:
            self.bell.set()

    def end(self) -> None:
        self.is_over = True
        self.bell.set()


def nobody(public_id: str) -> set[int]:
    return set()


def no_rooms(public_id: str, player: int) -> Collection[str]:
    return ()


class Hub:
    """All open pages of this process, and the watcher that polls their games."""

    def __init__(
        self,
        versions: Callable[[Collection[str]], Mapping[str, tuple[int, Mapping[str, int]]]],
        limit: int,
        each: int,
        pulse: float = PULSE,
        followers: Callable[[str], set[int]] = nobody,
        rooms: Callable[[str, int], Collection[str]] = no_rooms,
    ) -> None:
        self.versions = versions
        self.followers = followers
        self.rooms = rooms
        self.limit = limit
        self.each = each  # the limit for one client, so that it cannot use up all streams
        self.pulse = pulse
        self.clients: dict[str, int] = defaultdict(int)
        self.asking: dict[str, int] = defaultdict(int)  # questions of each client that wait for the thread below
        self.listeners: dict[str, set[Listener]] = defaultdict(set)
        self.open = 0
        self.is_closed = False
        self.watcher: asyncio.Task[None] | None = None
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")  # one thread, one connection

    @property
    def is_full(self) -> bool:
        return self.open >= self.limit

    def has_enough(self, client: str) -> bool:
        return self.clients.get(client, 0) >= self.each

    @contextmanager
    def counted(self, client: str) -> Iterator[None]:
        """Count a question of this client until it is answered: all questions and the watcher share a thread."""
        self.asking[client] += 1
        try:
            yield
        finally:
            self.asking[client] -= 1
            if not self.asking[client]:
                del self.asking[client]

    def join(self, listener: Listener) -> None:
        self.open += 1
        self.clients[listener.client] += 1
        self.listeners[listener.public_id].add(listener)
        if self.watcher is None or self.watcher.done():
            self.watcher = asyncio.create_task(self.watch())

    def close(self) -> None:
        """End all streams, so that a stopping server does not wait for them."""
        self.is_closed = True
        for listener in [listener for several in self.listeners.values() for listener in several]:
            listener.bell.set()

    def leave(self, listener: Listener) -> None:
        self.open -= 1
        self.clients[listener.client] -= 1
        if not self.clients[listener.client]:
            del self.clients[listener.client]
        self.listeners[listener.public_id].discard(listener)
        if not self.listeners[listener.public_id]:
            del self.listeners[listener.public_id]

    async def watch(self) -> None:
        while self.listeners:
            for public_id, news in (await self.ask(list(self.listeners))).items():
                for listener in [
                    listener for listener in self.listeners.get(public_id, ()) if listener.is_behind(news)
                ]:
                    if not await self.may_hear(listener):
                        listener.end()
                        continue
                    if listener.player is not None and news.newest(listener.rooms) > listener.last_message:
                        rooms = await self.rooms_of(public_id, listener.player)
                        if rooms is None:
                            listener.end()
                            continue
                        listener.rooms = rooms
                    listener.tell(news)
            await asyncio.sleep(self.pulse)

    async def ask(self, ids: list[str]) -> dict[str, Versions]:
        return await asyncio.get_running_loop().run_in_executor(self.thread, self.read, ids)

    async def may_hear(self, listener: Listener) -> bool:
        """Return whether the reader may still see the game; False while the database is unavailable."""
        if listener.reader is None:
            return True
        loop = asyncio.get_running_loop()
        return listener.reader in await loop.run_in_executor(self.thread, self.read_followers, listener.public_id)

    async def rooms_of(self, public_id: str, player: int) -> Collection[str] | None:
        """Return the rooms that the player hears now; None while the database is unavailable."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, self.read_rooms, public_id, player)

    def read_rooms(self, public_id: str, player: int) -> Collection[str] | None:
        close_old_connections()
        try:
            return self.rooms(public_id, player)
        except Exception:
            logger.warning("The live stream could not read who hears a chat.", exc_info=True)
            return None

    def read_followers(self, public_id: str) -> set[int]:
        close_old_connections()
        try:
            return self.followers(public_id)
        except Exception:
            logger.warning("The live stream could not read who may see a game.", exc_info=True)
            return set()

    def read(self, ids: list[str]) -> dict[str, Versions]:
        close_old_connections()
        try:
            return {public_id: Versions(*news) for public_id, news in self.versions(ids).items()}
        except Exception:  # a short database failure must not end all streams
            logger.warning("The live stream could not read versions.", exc_info=True)
            return {}


hub = Hub(
    import_string(settings.LIVE_VERSIONS), settings.LIVE_STREAMS, settings.LIVE_STREAMS_PER_CLIENT,
    followers=import_string(settings.LIVE_FOLLOWERS), rooms=import_string(settings.LIVE_ROOMS),
)  # fmt: skip


def raise_file_limit(streams: int) -> None:
    """Raise the limit of open files for this many streams, as far as the machine allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != soft < streams + OTHER_FILES:
        most = streams + OTHER_FILES if hard == resource.RLIM_INFINITY else min(hard, streams + OTHER_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def end_streams_on_shutdown() -> None:
    """End the streams on the signals that stop uvicorn, because it would wait for them."""
    for number in (signal.SIGINT, signal.SIGTERM):
        stop = signal.getsignal(number)
        if callable(stop) and isinstance(getattr(stop, "__self__", None), uvicorn.Server):
            signal.signal(number, partial(close_and_stop, stop))


def close_and_stop(stop: Callable[[int, FrameType | None], Any], number: int, frame: FrameType | None) -> None:
    hub.close()
    stop(number, frame)


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    try:
        listener = Listener(*read_url(scope["path"]), client=peers.client(scope))
    except signing.BadSignature:
        return await refuse(send, 404)
    if hub.asking.get(listener.client, 0) >= hub.each:
        return await refuse(send, 429)
    with hub.counted(listener.client):
        if not await hub.may_hear(listener):
            return await refuse(send, 404)
        if scope.get("query_string") == b"now":
            news = (await hub.ask([listener.public_id])).get(listener.public_id)
            if news is None:  # the database is unavailable
                return await refuse(send, 503)
            return await say(send, str(news.version))
    if hub.is_full:
        return await refuse(send, 503)
    if hub.has_enough(listener.client):
        return await refuse(send, 429)
    end_streams_on_shutdown()
    hub.join(listener)
    try:
        await tell_until_gone(listener, receive, send)
    finally:
        hub.leave(listener)


async def tell_until_gone(listener: Listener, receive: Receive, send: Send) -> None:
    gone = asyncio.create_task(disconnected(receive))

    def is_over() -> bool:
        return gone.done() or hub.is_closed or listener.is_over

    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await write(send, HERE)
        while not is_over():
            rung = asyncio.create_task(listener.bell.wait())
            await asyncio.wait({rung, gone}, timeout=SILENCE, return_when=asyncio.FIRST_COMPLETED)
            rung.cancel()
            if is_over():
                break
            listener.bell.clear()
            news, listener.news = listener.news, {}
            await write(send, "".join(f"event: {event}\ndata: {data}\n\n" for event, data in news.items()) or HERE)
        await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()


async def disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def say(send: Send, text: str) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": PLAIN})
    await send({"type": "http.response.body", "body": text.encode()})


async def refuse(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"retry-after", b"60")]})
    await send({"type": "http.response.body", "body": b""})
