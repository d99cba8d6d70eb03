"""Fixtures: a finished game, and a clock that stands still on a Monday morning."""

import inspect
from collections.abc import Iterator

import pytest
import time_machine

from games.tables.models import Game
from tests import kept as keeping
from tests.cast import in_turns, play_out
from tests.kept import kept

PATCHES = {"monkeypatch", "settings", "django_capture_on_commit_callbacks"}


@pytest.fixture(autouse=True)
def copied_games(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let tests copy games that an earlier test has played, unless they patch something that playing depends on."""
    keeping.may_copy = not PATCHES & set(inspect.signature(request.function).parameters)
    yield
    keeping.may_copy = False


@pytest.fixture(autouse=True)
def pictures(small_pictures: None) -> None:
    """Paint small pictures: most tests here send emails and look only at their text."""


@pytest.fixture
def finished(alice, bob) -> Game:
    return kept("finished", alice.pk, bob.pk, play=lambda: play_out(in_turns(alice, bob)))


@pytest.fixture
def monday() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller
