"""Standings: by share of points, then by the declared tie-breaks in order."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contests.pairing.crosstable import TIE_BREAKS, CrossTable, Result, StandingsLine, put_last, rank
from games.contests.pools import points
from tests.contests.properties import fixed


def won(*entrants: int, scores: tuple[int, ...] = ()) -> Result:
    """Return a match that ended in this order."""
    places = tuple(range(1, len(entrants) + 1))
    return Result(entrants, places, scores or tuple(10 for _one in entrants))


def drawn(*entrants: int) -> Result:
    return Result(entrants, (1,) * len(entrants), (10,) * len(entrants))


def standing(results: list[Result], *tie_breaks: str, entrants: int = 4) -> list[tuple[int, int, str | None]]:
    """Return the entrant, place and deciding tie-break of each line, best first."""
    return [(line.entrant, line.place, line.tie_break) for line in rank(range(entrants), results, tie_breaks)]


def line_of(entrant: int, results: list[Result]) -> StandingsLine:
    return next(line for line in rank(range(4), results, ()) if line.entrant == entrant)


@pytest.mark.parametrize(
    ("places", "halves"),
    [((1, 2), [2, 0]), ((1, 1), [1, 1]), ((1, 2, 3), [4, 2, 0]), ((2, 1, 2), [1, 4, 1]), ((1, 1, 3, 4), [5, 5, 2, 0])],
)
def test_a_player_gets_two_points_for_each_player_beaten_and_one_for_each_tied(
    places: tuple[int, ...], halves: list[int]
):
    """The cross table and the appearances agree."""
    entrants = range(len(places))
    lines = rank(entrants, [Result(tuple(entrants), places, places)], ())
    assert [line.points for line in sorted(lines, key=lambda line: line.entrant)] == halves
    assert [points(place, places) for place in places] == halves


def test_a_line_counts_the_matches_that_were_played():
    results = [won(0, 1, 2, scores=(30, 20, 10)), drawn(0, 1)]
    assert line_of(0, results) == StandingsLine(
        0, points=5, possible=6, played=2, wins=2, score=40, total_score=80, place=1
    )
    assert line_of(3, results) == StandingsLine(
        3, points=0, possible=0, played=0, wins=0, score=0, total_score=0, place=3
    )


def test_the_cross_table_shows_the_points_of_each_entrant_against_each_other():
    table = CrossTable(range(3), [won(0, 1, 2), won(1, 0)])
    assert table.against == {0: {1: (2, 4), 2: (2, 2)}, 1: {0: (2, 4), 2: (2, 2)}, 2: {0: (0, 2), 1: (0, 2)}}


def test_standings_go_by_share_of_points_and_not_by_number_of_matches():
    """An annulled match hurts nobody: two wins of two rank above three of four."""
    results = [won(0, 1), won(0, 2), won(1, 2), won(1, 3), won(1, 3)]
    assert [line.entrant for line in rank(range(4), results, ())][:2] == [0, 1]
    assert line_of(1, results).share == Fraction(3, 4)


def test_without_tie_breaks_equal_shares_share_a_place():
    assert standing([won(0, 1), won(2, 3)]) == [(0, 1, None), (2, 1, None), (1, 3, None), (3, 3, None)]


def test_entrants_who_dropped_out_are_last_and_ties_within_each_group_remain():
    results = [Result((0, 1), (1, 2), (3, 1)), Result((2, 3), (1, 2), (3, 1)), Result((4, 5), (1, 1), (2, 2))]
    lines = put_last(rank(range(6), results, ()), {0, 4, 5})
    assert [(line.entrant, line.place) for line in lines] == [(2, 1), (1, 2), (3, 2), (0, 4), (4, 5), (5, 5)]


def test_tied_entrants_are_ordered_by_their_results_against_each_other():
    """0, 1 and 2 have two wins of three; 3 has none."""
    circle = [won(0, 3), won(1, 3), won(2, 3)]
    equal = [won(0, 1), won(1, 2), won(2, 0)]
    assert [place for _one, place, _why in standing(circle + equal, "met")] == [1, 1, 1, 4]
    results = [won(0, 1), won(1, 2), won(2, 3), won(3, 0), won(0, 2), won(1, 3)]
    assert standing(results, "met") == [(0, 1, None), (1, 2, "met"), (2, 3, None), (3, 4, "met")]


def test_a_tied_entrant_who_met_none_of_the_others_ranks_in_the_middle():
    results = [won(0, 1), won(3, 0), won(1, 4), won(2, 4), won(3, 2)]
    expected = [(3, 1, None), (0, 2, None), (2, 3, "met"), (1, 4, "met"), (4, 5, None)]
    assert standing(results, "met", entrants=5) == expected


def test_a_first_and_a_last_place_count_as_more_wins_than_two_second_places():
    results = [won(0, 3, 1), won(2, 3, 0)]
    assert standing(results, "wins") == [(2, 1, None), (0, 2, None), (3, 3, "wins"), (1, 4, None)]


def test_wins_count_as_a_share_of_the_matches_played():
    """An annulled match hurts nobody: one win of two ranks with two of four."""
    results = [won(0, 2), won(3, 0), won(1, 2), won(1, 2), won(3, 1), won(3, 1)]
    assert standing(results, "wins") == [(3, 1, None), (0, 2, None), (1, 2, None), (2, 4, None)]


def test_points_in_games_count_as_a_share_of_the_points_at_the_table():
    results = [won(0, 1, scores=(30, 20)), won(1, 0, scores=(25, 24))]
    assert standing(results, "met", "score", entrants=2) == [(0, 1, None), (1, 2, "score")]


def test_an_entrant_with_stronger_opponents_ranks_higher():
    assert standing([won(0, 2), won(1, 3), won(2, 3)], "strength")[:2] == [(0, 1, None), (1, 2, "strength")]


def test_an_entrant_who_beat_the_stronger_of_the_same_opponents_ranks_higher():
    results = [won(0, 3), won(2, 0), won(1, 2), won(3, 1), won(2, 4)]
    expected = [(2, 1, None), (1, 2, None), (0, 3, "beaten"), (3, 4, "strength"), (4, 5, None)]
    assert standing(results, "strength", "beaten", entrants=5) == expected


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_every_tie_break_can_be_declared_and_is_explained(tie_break: str):
    assert [place for _one, place, _why in standing([drawn(0, 1, 2, 3)], tie_break)] == [1, 1, 1, 1]
    assert TIE_BREAKS[tie_break].label and TIE_BREAKS[tie_break].sentence.endswith(".")


def test_the_worked_example_of_the_page_on_standings():
    """docs/standings.md: Ann is 0, Bob 1, Cy 2."""
    table = CrossTable(range(3), [won(0, 1, 2), won(1, 0), won(2, 1)])
    assert table.shares == {0: Fraction(2, 3), 1: Fraction(2, 4), 2: Fraction(1, 3)}
    shown = [
        [round(float(100 * of), 1) for of in table.measure(name, range(3)).values()] for name in ("strength", "beaten")
    ]
    assert shown == [[44.4, 50.0, 55.6], [27.8, 25.0, 16.7]]
    assert set(table.measure("met", [0, 1]).values()) == {Fraction(1, 2)}


@st.composite
def seasons(draw: st.DrawFn) -> list[Result]:
    """Draw matches of six entrants at tables of two to four, with tied places."""
    results = []
    for _match in range(draw(st.integers(0, 12))):
        table = draw(st.lists(st.integers(0, 5), min_size=2, max_size=4, unique=True))
        scores = draw(st.lists(st.integers(0, 40), min_size=len(table), max_size=len(table)))
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        results.append(Result(tuple(table), places, tuple(scores)))
    return results


@fixed
@given(seasons())
def test_half_of_all_possible_points_are_awarded(results: list[Result]):
    lines = rank(range(6), results, ())
    assert 2 * sum(line.points for line in lines) == sum(line.possible for line in lines)


@fixed
@given(seasons(), st.permutations(list(TIE_BREAKS)))
def test_tie_breaks_only_separate_equal_shares(results: list[Result], tie_breaks: list[str]):
    lines = rank(range(6), results, tie_breaks)
    assert sorted(line.entrant for line in lines) == list(range(6))
    for above, line in pairwise(lines):
        assert above.share >= line.share
        assert line.place == above.place or line.place == lines.index(line) + 1
        if line.place > above.place:
            assert (line.tie_break is None) == (above.share > line.share)


@pytest.mark.long
@fixed
@given(seasons(), st.permutations(list(TIE_BREAKS)), st.randoms(use_true_random=False))
def test_places_do_not_depend_on_the_order_of_matches_or_entrants(
    results: list[Result], tie_breaks: list[str], dice: Random
):
    entrants, shuffled = list(range(6)), list(results)
    dice.shuffle(entrants)
    dice.shuffle(shuffled)
    places = {line.entrant: line.place for line in rank(range(6), results, tie_breaks)}
    assert {line.entrant: line.place for line in rank(entrants, shuffled, tie_breaks)} == places
