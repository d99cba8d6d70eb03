"""`manage.py replay`: decide stored games again on this release, and stop its deploy if they come out differently."""

import gzip
import zlib
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import CommandError

from empire.management import OwnSession, reason
from games.errors import GameError
from games.rules import gate
from games.tables.services import records as stored
from games.tables.services import replay
from games.tables.services.replay import Replayed

EACH = 10.0  # seconds between progress messages


class Command(OwnSession):
    help = (
        "Replay every running game on the code of this release, then the finished ones, in a pass that continues"
        " where it was interrupted. Nothing is written to the database. Each difference is printed with its game, its"
        " entry and the rulings about it. The exit code is 1 if a game comes out differently in the version of the"
        " rules that it began with. With paths, replay record files, without a database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE|FOLDER", help="record files, also packed")
        parser.add_argument("--running", action="store_true", help="only running games: for a deploy")
        parser.add_argument("--restart", action="store_true", help="begin the pass over finished games again")
        parser.add_argument(
            "--except", dest="known", action="append", default=[], metavar="GAME",
            help="a game whose differences are known and don't stop the deploy",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        if options["files"]:
            results = self.report(of_files(options["files"]), "of files")
        else:
            with replay.read_only():
                results = self.report(replay.replay_running(), "running")
                if not options["running"]:
                    results += self.finished(restart=options["restart"])
        stopped = [result for result in results if result.own and result.game not in options["known"]]
        if stopped:
            versions = ", ".join(sorted({result.played for result in stopped}))
            raise CommandError(
                f"Games that come out differently: {len(stopped)}. They would change while people play. Don't deploy"
                f" this release. If the change is intended, keep the old rules of {versions} and make it a new version:"
                " docs/adding-a-ruleset.md says how."
            )

    def finished(self, *, restart: bool) -> list[Replayed]:
        path = replay.progress_file()
        try:
            with replay.alone(path):
                progress = replay.load_progress(path, restart=restart)
                before = list(progress.found)
                if progress.games:
                    self.stdout.write(
                        f"Continuing after {progress.games:,} finished games, of which {len(before)} differ."
                    )
                    for earlier in before:
                        self.tell(earlier)
                return before + self.report(replay.replay_finished(path, progress), "finished")
        except GameError as refusal:
            raise CommandError(str(refusal)) from None

    def report(self, games: Iterable[Replayed], description: str) -> list[Replayed]:
        """Print what was found in each game, and progress now and then. Return the games that differ."""
        differ, number, last, began = [], 0, monotonic(), monotonic()
        for number, result in enumerate(games, start=1):
            if result.own or result.newer:
                self.tell(result)
                differ.append(result)
            if monotonic() - last > EACH:
                self.stdout.write(f"{number:,} games {description} …")
                last = monotonic()
        own = sum(bool(result.own) for result in differ)
        self.stdout.write(
            f"Games {description}: {number:,} replayed in {monotonic() - began:.1f} seconds. {own or 'None'} come out"
            f" differently; {len(differ) - own or 'none'} would in a newer version and keep theirs."
        )
        return differ

    def tell(self, result: Replayed) -> None:
        for difference in result.own:
            self.stdout.write(f"{difference} Played by {result.played}.")
        for difference in result.newer:
            newest = f"{result.played.partition('/')[0]}/{difference.version}"
            self.stdout.write(f"{difference} That is {newest}; the game continues with {result.played}.")


def of_files(paths: Iterable[Path]) -> Iterator[Replayed]:
    """Decide the records in these files and folders again. Raises `CommandError`."""
    for path in paths:
        files = sorted(file for file in path.rglob("*.json*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            try:
                data = file.read_bytes()
                whole = stored.read(gzip.decompress(data) if file.suffix == ".gz" else data)
            except (OSError, EOFError, zlib.error, GameError) as problem:
                raise CommandError(f"{file}: {reason(problem)}") from None
            if whole.seed is None:
                raise CommandError(f"{file}: a record without its seed cannot be replayed.")
            newest = gate.newer(whole)
            yield Replayed(
                whole.game, f"{whole.ruleset}/{whole.version}", list(gate.differences(whole)),
                list(gate.differences(whole, newest)) if newest else [],
            )  # fmt: skip
