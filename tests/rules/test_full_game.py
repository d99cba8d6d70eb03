"""The standings of a full game, from plain numbers. Each game is (points, place, coins left)."""

from games.rules.full_game import ranked, seat_total


def places(*seats: list[tuple[int, int, int]]) -> list[tuple[int, str | None]]:
    lines = ranked([seat_total(number, games) for number, games in enumerate(seats)])
    return [(line.place, line.tie_break) for line in lines]


def test_r24_the_highest_sum_of_points_wins():
    assert places([(10, 2, 0), (14, 1, 0), (9, 2, 0)], [(12, 1, 5), (8, 2, 5), (12, 1, 5)]) == [(1, None), (2, None)]


def test_r24_games_won_break_tied_sums():
    assert places([(20, 1, 0), (5, 2, 0), (5, 2, 0)], [(10, 2, 9), (10, 1, 9), (10, 1, 9)]) == [(2, "won"), (1, None)]


def test_r24_coins_left_break_the_next_tie():
    assert places([(10, 1, 1), (8, 2, 2)], [(8, 2, 4), (10, 1, 0)]) == [(2, "left"), (1, None)]


def test_r24_players_who_are_still_tied_share_the_place():
    assert places([(10, 1, 1), (8, 2, 2)], [(8, 2, 3), (10, 1, 0)], [(1, 3, 9), (1, 3, 9)]) == [
        (1, None), (1, None), (3, None),
    ]  # fmt: skip


def test_r61_a_shared_first_place_counts_as_a_game_won_for_each():
    lines = [seat_total(0, [(10, 1, 0), (3, 2, 0)]), seat_total(1, [(10, 1, 0), (3, 2, 0)])]
    assert [line.won for line in lines] == [1, 1]


def test_the_tie_break_says_what_put_a_seat_below_the_one_above_it():
    assert places([(9, 1, 0)], [(9, 2, 5)], [(9, 2, 3)]) == [(1, None), (2, "won"), (3, "left")]


def test_standings_have_the_points_of_each_game_and_their_sum():
    line = seat_total(2, [(10, 1, 4), (-1, 3, 2)])
    assert (line.seat, line.games, line.points, line.left) == (2, (10, -1), 9, 6)
