"""Fixtures: a finished game, and a clock that stands still on a Monday morning."""

from collections.abc import Iterator

import pytest
import time_machine

from games.tables.models import Game
from tests.cast import in_turns, play_out
from tests.kept import kept


@pytest.fixture
def finished(alice, bob) -> Game:
    return kept("finished", alice.pk, bob.pk, play=lambda: play_out(in_turns(alice, bob)))


@pytest.fixture
def monday() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller
