"""`manage.py up` with real processes: it starts the whole site, and leaves no process running when it ends."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from empire.management.commands.up import own_address
from tests.conftest import EVERYTHING
from tests.empire import raw
from tests.running import ROOT, Site, answer, is_alive, make_room, until

pytestmark = pytest.mark.processes

ALL = ["beat", "thinker", "web", "worker"]


@pytest.fixture
def folder(migrated: Path, tmp_path: Path) -> Path:
    return shutil.copytree(migrated, tmp_path / "var")


@pytest.fixture
def site(folder) -> Iterator[Site]:
    site = Site(folder)
    try:
        site.wait_until_it_says(site.address)
        assert until(lambda: sorted(site.children()) == ALL)
        yield site
    finally:
        site.stop()


@pytest.mark.long
@pytest.mark.parametrize("number", [100, 1000])
def test_the_site_survives_random_requests_and_ends_completely_on_ctrl_c(site, number):
    for request in raw.requests(number, seed=number):
        response = raw.answer(site.port, request)
        assert not response or b"HTTP/1.1 5" not in response, request
    assert b"<html" in answer(f"{site.address}/accounts/login/")
    children = site.children()
    code, out = site.end(signal.SIGINT)
    assert code == 0, out
    assert "Traceback" not in out
    assert not any(is_alive(pid) for pid in children.values())


def assert_that_a_dead_child_ends_it(site: Site) -> None:
    """Kill the worker, and check that the command stops everything else, names the worker and fails."""
    children = site.children()
    os.kill(children["worker"], signal.SIGKILL)
    code, out = site.wait()
    assert code != 0
    assert "worker (-9)" in out
    assert not any(is_alive(pid) for pid in children.values())


def assert_that_no_child_outlives_it(site: Site) -> None:
    """Kill the command itself, and check that its children end."""
    children = site.children()
    site.process.kill()
    site.process.wait()
    assert until(lambda: not any(is_alive(pid) for pid in children.values()))


@pytest.mark.long
def test_a_taken_port_is_refused_with_a_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "manage.py", "up", "--port", str(port)]
        environment = {**os.environ, "VAR_DIR": str(tmp_path)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"Cannot use port {port} " in done.stderr


# Addresses


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--host", "0.0.0.0"], "set SECRET_KEY and ALLOWED_HOSTS and leave DEBUG unset"),
        (["--host", "::"], "set SECRET_KEY and ALLOWED_HOSTS and leave DEBUG unset"),
        (["--host", "192.168.1.7"], "To play from a phone on the same network, add --lan"),
        (["--host", "8.8.8.8", "--lan"], "8.8.8.8 is a public address"),
        (["--host", "nowhere.invalid"], "nowhere.invalid is not an address of this machine"),
    ],
    ids=str,
)
def test_with_debug_a_public_address_is_refused_with_a_sentence(settings, words, sentence):
    settings.DEBUG = True
    before = dict(os.environ)
    with socket.socket() as taken:  # so that the site could not start in any case
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        with pytest.raises(CommandError, match=sentence):
            call_command("up", *words, "--port", str(taken.getsockname()[1]))
    assert dict(os.environ) == before


@pytest.mark.long
def test_the_whole_site_starts_at_an_address_other_than_localhost(folder):
    site = Site(folder, "--host", "127.0.0.2", host="127.0.0.2")
    try:
        site.wait_until_it_says(f"Running at {site.address} ")
        assert until(lambda: sorted(site.children()) == ALL)
        assert status(f"{site.address}/mail/") == 200
    finally:
        site.stop()


def status(address: str, **headers: str) -> int:
    try:
        return int(urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60).status)
    except urllib.error.HTTPError as error:
        return error.code


def address_on_the_network() -> str:
    try:
        return own_address()
    except CommandError as refusal:
        (pytest.fail if EVERYTHING else pytest.skip)(str(refusal))


@pytest.mark.long
def test_lan_serves_phones_without_internals_opens_no_file_to_others_and_ends_if_a_child_dies(folder):
    (folder / "emails").mkdir(mode=0o755)
    (folder / "emails" / "old.eml").touch(0o644)
    folder.chmod(0o755)
    site = Site(folder, "--lan", host=address_on_the_network())
    try:
        site.wait_until_it_says(f"Running at {site.address} ")
        assert until(lambda: sorted(site.children()) == ALL)
        pages = ["/", "/accounts/login/", "/static/js/live.js", "/mail/", "/mail/old/", "/metrics"]
        assert [status(f"{site.address}{page}") for page in pages] == [200, 200, 200, 404, 404, 404]
        assert status(f"{site.address}/mail/", Host="localhost") == 404
        assert b"URLconf" not in answer(f"{site.address}/nothing/")
        assert until(lambda: list((folder / "queue" / "control").glob("*.exchange")))
        assert (folder / "db.sqlite3-wal").exists()
        open_to_others = [path for path in [folder, *folder.rglob("*")] if path.stat().st_mode & 0o077]
        assert open_to_others == []
        assert_that_a_dead_child_ends_it(site)
    finally:
        site.stop()


# Full disks


@pytest.mark.long
def test_the_site_starts_and_shows_pages_on_a_full_disk(folder):
    with closing(sqlite3.connect(folder / "db.sqlite3")) as other:
        other.execute("SELECT COUNT(*) FROM tables_game")  # SQLite's shared-memory file exists, as after a crash
        site = Site(folder, on_a_full_disk=True)
        try:
            site.wait_until_it_says("Running at")
            assert until(lambda: sorted(site.children()) == ALL)
            assert status(f"{site.address}/") == 200
            assert "Traceback" not in site.output and "cannot be opened" not in site.output
        finally:
            site.stop()


@pytest.mark.long
def test_the_site_waits_for_disk_space_to_open_the_database_and_no_child_outlives_it(folder):
    site = Site(folder, on_a_full_disk=True)
    try:
        site.wait_until_it_says("Cannot open the database: disk I/O error. If the disk is full, free some space.")
        assert "Traceback" not in site.output
        site.wait_until_it_says("Running at")
        assert status(f"{site.address}/") == 503
        for pid in (site.process.pid, *site.children().values()):
            make_room(pid)
        assert until(lambda: status(f"{site.address}/") == 200)
        assert until(lambda: sorted(site.children()) == ALL)
        assert_that_no_child_outlives_it(site)
    finally:
        site.stop()
