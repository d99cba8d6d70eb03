"""Groups and a final: the split into groups, and the finalists."""

import pytest

from games.contests.pairing.crosstable import StandingsLine
from games.contests.pairing.groups import fields, finalists, groups, snake
from games.contests.pairing.round_robin import sizes
from games.rules.protocol import IllegalAction
from tests.each import for_each


def line(entrant: int, points: int, *, wins: int = 0, score: int = 0, possible: int = 10) -> StandingsLine:
    return StandingsLine(entrant, points, possible, played=5, wins=wins, score=score, total_score=100, place=1)


def test_seeds_are_dealt_to_groups_in_a_snake():
    assert snake(range(8), 2) == [[0, 3, 4, 7], [1, 2, 5, 6]]
    assert snake(range(7), 3) == [[0, 5, 6], [1, 4], [2, 3]]


@pytest.mark.parametrize("players", range(2, 6))
def test_each_group_has_a_schedule_and_its_winner_has_a_seat_in_the_final(players: int):
    for entrants in fields(players):
        made = groups(entrants, players)
        assert sorted(seed for group in made for seed in group) == list(range(entrants))
        assert {len(group) for group in made} <= set(sizes(players))
        assert 2 <= len(made) <= players


@for_each(
    "entrants, players, lengths",
    [(12, 2, [6, 6]), (12, 3, [4, 4, 4]), (9, 3, [5, 4]), (12, 4, [6, 6]), (16, 4, [8, 8]), (24, 4, [6] * 4)],
)
def test_groups_have_about_six_entrants_and_send_equal_numbers_to_the_final(
    entrants: int, players: int, lengths: list[int]
):
    assert [len(group) for group in groups(entrants, players)] == lengths


@pytest.mark.parametrize(("entrants", "players"), [(7, 2), (17, 2), (13, 5), (0, 3)])
def test_a_field_of_the_wrong_size_is_refused_with_a_list_of_the_right_ones(entrants: int, players: int):
    with pytest.raises(IllegalAction, match=f"With {players} players per game, .* need [0-9–, ]+ players"):
        groups(entrants, players)


def test_group_winners_and_the_best_runners_up_play_the_final():
    first, second = [line(0, 9), line(3, 6), line(5, 1)], [line(1, 10), line(2, 7), line(4, 2)]
    assert finalists([first, second], 2) == [1, 0]
    assert finalists([first, second], 3) == [1, 0, 2]
    assert finalists([first, second], 4) == [1, 0, 2, 3]


def test_entrants_of_different_groups_are_compared_by_share_then_wins_then_points_in_games():
    assert finalists([[line(0, 4, possible=8)], [line(1, 6)]], 1) == [1]
    assert finalists([[line(0, 6)], [line(1, 6, wins=1)]], 1) == [1]
    assert finalists([[line(0, 6)], [line(1, 6, score=1)]], 1) == [1]
    assert finalists([[line(0, 6)], [line(1, 6)]], 1) == [0]
