"""A web process with many open pages: the real server, a stream for each table, and changes of all of them."""

import asyncio
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import NamedTuple

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from empire.web.live import live_url
from games.tables.models import Game
from tests.bench import HOST, Row, free_port, site

PATIENCE = 60.0
SINGLES = 40  # tables that change one after another
ROUNDS = 5  # rounds in which all tables change at once
PAGES = 30
IDLE = 5.0  # seconds without changes, to measure idle streams
TICK = os.sysconf("SC_CLK_TCK")


class Burden(NamedTuple):
    """The resources of a process: megabytes of memory, threads, seconds of processor time so far."""

    memory: float
    threads: int
    seconds: float


class Stream:
    """An open page: the last version that it received, and an event that is set when one arrives."""

    def __init__(self, public_id: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.public_id, self.reader, self.writer = public_id, reader, writer
        self.version = 0
        self.heard = asyncio.Event()

    async def listen(self) -> None:
        with suppress(ConnectionError):
            while line := await self.reader.readline():
                if line.startswith(b"data: version"):
                    self.version = int(line.split()[-1])
                    self.heard.set()


def rows(tables: int) -> Iterator[Row]:
    """Measure with that many tables, each open in one page, on a database that nothing else uses."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    now = timezone.now()
    alice, bob = site.people("Alice", "Bob")
    played, _turns = site.play_turns(alice, bob)
    opened = Game.objects.bulk_create([site.running(now, f"{n:08}") for n in range(tables)])
    with server() as (pid, port):
        yield from asyncio.run(measured(pid, port, [game.public_id for game in opened], played.get_absolute_url()))


async def measured(pid: int, port: int, ids: list[str], page: str) -> list[Row]:
    alone, before = await asyncio.to_thread(page_times, port, page), burden(pid)
    started = perf_counter()
    streams = await asyncio.gather(*(open_stream(port, public_id) for public_id in ids))
    opening = perf_counter() - started
    listening = [asyncio.create_task(stream.listen()) for stream in streams]
    idle = await idle_share(pid)
    meanwhile = await asyncio.to_thread(page_times, port, page)
    singles = [await told_one(stream, n) for n, stream in enumerate(streams[:: max(1, len(streams) // SINGLES)])]
    spent, rounds = burden(pid).seconds, [await told_all(streams) for _round in range(ROUNDS)]
    spent, after = (burden(pid).seconds - spent) / ROUNDS, burden(pid)
    for task in listening:
        task.cancel()
    label, late = f"{len(ids):,} open tables, one process", quantiles(singles, n=20)[-1]
    return [
        Row(f"{label}: opened", f"in {opening:.1f} s, {len(ids) / opening:,.0f}/s"),
        Row(f"{label}: one changes", f"told after {median(singles):.2f} s, 19 of 20 within {late:.2f} s", "2 s"),
        Row(f"{label}: all change at once", f"all after {median(rounds):.2f} s, {spent:.2f} s of processor", "3 s"),
        Row(f"{label}: memory and threads", f"{after.memory:.0f} MB, {after.threads} threads"
            f" ({before.memory:.0f} MB, {before.threads} without)"),
        Row(f"{label}: nothing happens", f"{100 * idle:.0f} % of a processor"),
        Row(f"{label}: table page meanwhile", f"{meanwhile:.1f} ms ({alone:.1f} without)", "25 ms"),
    ]  # fmt: skip


async def open_stream(port: int, public_id: str) -> Stream:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {live_url(public_id, 0)} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    await asyncio.wait_for(reader.readuntil(b"event: here"), PATIENCE)
    return Stream(public_id, reader, writer)


async def idle_share(pid: int) -> float:
    before = burden(pid).seconds
    await asyncio.sleep(IDLE)
    return (burden(pid).seconds - before) / IDLE


async def told_one(stream: Stream, n: int) -> float:
    """Return the seconds from the change of a table until its page is told; changes are spread between pulses."""
    await asyncio.sleep(n * 0.37 % 1)
    stream.heard.clear()
    await asyncio.to_thread(change, [stream.public_id])
    started = perf_counter()
    await asyncio.wait_for(stream.heard.wait(), PATIENCE)
    return perf_counter() - started


async def told_all(streams: list[Stream]) -> float:
    """Return the seconds from the change of all tables until the last page is told."""
    for stream in streams:
        stream.heard.clear()
    await asyncio.to_thread(change, [stream.public_id for stream in streams])
    started = perf_counter()
    await asyncio.wait_for(asyncio.gather(*(stream.heard.wait() for stream in streams)), PATIENCE)
    return perf_counter() - started


def change(ids: list[str]) -> None:
    Game.objects.filter(public_id__in=ids).update(version=F("version") + 1)


def page_times(port: int, page: str) -> float:
    """Return the milliseconds of a page request by the wall clock, including the connection."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    taken = []
    for _page in range(PAGES):
        started = perf_counter()
        connection.request("GET", page, headers={"Host": HOST})
        connection.getresponse().read()
        taken.append((perf_counter() - started) * 1000)
    return median(taken[1:])


def burden(pid: int) -> Burden:
    status = Path(f"/proc/{pid}/status").read_text()
    memory, threads = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmRSS", "Threads"))  # type: ignore[index]
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return Burden(memory / 1024, threads, (int(ticks[11]) + int(ticks[12])) / TICK)


@contextmanager
def server() -> Iterator[tuple[int, int]]:
    """Run a web process on the current database. Yield its process id and port."""
    port = free_port()
    uvicorn = [
        sys.executable,
        "-m",
        "uvicorn",
        "empire.asgi:application",
        "--lifespan",
        "off",
        "--log-level",
        "warning",
    ]
    process = subprocess.Popen([*uvicorn, "--port", str(port)], cwd=settings.BASE_DIR)
    try:
        wait_for(port)
        yield process.pid, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE)


def wait_for(port: int) -> None:
    end = perf_counter() + PATIENCE
    while perf_counter() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        sleep(0.1)
    raise TimeoutError("The web process did not start.")
