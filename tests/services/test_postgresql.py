"""Tests run again on PostgreSQL: the server in DATABASE_URL, else a temporary one from a Python package."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.conftest import need
from tests.services.own_postgres import OwnPostgres, keeps_prepared_statements, own_postgres, pgbouncer

pytestmark = pytest.mark.site("postgresql")

TESTS = Path(__file__).parents[1]
# Files with the marker `postgresql`: concurrent changes, many queries, and interrupted work
CONCURRENT = ("services/test_movers.py", "tables/test_insert_only.py")
MARKED = (*CONCURRENT, "services/load_on_postgresql.py", "contests", "notices", "tables")
WHOLE = (
    "contests/test_scores.py", "contests/test_season_life.py", "contests/test_tournament_knockout.py",
    "contests/test_ladder.py", "notices/test_digest.py", "tables/test_called_off.py",
)  # fmt: skip


@pytest.fixture
def server(migrated_postgres: Path) -> Iterator[OwnPostgres]:
    """A server with a migrated database for tests."""
    if connection.vendor == "postgresql":
        pytest.skip("The whole suite is being run on PostgreSQL.")
    with own_postgres(migrated_postgres) as server:
        server.server.psql("CREATE DATABASE test_postgres TEMPLATE postgres")
        yield server


def run_tests(address: str, tests: Iterable[str], marker: str, **settings: str) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "--reuse-db", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [*words, "-m", marker, *(str(TESTS / test) for test in tests)]
    there = os.environ | {"DATABASE_URL": address} | settings
    run = subprocess.run(command, env=there, capture_output=True, text=True, timeout=900, check=False)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert " passed" in run.stdout and "skipped" not in run.stdout


def test_concurrent_changes_are_safe_on_postgresql(server):
    run_tests(server.address, CONCURRENT, "postgresql and not long")


@pytest.mark.long
def test_concurrent_changes_are_safe_behind_pgbouncer(server):
    program = need("pgbouncer")
    keeps = str(int(keeps_prepared_statements(program)))
    with pgbouncer(program, server) as address:
        run_tests(address, CONCURRENT, "postgresql", TRANSACTION_POOLING="1", PREPARED_STATEMENTS=keeps)


@pytest.mark.long
def test_marked_tests_pass_on_postgresql(server):
    run_tests(server.address, MARKED, "postgresql")


@pytest.mark.long
def test_tests_of_leagues_and_voided_games_pass_on_postgresql(server):
    run_tests(server.address, WHOLE, "long or not long")
