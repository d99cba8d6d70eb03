"""The database of a personal machine: opened and closed by many processes, each with several threads."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from django.db import connection

THREADS = 2
PROCESSES = 2
SECONDS = 5.0
# A loop that opens and closes the database, as commands do: closing the last connection deletes the WAL
COMMANDS = """
import sqlite3, sys, time
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    database = sqlite3.connect(sys.argv[1])
    database.execute("SELECT COUNT(*) FROM facts").fetchone()
    database.close()
    time.sleep(0.0005)
"""


def write(path: Path, is_over: Callable[[], bool], errors: list[str]) -> None:
    """Open the database as the site does, read, write and close it, again and again."""
    while not is_over():
        try:
            with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as database:
                database.executescript(settings.DATABASES["default"]["OPTIONS"]["init_command"])
                database.execute("SELECT * FROM facts LIMIT 1").fetchone()
                database.execute("INSERT INTO facts VALUES (1)")
        except sqlite3.Error as error:
            errors.append(error.sqlite_errorname)


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such settings")
def test_threads_can_use_the_database_while_other_processes_open_and_close_it(tmp_path) -> None:
    path, errors = tmp_path / "db.sqlite3", list[str]()
    with closing(sqlite3.connect(path)) as database:
        database.executescript("PRAGMA journal_mode=WAL; CREATE TABLE facts (fact);")
    running = [subprocess.Popen([sys.executable, "-c", COMMANDS, str(path), str(SECONDS)]) for _n in range(PROCESSES)]

    def is_over() -> bool:
        return all(process.poll() is not None for process in running)

    threads = [Thread(target=write, args=(path, is_over, errors)) for _n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(errors) == set() and all(process.returncode == 0 for process in running)
