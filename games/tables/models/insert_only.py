"""Triggers that make SQLite and PostgreSQL refuse to change or delete log entries."""

from typing import Any

TABLE = "tables_entry"
REFUSAL = "the log is only ever added to"

RAISE = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
SQLITE = {
    f"{TABLE}_no_update": f"BEFORE UPDATE ON {TABLE} {RAISE}",
    f"{TABLE}_no_delete": f"BEFORE DELETE ON {TABLE} {RAISE}",
    # INSERT OR REPLACE deletes without firing the delete trigger
    f"{TABLE}_no_replace": f"BEFORE INSERT ON {TABLE} WHEN EXISTS (SELECT 1 FROM {TABLE}"
    f" WHERE id = NEW.id OR (game_id = NEW.game_id AND seq = NEW.seq)) {RAISE}",
}
POSTGRESQL = {
    f"{TABLE}_insert_only": f"BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()",
    f"{TABLE}_no_truncate": f"BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION {TABLE}_refuse()",
}
FUNCTION = f"""
CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$
"""


def forbid(connection: Any) -> None:
    """Create the triggers."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if not is_sqlite:
            cursor.execute(FUNCTION)
        for name, rule in (SQLITE if is_sqlite else POSTGRESQL).items():
            cursor.execute(f"CREATE TRIGGER {name} {rule}")


def allow(connection: Any) -> None:
    """Drop the triggers, for reverse migrations and for tests that empty their database."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        for name in SQLITE if is_sqlite else POSTGRESQL:
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}" + ("" if is_sqlite else f" ON {TABLE}"))
