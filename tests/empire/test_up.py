"""`manage.py up` with real processes: it starts the whole site, and leaves nothing behind however it ends."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 40


class Site:
    """A running `manage.py up`, with state of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        clean = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(self.port)],
            cwd=ROOT, env=clean | {"VAR_DIR": str(folder), "DEBUG": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def wait_until_it_says(self, text: str) -> None:
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            if text in line:
                return
        raise AssertionError(f"it ended without saying {text!r}, but:\n{''.join(said)}")

    def children(self) -> dict[str, int]:
        """What runs under it, by the name of the program."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        named = {}
        for pid in pids:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            named["web" if "uvicorn" in words else "beat" if "beat" in words else "worker"] = int(pid)
        return named

    def end(self, with_signal: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(with_signal)
        out, _err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out


def answer(address: str) -> bytes:
    try:
        return urllib.request.urlopen(address, timeout=10).read()
    except urllib.error.HTTPError as error:
        return error.read()


def until(true: object, patience: float = PATIENCE) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.1)
    return False


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    site = Site(tmp_path)
    try:
        site.wait_until_it_says(site.address)
        yield site
    finally:
        if site.process.poll() is None:
            site.end(signal.SIGTERM)
        site.process.stdout.close()


def test_the_page_answers_when_the_address_is_said_and_ctrl_c_ends_it_all(site):
    assert b"<html" in answer(f"{site.address}/accounts/login/")
    children = site.children()
    assert sorted(children) == ["beat", "web", "worker"]
    code, out = site.end(signal.SIGINT)
    assert code == 0, out
    assert "Traceback" not in out
    assert not any(is_alive(pid) for pid in children.values())


def test_when_a_child_dies_the_rest_is_stopped_and_the_command_says_which_and_fails(site):
    children = site.children()
    os.kill(children["worker"], signal.SIGKILL)
    out, _err = site.process.communicate(timeout=PATIENCE)
    assert site.process.returncode != 0
    assert "worker (-9)" in out
    assert not any(is_alive(pid) for pid in children.values())


def test_children_do_not_outlive_a_parent_that_is_killed_outright(site):
    children = site.children()
    site.process.kill()
    site.process.wait()
    assert until(lambda: not any(is_alive(pid) for pid in children.values()))


def test_a_taken_port_is_refused_with_a_sentence(site, tmp_path):
    command = [sys.executable, "manage.py", "up", "--port", str(site.port)]
    environment = {**os.environ, "VAR_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"Port {site.port} cannot be used" in done.stderr
