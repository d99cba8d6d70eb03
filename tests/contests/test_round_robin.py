"""Round robins: all pairs meet equally often and seats are balanced, for every table size."""

from collections import Counter
from itertools import chain, combinations

import pytest

from games.contests.pairing.protocol import Round
from games.contests.pairing.round_robin import MOST, fields, has_plan, matches_each, plan, sizes
from games.rules.protocol import IllegalAction
from tests.each import for_each

each_size = pytest.mark.parametrize("players", range(2, 6))


def tables_of(rounds: list[Round]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(rounds))


def test_divisions_can_have_the_sizes_that_have_a_schedule():
    assert {players: sizes(players) for players in range(2, 6)} == {
        2: (4, 5, 6, 7, 8), 3: (4, 5, 6, 7), 4: (4, 5, 6, 7, 8), 5: (5, 6)
    }  # fmt: skip


def test_larger_fields_have_a_schedule_if_a_design_exists():
    assert fields(2) == tuple(range(2, 41))
    assert set(fields(3)) >= {9, 15} and 16 in fields(4) and 25 in fields(5)


@each_size
def test_every_pair_meets_equally_often(players: int):
    for entrants in fields(players):
        tables = tables_of(plan(entrants, players))
        matches = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
        assert set(matches) == set(combinations(range(entrants), 2)), entrants
        assert len(set(matches.values())) == 1, entrants


@each_size
def test_all_entrants_play_equally_often(players: int):
    for entrants in fields(players):
        tables, each = tables_of(plan(entrants, players)), matches_each(entrants, players)
        assert {len(table) for table in tables} == {players}
        assert Counter(chain.from_iterable(tables)) == dict.fromkeys(range(entrants), each)
        assert players == 2 or each <= MOST


@each_size
def test_no_entrant_plays_twice_in_a_round(players: int):
    for entrants in fields(players):
        for tables in plan(entrants, players):
            assert max(Counter(chain.from_iterable(tables)).values()) == 1, entrants


@each_size
def test_every_entrant_has_every_seat_equally_often(players: int):
    for entrants in fields(players):
        times_in_seat = Counter(
            (entrant, seat) for table in tables_of(plan(entrants, players)) for seat, entrant in enumerate(table)
        )
        for entrant in range(entrants):
            seats = [times_in_seat[entrant, seat] for seat in range(players)]
            assert max(seats) - min(seats) <= 1, entrants


@for_each(
    "entrants, players, rounds",
    [(6, 2, 5), (7, 2, 7), (8, 2, 7), (8, 4, 7), (9, 3, 4), (9, 4, 9), (15, 3, 7), (16, 4, 5), (25, 5, 6)],
)
def test_if_rounds_can_be_full_every_round_is(entrants: int, players: int, rounds: int):
    planned = plan(entrants, players)
    assert len(planned) == rounds
    assert {len(tables) for tables in planned} == {entrants // players}


@for_each("entrants, players", [(5, 3), (6, 3), (7, 3), (6, 4), (7, 4), (6, 5)])
def test_with_one_table_per_round_no_entrant_falls_behind(entrants: int, players: int):
    times_played = Counter(range(entrants))
    for table in tables_of(plan(entrants, players)):
        times_played.update(table)
        assert max(times_played.values()) - min(times_played.values()) <= 2


def test_the_same_numbers_give_the_same_plan_as_a_new_list():
    first = plan(6, 3)
    first.clear()
    assert plan(6, 3) == plan(6, 3) != []


@for_each("entrants, players", [(8, 3), (7, 5), (41, 2), (1, 2), (0, 2), (2, 3)])
def test_a_field_without_a_schedule_is_refused(entrants: int, players: int):
    assert not has_plan(entrants, players)
    with pytest.raises(IllegalAction, match=f"With {players} players per game, {entrants} players can’t"):
        plan(entrants, players)


def test_the_refusal_lists_the_fields_that_have_a_schedule():
    with pytest.raises(IllegalAction, match=r"3–7, 9, 13, 15 players can\."):
        plan(8, 3)
