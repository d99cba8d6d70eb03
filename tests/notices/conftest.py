"""Alice and Bob at a table on a Monday morning: it is Alice's first turn, and no notice is waiting."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine

import games.tasks  # noqa: F401 # register the tasks, as a worker does
from accounts.models import User
from games.notices.models import Notice
from games.tables.models import Game
from tests.cast import in_turns, person, play_out
from tests.kept import kept_if_first
from tests.notices.smtp import MailServer

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def pictures(small_pictures: None) -> None:
    """Draw small pictures: no test here looks at their content."""


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
    return kept_if_first("notices: first turn", play=lambda: first_turn(alice, bob))


def first_turn(*people: User) -> Game:
    game = in_turns(*people, listed=False)
    Notice.objects.all().delete()
    return game


@pytest.fixture
def ended(alice: User, bob: User) -> Game:
    """A finished game whose notices are waiting."""
    return kept_if_first("notices: ended", play=lambda: play_out(in_turns(alice, bob)))


@pytest.fixture
def mail_server(settings) -> Iterator[MailServer]:
    """An SMTP server on its own port, which the site is configured to use."""
    with MailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield server
