"""The load generator, in one process: turns, page views and streams at predetermined times.

It is an open loop: requests do not wait for earlier answers, and each is timed from the moment at which it was due, so
that delays of a slow site are visible. Requests of an open page say what that page has, as `table.js` does.
"""

import asyncio
import gzip
import re
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode
from zlib import crc32

from empire.web.live import live_url
from empire.web.static_files import release
from games.rules.fairness import Quick
from tests.bench import HOST
from tests.bench.load_games import Turn

CSRF = "c" * 32
TIRED = 3.0  # seconds: uvicorn closes a connection after 5 idle seconds
PATIENCE = 120.0
# The mix of twenty page views
PAGES = ["table"] * 12 + ["desk"] * 5 + ["lobby"] * 3
LAND = re.compile(rb'data-land="([^"]+)"')
LOG = re.compile(rb'data-state="([^"]+)"')
DRAWN = re.compile(rb'data-drawn="(\w+)"')


class Page(NamedTuple):
    """What an open page of a table shows: the digest of its map, those of its other parts, and the lines of its log."""

    land: str
    parts: frozenset[str]
    log: str = ""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The headers that it sends."""
        shown = [("Parts", " ".join(sorted(self.parts))), ("Log", self.log), ("Land", self.land)]
        return [("Release", release()), *(field for field in shown if field[1])]

    @property
    def headers(self) -> str:
        return "".join(f"{name}: {value}\r\n" for name, value in self.fields)

    def after(self, body: bytes) -> Self:
        """Return the page after an answer. It also keeps the digests of parts that have gone, which a page forgets."""
        land, log = LAND.search(body), LOG.search(body)
        parts = self.parts | {digest.decode() for digest in DRAWN.findall(body)}
        return type(self)(land[1].decode() if land else self.land, parts, log[1].decode() if log else self.log)


NOTHING = Page("", frozenset())


@dataclass
class Table:
    """A running game: the number of accepted turns, the turns to come, the session of each seat's player.

    `pages` are what the pages of its players show, by seat; the one of `listener` listens for turns.
    """

    pk: int
    public_id: str
    seq: int
    turns: deque[Turn]
    sessions: tuple[str, ...]
    version: int = 1
    accepted: int = 0
    at: float = 0.0  # when its last turn was due
    mover: int = -1  # the seat that made it
    listener: int = -1
    pages: dict[int, Page] = field(default_factory=dict)


class Answer(NamedTuple):
    status: int
    body: bytes


class Line(NamedTuple):
    """An open connection, and until when it can be reused."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    until: float


class Web:
    """The web processes, used in rotation over kept-alive connections, as by a proxy."""

    def __init__(self, ports: Iterable[int]) -> None:
        self.idle: dict[int, list[Line]] = {port: [] for port in ports}
        self.ports = cycle(self.idle)

    async def ask(self, request: bytes) -> Answer:
        port = next(self.ports)
        reader, writer, _until = await self.line(port)
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await read_body(reader, head)
        self.idle[port].append(Line(reader, writer, now() + TIRED))
        is_packed = header(head, b"content-encoding") == b"gzip"
        return Answer(int(head[9:12]), gzip.decompress(body) if is_packed else body)

    async def line(self, port: int) -> Line:
        while idle := self.idle[port]:
            line = idle.pop()
            if line.until > now() and not line.reader.at_eof():
                return line
            line.writer.close()
        return Line(*await asyncio.open_connection("127.0.0.1", port), now())

    def close(self) -> None:
        for idle in self.idle.values():
            for line in idle:
                line.writer.close()


async def read_body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    if header(head, b"transfer-encoding") != b"chunked":
        return await reader.readexactly(int(header(head, b"content-length") or 0))
    body = b""
    while size := int(await reader.readline(), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return body


def header(head: bytes, name: bytes) -> bytes:
    """Return one of an answer's headers, in lower case."""
    return head.partition(b"\r\n" + name + b":")[2].partition(b"\r\n")[0].strip()


def now() -> float:
    return asyncio.get_running_loop().time()


def get(path: str, session: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\n{usual(session)}{more}\r\n".encode()


def submit(table: Table, turn: Turn) -> bytes:
    """Return the request that the table page sends when its player confirms the turn.

    If that page is not known, it says nothing about parts and gets the whole table.
    """
    page = table.pages.get(turn.seat)
    form = {"csrfmiddlewaretoken": CSRF, "seq": table.seq, "laid": "", "action": ";".join(turn.actions), "sure": "1"}
    body = urlencode(form)
    return (
        f"POST /games/{table.public_id}/submit HTTP/1.1\r\n{usual(table.sessions[turn.seat])}"
        f"HX-Request: true\r\nHX-Target: table\r\nHX-Current-URL: http://{HOST}/games/{table.public_id}/\r\n"
        f"{page.headers if page else ''}"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def usual(session: str) -> str:
    cookies = f"csrftoken={CSRF}; sessionid={session}; time_zone=UTC"
    address = ".".join(map(str, crc32(session.encode()).to_bytes(4, "big")))  # rate limits count addresses
    return f"Host: {HOST}\r\nX-Forwarded-For: {address}\r\nAccept-Encoding: gzip\r\nCookie: {cookies}\r\n"


@dataclass
class Stage:
    """The result of `rate` turns and `views` page views per second. Times are in seconds since each was due."""

    rate: float
    views: float
    seconds: float
    turns: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)
    refreshed: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    took: float = 0.0

    @property
    def achieved(self) -> float:
        """The rate of accepted turns per second, until the last one was accepted."""
        return len(self.turns) / max(self.took, self.seconds)


class Driver:
    """All players. The first of `tables` gets the next turn and goes to the end."""

    def __init__(self, ports: Sequence[int], tables: Iterable[Table], streams: int) -> None:
        self.web, self.ports, self.streams = Web(ports), ports, streams
        self.tables = deque(tables)
        self.whims = Quick(1)

    async def run(self, stage: Stage) -> None:
        """Make the stage's turns and page views."""
        began = now() + 0.1
        await asyncio.gather(
            every(stage.rate, stage.seconds, began, lambda at: self.hand_in(stage, at)),
            every(stage.views, stage.seconds, began, lambda at: self.look(stage, at)),
        )
        stage.took = now() - began
        await asyncio.sleep(min(2.0, stage.seconds))  # the last changes arrive within a second

    async def hand_in(self, stage: Stage, at: float) -> None:
        if not self.tables:
            stage.errors["no table is left to play at"] += 1
            return
        table = self.tables.popleft()
        turn, table.at = table.turns.popleft(), at
        table.mover = turn.seat
        answer = await self.ask(stage, submit(table, turn))
        if answer is None:
            return
        if answer.status != 200 or f'data-version="{table.version + 1}"'.encode() not in answer.body:
            stage.errors[f"turn answered {answer.status}"] += 1
            return
        stage.turns.append(now() - at)
        table.pages[turn.seat] = table.pages.get(turn.seat, NOTHING).after(answer.body)
        table.seq, table.version, table.accepted = table.seq + 1, table.version + 1, table.accepted + 1
        if table.turns:
            self.tables.append(table)

    async def look(self, stage: Stage, at: float) -> None:
        """Request a page as a player of a random table."""
        table = self.tables[self.whims.below(len(self.tables))]
        session = table.sessions[self.whims.below(len(table.sessions))]
        page = PAGES[self.whims.below(len(PAGES))]
        answer = await self.ask(stage, get(f"/games/{table.public_id}/" if page == "table" else f"/{page}/", session))
        if answer is None:
            return
        if answer.status == 200:
            stage.pages.append(now() - at)
        else:
            stage.errors[f"{page} answered {answer.status}"] += 1

    async def ask(self, stage: Stage, request: bytes) -> Answer | None:
        try:
            return await asyncio.wait_for(self.web.ask(request), PATIENCE)
        except (OSError, EOFError, TimeoutError) as error:
            stage.errors[type(error).__name__] += 1
            return None

    # Open pages

    @asynccontextmanager
    async def listening(self, stage: Stage) -> AsyncIterator[None]:
        """Open the pages that send this stage's turns, and up to `streams` others, of the players after the next.

        Only those others listen, as if the first ones had been opened from an email.
        """
        soon = list(self.tables)[: int(stage.rate * stage.seconds)]
        for few in (soon[n : n + len(self.ports)] for n in range(0, len(soon), len(self.ports))):
            await asyncio.gather(*(self.open(table, table.turns[0].seat) for table in few))
        heard = soon[:: max(1, len(soon) // self.streams)][: self.streams] if self.streams else []
        opened = [await self.listen(table, port) for table, port in zip(heard, cycle(self.ports), strict=False)]
        tasks = [asyncio.create_task(self.hear(stage, table, line)) for table, line in zip(heard, opened, strict=True)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.web.close()

    async def open(self, table: Table, seat: int) -> None:
        answer = await self.web.ask(get(f"/games/{table.public_id}/", table.sessions[seat]))
        table.pages[seat] = NOTHING.after(answer.body)

    async def listen(self, table: Table, port: int) -> Line:
        table.listener = (*table.turns[0].then, table.turns[0].seat)[0]
        await self.open(table, table.listener)
        line = Line(*await asyncio.open_connection("127.0.0.1", port), 0)
        line.writer.write(get(live_url(table.public_id, table.version), ""))
        await asyncio.wait_for(line.reader.readuntil(b"event: here"), PATIENCE)
        return line

    async def hear(self, stage: Stage, table: Table, line: Line) -> None:
        with suppress(ConnectionError):
            while words := await line.reader.readline():
                if words.startswith(b"data: version"):
                    stage.news.append(now() - table.at)
                    if table.mover != table.listener:  # the page that made the turn shows its answer
                        await self.refresh(stage, table)
        line.writer.close()

    async def refresh(self, stage: Stage, table: Table) -> None:
        """Fetch the new table, as table.js does when an open page is told of a turn that it does not show."""
        at, seat, page = table.at, table.listener, table.pages[table.listener]
        path = f"/games/{table.public_id}/"
        htmx = f"HX-Request: true\r\nHX-Target: table\r\nHX-Current-URL: http://{HOST}{path}\r\nRefresh: 1\r\n"
        answer = await self.ask(stage, get(path, table.sessions[seat], htmx + page.headers))
        if answer is None:
            return
        if answer.status == 200:
            table.pages[seat] = page.after(answer.body)
            stage.refreshed.append(now() - at)
        else:
            stage.errors[f"refresh answered {answer.status}"] += 1


async def every(
    rate: float, seconds: float, began: float, action: Callable[[float], Coroutine[Any, Any, None]]
) -> None:
    """Start `action` `rate` times per second without waiting for earlier ones, then wait for all."""
    under_way = []
    for number in range(round(rate * seconds)):
        at = began + number / rate
        await asyncio.sleep(max(0.0, at - now()))
        under_way.append(asyncio.create_task(action(at)))
    await asyncio.gather(*under_way)
