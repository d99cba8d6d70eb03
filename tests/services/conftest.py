"""Alice, Bob, Carol and Dan, whose rows are committed for other connections to see."""

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
