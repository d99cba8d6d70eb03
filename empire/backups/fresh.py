"""When a restore may start: the database is empty, or a restore of the same backup was interrupted.

A row in `Heartbeat` marks a restore in progress; its time is that of the backup.
"""

from django.db import connection
from django.db.backends.utils import CursorWrapper

from empire.backups.file import COUNTED, BackupError, Cursor, Manifest, count
from empire.models import Heartbeat
from empire.observability.health import RESTORE


def need_fresh(cursor: CursorWrapper) -> None:
    """Raise `BackupError` unless the database is empty."""
    tables = set(connection.introspection.table_names(cursor))
    if not tables:
        return
    held = [
        f"{count(cursor, table)} {name}" for name, table in COUNTED.items() if table in tables and name != "entries"
    ]
    raise BackupError(
        f"This database is not empty: it holds {' and '.join(held) or f'the table {min(tables)}'}. "
        "Nothing was changed. Create an empty database, point DATABASE_URL to it, and restore again."
    )


def mark(cursor: Cursor, about: Manifest) -> None:
    """Check that everything arrived, clear the old heartbeats, and mark the restore as in progress."""
    if any(count(cursor, table) != getattr(about, name) for name, table in COUNTED.items()):
        raise BackupError("The contents of the dump do not match the manifest of the backup.")
    cursor.execute("DELETE FROM empire_heartbeat")
    moment = connection.ops.adapt_datetimefield_value(about.taken_at)
    cursor.execute(f"INSERT INTO empire_heartbeat (name, at) VALUES ('{RESTORE}', '{moment}')")


def is_under_way(about: Manifest) -> bool:
    """Return whether a restore of this backup has started here and not finished."""
    with connection.cursor() as cursor:
        if "empire_heartbeat" not in connection.introspection.table_names(cursor):
            return False
    return Heartbeat.objects.filter(name=RESTORE, at=about.taken_at).exists()
