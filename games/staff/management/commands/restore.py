"""`manage.py restore FILE`: restore a backup into an empty database, then verify every game."""

import sqlite3
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any
from zipfile import ZipFile

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts import barred, deletions
from empire import backups
from empire.backups import file
from empire.management import OwnSession, reason
from empire.on_commit import without_tasks
from games.staff import restoring
from games.tables.models import Game
from games.tables.services import records

EACH = 10.0  # seconds between progress messages


class Command(OwnSession):
    help = (
        "Restore a backup into an empty database that nobody is connected to. Clocks get back the time that has "
        "passed since the backup. Then every game is verified; the exit code is 1 if anything differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--deletions", type=Path, action="append", default=[], metavar="FILE",
            help="a list of accounts to delete again, besides DELETIONS_LIST and the one next to the backup",
        )  # fmt: skip
        parser.add_argument(
            "--without-deletions", action="store_true", help="restore without a list, if no account was ever deleted"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with file.opened(options["file"]) as (archive, about):
                lists = self.lists(options)
                listed = self.deletions(about, lists)
                addresses = barred.read(lists)
                self.restore(archive, about)
        except (backups.BackupError, ValueError) as refusal:
            raise CommandError(str(refusal)) from None
        except (OSError, sqlite3.Error) as problem:
            raise CommandError(f"Nothing was restored: {reason(problem)}.") from None
        self.bring_up_to_date(about)
        self.tell_of_keys(about)
        bad = self.verify()
        with without_tasks():
            self.delete_again(listed)
            barred.save(addresses)
            self.go_through(about, exclude=bad)
        if bad:
            raise CommandError(f"Failed verification: {len(bad)} games, listed above. Everything else is done.")

    def lists(self, options: dict[str, Any]) -> list[Path]:
        """Return the lists of deleted accounts that there are. Without any list, refuse before anything is written.

        Otherwise accounts that were deleted after the backup would come back.
        """
        usual = [settings.DELETIONS_LIST, options["file"].parent / deletions.NAME]
        paths = [*(path for path in usual if path.exists()), *options["deletions"]]
        if not paths and not options["without_deletions"]:
            raise CommandError(
                f"There is no list of deleted accounts: neither {' nor '.join(map(str, usual))}. Accounts that were"
                " deleted after the backup would come back. Nothing was restored. Name the list with --deletions, or"
                " use --without-deletions if no account was ever deleted."
            )
        return paths

    def deletions(self, about: backups.Manifest, lists: list[Path]) -> dict[str, datetime]:
        """Return the deleted accounts on these lists, and say until when they are complete."""
        if not lists:
            return {}
        deleted, until = deletions.read(lists)
        self.stdout.write(
            f"The list of deleted accounts has {len(deleted):,} entries, until {until:%Y-%m-%d %H:%M} UTC."
        )
        if until <= about.taken_at + timedelta(minutes=1):
            self.stdout.write(
                "It is no newer than the backup: accounts that were deleted later come back. If there is a newer list,"
                " restore again into an empty database, and name it with --deletions."
            )
        return deleted

    def delete_again(self, listed: dict[str, datetime]) -> None:
        """Delete the accounts again. If one cannot be deleted, the restore is not finished, and /healthz says so."""
        deleted, failed = restoring.delete_again(listed)
        self.stdout.write(f"Accounts deleted again: {deleted:,}.")
        if failed:
            raise CommandError(
                f"{failed:,} accounts on the list of deleted accounts could not be deleted again; the log says why."
                " Do not start the site: fix this, then run the same command again."
            )

    def restore(self, archive: ZipFile, about: backups.Manifest) -> None:
        self.stdout.write(f"The backup was taken at {about.taken_at:%Y-%m-%d %H:%M} UTC: {about.counts}.")
        if file.is_restore_under_way(about):
            self.stdout.write("Continuing an interrupted restore of this backup.")
        else:
            began = monotonic()
            backups.restore(archive, about)
            self.stdout.write(f"Restored in {monotonic() - began:.1f} seconds.")

    def bring_up_to_date(self, about: backups.Manifest) -> None:
        if not file.known_migrations() <= set(about.migrations):
            self.stdout.write("The backup is from an older release. Running migrations.")
            call_command("migrate", interactive=False, verbosity=0)

    def tell_of_keys(self, about: backups.Manifest) -> None:
        here = file.fingerprints()
        changed = [name for name, fingerprint in about.keys.items() if here.get(name) != fingerprint]
        if "SECRET_KEY" in changed:
            self.stdout.write(
                "SECRET_KEY has changed: everyone has to sign in again, and links in old emails no longer work."
            )
        if "RECORD_KEY" in changed:
            self.stdout.write(
                "RECORD_KEY has changed: add the old public key to RECORD_KEYS_RETIRED, or the games that it signed"
                " are not recognized as authentic."
            )
        if "VAPID_PRIVATE_KEY" in changed:
            self.stdout.write("VAPID_PRIVATE_KEY has changed: players have to add their devices again.")

    def verify(self) -> list[Game]:
        """Verify all started games and return those with problems."""
        began, games = monotonic(), Game.objects.filter(seq__gte=0).order_by("pk")
        bad = [game for game in self.with_progress(games.iterator(), "verified") if self.differs(game)]
        seconds = monotonic() - began
        self.stdout.write(f"{games.count():,} games verified in {seconds:.0f} seconds: {len(bad) or 'none'} differ.")
        return bad

    def differs(self, game: Game) -> bool:
        try:
            problems = records.verify(game=game)
        except Exception as error:  # one broken game must not stop the verification
            problems = [f"Cannot verify this game: {type(error).__name__}: {error}"]
        if problems:
            self.stdout.write(f"{game}: {' '.join(problems)}")
        return bool(problems)

    def go_through(self, about: backups.Manifest, *, exclude: list[Game]) -> None:
        """Drop overdue notices and give clocks their time back, except in games that failed verification."""
        dropped = restoring.drop_notices(taken_at=about.taken_at)
        self.stdout.write(f"Overdue notices dropped: {dropped:,}.")
        games = restoring.give_time_back(taken_at=about.taken_at, exclude=exclude)
        tables = sum(1 for _game in self.with_progress(games, "were given time"))
        self.stdout.write(f"Games given {restoring.hours(about.taken_at)} h more: {tables:,}.")
        restoring.finish(taken_at=about.taken_at)

    def with_progress(self, games: Iterable[Game], verb: str) -> Iterator[Game]:
        """Yield the games, printing progress now and then."""
        last = monotonic()
        for number, game in enumerate(games, start=1):
            yield game
            if monotonic() - last > EACH:
                self.stdout.write(f"{number:,} games {verb} …")
                last = monotonic()
