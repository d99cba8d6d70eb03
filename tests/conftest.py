"""Settings for every test: its own state folder, no queue, quick passwords. And fixtures for optional tools."""

import fcntl
import gc
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

os.environ.setdefault("DEBUG", "1")
os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="empire-test-")
os.environ["DJANGO_SETTINGS_MODULE"] = "empire.settings"
os.environ["NEW_ACCOUNT_DAYS"] = "0"  # people of tests have had their accounts for long, in all processes
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the browser's driver keeps a loop in the thread of the test

import django
from django.conf import settings as site_settings
from django.core.cache import caches
from django.db import connection
from django.utils import translation
from hypothesis import settings as hypothesis_settings

django.setup()

from accounts.models import User  # noqa: E402  it needs the apps to be loaded
from empire.celery import app  # noqa: E402
from empire.web import limits  # noqa: E402
from games.boards import png  # noqa: E402
from games.boards.eight_minute import png as board_png  # noqa: E402
from tests import kept  # noqa: E402
from tests.cast import person  # noqa: E402
from tests.notices.tls import WebServer, make_certificate  # noqa: E402
from tests.running import ROOT  # noqa: E402

app.loader.import_default_modules()  # once: it runs all checks of the site
site_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick
site_settings.SITE_URL = "http://testserver"
png.png = lru_cache(64)(png.png)  # what was painted once need not be painted again
hypothesis_settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
hypothesis_settings.load_profile("untimed")
random._urandom = kept.dice.randbytes  # `secrets` and `SystemRandom` draw from this

EVERYTHING = os.environ.get("EMPIRE_TEST_ALL") == "1"
TOOLS = {
    "redis-server": "redis-server",
    "chromium": "chromium fonts-dejavu-core",
    "pg_ctl": "postgresql",
    "xgettext": "gettext",
}
TOOLS_OF_LONG_TESTS = {
    "WebKitWebDriver": "webkit2gtk-driver",
    "Xvfb": "xvfb",
    "firefox-esr": "firefox-esr",
    "pgbouncer": "pgbouncer",
    "docker": "docker.io",
    "dockerd": "docker.io",
    "debootstrap": "debootstrap",
}
NUMBERS = count()
OF_DEBIAN = Path("/usr/lib/postgresql")  # where Debian has the programs of PostgreSQL, a folder for each version


def missing(*tools: str) -> str:
    packages = " ".join({**TOOLS, **TOOLS_OF_LONG_TESTS}[tool] for tool in tools)
    return f"Missing: {' and '.join(tools)}. To run all tests: apt-get install -y --no-install-recommends {packages}"


def path_of(tool: str) -> str | None:
    """Return the path of a program of the system: where Debian keeps those of PostgreSQL, or on the PATH."""
    folders = [*sorted(map(str, OF_DEBIAN.glob("*/bin")), reverse=True), os.environ["PATH"]]
    return shutil.which(tool, path=os.pathsep.join(folders))


def need(tool: str) -> str:
    """Return the path of a program of the system. Without it, skip the test, or fail if no test may be skipped."""
    path = path_of(tool)
    if path is None:
        (pytest.fail if EVERYTHING else pytest.skip)(missing(tool))
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    wanted = [*TOOLS, *(TOOLS_OF_LONG_TESTS if config.getoption("markexpr") else ())]
    if tools := [tool for tool in wanted if path_of(tool) is None]:
        terminalreporter.write_line(missing(*tools), yellow=True)


def pytest_collection_finish() -> None:
    """Let the garbage collector run seldom: what has been collected stays to the end, and tests leave few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["VAR_DIR"], ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are cores, up to eight: one mostly waits for whole sites while the others compute."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 1, 8)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """In place of xdist_group, which does nothing under pytest 9.2."""
    config.option.loadscopereorder = False  # the order below is better than that by numbers of tests
    return ByFile(config, log)


@lru_cache(None)
def scope_of(file: str) -> str | None:
    """Return what one worker runs as a whole: a file, or all files of a `site`. "@" marks what waits for processes.

    It is None for a `split` file. The controller of xdist collects nothing itself, so it reads the markers of a module
    from its text.
    """
    match = re.search(r"^pytestmark = .*", Path(file).read_text(encoding="utf-8"), re.MULTILINE)
    marks = match[0] if match else ""
    if "mark.split" in marks:
        return None
    site = re.search(r'mark\.site\("(\w+)"\)', marks)
    return f"@{site[1]}" if site else f"{file}@" if "mark.processes" in marks else file


class ByFile(LoadScopeScheduling):
    """Give each worker whole files, because their tests share fixtures, but single tests of `split` files."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid.partition("::")[0]) or nodeid

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Prefer tests that wait for processes on the first worker, and tests that compute on the others."""
        is_first = node is self.nodes[0]
        if scope := next((scope for scope in self.workqueue if ("@" in scope) == is_first), None):
            self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests, and begin with the tests that take longest, so that no worker ends with them.

    Two thirds of the parameters of a `sampled` test are long.
    """
    counts = Counter[str]()
    for item in items:
        if item.get_closest_marker("sampled"):
            test = item.nodeid.partition("[")[0]
            if counts[test] % 3:
                item.add_marker(pytest.mark.long)
            counts[test] += 1
    if not config.getoption("markexpr"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    for item in items:
        is_long = item.get_closest_marker("long")  # those hold nothing up, and a second run would hide a failure
        if not is_long and any(map(item.get_closest_marker, ("processes", "browser"))):
            item.add_marker(pytest.mark.flaky(reruns=1))  # the summary names each test that needed it
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("site", "processes", "early"))))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give a test the same cards and tokens in all runs with the same seed, but others when it is rerun."""
    kept.run = item.config.getoption("randomly_seed", 0)
    kept.seed_dice(item.nodeid, getattr(item, "execution_count", 1))


@pytest.fixture(scope="session")
def redis_server() -> str:
    return need("redis-server")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    # The last four save a twentieth of the processor time of browser tests: fewer processes and threads
    arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--in-process-gpu"]
    arguments += ["--num-raster-threads=1", "--renderer-process-limit=1"]
    return {**browser_type_launch_args, "executable_path": need("chromium"), "args": arguments}


@pytest.fixture(autouse=True)
def calm_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tasks run where they are called, and nothing is sent; the language is the site's."""
    app.conf.task_always_eager = True
    app.conf.task_eager_propagates = True
    # A folder of its own for each test, made when an email comes: most tests send none
    site_settings.EMAIL_FILE_PATH = str(tmp_path_factory.getbasetemp() / f"emails-{next(NUMBERS)}")
    for cache in caches.all():  # what allauth counted against its limits, and results of games with the same ids
        cache.clear()
    limits.limiter.storage.reset()
    translation.deactivate()  # the language of the last request stays active in its thread


@pytest.fixture
def drawn_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat people at the tables of a duplicate in the order in which they joined."""
    monkeypatch.setattr("random.SystemRandom.shuffle", lambda _self, people: None)


@pytest.fixture
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Painting is most of the work of an email, and goes by the pixel."""
    monkeypatch.setattr(board_png, "SCALES", (0.2,))


@pytest.fixture(autouse=True, scope="session")
def logs_can_be_emptied() -> None:
    """Let the log be emptied after a test that commits, as the other tables are. Otherwise it refuses to be changed.

    On PostgreSQL, the rows are deleted: there are few, and truncating that many tables takes longer than most tests.
    """
    from django.test import TransactionTestCase

    from empire import insert_only

    empty = TransactionTestCase._fixture_teardown
    if connection.vendor == "postgresql":
        connection.ops.sql_flush = lambda style, tables, **more: [
            ";".join(f'DELETE FROM "{table}"' for table in tables)
        ]

    def emptied(test: TransactionTestCase) -> None:
        insert_only.allow(connection)
        empty(test)
        insert_only.forbid(connection)

    TransactionTestCase._fixture_teardown = emptied


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of a machine whose site was stopped, for tests to copy: migrating takes most of the first start."""

    def make(folder: Path) -> None:
        migrate(VAR_DIR=str(folder), DEBUG="1")

    return made_once("migrated", make, tmp_path_factory, worker_id)


@pytest.fixture(scope="session")
def migrated_postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of a PostgreSQL server that was stopped, for tests to copy. Its database has been migrated."""
    from tests.services.own_postgres import own_postgres

    def make(folder: Path) -> None:
        with own_postgres() as server:
            migrate(DATABASE_URL=server.address, DEBUG="1")
            server.stop()
            subprocess.run(["cp", "-a", server.server.pgdata.parent, folder], check=True)

    return made_once("migrated-postgres", make, tmp_path_factory, worker_id)


def made_once(name: str, make: Callable[[Path], None], factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a folder that `make` makes. All workers share it."""
    root = factory.getbasetemp() if worker_id == "master" else factory.getbasetemp().parent
    folder, unfinished = root / name, root / f"{name}-unfinished"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            make(unfinished)
            unfinished.rename(folder)
    return folder


def migrate(**settings: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | settings
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Whether the database of the tests is there already: a copy, if it is a file. A pooler keeps it in use."""
    is_there = connection.vendor == "sqlite" or request.config.getvalue("reuse_db")
    return is_there or site_settings.TRANSACTION_POOLING


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    if connection.vendor == "sqlite":
        migrated = request.getfixturevalue("migrated")
        shutil.copy(migrated / "db.sqlite3", connection.settings_dict["TEST"]["NAME"])


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def web_server(settings, certificate: tuple[Path, Path]) -> Iterator[WebServer]:
    """A web server on this machine, and the site told that it may be posted to."""
    with WebServer(certificate[1]) as server:
        settings.OUTGOING_HOSTS = [f"localhost:{server.port}"]
        settings.OUTGOING_CA = str(certificate[0])
        yield server


# The cast: all have accounts; Eve is never seated


@pytest.fixture
def alice(db: None) -> User:
    return person("Alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("Bob")


@pytest.fixture
def carol(db: None) -> User:
    return person("Carol")


@pytest.fixture
def dan(db: None) -> User:
    return person("Dan")


@pytest.fixture
def eve(db: None) -> User:
    return person("Eve")


@pytest.fixture
def olga(db: None) -> User:
    """Olga organizes leagues and tournaments."""
    return person("Olga")
