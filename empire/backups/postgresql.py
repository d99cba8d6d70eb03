"""Backups of PostgreSQL by pg_dump, restored in one transaction from the script that pg_restore prints."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import IO, Any
from zipfile import ZipFile

import psycopg
from django.db import DatabaseError, connection, transaction

from empire.backups.file import DUMP, BackupError, Facts, Manifest, facts, mark, need_fresh

OF_DEBIAN = Path("/usr/lib/postgresql")  # has a folder for each version
COPY = re.compile(rb"COPY .+ FROM stdin;\n")
END = b"\\.\n"
NOT_FOR_US = (b"\\", b"SET transaction_timeout")  # psql commands, and a setting unknown before version 17
PATIENCE = 2.0  # seconds
# The backend type is hidden for connections of other roles
OTHERS = """
    SELECT COUNT(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename IS NOT NULL
    AND COALESCE(backend_type, 'client backend') = 'client backend'
"""


def dump(archive: ZipFile) -> Facts:
    """Write a consistent snapshot and return facts about it."""
    program = tool("pg_dump", server())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        dump_facts = facts("postgresql", cursor, server())
        with (
            running(program, "--format=custom", f"--snapshot={snapshot}", *target()) as process,
            archive.open(DUMP, "w", force_zip64=True) as out,
        ):
            shutil.copyfileobj(process.stdout, out)
    return dump_facts


def target() -> list[str]:
    """Return the arguments that connect pg_dump to exactly the server and database of our connection.

    Our libpq may be newer than pg_dump's and report options that an older one refuses, so only options from the
    settings are passed on. The snapshot exists on one server only, hence the actual host, address and port. `--host`
    also keeps Debian's pg_wrapper from choosing a server itself.
    """
    info = connection.connection.info
    libpq_options = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} - {"password"}
    options = {name: value for name, value in connection.get_connection_params().items() if name in libpq_options}
    own = {"host": info.host, "hostaddr": info.hostaddr, "port": info.port, "user": info.user, "dbname": info.dbname}
    options |= {name: value for name, value in own.items() if value}
    return [f"--host={info.host}", f"--dbname={psycopg.conninfo.make_conninfo(**options)}"]


def restore(archive: ZipFile, about: Manifest) -> None:
    """Restore all or nothing. Raises `BackupError` unless the database is empty."""
    if server() < about.server:
        raise BackupError(f"The backup is from PostgreSQL {about.server}, but this server has version {server()}.")
    program = tool("pg_restore", about.server)
    # Use a single connection in this process, so that all others belong to someone else
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # only PostgreSQL has it
    connection.settings_dict["OPTIONS"]["pool"] = False
    with transaction.atomic(), connection.cursor() as cursor:
        need_fresh(cursor)
        need_no_other_connections(cursor)
        with (
            running(program, "--file=-", "--no-owner", "--no-acl", stdin=subprocess.PIPE) as process,
            archive.open(DUMP) as source,
        ):
            feeder = Thread(target=feed, args=(source, process.stdin), daemon=True)
            feeder.start()
            play(process.stdout, cursor)
            feeder.join()
        mark(cursor, about)
        cursor.execute("ANALYZE")
    connection.close()  # discards the session settings of the script


def need_no_other_connections(cursor: Any) -> None:
    """Raise `BackupError` if others are connected, after waiting for those that are disconnecting."""
    end = monotonic() + PATIENCE
    while True:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(OTHERS)
        (others,) = cursor.fetchone()
        if not others:
            return
        if monotonic() > end:
            raise BackupError(f"This database has {others} other connections. Stop the site first.")
        sleep(0.05)


def play(script: IO[bytes], cursor: Any) -> None:
    """Run a psql script: statements, and table rows between them."""
    statements: list[bytes] = []
    for line in script:
        if COPY.fullmatch(line):
            run(statements, cursor)
            copy(line, script, cursor)
            statements = []
        elif not line.startswith(NOT_FOR_US):
            statements.append(line)
    run(statements, cursor)
    cursor.execute("RESET search_path")


def run(statements: list[bytes], cursor: Any) -> None:
    with taken():
        cursor.execute(b"".join(statements).decode())


def copy(statement: bytes, script: IO[bytes], cursor: Any) -> None:
    with taken(), cursor.copy(statement.decode()) as rows:
        for row in script:
            if row == END:
                return
            rows.write(row)
        raise BackupError("The rows of a table are incomplete.")


@contextmanager
def taken() -> Iterator[None]:
    """Turn database errors into `BackupError`, including psycopg's own errors while copying."""
    try:
        yield
    except (DatabaseError, psycopg.Error) as error:
        raise BackupError(f"The database refused the contents of the backup: {first_line(str(error))}") from None


def feed(source: IO[bytes], target: IO[bytes]) -> None:
    with suppress(BrokenPipeError, ValueError), target:  # the reader may have ended and closed the pipe
        shutil.copyfileobj(source, target)


# Programs


def server() -> int:
    """Return the major version of the server, such as 16."""
    with connection.cursor():
        return int(connection.connection.info.server_version) // 10_000


def tool(name: str, at_least: int) -> str:
    """Find the program with at least this version, on the PATH or in Debian's folders. Raises `BackupError`."""
    paths = [shutil.which(name), *sorted(map(str, OF_DEBIAN.glob(f"*/bin/{name}")), reverse=True)]
    tools = [(version(path), path) for path in paths if path]
    for found_version, path in tools:
        if found_version >= at_least:
            return path
    has = f"has version {max(tools)[0]}" if tools else "is missing"
    raise BackupError(f"{name} {has}, but version {at_least} or later is needed. Install postgresql-client-{at_least}.")


def version(program: str) -> int:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"\) (\d+)", output)
    return int(number[1]) if number else 0


@contextmanager
def running(*command: str, stdin: int = subprocess.DEVNULL) -> Iterator[Any]:
    """Run the program and require success. The password is passed in its environment, which others cannot read."""
    password = connection.connection.info.password
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=errors, env=environment) as process,
    ):
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        if process.wait():
            errors.seek(0)
            raise BackupError(f"{Path(command[0]).name} failed: {first_line(errors.read().decode())}")


def first_line(words: str) -> str:
    return words.strip().partition("\n")[0]
