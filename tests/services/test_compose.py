"""The commands of docker-compose.yml with its settings, run as processes with a real PostgreSQL and Redis."""

import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import redis
import yaml

from tests.notices.smtp import MailServer
from tests.running import ROOT, free_port
from tests.services.whole_site import PATIENCE, until

pytestmark = [pytest.mark.long, pytest.mark.processes]

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
TOKEN = "a-token-of-many-letters"
UNSET = re.compile(r"\$\{\w+:-([^}]*)\}")  # variables that .env does not set
BOTS = 300  # more than a worker could finish while an email waits
HERE = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOSTNAME": socket.gethostname()}
RING = f"""
from games.tables.services import lobby
from empire.on_commit import delay_on_commit
from tests.cast import in_turns, person
for n in range({BOTS}):
    delay_on_commit("games.tasks.play_bot", n, 0)
in_turns(person("Alice"), person("Bob"))
"""


class Composed:
    """The services as processes. Addresses and paths inside containers are replaced by ones on this machine."""

    def __init__(self, folder: Path, database: str, redis_server: str, mail_port: int) -> None:
        self.folder, self.database, self.redis_server = folder, database, redis_server
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.redis_port = free_port()
        self.ports = {name: free_port() for name in SERVICES}
        for name, value in self.secrets(mail_port).items():
            (folder / name).write_text(f"{value}\n")

    def secrets(self, mail_port: int) -> dict[str, str]:
        return {
            "database_password": "nobody asks for it here",
            "secret_key": "a long random text that nobody knows, of many different characters",
            "email_url": f"smtp://127.0.0.1:{mail_port}",
            "metrics_token": TOKEN,
            "vapid_private_key": "",
        }

    def environment(self, name: str) -> dict[str, str]:
        """Return the environment that compose gives to the service; schedules run every second."""
        environment = SERVICES[name].get("environment", {})
        usual = {variable: UNSET.sub(r"\1", value) for variable, value in environment.items()}
        inside = {variable: value.replace("/run/secrets", str(self.folder)) for variable, value in usual.items()}
        moved = {
            "ALLOWED_HOSTS": "localhost", "VAR_DIR": str(self.folder), "METRICS_PORT": str(self.ports[name]),
            "DATABASE_URL": self.database, "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
        }  # fmt: skip
        clean = {variable: value for variable, value in os.environ.items() if variable not in {"DEBUG", "VAR_DIR"}}
        moved = {variable: value for variable, value in moved.items() if variable in inside}
        return {**clean, **HERE, **inside, **moved, "DJANGO_SETTINGS_MODULE": "tests.services.hurried"}

    def words(self, name: str, words: list[str]) -> list[str]:
        """Replace the container's port and address with the process's own."""
        here = {"8000": str(self.ports[name]), "0.0.0.0": "127.0.0.1"}
        return [here.get(word, word.replace(":8000/", f":{self.ports[name]}/")) for word in words]

    def start(self, name: str, *more: str) -> subprocess.Popen[bytes]:
        command = self.words(name, SERVICES[name]["command"])
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, *more], cwd=ROOT, env=self.environment(name), stdout=log, stderr=subprocess.STDOUT
            )
        self.running[name] = process
        return process

    def start_health_check(self, name: str) -> subprocess.Popen[bytes]:
        """Start its health check."""
        kind, *words = SERVICES[name]["healthcheck"]["test"]
        command = ["sh", "-c", words[0].replace("$$", "$")] if kind == "CMD-SHELL" else self.words(name, words)
        return subprocess.Popen(command, cwd=ROOT, env=self.environment(name), stdout=subprocess.DEVNULL)

    def log_of(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def stop(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def site(database: str, redis_server: str, tmp_path: Path, mail_server: MailServer) -> Iterator[Composed]:
    with ExitStack() as at_the_end:
        site = Composed(tmp_path, database, redis_server, mail_server.server_address[1])
        at_the_end.callback(site.stop)
        site.start("redis", "--port", str(site.redis_port), "--dir", str(tmp_path))
        assert site.start("migrate").wait() == 0, site.log_of("migrate")
        yield site


def test_the_compose_site_runs_and_bots_do_not_delay_emails(site: Composed, mail_server: MailServer) -> None:
    queue = redis.Redis(port=site.redis_port)
    site.start("worker-notices")
    ring = [sys.executable, "manage.py", "shell", "-v0", "-c", RING]
    subprocess.run(ring, cwd=ROOT, env=site.environment("worker-notices"), check=True)
    until(lambda: mail_server.kept)
    assert queue.llen("bots") == BOTS
    rest = [name for name in SERVICES if name.startswith(("web", "worker", "beat")) and name not in site.running]
    for name in rest:
        site.start(name)
    until(lambda: queue.llen("bots") == 0)
    until(lambda: answer(site, "web1", "/healthz") == b'{"ok": true, "troubles": []}')
    checks = [site.start_health_check(name) for name in ("web1", "worker-bots", "beat")]
    assert [check.wait(PATIENCE) for check in checks] == [0, 0, 0]
    assert b"empire_turns" in answer(site, "web2", "/metrics")
    assert b'empire_tasks_total{state="SUCCESS",task="games.tasks.send_due"}' in answer(
        site, "worker-notices", "/metrics"
    )
    assert not [name for name in ("worker-notices", *rest) if site.running[name].poll() is not None]


def answer(site: Composed, name: str, path: str) -> bytes:
    """Request a page as the proxy and Prometheus do. Return nothing if there is no successful answer yet."""
    headers = {"Host": "localhost", "Authorization": f"Bearer {TOKEN}"}
    with suppress(OSError):
        address = urllib.request.Request(f"http://127.0.0.1:{site.ports[name]}{path}", headers=headers)
        return urllib.request.urlopen(address, timeout=30).read()
    return b""
