"""X-Forwarded-For, with a real uvicorn: without `BEHIND_PROXY` the header does not set the client address."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from empire.management.commands.up import LOCALHOST, BindAddress, commands
from tests.running import ROOT, answer, free_port, until

(WRITTEN,) = re.findall(r"^    (uvicorn .*?) --port", (ROOT / "README.md").read_text(), re.MULTILINE)
DOCUMENTED = shlex.split(WRITTEN)
CARELESS = [word for word in DOCUMENTED if word != "--no-proxy-headers"]
LIMIT = 10  # failed sign-ins per minute from one address


@pytest.fixture(scope="module")
def folder(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with a migrated database."""
    return shutil.copytree(migrated, tmp_path_factory.mktemp("site"), dirs_exist_ok=True)


@pytest.fixture(
    params=[
        "as the README says",
        pytest.param("without --no-proxy-headers", marks=pytest.mark.long),
        pytest.param("as manage.py up does", marks=pytest.mark.long),  # the test below is quicker
        pytest.param("behind a proxy", marks=pytest.mark.long),
    ]
)
def site(request: pytest.FixtureRequest, folder: Path) -> Iterator[tuple[str, bool]]:
    """The address of a web process, and whether it should trust the header."""
    port = free_port()
    command = {
        "as the README says": [*DOCUMENTED, "--port", str(port)],
        "as manage.py up does": commands(BindAddress(LOCALHOST, port, LOCALHOST))["web"],
    }.get(request.param, [*CARELESS, "--port", str(port)])
    is_behind = request.param == "behind a proxy"
    environment = {**os.environ, "VAR_DIR": str(folder), "DEBUG": "1", "BEHIND_PROXY": str(int(is_behind))}
    process = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=environment)
    try:
        address = f"http://127.0.0.1:{port}"
        assert until(lambda: is_up(address))
        yield address, is_behind
    finally:
        process.terminate()
        process.wait(60)


def is_up(address: str) -> bool:
    try:
        return answer(f"{address}/livez") == b"alive"
    except OSError:
        return False


@pytest.mark.long
def test_clients_cannot_choose_the_address_that_rate_limits_count(site):
    address, may_choose = site
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    browser.open(f"{address}/accounts/login/", timeout=60).read()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    codes = []
    for n in range(LIMIT + 2):
        fields = {"login": f"nobody{n}@example.org", "password": "wrong", "csrfmiddlewaretoken": token}
        headers = {"X-Forwarded-For": f"192.0.2.{n}", "Referer": address}
        request = urllib.request.Request(f"{address}/accounts/login/", urllib.parse.urlencode(fields).encode(), headers)
        try:
            codes.append(browser.open(request, timeout=60).status)
        except urllib.error.HTTPError as refusal:
            codes.append(refusal.code)
    assert (429 in codes) != may_choose


def test_manage_py_up_ignores_proxy_headers_as_the_readme_says() -> None:
    web = commands(BindAddress(LOCALHOST, 8000, LOCALHOST))["web"]
    assert "--no-proxy-headers" in DOCUMENTED and "--no-proxy-headers" in web
