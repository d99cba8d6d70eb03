"""`manage.py up` with real processes: it starts the whole site, and leaves nothing behind however it ends."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.empire import raw
from tests.running import ROOT, Site, answer, is_alive, until


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    site = Site(tmp_path)
    try:
        site.wait_until_it_says(site.address)
        assert until(lambda: sorted(site.children()) == ["beat", "web", "worker"])
        yield site
    finally:
        site.stop()


def test_the_page_answers_whatever_else_is_sent_and_ctrl_c_ends_it_all(site):
    for request in raw.requests(300, seed=1):
        said = raw.answer(site.port, request)
        assert not said or b"HTTP/1.1 5" not in said, request
    assert b"<html" in answer(f"{site.address}/accounts/login/")
    children = site.children()
    code, out = site.end(signal.SIGINT)
    assert code == 0, out
    assert "Traceback" not in out
    assert not any(is_alive(pid) for pid in children.values())


def test_when_a_child_dies_the_rest_is_stopped_and_the_command_says_which_and_fails(site):
    children = site.children()
    os.kill(children["worker"], signal.SIGKILL)
    code, out = site.wait()
    assert code != 0
    assert "worker (-9)" in out
    assert not any(is_alive(pid) for pid in children.values())


def test_children_do_not_outlive_a_parent_that_is_killed_outright(site):
    children = site.children()
    site.process.kill()
    site.process.wait()
    assert until(lambda: not any(is_alive(pid) for pid in children.values()))


def test_a_taken_port_is_refused_with_a_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "manage.py", "up", "--port", str(port)]
        environment = {**os.environ, "VAR_DIR": str(tmp_path)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr
