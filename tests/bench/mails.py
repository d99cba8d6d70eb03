"""The time from a turn until its email reaches the email server, with real workers and a real queue."""

import re
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from statistics import quantiles
from time import perf_counter, sleep
from typing import Self

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from games.notices.kinds import Kind
from games.notices.models import Notice, NoticeState
from games.tables.models import Game
from games.tables.services import lobby
from tests.bench import Row, site

TABLES = 30
BEFORE = 3  # bids and the choice of first player; their emails warm up the workers and do not count
WORKERS = 2
PACE = 2  # turns per second: 170,000 a day
PATIENCE = 120.0  # seconds


class Talk(socketserver.StreamRequestHandler):
    """Enough SMTP to accept an email and record when."""

    server: "Post"

    def handle(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            self.say({"DATA": "354 go on", "QUIT": "221 bye"}.get(word, "250 well"))
            if word == "DATA":
                self.take()

    def take(self) -> None:
        name = ""
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            found = re.match(rb"(?i)Message-ID: *(\S+)", line)
            name = name or (found[1].decode() if found else "")
        self.server.taken[name] = timezone.now()
        self.say("250 kept")

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


class Post(socketserver.ThreadingTCPServer):
    """An email server at the address in the settings. `taken` records when it accepted each Message-ID."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((settings.EMAIL_HOST, settings.EMAIL_PORT), Talk)
        self.taken: dict[str, datetime] = {}

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()


def rows(turns: int) -> Iterator[Row]:
    """Measure that many turns."""
    tables = [table(n) for n in range(TABLES)]
    with Post() as post, workers():
        wait_until_sent()
        began = timezone.now()
        play(tables, turns)
        told = Notice.objects.filter(kind=Kind.TURN, created_at__gte=began)
        sent = told.filter(state=NoticeState.SENT)  # the others were late, so that the turn had been taken
        seconds = [(post.taken[one.message_id] - one.created_at).total_seconds() for one in sent]
    cuts, queue = quantiles(seconds, n=100, method="inclusive"), "Redis" if settings.REDIS_URL else "a folder"
    late = f"99% within {cuts[98]:.2f} s, {len(seconds)} of {told.count()} sent"
    yield Row(f"Email, {PACE} turns a second, {connection.vendor}, {queue}", f"after {cuts[49]:.2f} s, {late}", "5 s")


def table(number: int) -> Game:
    players = site.people(f"Alice-{number}", f"Bob-{number}")
    EmailAddress.objects.bulk_create(
        EmailAddress(user=one, email=one.email, primary=True, verified=True) for one in players
    )
    game = lobby.open_table(user=players[0], listed=True)
    lobby.join_table(game=game, user=players[1])
    for _decision in range(BEFORE):
        turn(game)
    return game


def turn(game: Game) -> None:
    site.turn(Game.objects.select_related("snapshot").get(pk=game.pk))


def play(tables: Sequence[Game], turns: int) -> None:
    """Play at each table in rotation, at PACE turns per second, then wait until all emails are sent."""
    started = perf_counter()
    for n in range(turns):
        sleep(max(0.0, started + n / PACE - perf_counter()))
        turn(tables[n % len(tables)])
    wait_until_sent()


def wait_until_sent() -> None:
    end = perf_counter() + PATIENCE
    while waiting := in_work():
        if perf_counter() > end:
            raise TimeoutError(f"{waiting} notices did not go out.")
        sleep(0.1)


def in_work() -> int:
    """Return the number of notices that are due or being sent."""
    is_due = Q(state=NoticeState.QUEUED, due_at__lte=timezone.now())
    return Notice.objects.filter(is_due | Q(state=NoticeState.SENDING)).count()


@contextmanager
def workers() -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "empire", "worker"]
    options = ["-P", "threads", "-c", "4", "-l", "error", "--without-mingle", "--without-gossip"]
    running = [subprocess.Popen([*command, *options], cwd=settings.BASE_DIR) for _worker in range(WORKERS)]
    try:
        yield
    finally:
        for worker in running:
            worker.terminate()
        for worker in running:
            worker.wait(timeout=PATIENCE)
