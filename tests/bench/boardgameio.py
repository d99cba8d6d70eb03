"""A turn on our site and a move on boardgame.io, in processor time of the servers.

Both servers run at the same time and are asked in alternation, eight matches of two players each, one move at a time. A
turn of ours is submitted as by a page without scripts and answered with a redirect. boardgame.io keeps its matches in
its file store, our site in SQLite. Packages of boardgame.io come from npm into a temporary folder.

What one does and the other does not: our turn checks session and CSRF token, continues a chain of digests, writes the
clock and a notice; boardgame.io sends the new state to both players.
"""

import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import sleep
from urllib.parse import urlencode

from django.conf import settings
from django.core.management.base import CommandError

from games.tables.models import Game, Seat
from games.tables.selectors import position
from games.tables.selectors.table import HEAD_DIGITS
from games.tables.services import bots, lobby
from tests.bench import HOST, Row, free_port, site
from tests.bench.load_drive import CSRF
from tests.bench.load_site import answers, spent, wait_until, web
from tests.bench.taps import session

SOURCES = Path(__file__).parent / "boardgame.io"
MATCHES = 8
TURNS = 3  # in each match, then the other server has its turn
ROUNDS = 5
Measure = Callable[[], float]  # it plays, and returns the milliseconds of a move
NEEDED = "This bench needs Node.js with npm, which installs boardgame.io: install both, or leave it out."


def rows() -> Iterator[Row]:
    """Measure moves on both servers, in milliseconds of processor time."""
    with ExitStack() as stack:
        measure_theirs, measure_ours = stack.enter_context(boardgameio()), stack.enter_context(our_site())
        measure_theirs()  # both servers warm up
        measure_ours()
        costs = [(measure_theirs(), measure_ours()) for _round in range(ROUNDS)]
    of_them, of_us = (median(values) for values in zip(*costs, strict=True))
    version = re.findall(r'"boardgame.io": "([^"]+)"', (SOURCES / "package.json").read_text())[0]
    moves = f"{MATCHES} matches, {MATCHES * TURNS * ROUNDS} moves"
    yield Row(f"boardgame.io {version}, file store: a move, {moves}", f"{of_them:.1f} ms of processor")
    yield Row(
        "ours, SQLite: a turn, answered by a redirect",
        f"{of_us:.1f} ms of processor, {of_us / of_them:.1f} times",
        "2.5 times",
    )


def need_npm() -> None:
    if not (shutil.which("node") and shutil.which("npm")):
        raise CommandError(NEEDED)


@contextmanager
def boardgameio() -> Iterator[Measure]:
    """Run a boardgame.io server with players. Yield a function that plays, and returns the cost of a move."""
    need_npm()
    with tempfile.TemporaryDirectory(prefix="empire-boardgame.io-") as name, ExitStack() as stack:
        folder, port = Path(name) / "bench", free_port()
        shutil.copytree(SOURCES, folder)
        install = ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        if subprocess.run(install, cwd=folder, check=False).returncode:
            raise CommandError("npm could not install boardgame.io, see above.")
        server = stack.enter_context(started(["node", "server.js", str(port), "matches"], folder))
        wait_until(lambda: is_open(port))
        players = stack.enter_context(started(["node", "players.js", str(port), str(MATCHES), str(TURNS)], folder))

        def play() -> float:
            assert players.stdin and players.stdout
            before = spent(server.pid)
            players.stdin.write(b"\n")
            players.stdin.flush()
            moves = int(players.stdout.readline() or 0)
            if not moves:
                raise CommandError("The players of boardgame.io did not play on.")
            sleep(0.2)  # the last states are written
            return 1000 * (spent(server.pid) - before) / moves

        yield play


@contextmanager
def our_site() -> Iterator[Measure]:
    """Run a web process on this database. Yield a function that plays, and returns the cost of a turn."""
    users = [site.people(f"Alice-{n}", f"Bob-{n}") for n in range(MATCHES)]
    games = [lobby.open_table(user=alice, players=2, listed=True) for alice, _bob in users]
    for game, (_alice, bob) in zip(games, users, strict=True):
        lobby.join_table(game=game, user=bob)
        for _bid in range(3):
            site.turn(Game.objects.get(pk=game.pk))
    sessions = {user.pk: session(user) for pair in users for user in pair}
    port = free_port()
    with started(web(port), settings.BASE_DIR, errors=subprocess.DEVNULL) as server:  # its log of requests
        wait_until(lambda: answers(port))
        connection = HTTPConnection("127.0.0.1", port)

        def play() -> float:
            before = spent(server.pid)
            for _turn in range(TURNS):
                for game in games:
                    connection.request("POST", *next_turn(Game.objects.get(pk=game.pk), sessions))
                    answer = connection.getresponse()
                    answer.read()
                    if answer.status != 302:
                        raise CommandError(f"A turn was answered {answer.status}.")
            return 1000 * (spent(server.pid) - before) / (TURNS * MATCHES)

        yield play


def next_turn(game: Game, sessions: Mapping[int, str]) -> tuple[str, str, dict[str, str]]:
    """Return path, body and headers of the next turn, as a page without scripts sends it."""
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    seat = next(seat for seat in seats if seat.owes)
    view = game.rules.view(position.current(game, seats, game.snapshot), seat.number)
    actions = next(bots.turns_to_try(game.rules, view, "random"))
    form = {"csrfmiddlewaretoken": CSRF, "seq": game.seq, "head": game.head[:HEAD_DIGITS], "action": ";".join(actions)}
    headers = {
        "Host": HOST,
        "Cookie": f"csrftoken={CSRF}; sessionid={sessions[seat.user_id or 0]}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return f"{game.get_absolute_url()}submit", urlencode({**form, "sure": "1"}), headers


@contextmanager
def started(command: Sequence[str], folder: Path, errors: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
