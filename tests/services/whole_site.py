"""A whole site of processes that can be killed one by one: PostgreSQL, Redis, web, two workers, beat."""

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import psycopg

from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.eight_minute.view import View
from games.rules.fairness import Quick
from games.rules.registry import RULESETS
from tests.running import ROOT, free_port

PATIENCE = 90.0
WORKERS, HANDS = 2, 2  # processes, and threads of each
CSRF = "c" * 32
CELERY = ("celery", "--quiet", "-A", "empire")


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this condition was not met in time"
        time.sleep(0.05)


class Turn(NamedTuple):
    """A turn as its player submits it, repeatedly if necessary."""

    game: str
    seat: int
    user: str
    seq: int
    actions: list[str]


class WholeSite:
    """Named processes that can be started and killed. `rows` reads the database directly."""

    def __init__(self, folder: Path, database: str, redis_server: str, mail_port: int) -> None:
        self.folder, self.redis_server = folder, redis_server
        self.web_port, self.redis_port = free_port(), free_port()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.ports = {"web": self.web_port, "web2": free_port()}
        self.clock = folder / "clock"
        self.turn_clock(0)
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.services.hurried", "VAR_DIR": str(folder / "var"), "DEBUG": "1",
            "DATABASE_URL": database, "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "EMAIL_URL": f"smtp://127.0.0.1:{mail_port}", "EMAIL_TIMEOUT": "60",
            "SITE_URL": f"http://localhost:{self.web_port}", "LOG_LEVEL": "WARNING",
            "CLOCK": str(self.clock),
        }  # fmt: skip
        self.database = psycopg.connect(database, autocommit=True)
        self.sessions: dict[str, str] = {}

    # Processes

    def start(self, name: str) -> None:
        command = self.command(name)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        if name in self.ports:
            until(lambda: self.answers(name))

    def command(self, name: str) -> list[str]:
        worker = ["worker", "-P", "threads", "-c", str(HANDS), "-l", "warning", "--without-mingle", "--without-gossip"]
        uvicorn = ["uvicorn", "empire.asgi:application", "--lifespan", "off", "--log-level", "warning"]
        python = [sys.executable, "-m"]
        return {
            "redis": [self.redis_server, "--port", str(self.redis_port), "--save", "", "--dir", str(self.folder)],
            "web": [*python, *uvicorn, "--port", str(self.ports.get(name))],
            "worker": [*python, *CELERY, *worker],
            "others": [*python, *CELERY, *worker, "-Q", "bots,clocks,default"],
            "beat": [*python, *CELERY, "beat", "-l", "warning", "--max-interval", "1"],
        }[name.rstrip("0123456789")]

    def kill(self, name: str) -> None:
        """Kill the process as a machine that runs out of memory does."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def revive(self) -> None:
        """Restart processes that have ended, as systemd does: Celery workers do not survive everything."""
        for name, process in list(self.running.items()):
            if process.poll() is not None:
                self.start(name)

    def stop(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()
        self.database.close()

    def answers(self, web: str = "web") -> bool:
        with suppress(OSError, http.client.HTTPException):
            return self.ask("GET", "/rules/", web=web)[0] == 200
        return False

    def turn_clock(self, ahead: float) -> None:
        """Set the clocks of all processes this many seconds ahead, and wait until they have done so."""
        new = self.clock.with_suffix(".new")
        new.write_text(str(ahead))
        new.rename(self.clock)
        shown = [self.clock.with_suffix(f".{process.pid}") for name, process in self.running.items() if name != "redis"]
        until(lambda: all(path.read_text() == str(ahead) for path in shown))

    def manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        run = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    # Direct access to the database

    def look_again(self) -> None:
        """Reconnect to the database after an outage."""
        self.database.close()
        self.database = psycopg.connect(self.environment["DATABASE_URL"], autocommit=True)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self.database.execute(query, values or None).fetchall()

    def do(self, query: str) -> None:
        self.database.execute(query)

    def number(self, query: str, *values: object) -> int:
        return int(self.rows(query, *values)[0][0])

    # People

    def ask(self, method: str, path: str, user: str = "", web: str = "web", **form: object) -> tuple[int, bytes]:
        """Send a request as a signed-in user, and return the status and the page."""
        connection = http.client.HTTPConnection("localhost", self.ports[web], timeout=PATIENCE)
        headers = {"Cookie": f"csrftoken={CSRF}; sessionid={self.sessions.get(user, '')}"}
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, urlencode(form | {"csrfmiddlewaretoken": CSRF}), headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def owing(self, game: str) -> tuple[int, str, int] | None:
        """Return seat, player and last entry if a person must act, else None."""
        rows = self.rows(
            "SELECT s.number, u.username, g.seq FROM tables_seat s JOIN tables_game g ON g.id = s.game_id"
            " JOIN accounts_user u ON u.id = s.user_id WHERE s.owes AND g.public_id = %s AND g.status = 'running'",
            game,
        )
        return rows[0] if rows else None

    def think(self, game: str) -> Turn:
        """Return a whole turn for the player who must act, computed from what the site shows them."""
        until(lambda: self.owing(game))
        seat, user, seq = self.owing(game) or (0, "", 0)
        status, page = self.ask("GET", f"/games/{game}/view.json", user)
        assert status == 200, page
        view = msgspec.convert(json.loads(page), View, strict=False)
        return Turn(game, seat, user, seq, play_turn(RULESETS["legends"], view, BOTS["random"], Quick(seq)))

    def hand_in(self, turn: Turn, web: str = "web") -> int:
        """Submit the turn and return the status: 302 if it was accepted."""
        return self.sent(turn, web)[0]

    def sent(self, turn: Turn, web: str = "web") -> tuple[int, bytes]:
        form = {"seq": turn.seq, "action": ";".join(turn.actions), "sure": "1"}
        return self.ask("POST", f"/games/{turn.game}/submit", turn.user, web, **form)
