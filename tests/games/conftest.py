"""Alice, Bob, Carol and Dan have accounts; Eve has one and is never seated."""

import pytest

from accounts.models import User
from tests.cast import person


@pytest.fixture
def alice(db) -> User:
    return person("Alice")


@pytest.fixture
def bob(db) -> User:
    return person("Bob")


@pytest.fixture
def carol(db) -> User:
    return person("Carol")


@pytest.fixture
def dan(db) -> User:
    return person("Dan")


@pytest.fixture
def eve(db) -> User:
    return person("Eve")
