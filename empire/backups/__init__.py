"""Backups: one file with the whole database and a manifest, restored only into an empty database and verified.

No library verifies or refuses to overwrite (docs/architecture.md). See docs/operations.md.
"""

from zipfile import ZipFile

from django.db import connection

from empire.backups import postgresql, sqlite
from empire.backups.file import BackupError, Facts, Manifest

__all__ = ["BackupError", "Manifest", "dump", "restore"]

KINDS = {"postgresql": postgresql, "sqlite": sqlite}
NAMES = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}


def dump(archive: ZipFile) -> Facts:
    """Write a consistent snapshot of the database to the archive and return facts about it. Raises `BackupError`."""
    return KINDS[connection.vendor].dump(archive)


def restore(archive: ZipFile, about: Manifest) -> None:
    """Restore all or nothing into an empty database that nobody is connected to. Raises `BackupError`."""
    if about.kind != connection.vendor:
        here, there = NAMES[connection.vendor], NAMES[about.kind]
        raise BackupError(f"This is a backup of {there}, but this database is {here}.")
    KINDS[about.kind].restore(archive, about)
