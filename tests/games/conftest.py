"""Alice, Bob, Carol and Dan have accounts; Eve has one and is never seated."""

import pytest

from accounts.models import User
from games.models import Game
from tests.cast import in_turns, person, play_out


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


@pytest.fixture
def finished(alice, bob) -> Game:
    return play_out(in_turns(alice, bob))
