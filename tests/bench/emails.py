"""The cost of an email with its picture, and the time from a turn until the email server accepts its email."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter, process_time, sleep

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from empire import memory
from games.notices.delivery import deliver
from games.notices.kinds import Channel, Kind
from games.notices.models import Notice, NoticeState
from games.tables.models import Game
from games.tables.services import lobby
from tests.bench import Row, site
from tests.bench.load_post import post, taken

TABLES = 30
BEFORE = 3  # bids and the choice of first player
ROUNDS = 8  # of turns at all tables, whose emails this process sends; the first two warm it up
WORKERS = 2
PACE = 2  # turns per second: 170,000 a day
PATIENCE = 120.0  # seconds


def rows(turns: int) -> Iterator[Row]:
    """Measure the emails of `ROUNDS` turns at each table, sent by this process, and of `turns` more, by workers."""
    call_command("sprites", stdout=StringIO())  # as before the first start of a site
    tables = [table(n) for n in range(TABLES)]
    with tempfile.NamedTemporaryFile() as file, post(settings.EMAIL_HOST, settings.EMAIL_PORT, Path(file.name)):
        yield cost(tables)
        with workers():
            for game in tables:  # to warm the workers up
                turn(game)
            wait_until_sent()
            began = timezone.now()
            play(tables, turns)
        arrived = taken(Path(file.name))
    notices = Notice.objects.filter(kind=Kind.TURN, created_at__gte=began)
    sent = notices.filter(state=NoticeState.SENT)  # the others were late, so that the turn had been taken
    seconds = [(arrived[notice.message_id][0] - notice.created_at).total_seconds() for notice in sent]
    cuts, queue = quantiles(seconds, n=100, method="inclusive"), "Redis" if settings.REDIS_URL else "a folder"
    late = f"99% within {cuts[98]:.2f} s, {len(seconds)} of {notices.count()} sent"
    yield Row(f"Email, {PACE} turns a second, {connection.vendor}, {queue}", f"after {cuts[49]:.2f} s, {late}", "5 s")


def cost(tables: Sequence[Game]) -> Row:
    """Measure the processor time of this process for an email, as a worker sends them, ten at a time."""
    costs = list[float]()
    for number in range(ROUNDS):
        for game in tables:
            turn(game)
        began = process_time()
        sent = memory.in_one_chunk(deliver.deliver_due)(Channel.EMAIL)  # as in a task
        if number >= 2:
            costs.append(1000 * (process_time() - began) / sent)
    return Row(f"Email with its picture, {connection.vendor}", f"{mean(costs):.1f} ms of processor", "8 ms")


def table(number: int) -> Game:
    players = site.people(f"Alice-{number}", f"Bob-{number}")
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, primary=True, verified=True) for user in players
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
