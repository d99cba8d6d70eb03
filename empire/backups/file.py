"""The backup file: a zip with the database's own dump and, last, a manifest.

The directory of a zip is at its end, so a truncated file is always detected.
The marks of a restore in progress are here too.
"""

import fcntl
import hashlib
import os
import tokenize
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from inspect import getfile
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol
from zipfile import BadZipFile, ZipFile

import msgspec
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.crypto import salted_hmac
from msgspec import Meta

from empire.models import Heartbeat
from empire.observability.health import RESTORE

RELEASE = "0.1.0"  # as in pyproject.toml; raise both when migrations are squashed
DUMP, ABOUT = "database.dump", "manifest.json"
OURS = ("accounts", "empire", "games")  # packages with migrations of our own
# Manifests of the first format don't say what the migrations contained, so nobody can tell whether they still fit
FIRST_FORMAT, FIRST_RELEASE = "empire-backup/1", "0.1.0"
PART = ".backup-part"  # suffix of files being written
OF_A_ZIP = b"PK\x03\x04"  # the first bytes of a zip file
LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
COUNTED = {"accounts": "accounts_user", "games": "tables_game", "entries": "tables_entry"}


class BackupError(Exception):
    """A backup or restore that cannot be done, with a sentence. Nothing has been written."""


class Cursor(Protocol):
    """The common part of Django's and sqlite3's cursors."""

    def execute(self, query: str) -> Any: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> Any: ...


class Facts(msgspec.Struct, frozen=True):
    """The contents and time of a dump. `server` is the version of PostgreSQL, 0 for SQLite."""

    kind: Literal["postgresql", "sqlite"]
    server: int
    taken_at: Annotated[datetime, Meta(tz=True)]
    accounts: int
    games: int
    entries: int
    migrations: tuple[str, ...]


class Manifest(Facts, frozen=True):
    """The manifest of a backup. `keys` are fingerprints, which only tell whether a key has changed.

    `release` is the version that wrote it, and `digests` are of our own migrations, by name: squashing them can leave
    a different migration with the same name.
    """

    format: Literal["empire-backup/2"]
    site: str
    keys: dict[str, str]
    release: Annotated[str, Meta(pattern=r"^\d+(\.\d+)*$")]
    digests: dict[str, str]

    @property
    def counts(self) -> str:
        return f"{self.games:,} games with {self.entries:,} entries, {self.accounts:,} accounts"


class Head(msgspec.Struct):
    """The fields that manifests of all formats have."""

    format: str
    taken_at: Annotated[datetime, Meta(tz=True)]


def facts(kind: Literal["postgresql", "sqlite"], cursor: Cursor, server: int = 0) -> Facts:
    """Collect facts, in the transaction of the dump."""
    cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
    migrations = tuple(f"{app}.{name}" for app, name in cursor.fetchall())
    counts = {name: count(cursor, table) for name, table in COUNTED.items()}
    return Facts(kind, server, timezone.now(), migrations=migrations, **counts)


def count(cursor: Cursor, table: str) -> int:
    cursor.execute(f"SELECT COUNT(*) FROM {table}")
    return int(cursor.fetchone()[0])


def manifest(dump_facts: Facts) -> Manifest:
    about = {
        "format": "empire-backup/2", "site": settings.SITE_URL, "keys": fingerprints(), "release": RELEASE,
        "digests": {name: digest for name, digest in digests().items() if name in dump_facts.migrations},
    }  # fmt: skip
    return msgspec.convert(msgspec.structs.asdict(dump_facts) | about, Manifest)


def text(about: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(about))


def fingerprints() -> dict[str, str]:
    names = ("SECRET_KEY", "RECORD_KEY", "VAPID_PRIVATE_KEY")
    keys = {name: getattr(settings, name) for name in names}
    return {name: salted_hmac("empire.backups", name, secret=key).hexdigest()[:16] for name, key in keys.items() if key}


# Writing


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """Yield a temporary file, readable only by its owner, that is synced and moved to `path` at the end."""
    part = path.with_name(f".{path.name}{PART}")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        yield part
        sync(part)
        part.replace(path)
        sync(path.parent)
    finally:
        part.unlink(missing_ok=True)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock the folder against other backups and remove their unfinished files."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        lock(descriptor)
        for unfinished in folder.glob(f".*{PART}*"):
            unfinished.unlink(missing_ok=True)
        yield
    finally:
        os.close(descriptor)


def lock(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BackupError("Another backup is being written to this folder.") from None


# Reading


@contextmanager
def opened(path: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """Open a complete backup that this release can read. Raises `BackupError`."""
    archive = whole(path)
    with archive:
        about = msgspec.json.decode(archive.read(ABOUT), type=Manifest)
        need_our_migrations(about)
        yield archive, about


def need_our_migrations(about: Manifest) -> None:
    """Raise `BackupError` if the backup is from a newer release, or from before migrations were squashed."""
    here = digests()
    unknown = sorted(set(about.migrations) - known_migrations())
    other = sorted(name for name, digest in about.digests.items() if here.get(name, digest) != digest)
    backup_release, own_release = ([int(part) for part in release.split(".")] for release in (about.release, RELEASE))
    if (unknown or other) and (backup_release > own_release or (backup_release == own_release and not other)):
        name = (unknown or other)[0]
        raise BackupError(f"This backup is from a newer release: {name} is unknown here. Restore it with that release.")
    if unknown or other:
        raise BackupError(
            f"This backup is from before migrations were squashed: {(other or unknown)[0]} is no longer the same. "
            f"{readable_by(about.release, about.taken_at)}"
        )


def readable_by(release: str, taken_at: datetime) -> str:
    """Return a sentence that says which version reads a backup: the one that wrote it."""
    return (
        f"Version {release} reads it, with the code of {taken_at:%Y-%m-%d}, when it was written. Nothing was changed."
    )


def whole(path: Path) -> ZipFile:
    """Open the archive and check every byte. Raises `BackupError`."""
    try:
        archive = ZipFile(path)
        head = msgspec.json.decode(archive.read(ABOUT), type=Head)
        if head.format == FIRST_FORMAT:
            archive.close()
            raise BackupError(
                f"This backup is from before migrations were squashed. {readable_by(FIRST_RELEASE, head.taken_at)}"
            )
        msgspec.json.decode(archive.read(ABOUT), type=Manifest)
        if archive.testzip() or DUMP not in archive.namelist():
            raise BadZipFile
    except OSError as error:
        raise BackupError(f"Cannot read the file {path}: {error.strerror or error}.") from None
    except (BadZipFile, KeyError, EOFError, zlib.error, msgspec.DecodeError):
        beginning = b""
        with suppress(OSError), path.open("rb") as file:
            beginning = file.read(len(OF_A_ZIP))
        verdict = "is an incomplete or damaged backup" if beginning == OF_A_ZIP else "is not a backup"
        raise BackupError(f"{path} {verdict}.") from None
    return archive


def known_migrations() -> set[str]:
    """Return the migrations of this release, and those that they replace."""
    migrations = MigrationLoader(None).disk_migrations
    replaced = {old for migration in migrations.values() for old in migration.replaces}
    return {f"{app}.{name}" for app, name in {*migrations, *replaced}}


def digests() -> dict[str, str]:
    """Return a digest of each of our migrations by name, without comments, blank lines and indentation."""
    digest_by_name = {}
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if apps.get_app_config(app).name.partition(".")[0] in OURS:
            with Path(getfile(type(migration))).open("rb") as file:  # MIGRATION_MODULES may name another package
                words = [word.string for word in tokenize.tokenize(file.readline) if word.type not in LAYOUT]
            digest_by_name[f"{app}.{name}"] = hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
    return digest_by_name


# When a restore may start: the database is empty, or a restore of the same backup was interrupted.
# A row in `Heartbeat` marks a restore in progress; its time is that of the backup.


def need_fresh(cursor: CursorWrapper) -> None:
    """Raise `BackupError` unless the database is empty."""
    tables = set(connection.introspection.table_names(cursor))
    if not tables:
        return
    contents = [
        f"{count(cursor, table)} {name}" for name, table in COUNTED.items() if table in tables and name != "entries"
    ]
    raise BackupError(
        f"This database is not empty: it holds {' and '.join(contents) or f'the table {min(tables)}'}. "
        "Nothing was changed. Create an empty database, point DATABASE_URL to it, and restore again."
    )


def mark(cursor: Cursor, about: Manifest) -> None:
    """Check that everything arrived, clear the old heartbeats, and mark the restore as in progress."""
    if any(count(cursor, table) != getattr(about, name) for name, table in COUNTED.items()):
        raise BackupError("The contents of the dump do not match the manifest of the backup.")
    cursor.execute("DELETE FROM empire_heartbeat")
    moment = connection.ops.adapt_datetimefield_value(about.taken_at)
    cursor.execute(f"INSERT INTO empire_heartbeat (name, at) VALUES ('{RESTORE}', '{moment}')")


def is_restore_under_way(about: Manifest) -> bool:
    """Return whether a restore of this backup has started here and not finished."""
    with connection.cursor() as cursor:
        if "empire_heartbeat" not in connection.introspection.table_names(cursor):
            return False
    return Heartbeat.objects.filter(name=RESTORE, at=about.taken_at).exists()
