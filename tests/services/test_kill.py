"""A worker killed in the middle of its work: the sweep finishes the work, once."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import free_port, until

pytestmark = [pytest.mark.long, pytest.mark.processes]  # test_faults kills workers in the short run

OPEN = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.cast import person
from tests.tables.family import BY_HAND, EVERYTHING
from games.tables.services import lobby
alice = person("Alice")
for ruleset, options in (("legends", {}), ("legends", EVERYTHING | BY_HAND), ("kingdoms", {})):
    lobby.open_table(user=alice, ruleset=ruleset, players=4, bots=["random", "medium", "random"], options=options)
alice.delete()
from games.tables.models import Seat
from empire.on_commit import delay_on_commit
for seat in Seat.objects.filter(owes=True):
    delay_on_commit("games.tasks.play_bot", seat.game_id, seat.number)
"""
SWEEP = "from games.tables.services.bots import sweep_bots; sweep_bots()"
ENTRIES = "SELECT COUNT(*) FROM tables_entry"
SWEEPS = 6  # minutes apart, as in the schedule
RUNNING = "SELECT COUNT(*) FROM tables_game WHERE status = 'running'"


class Site:
    """A site with its own state folder, a queue, and workers that can be killed."""

    def __init__(self, folder: Path, processes: list[subprocess.Popen[bytes]], **environment: str) -> None:
        self.processes = processes
        self.database = folder / "db.sqlite3"
        here = {"VAR_DIR": str(folder), "DATABASE_URL": f"sqlite:///{self.database}"}
        self.environment = os.environ | here | environment

    def manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        run = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    def do(self, code: str) -> str:
        return self.manage("shell", "-v0", "-c", code)

    def count(self, query: str) -> int:
        with closing(sqlite3.connect(self.database)) as database:
            return int(database.execute(query).fetchone()[0])

    def work(self) -> subprocess.Popen[bytes]:
        words = ["celery", "--quiet", "-A", "empire", "worker", "-P", "threads", "-c", "2", "-l", "error"]
        self.processes.append(subprocess.Popen([sys.executable, "-m", *words], env=self.environment))
        return self.processes[-1]


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes that a test has started; they are stopped at its end."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(params=["filesystem", "redis"])
def site(request: pytest.FixtureRequest, tmp_path: Path, processes: list[subprocess.Popen[bytes]]) -> Site:
    if request.param == "filesystem":
        return Site(tmp_path / "var", processes, REDIS_URL="")
    port = str(free_port())
    command = [request.getfixturevalue("redis_server"), "--port", port, "--save", "", "--dir", str(tmp_path)]
    processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
    return Site(tmp_path / "var", processes, REDIS_URL=f"redis://localhost:{port}/0")


def test_the_sweep_finishes_the_work_of_a_killed_worker_once(site: Site):
    site.do(OPEN)
    worker = site.work()
    assert until(lambda: site.count(ENTRIES) >= 20)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert site.count(RUNNING) > 0, "the worker finished before it was killed"
    site.work()
    assert any(sweep_until_all_have_ended(site) for _sweep in range(SWEEPS))
    assert site.manage("verify", "--all").count(": authentic") == 3


def sweep_until_all_have_ended(site: Site) -> bool:
    """Sweep, and return whether all games have ended. Tasks may be lost, so it may take several sweeps."""
    site.do(SWEEP)
    return until(lambda: site.count(RUNNING) == 0, patience=15)
