"""Triggers that make SQLite and PostgreSQL refuse to change or delete the rows of a log."""

from typing import Any

REFUSAL = "the log is only ever added to"
UNIQUE = {  # by table: what identifies a row besides its id
    "tables_entry": "game_id = NEW.game_id AND seq = NEW.seq",
    "accounts_moderationentry": "",
}

RAISE = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"


def sqlite(table: str) -> dict[str, str]:
    same = f"id = NEW.id OR ({UNIQUE[table]})" if UNIQUE[table] else "id = NEW.id"
    return {
        f"{table}_no_update": f"BEFORE UPDATE ON {table} {RAISE}",
        f"{table}_no_delete": f"BEFORE DELETE ON {table} {RAISE}",
        # INSERT OR REPLACE deletes without firing the delete trigger
        f"{table}_no_replace": f"BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {RAISE}",
    }


def postgresql(table: str) -> dict[str, str]:
    refuse = f"EXECUTE FUNCTION {table}_refuse()"
    return {
        f"{table}_insert_only": f"BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW {refuse}",
        f"{table}_no_truncate": f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {refuse}",
    }


def function(table: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$
"""


def forbid(connection: Any, *tables: str) -> None:
    """Create the triggers of these tables, or of all."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        for table in tables or UNIQUE:
            if not is_sqlite:
                cursor.execute(function(table))
            for name, rule in (sqlite(table) if is_sqlite else postgresql(table)).items():
                cursor.execute(f"CREATE TRIGGER {name} {rule}")


def allow(connection: Any, *tables: str) -> None:
    """Drop the triggers, for reverse migrations and for tests that empty their database."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        for table in tables or UNIQUE:
            for name in sqlite(table) if is_sqlite else postgresql(table):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}" + ("" if is_sqlite else f" ON {table}"))
