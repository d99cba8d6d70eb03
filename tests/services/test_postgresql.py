"""The same services on PostgreSQL: that of DATABASE_URL, else one of our own from a wheel."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.services.own_postgres import own_postgres

TESTS = Path(__file__).parents[1]
LEAGUES = {  # of each file what comes by most of its queries, or goes wrong in the middle
    "contests/test_scores.py": (
        "everything_can_be_worked_out_again_from_the_logs_to_the_last_bit",
        "the_book_takes_up_contests_in_their_order_and_each_once",
        "a_contest_that_cannot_be_counted_holds_up_its_own_book_alone",
        "an_account_that_is_deleted_leaves_the_others_their_scores",
    ),
    "contests/test_season_life.py": (
        "a_league_lives_through_two_seasons",
        "a_second_sweep_changes_nothing",
        "a_start_that_was_killed_has_not_happened_and_happens_later",
        "an_end_that_was_killed_has_not_happened_and_happens_later",
        "a_sweep_that_was_killed_between_contests_goes_on_with_the_rest",
        "one_broken_season_does_not_hold_up_the_others",
    ),
    "contests/test_tournament_knockout.py": (
        "thirteen_players_come_to_an_end",
        "dropping_out_is_found_by_the_sweep_though_its_bell_was_lost",
    ),
    "tables/test_called_off.py": (
        "h3_behind_a_game_that_was_ended_the_next_of_a_full_game_begins",
        "h6_a_round_whose_last_table_is_called_off_ends_at_once",
        "h6_a_challenge_whose_game_is_called_off_is_drawn_and_can_be_given_again",
        "h6_a_match_whose_game_is_called_off_is_annulled_and_the_next_begins",
    ),
}
SERVICES = [
    "services/test_movers.py", "services/load_on_postgresql.py", "contests/test_ladder.py", "notices/test_delivery.py",
    "notices/test_digest.py",
    *(f"tables/test_{name}.py" for name in ("play", "sealed", "drafts", "ids", "insert_only", "queue")),
    *(f"{file}::test_{name}" for file, names in LEAGUES.items() for name in names),
]  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if connection.vendor == "postgresql":
        pytest.skip("The whole suite is being run on PostgreSQL.")
    with own_postgres() as server:
        yield server.address


def hold_there(address: str, tests: Iterable[str]) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [*words, *(str(TESTS / one) for one in tests)]
    there = os.environ | {"DATABASE_URL": address}
    run = subprocess.run(command, env=there, capture_output=True, text=True, timeout=900, check=False)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert " passed" in run.stdout and "skipped" not in run.stdout


def test_the_services_hold_on_postgresql(address):
    hold_there(address, SERVICES)


@pytest.mark.long
def test_all_of_leagues_and_of_what_is_called_off_holds_there(address):
    hold_there(address, LEAGUES)
