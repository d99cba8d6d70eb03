"""Backup and restore with Debian's PostgreSQL, whose tools are older than our libpq."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import need
from tests.running import ROOT
from tests.services.own_postgres import debian_postgres

A_GAME = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.cast import in_turns, person
in_turns(person("Alice"), person("Bob"))
"""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a Debian server over TCP with a password, without the database name."""
    with debian_postgres(Path(need("pg_ctl")).parent) as address:
        yield address


def manage(*words: object, **environment: str) -> str:
    command = [sys.executable, "manage.py", *map(str, words)]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.long
def test_debians_tools_back_up_and_restore_their_own_server(server: str, tmp_path: Path) -> None:
    tools = f"{Path(need('pg_ctl')).parent}{os.pathsep}{os.environ['PATH']}"
    here = {"VAR_DIR": str(tmp_path), "DEBUG": "1", "PATH": tools}
    site = here | {"DATABASE_URL": f"{server}/the%20site%27s?sslmode=prefer"}
    manage("shell", "-v0", "-c", A_GAME, **site)
    assert "1 games with " in manage("backup", tmp_path / "kept.zip", **site)
    words = manage("restore", tmp_path / "kept.zip", **here | {"DATABASE_URL": f"{server}/other"})
    assert "1 games verified in " in words and "none differ" in words
