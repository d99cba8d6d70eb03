"""`migrate`, which on PostgreSQL gives up if it has to wait long for a table lock.

A statement that waits for a lock blocks all later ones, so a migration after one forgotten transaction would stop the
site.
"""

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections

from empire.management import OwnSession

PATIENCE = "3s"
TOO_LATE = "55P03"  # lock_not_available


class Command(OwnSession, migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        try:
            with impatient(connection):
                super().handle(*args, **options)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") != TOO_LATE:
                raise
            raise CommandError(
                f"A table that the migration needs is locked, so it gave up after {PATIENCE} to keep the site running. "
                "Migrations applied before remain. Run migrate again when no backup is running."
            ) from None


@contextmanager
def impatient(connection: Any) -> Any:
    """Limit how long statements wait for locks, except CONCURRENTLY ones, which block nobody."""

    def wait_for(time: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{time}'")

    def patiently(execute: Callable[..., Any], sql: Any, *args: Any) -> Any:
        if " CONCURRENTLY " not in str(sql):
            return execute(sql, *args)
        wait_for("0")
        try:
            return execute(sql, *args)
        finally:
            wait_for(PATIENCE)

    wait_for(PATIENCE)
    try:
        with connection.execute_wrapper(patiently):
            yield
    finally:
        connection.close()
