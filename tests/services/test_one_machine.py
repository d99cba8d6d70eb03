"""A personal machine with SQLite: its disk is full, and all processes are killed during a turn and an email."""

import http.client
import os
import resource
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.running import Site
from tests.services.desk import Desk
from tests.services.evening import VERIFY, message_id_of
from tests.services.whole_site import CSRF, until

pytestmark = [pytest.mark.long, pytest.mark.processes]
OPEN = """
from django.test import Client
from games.tables.services import lobby
from tests.cast import in_turns, person
alice, bob = person("Alice"), person("Bob")
browser = Client()
browser.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
tables = [in_turns(alice, bob), lobby.play_now(user=alice, bots=["medium"])]
answer([browser.cookies["sessionid"].value, [table.public_id for table in tables]])
"""
THINK = """
from games.tables.models import Game
from tests.cast import some_turn
game = Game.objects.get(public_id="{}")
answer([game.seq, some_turn(game)[1]])
"""
HANDS_OVER = """
from games.tables.models import Game
from tests.cast import play_turns
answer(play_turns(Game.objects.get(public_id="{}"), 1).seq)
"""
UNDER_WAY = "SELECT COUNT(*) FROM notices_notice WHERE state IN ('queued', 'sending') AND {}"
SENT = "SELECT message_id FROM notices_notice WHERE state = 'sent'"
AGE = "UPDATE notices_notice SET due_at = datetime(due_at, '-4 days') WHERE claimed_at IS NOT NULL"
LASTS = 2.0  # seconds for which the disk is full, in which each sweep runs
IN_MID_TURN = 'INSERT INTO "tables_entry"'
IN_MID_EMAIL = 'UPDATE "notices_notice" SET "state" = \'sending\', "claimed_at"'


class Machine:
    """`manage.py up`, where Alice plays against Bob and against a bot."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.hold = folder, folder / "hold"
        self.settings = {"DJANGO_SETTINGS_MODULE": "tests.services.hurried", "HOLD": str(self.hold)}
        self.up()
        self.desk = Desk(os.environ | {"VAR_DIR": str(folder)})
        self.session, (self.table, self.bots_table) = self.desk.run(OPEN)

    def up(self) -> None:
        self.site = Site(self.folder, LOG_LEVEL="WARNING", **self.settings)
        until(lambda: len(self.site.children()) == 4)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / "db.sqlite3", timeout=60)) as database, database:
            return database.execute(query).fetchall()

    def seq(self, game: str) -> int:
        return int(self.rows(f"SELECT seq FROM tables_game WHERE public_id = '{game}'")[0][0])

    def ask(self, path: str, **form: object) -> tuple[int, str]:
        headers = {"Cookie": f"csrftoken={CSRF}; sessionid={self.session}"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = urlencode(form | {"csrfmiddlewaretoken": CSRF})
        with closing(http.client.HTTPConnection("localhost", self.site.port, timeout=90)) as connection:
            connection.request("POST" if form else "GET", path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def processes(self) -> dict[str, int]:
        return {"up": self.site.process.pid, **self.site.children()}

    def is_quiet(self) -> bool:
        now = time.strftime("'%Y-%m-%d %H:%M:%S'", time.gmtime())
        return self.rows(UNDER_WAY.format(f"(due_at <= {now} OR state = 'sending')"))[0][0] == 0

    def is_well(self) -> None:
        """Check that no retry waits, each email was sent once, the bot has played, and all logs verify."""
        until(self.is_quiet)
        self.rows(AGE)
        until(lambda: self.rows(UNDER_WAY.format("claimed_at IS NOT NULL"))[0][0] == 0)
        emails = [message_id_of(file.read_bytes()) for file in (self.folder / "emails").glob("*.eml")]
        sent = [name for (name,) in self.rows(SENT)]
        assert Counter(emails) == Counter(sent) and sent
        owing = (
            "SELECT 1 FROM tables_seat s JOIN tables_game g ON g.id = game_id WHERE owes AND user_id AND public_id = "
        )
        until(lambda: all(self.rows(f"{owing}'{game}'") for game in (self.table, self.bots_table)))
        assert self.desk.run(VERIFY) == []


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    machine = Machine(tmp_path_factory.mktemp("machine"))
    try:
        yield machine
    finally:
        machine.desk.close()
        machine.site.stop()


def alices_turn(machine: Machine, game: str) -> tuple[int, list[str]]:
    """Wait until Bob or the bot has played or bid, and return Alice's turn."""
    query = (
        f"SELECT 1 FROM tables_seat s JOIN accounts_user u ON u.id = user_id JOIN tables_game g ON g.id = game_id"
        f" WHERE owes AND username = 'Alice' AND public_id = '{game}' AND NOT EXISTS ("
        f"SELECT 1 FROM tables_seat o WHERE o.game_id = g.id AND o.id != s.id AND o.owes"
        f" AND o.id NOT IN (SELECT seat_id FROM tables_draft WHERE sealed))"
    )
    if game == machine.table and not machine.rows(query):
        machine.desk.run(HANDS_OVER.format(game))
    until(lambda: machine.rows(query))
    return tuple(machine.desk.run(THINK.format(game)))


def disk(machine: Machine, *, is_full: bool) -> None:
    """Make all file writes of all processes fail, or succeed again."""
    for pid in machine.processes().values():
        _soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0 if is_full else hard, hard))


def test_a_full_disk_is_reported_keeps_drafts_and_loses_nothing(machine: Machine) -> None:
    seq, turn = alices_turn(machine, machine.table)
    assert machine.ask(f"/games/{machine.table}/step", seq=seq, action=turn[0])[0] == 302
    until(machine.is_quiet)  # an email being sent would wait until its lease expires
    before, form = machine.processes(), {"seq": seq, "action": ";".join(turn), "sure": "1"}
    disk(machine, is_full=True)
    ends = time.monotonic() + LASTS
    status, page = machine.ask(f"/games/{machine.table}/submit", **form)
    assert status == 503 and "The site is busy" in page and "Traceback" not in page
    assert f'name="action" value="{form["action"]}"' in page
    status, page = machine.ask(f"/games/{machine.table}/")
    assert status == 200 and turn[0] in page, "the draft is lost"
    assert machine.seq(machine.table) == seq
    until(lambda: time.monotonic() > ends)
    disk(machine, is_full=False)
    assert machine.processes() == before, "a process ended, which ends the whole site"
    assert machine.ask(f"/games/{machine.table}/submit", **form)[0] == 302
    assert machine.seq(machine.table) == seq + 1
    machine.is_well()


def test_all_processes_are_killed_during_a_turn_and_an_email(machine: Machine) -> None:
    (bots_seq, bots_turn), (seq, turn) = [alices_turn(machine, game) for game in (machine.bots_table, machine.table)]
    until(machine.is_quiet)
    machine.hold.write_text(IN_MID_EMAIL)
    machine.ask(f"/games/{machine.table}/submit", seq=seq, action=";".join(turn), sure="1")
    until(lambda: is_held(machine, "worker"))
    machine.hold.write_text(f"{IN_MID_EMAIL}\n{IN_MID_TURN}")
    with ThreadPoolExecutor() as pool:
        path, form = (
            f"/games/{machine.bots_table}/submit",
            {"seq": bots_seq, "action": ";".join(bots_turn), "sure": "1"},
        )
        answer = pool.submit(machine.ask, path, **form)
        until(lambda: is_held(machine, "web"))
        for pid in machine.processes().values():
            os.kill(pid, signal.SIGKILL)
        assert isinstance(answer.exception(), OSError | http.client.HTTPException)
    machine.site.process.wait()
    machine.hold.unlink()
    machine.rows(AGE)  # expire the leases of killed workers
    machine.up()
    assert (machine.seq(machine.table), machine.seq(machine.bots_table)) == (seq + 1, bots_seq)
    assert machine.ask(path, **form)[0] == 302
    machine.is_well()


def is_held(machine: Machine, name: str) -> bool:
    return machine.hold.with_name(f"held.{machine.processes()[name]}").exists()
