"""Players whose rows are committed for other connections to see, and a temporary PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts import deletions
from accounts.models import User
from empire.celery import app
from empire.on_commit import without_tasks
from tests.cast import person
from tests.services.evening import Evening, Evenings
from tests.services.own_postgres import own_postgres
from tests.services.restoring import a_backup


@pytest.fixture(autouse=True)
def pictures(small_pictures: None) -> None:
    """Paint small pictures: every turn sends emails here."""


@pytest.fixture
def alice(transactional_db) -> User:
    return person("Alice")


@pytest.fixture
def bob(transactional_db) -> User:
    return person("Bob")


@pytest.fixture
def carol(transactional_db) -> User:
    return person("Carol")


@pytest.fixture
def dan(transactional_db) -> User:
    return person("Dan")


@pytest.fixture
def database() -> Iterator[str]:
    """The address of a temporary database server."""
    with own_postgres() as server:
        yield server.address


OPENED = pytest.StashKey[Evenings]()


@pytest.fixture(scope="session")
def evenings(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, redis_server: str, migrated_postgres: Path
) -> Iterator[Evenings]:
    folder = tmp_path_factory.mktemp("site")
    evenings = pytestconfig.stash[OPENED] = Evenings(folder, redis_server, migrated_postgres)
    yield evenings
    evenings.close()


@pytest.fixture
def evening(evenings: Evenings) -> Evening:
    """A whole site where people play. It must survive what the test does to it, which `is_well` checks."""
    return evenings.prepared()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the evening after the last test that uses it, so that it does not disturb other tests.

    That last test may have been skipped, and if all were skipped there is no evening.
    """
    if takes_an_evening(item) and not takes_an_evening(nextitem) and OPENED in item.config.stash:
        item.config.stash[OPENED].close()


def takes_an_evening(item: pytest.Item | None) -> bool:
    return "evening" in getattr(item, "fixturenames", ())


# Backups


@pytest.fixture
def no_tasks(transactional_db) -> Iterator[None]:
    app.conf.task_always_eager = False
    with without_tasks():
        yield


@pytest.fixture
def kept(no_tasks: None, tmp_path: Path) -> Path:
    """A backup, made once per worker; its players and tables need not be in the current database."""
    path = tmp_path / "kept.zip"
    path.write_bytes(a_backup())
    deletions.write()  # a restore needs the list, and the backup may have been made with the list of another test
    return path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The path for a new database."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder / "db.sqlite3"
