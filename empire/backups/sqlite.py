"""Backups of SQLite by its online backup, which blocks nobody, restored as a file."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import connection

from empire.backups.file import DUMP, PART, BackupError, Facts, Manifest, appearing, facts, mark, need_fresh


def dump(archive: ZipFile) -> Facts:
    """Write a consistent snapshot and return facts about it."""
    copy = Path(f"{archive.filename}.copy{PART}")
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        with (
            closing(sqlite3.connect(f"{name().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as to,
        ):
            source.execute("BEGIN")
            dump_facts = facts("sqlite", source.cursor())  # from this first read on, our snapshot is fixed
            source.backup(to)
            to.execute("PRAGMA journal_mode=DELETE")
        archive.write(copy, DUMP, compress_type=ZIP_DEFLATED)
    finally:
        copy.unlink()
    return dump_facts


def restore(archive: ZipFile, about: Manifest) -> None:
    """Restore into a temporary file and move it into place. Raises `BackupError` unless the database is empty."""
    with connection.cursor() as cursor:
        need_fresh(cursor)
    connection.close()
    with exclusive_lock(), appearing(name()) as part:
        with archive.open(DUMP) as source, part.open("wb") as target:
            shutil.copyfileobj(source, target)
        with closing(sqlite3.connect(part)) as database:
            mark(database.cursor(), about)
            database.commit()


@contextmanager
def exclusive_lock() -> Iterator[None]:
    """Hold an exclusive lock on the empty database file so that nobody can use it, and remove its WAL."""
    with closing(sqlite3.connect(name(), timeout=0, isolation_level=None)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise BackupError("Another process has this database open. Stop the site first.") from None
        yield


def name() -> Path:
    return Path(str(connection.settings_dict["NAME"])).absolute()
