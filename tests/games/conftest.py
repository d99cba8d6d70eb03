"""A table that has been played to its end."""

import pytest

from games.models import Game
from tests.cast import in_turns, play_out


@pytest.fixture
def finished(alice, bob) -> Game:
    return play_out(in_turns(alice, bob))
