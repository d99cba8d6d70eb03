"""Makes the database refuse to change or delete entries of the log, on SQLite and on PostgreSQL."""

from typing import Any

TABLE = "games_entry"
REFUSAL = "the log is only ever added to"

SQLITE = {
    f"{TABLE}_no_{verb}": f"CREATE TRIGGER {TABLE}_no_{verb} BEFORE {verb.upper()} ON {TABLE}"
    f" BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for verb in ("update", "delete")
}
POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$;
CREATE TRIGGER {TABLE}_insert_only BEFORE UPDATE OR DELETE ON {TABLE}
FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()
"""


def forbid(connection: Any) -> None:
    """Refuse from now on."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in SQLITE.values():
                cursor.execute(statement)
        else:
            cursor.execute(POSTGRESQL)


def allow(connection: Any) -> None:
    """Undo `forbid`: for taking the site down, and for tests that empty their database."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name in SQLITE:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        else:
            cursor.execute(f"DROP TRIGGER IF EXISTS {TABLE}_insert_only ON {TABLE}")
