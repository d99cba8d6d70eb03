"""Who wins a full game, from plain numbers. Each game is (points, place, coins left)."""

from games.rules.full_game import ranked, standing


def places(*seats: list[tuple[int, int, int]]) -> list[tuple[int, str | None]]:
    lines = ranked([standing(number, games) for number, games in enumerate(seats)])
    return [(line.place, line.tie_break) for line in lines]


def test_r24_the_highest_sum_of_points_wins():
    assert places([(10, 2, 0), (14, 1, 0), (9, 2, 0)], [(12, 1, 5), (8, 2, 5), (12, 1, 5)]) == [(1, None), (2, None)]


def test_r24_tied_sums_go_to_most_games_won():
    assert places([(20, 1, 0), (5, 2, 0), (5, 2, 0)], [(10, 2, 9), (10, 1, 9), (10, 1, 9)]) == [(2, "won"), (1, None)]


def test_r24_then_to_the_sum_of_coins_left():
    assert places([(10, 1, 1), (8, 2, 2)], [(8, 2, 4), (10, 1, 0)]) == [(2, "left"), (1, None)]


def test_r24_and_else_the_place_is_shared():
    assert places([(10, 1, 1), (8, 2, 2)], [(8, 2, 3), (10, 1, 0)], [(1, 3, 9), (1, 3, 9)]) == [
        (1, None), (1, None), (3, None),
    ]  # fmt: skip


def test_r61_a_shared_first_place_is_a_game_won_for_each():
    lines = [standing(0, [(10, 1, 0), (3, 2, 0)]), standing(1, [(10, 1, 0), (3, 2, 0)])]
    assert [line.won for line in lines] == [1, 1]


def test_the_tie_break_names_what_put_a_seat_behind_the_one_right_above_it():
    assert places([(9, 1, 0)], [(9, 2, 5)], [(9, 2, 3)]) == [(1, None), (2, "won"), (3, "left")]


def test_the_games_stand_beside_their_sum():
    line = standing(2, [(10, 1, 4), (-1, 3, 2)])
    assert (line.seat, line.games, line.points, line.left) == (2, (10, -1), 9, 6)
