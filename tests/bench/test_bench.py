"""The benchmark: it measures what it says, and never on a database in use."""

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.rules.registry import get
from tests.bench import Row, Time, boardgameio, ms, rate
from tests.bench.command import Command
from tests.bench.rules import random_chess, random_game, rows


@pytest.mark.long
def test_each_number_of_players_is_measured_after_python_chess() -> None:
    measured = list(rows(0.05))
    assert measured[0].label == "python-chess, random play"
    assert [row.label for row in measured[1:4]] == [f"Legends, {n} players, random play" for n in (2, 3, 4)]
    assert all(isinstance(row, Row) and row.measured for row in measured)


def test_random_games_are_played_to_the_end() -> None:
    """A game of 2 players has at least two bids, one choice of first player and 22 cards."""
    assert random_game(get("legends"), 2, 1) > 25
    assert random_game(get("legends"), 2, 1) == random_game(get("legends"), 2, 1)
    assert 5 < random_chess(1) <= 200


def test_a_rate_counts_games_and_their_steps() -> None:
    measured = rate(lambda number: sum(range(2000)) and 7, 0.05)
    assert measured.steps == pytest.approx(7 * measured.games)


def test_times_are_reported_as_medians() -> None:
    assert ms([Time(1.0, 0.5), Time(9.0, 0.7), Time(2.0, 0.6)]) == "2.0 ms (0.6 of processor)"


@pytest.mark.django_db
def test_a_database_in_use_is_not_measured() -> None:
    User.objects.create(username="Alice")
    with pytest.raises(CommandError, match="only an empty one can be measured"):
        call_command(Command(), "--here", stdout=io.StringIO())


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(CommandError, match="there is no part atlantis"):
        call_command(Command(), "--only=rules,atlantis")


def test_the_comparison_with_boardgame_io_needs_npm_and_names_no_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CommandError, match=r"needs Node\.js with npm"):
        call_command(Command(), "--only=boardgameio", stdout=io.StringIO())
    locked = (boardgameio.SOURCES / "package-lock.json").read_text()
    assert '"node_modules/boardgame.io"' in locked and "resolved" not in locked and "registry" not in locked
