"""Alice and Bob at a table, on a Monday morning: it is Alice's first turn, and nothing is left to tell."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine

import games.tasks  # noqa: F401 # as a worker knows them, so that the bell finds somebody at home
from accounts.models import User
from games.notices.models import Notice
from games.tables.models import Game
from tests.cast import in_turns, person
from tests.notices.smtp import MailServer

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def pictures(small_pictures: None) -> None:
    """Nobody looks at them here."""


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def alice(db, clock) -> User:
    return person("Alice")


@pytest.fixture
def bob(db, clock) -> User:
    return person("Bob", time_zone="Asia/Tokyo")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    game = in_turns(alice, bob, listed=False)
    Notice.objects.all().delete()
    return game


@pytest.fixture
def mail_server(settings) -> Iterator[MailServer]:
    """A mail server on a port of its own, and the site told to use it."""
    with MailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield server
