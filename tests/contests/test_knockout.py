"""Knockout brackets for two and more players per table: byes, who advances, and final places."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contests.pairing.knockout import (
    Bracket,
    Placed,
    Seed,
    advancing,
    bracket,
    final_places,
    first_meetings,
    spread,
)
from games.contests.pairing.protocol import Round
from games.rules.protocol import IllegalAction
from tests.contests.properties import fixed


def seeds(entrants: int, players: int) -> list[list[int]]:
    """Return the seeds at each table of the first round."""
    return [list(table) for table in bracket(entrants, players).tables(0)]


def played(bracket: Bracket) -> list[Round]:
    """Return all rounds if the better seed always wins."""
    rounds = [bracket.tables(0)]
    for number in range(1, len(bracket.rounds)):
        rounds.append(bracket.tables(number, [sorted(table)[: bracket.advancing] for table in rounds[-1]]))
    return rounds


def test_one_player_of_a_table_advances_and_two_of_a_table_of_four():
    assert [advancing(players) for players in range(2, 6)] == [1, 1, 2, 1]


def test_the_first_seed_meets_the_last_and_the_two_best_meet_in_the_final():
    assert seeds(8, 2) == [[0, 7], [3, 4], [1, 6], [2, 5]]
    assert played(bracket(8, 2))[1:] == [((0, 3), (1, 2)), ((0, 1),)]


def test_larger_tables_are_seeded_to_be_equally_strong():
    assert seeds(9, 3) == [[0, 3, 8], [1, 4, 7], [2, 5, 6]]
    assert seeds(16, 4) == [[0, 7, 8, 15], [3, 4, 11, 12], [1, 6, 9, 14], [2, 5, 10, 13]]


def test_byes_go_to_the_best_seeds():
    assert seeds(6, 2) == [[0], [3, 4], [1], [2, 5]]
    assert seeds(7, 3) == [[0], [1, 3, 6], [2, 4, 5]]
    assert seeds(10, 4) == [[0], [3], [4], [6, 7, 8, 9], [1], [2], [5]]


def test_if_byes_do_not_come_out_even_one_table_is_short():
    assert seeds(8, 3) == [[0, 3], [1, 4, 7], [2, 5, 6]]
    assert seeds(5, 4) == [[0], [1], [2, 3, 4]]


def test_a_field_that_fills_one_table_plays_only_that_table():
    assert bracket(3, 3) == Bracket(1, (((Seed(0), Seed(1), Seed(2)),),))


def test_a_later_round_names_the_table_and_place_each_player_comes_from():
    eight = bracket(8, 4)
    assert eight.rounds[1] == ((Placed(0, 1), Placed(1, 1), Placed(1, 2), Placed(0, 2)),)
    assert eight.tables(1, [[7, 3], [5, 1]]) == ((7, 5, 1, 3),)


def test_tables_that_feed_the_same_table_are_adjacent():
    for slots in bracket(64, 2).rounds[1:]:
        assert [slot.table for table in slots for slot in table] == list(range(2 * len(slots)))


@fixed
@given(st.integers(2, 5), st.data())
def test_every_field_plays_down_to_one_full_table(players: int, data: st.DataObject):
    entrants = data.draw(st.integers(players, 300))
    drawn = bracket(entrants, players)
    rounds = played(drawn)
    assert sorted(chain.from_iterable(rounds[0])) == list(range(entrants))
    assert {len(table) for tables in rounds[1:] for table in tables} <= {players}
    assert rounds[-1] == (tuple(range(players)),)


@fixed
@given(st.integers(2, 5), st.data())
def test_only_the_best_seeds_have_byes_and_few_tables_are_short(players: int, data: st.DataObject):
    entrants = data.draw(st.integers(players, 300))
    drawn = bracket(entrants, players)
    tables = drawn.tables(0)
    byes = [seed for table in tables if len(table) <= drawn.advancing for seed in table]
    assert sorted(byes) == list(range(len(byes)))
    short = [len(table) for table in tables if drawn.advancing < len(table) < players]
    assert len(short) < players - drawn.advancing


def test_entrants_who_reach_a_later_round_are_placed_higher():
    rounds = [[[0, 7], [4, 3], [1, 6], [5, 2]], [[4, 0], [1, 5]], [[1, 4]]]
    assert final_places(8, rounds, 1) == [3, 1, 5, 5, 2, 3, 5, 5]


def test_entrants_eliminated_in_the_same_round_with_the_same_place_share_a_place():
    """The third table was short, so only two entrants finished third."""
    rounds = [[[0, 3, 7], [4, 6, 1], [2, 5]], [[4, 2, 0]]]
    assert final_places(8, rounds, 1) == [3, 7, 2, 4, 1, 4, 4, 7]


@pytest.mark.parametrize("players", range(2, 6))
def test_every_entrant_has_a_place(players: int):
    for entrants in range(players, 70):
        drawn = bracket(entrants, players)
        places = final_places(entrants, played(drawn), drawn.advancing)
        assert sorted(places)[:players] == list(range(1, players + 1)) and max(places) <= entrants


def test_a_field_that_fills_no_table_is_refused():
    with pytest.raises(IllegalAction, match="needs at least 3 players"):
        bracket(2, 3)


def test_c16_people_who_must_not_meet_are_as_far_apart_in_the_bracket_as_possible():
    """The first and the last of eight would meet in the first round, the last and the one before change places."""
    first = first_meetings(bracket(8, 2))
    assert first[frozenset((0, 7))] == 0 and first[frozenset((0, 3))] == 1 and first[frozenset((0, 1))] == 2
    assert spread(range(8), 2, {frozenset((0, 7))}) == [0, 1, 2, 3, 4, 5, 7, 6]
    assert spread(range(8), 2, {frozenset((0, 1))}) == list(range(8))
    assert spread(range(8), 2, {frozenset((0, 99))}) == list(range(8))


@fixed
@given(
    st.sampled_from([(8, 2), (13, 2), (9, 3), (16, 4)]),
    st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1]), max_size=4),
)
def test_spreading_loses_nobody_and_separates_a_single_pair_until_the_last_round(size, pairs):
    entrants, players = size
    forbidden = {frozenset(pair) for pair in pairs}
    order = spread(range(entrants), players, forbidden)
    assert sorted(order) == list(range(entrants))
    if len(forbidden) == 1:
        met = first_meetings(bracket(entrants, players))
        (pair,) = forbidden
        assert met[frozenset(order.index(entrant) for entrant in pair)] == max(met.values())
