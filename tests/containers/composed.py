"""The whole site in containers, set up and updated with the commands of docs/operations.md, and people who play."""

import http.client
import json
import re
import shutil
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any
from urllib.parse import urlencode

import psycopg

from tests.adversary.attacker import CSRF, Browser
from tests.containers.engine import Engine
from tests.running import ROOT, free_port
from tests.services.whole_site import Turn, WholeSite

HOST = "localhost"  # Caddy signs certificates for this name itself
PATIENCE = 240  # seconds
BUSY = 503  # with a page that says "Send again"
PACE = 0.8  # seconds between two turns of a player, within the limit `api` for what they read
SETTINGS = (
    "echo SITE_HOST=play.example.org > .env",
    "chmod 600 .env",
    "mkdir -m 700 secrets",
    "for name in secret_key database_password metrics_token;"
    " do openssl rand -base64 48 | tr -d '\\n/+=' > secrets/$name; done",
    "echo smtp+tls://user:password@mail.example.org:587 > secrets/email_url",
    "touch secrets/vapid_private_key",
    "chmod 644 secrets/*",
)
START = (
    "docker compose build",
    "docker compose run --rm --no-deps -T migrate python manage.py vapid_key > secrets/vapid_private_key",
    "docker compose up -d --wait",
)
EXAMPLES = (("play.example.org", HOST), ("smtp+tls://user:password@mail.example.org:587", "smtp://mailbox:2525"))
PEOPLE = """
import json
from allauth.account.models import EmailAddress
from django.test import Client
from accounts.models import User
sessions = {{}}
for name in {names}:
    user = User.objects.create(username=name, email=f"{{name.lower()}}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    sessions[name] = browser.cookies["sessionid"].value
print(json.dumps(sessions))
"""
TABLES = """
import json
from accounts.models import User
from games.tables.services import lobby, play
one, other = (User.objects.get(username=name) for name in {names})
games = []
for _n in range({number}):
    game = lobby.open_table(user=one, players=2)
    lobby.join_table(game=game, user=other, invite=game.invite_token)
    for seat, actions in ((0, ["bid 0"]), (1, ["bid 1"]), (1, ["first 0"])):
        game.refresh_from_db()
        play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
    games.append(game)
print(json.dumps([game.public_id for game in games]))
"""
TURNS = (
    "SELECT e.seat, e.actions FROM tables_entry e JOIN tables_game g ON g.id = e.game_id WHERE g.public_id = %s"
    " AND e.seat IS NOT NULL ORDER BY e.seq"
)
OPEN_NOTICES = "SELECT COUNT(*) FROM notices_notice WHERE state = 'sending' OR (state = 'queued' AND due_at <= now())"
SENT = "SELECT message_id FROM notices_notice WHERE state = 'sent' AND channel = 'email'"


def documented(command: str) -> str:
    """Return the command. The administrators' guide must have it too."""
    assert command in (ROOT / "docs/operations.md").read_text()
    return command


def files_of_the_site() -> Iterator[str]:
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    yield from listed.stdout.strip("\0").split("\0")


class Composed(WholeSite):
    """A checkout in its own folder, and its containers."""

    database_name = "empire"

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder, self.engine = folder, engine
        self.port, self.plain_port, self.database_port = free_port(), free_port(), free_port()
        self.sessions: dict[str, str] = {}
        self.accepted: list[Turn] = []
        self.before: dict[str, int] = {}  # entries of each game before these turns
        self.refused: list[tuple[float, Turn, object]] = []
        self.slowest = 0.0
        self.reconnecting = Lock()
        for name in files_of_the_site():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        (folder / "emails").mkdir(mode=0o777)
        shutil.copy(folder / "tests/containers/compose.yml", folder / "docker-compose.override.yml")
        for command in SETTINGS:
            self.sh(documented(command).replace(*EXAMPLES[0]).replace(*EXAMPLES[1]))
        ports = {"WEB": self.port, "PLAIN": self.plain_port, "DATABASE": self.database_port}
        settings = {"COMPOSE_PROJECT_NAME": "empire-tests", "EMPIRE_VERSION": "tests"}
        settings |= {f"{name}_PORT": str(port) for name, port in ports.items()}
        with (folder / ".env").open("a") as file:
            file.writelines(f"{name}={value}\n" for name, value in settings.items())

    def sh(self, command: str) -> str:
        """Run a command of docs/operations.md in the checkout."""
        run = subprocess.run(
            ["sh", "-ec", command],
            cwd=self.folder, env=self.engine.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, f"{command}\n{run.stdout[-3000:]}{run.stderr[-5000:]}"
        return run.stdout

    def manage(self, *words: str) -> str:
        command = ["compose", "exec", "-T", "worker-clocks", "python", "manage.py", *words]
        return self.engine.run(*command, cwd=self.folder)

    def answer(self, code: str) -> Any:
        return json.loads(self.manage("shell", "-v0", "-c", code))

    def connect(self, name: str = "") -> None:
        """Connect to the database of this name, by default to the same as before."""
        self.database_name = name or self.database_name
        self.where = f"host=127.0.0.1 port={self.database_port} user=empire dbname={self.database_name}"
        self.password = (self.folder / "secrets/database_password").read_text()
        self.database = psycopg.connect(self.where, password=self.password, autocommit=True)

    def trust_proxy(self) -> None:
        root = self.sh("docker compose exec -T caddy cat /data/caddy/pki/authorities/local/root.crt")
        self.trust = ssl.create_default_context(cadata=root)

    def containers(self) -> dict[str, dict[str, str]]:
        """Return what compose says about the container of each service."""
        lines = self.sh("docker compose ps --all --format json").splitlines()
        return {container["Service"]: container for container in map(json.loads, lines)}

    def are_all_well(self) -> bool:
        checked = [container for name, container in self.containers().items() if name not in ("migrate", "mailbox")]
        return {container["Health"] or container["State"] for container in checked} == {"healthy"} and self.is_well()

    def is_well(self) -> bool:
        with suppress(OSError, http.client.HTTPException, ValueError):
            return json.loads(self.ask("GET", "/healthz")[1])["ok"]
        return False

    # People

    def connection(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(HOST, self.port, timeout=PATIENCE, context=self.trust)

    def ask(self, method: str, path: str, user: str = "", web: str = "", **form: object) -> tuple[int, bytes]:
        """Send a request through the proxy as a signed-in user, and return the status and the page."""
        connection = self.connection()
        cookies = f"csrftoken={CSRF}; sessionid={self.sessions.get(user, '')}"
        headers, body = {"Host": HOST, "Referer": f"https://{HOST}/", "Cookie": cookies}, None
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(form | {"csrfmiddlewaretoken": CSRF})
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def open_accounts(self, *names: str) -> None:
        self.sessions |= self.answer(PEOPLE.format(names=names))

    def open_tables(self, *names: str, number: int) -> list[str]:
        tables = self.answer(TABLES.format(names=names, number=number))
        self.before |= {game: len(self.rows(TURNS, game)) for game in tables}
        return tables

    def turn(self, game: str, *, is_patient: bool = False) -> None:
        """Take the next turn at the table, unless its game has ended.

        Players send a turn again that a busy site refuses, and patient players any turn until it counts.
        """
        turn = self.thought(game) if is_patient else self.think(game) if self.owing(game) else None
        if turn is None:
            return
        end = time.monotonic() + PATIENCE
        while True:
            began = time.monotonic()
            try:
                status, page = self.sent(turn)
                outcome: object = status if page or status == 302 else f"{status} of the proxy"
            except (OSError, http.client.HTTPException) as error:
                outcome = error
            if outcome == 302:
                self.slowest = max(self.slowest, time.monotonic() - began)
                return self.accepted.append(turn)
            self.refused.append((time.time(), turn, outcome))
            assert (is_patient or outcome == BUSY) and time.monotonic() < end, (turn, outcome)
            time.sleep(0.5)

    def thought(self, game: str) -> Turn | None:
        """Return the next turn, or None if the game has ended; ask again while the site is away."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.think(game) if self.owing(game) else None
            except (OSError, http.client.HTTPException, psycopg.Error, AssertionError):
                assert time.monotonic() < end
                time.sleep(0.5)
                with suppress(psycopg.Error):
                    self.look_again()

    def look_again(self) -> None:
        """Reconnect to the same database if the connection is broken. Several players may ask for this at once."""
        with self.reconnecting:
            if self.database.closed:
                self.database = psycopg.connect(self.where, password=self.password, autocommit=True)

    @contextmanager
    def people_play(self, *tables: list[str], is_patient: bool = False) -> Iterator[None]:
        """Let one player after the other take turns at each list of tables in the background."""
        enough = Event()

        def play(games: list[str]) -> None:
            while not enough.wait(PACE):
                self.turn(games[0], is_patient=is_patient)
                games.append(games.pop(0))

        with ThreadPoolExecutor() as pool:
            playing = [pool.submit(play, list(games)) for games in tables]
            try:
                yield
            finally:
                enough.set()
                for task in playing:
                    task.result()

    # What must be true

    def check_turns(self, games: list[str]) -> None:
        """Check that each log has exactly the accepted turns, and that it verifies."""
        for game in games:
            accepted = [(turn.seat, turn.actions) for turn in self.accepted if turn.game == game]
            stored = self.rows(TURNS, game)[self.before[game] :]
            assert stored == accepted, f"{game}: accepted {accepted}, stored {stored}"
        self.manage("verify", "--all")

    def emails(self) -> list[bytes]:
        return [file.read_bytes() for file in (self.folder / "emails").glob("*.eml")]

    def mail_names(self) -> Counter[str]:
        return Counter(re.search(rb"(?im)^Message-ID: *(<[^>]+>)", email)[1].decode() for email in self.emails())


class HttpsBrowser(Browser):
    """A browser that reaches the site through the proxy."""

    def __init__(self, site: Composed) -> None:
        super().__init__(site.port, headers={"Host": HOST, "Referer": f"https://{HOST}/"})
        self.connection = site.connection  # type: ignore[method-assign]
