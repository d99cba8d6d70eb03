"""What commands of `manage.py` share."""

import sys
from contextlib import suppress

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError

from empire.web.unavailable import is_temporary

OF_STATEMENTS = ("40001", "40P01", "55P03", "57014")  # a conflict, a deadlock, a lock or a time limit
MIGRATING = ("migrate", "restore")  # commands for which old tables are no reason to stop


class OwnSession(BaseCommand):
    """A command that changes settings of its session, or needs several statements to reach the same session.

    A pooler that hands out connections by transaction would give those settings to web processes: after `replay`, for
    example, they could not write.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        if settings.TRANSACTION_POOLING:
            sys.exit(
                f"{argv[1]} needs a session of its own, so it can't run through a pooler (TRANSACTION_POOLING). Set"
                " TRANSACTION_POOLING=0 and a DATABASE_URL that leads to PostgreSQL itself for this command."
            )
        super().run_from_argv(argv)


def reason(error: Exception) -> object:
    """Return what went wrong, without the number and the path that Python adds to the system's words."""
    return getattr(error, "strerror", None) or error


def unusable_database(error: DatabaseError, argv: list[str]) -> str:
    """Return what to do if the database is away or waits for migrations, or nothing if the fault is in our code."""
    from empire.observability import health  # it needs the apps to be loaded

    words = str(error).partition("\n")[0].rstrip(".")
    if is_temporary(error) and getattr(error.__cause__, "sqlstate", None) not in OF_STATEMENTS:
        return f"The database cannot be used: {words}. Check DATABASE_URL, and whether the database is running."
    if argv[1] not in MIGRATING:
        with suppress(DatabaseError):
            if health.database_is_up_to_date():
                return f"The database is older than this release ({words}). Check DATABASE_URL, and run migrate first."
    return ""
