"""Alice, Bob, Carol and Dan, whose rows are committed for other connections to see; and a PostgreSQL of one's own."""

from collections.abc import Iterator

import pytest

from accounts.models import User
from tests.cast import person
from tests.services.evening import Evening, Evenings
from tests.services.own_postgres import own_postgres


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
    with own_postgres() as server:
        yield server.address


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[Evenings]:
    evenings = Evenings(tmp_path_factory.mktemp("site"), redis_server)
    with evenings.stack:
        yield evenings


@pytest.fixture
def evening(evenings: Evenings) -> Evening:
    """People play on a whole site. What a test does to it, it has to survive: `is_well` says whether it has."""
    return evenings.one()
