"""A table that has been played to its end."""

import pytest

from games.models import Game
from tests.cast import in_turns, play_out
from tests.kept import kept


@pytest.fixture
def finished(alice, bob) -> Game:
    return kept("finished", alice.pk, bob.pk, play=lambda: play_out(in_turns(alice, bob)))
