"""`manage.py backup [FILE|FOLDER]`: write a consistent snapshot of the database to one file while people play."""

import re
import sqlite3
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from time import monotonic
from typing import Any
from zipfile import ZipFile

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from accounts import deletions
from empire import backups
from empire.backups import file
from empire.management import OwnSession, reason

OURS = re.compile(r"empire-\d{4}-\d\d-\d\d-\d{6}\.zip")


class Command(OwnSession):
    help = "Write a consistent snapshot of the whole database to one file while the site keeps running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="a file, or a folder for a dated file name (default: VAR_DIR/backups)"
        )
        parser.add_argument("--keep", type=number, metavar="N", help="remove all but the newest N dated backups there")

    def handle(self, *args: Any, **options: Any) -> None:
        began, path = monotonic(), place(options["file"])
        try:
            with file.alone_in(path.parent):
                about = write(path)
                deletions.write()
                deletions.add(path.parent / deletions.NAME)
                removed = tidy(path.parent, options["keep"])
        except backups.BackupError as refusal:
            raise CommandError(str(refusal)) from None
        except (OSError, sqlite3.Error) as problem:
            raise CommandError(f"Cannot write the backup to {path.parent}: {reason(problem)}.") from None
        size, seconds = path.stat().st_size / 1e6, monotonic() - began
        self.stdout.write(f"{path}: {about.counts}; {size:,.1f} MB in {seconds:.1f} seconds.")
        for old in removed:
            self.stdout.write(f"Removed {old}.")


def number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError("must be 1 or more")
    return int(text)


def place(target: Path | None) -> Path:
    """Return the path of the new backup."""
    if target is None:
        target = settings.VAR_DIR / "backups"
        target.mkdir(mode=0o700, exist_ok=True)
    path = target / f"empire-{timezone.now():%Y-%m-%d-%H%M%S}.zip" if target.is_dir() else target
    if path.exists():
        raise CommandError(f"The file {path} already exists.")
    if not path.parent.is_dir():
        raise CommandError(f"There is no folder {path.parent}.")
    return path


def write(path: Path) -> backups.Manifest:
    with file.appearing(path) as part, ZipFile(part, "w") as archive:
        about = file.manifest(backups.dump(archive))
        archive.writestr(file.ABOUT, file.text(about))
    return about


def tidy(folder: Path, keep: int | None) -> list[Path]:
    """Remove all but the newest `keep` dated backups and return them. Their names sort by time."""
    ours = sorted((path for path in folder.iterdir() if OURS.fullmatch(path.name)), reverse=True)
    old = ours[keep:] if keep else []
    for path in old:
        path.unlink()
    return old
