"""The rating model: pure numbers, the same on every machine."""

import random
from statistics import correlation, mean

import pytest

from games.contests.ratings.model import (
    DRIFT,
    FULL_GAME,
    SETTLED,
    SIGMA,
    Rating,
    chance,
    faded,
    rate,
    settled_for,
    weight,
)


def test_a_newcomer_has_a_rating_of_1500_plus_or_minus_167():
    assert (Rating().shown, Rating().doubt, Rating().is_provisional) == (1500, 167, True)


def test_the_winner_gains_as_much_as_the_loser_loses():
    winner, loser = rate([Rating(), Rating()], [1, 2])
    assert winner.mu - 25 == pytest.approx(25 - loser.mu) and winner.mu > 25
    assert winner.sigma == loser.sigma < Rating().sigma


def test_different_places_are_rated_differently_and_ties_the_same():
    first, second, third, fourth = rate([Rating()] * 4, [1, 2, 2, 4])
    assert first.mu > second.mu == third.mu > fourth.mu


def test_a_surprise_moves_ratings_more_than_an_expected_result():
    strong, weak = Rating(32, 3), Rating(18, 3)
    expected, surprise = rate([strong, weak], [1, 2]), rate([strong, weak], [2, 1])
    assert abs(surprise[0].mu - strong.mu) > 3 * abs(expected[0].mu - strong.mu)


def test_places_that_do_not_fit_the_ratings_are_refused():
    for places in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match="place for each"):
            rate([Rating(), Rating()], places)
    with pytest.raises(ValueError, match="at least two"):
        rate([Rating()], [1])


def test_the_first_contest_at_an_open_table_counts_in_full_and_each_repeat_less():
    for listed in (True, False):
        counted = [weight(met, listed=listed) for met in range(50)]
        assert counted == sorted(counted, reverse=True) and counted[-1] > 0
    assert weight(0, listed=True) == 1 and weight(0, listed=False) == pytest.approx(5 / 8)


@pytest.mark.parametrize(("listed", "most"), [(True, 5), (False, 1.25)])
def test_the_total_weight_of_any_number_of_repeats_is_bounded(listed, most):
    assert most - 0.1 < sum(weight(met, listed=listed) for met in range(1000)) < most


@pytest.mark.long
@pytest.mark.parametrize("listed", [True, False])
def test_the_weight_of_a_repeat_is_the_information_it_adds(listed):
    """A simulation confirms the formula: the spread of the mean of n contests that share some luck."""
    dice, shared = random.Random(1), 0.5 if listed else 1.0
    for contests in (1, 2, 4):
        means = [dice.gauss(0, shared) + mean(dice.gauss(0, 1) for _k in range(contests)) for _try in range(20_000)]
        informed = sum(weight(met, listed=listed) for met in range(contests))
        assert 1 / mean(error * error for error in means) / 0.8 == pytest.approx(informed, rel=0.05)


def test_a_partial_weight_moves_a_rating_part_of_the_way():
    before, after = [Rating(27, 4), Rating(22, 6)], rate([Rating(27, 4), Rating(22, 6)], [1, 2])
    assert rate(before, [1, 2], [1.0, 1.0]) == after
    for old, new, part in zip(before, after, rate(before, [1, 2], [0.5, 0.5]), strict=True):
        assert min(old.mu, new.mu) < part.mu < max(old.mu, new.mu) and new.sigma < part.sigma < old.sigma
    for old, none in zip(before, rate(before, [1, 2], [0.0, 0.0]), strict=True):
        assert (none.mu, none.sigma) == pytest.approx((old.mu, old.sigma))


def test_eight_private_games_in_a_row_gain_little_more_than_one():
    pair = [Rating(), Rating()]
    for met in range(8):
        pair = rate(pair, [1, 2], [weight(met, listed=False)] * 2)
        if met == 0:
            first = pair[0].shown
    assert first - 1500 < 40 and pair[0].shown - 1500 < 60
    assert pair[0].is_provisional


def test_the_chance_of_beating_an_equal_is_one_half():
    assert chance(Rating(), Rating()) == pytest.approx(0.5)
    assert 0.65 < chance(Rating(35, 1), Rating(25, 1)) < 1


def test_a_full_game_says_more_about_strength_than_a_single_game_and_is_easier_to_predict():
    single, full = rate([Rating(), Rating()], [1, 2]), rate([Rating(), Rating()], [1, 2], games=3)
    assert full[0].mu - 25 > 1.15 * (single[0].mu - 25) and full[0].sigma < single[0].sigma
    assert chance(Rating(30, 2), Rating(25, 2), games=3) > chance(Rating(30, 2), Rating(25, 2)) + 0.05
    certain = [Rating(25, 0.5), Rating(25, 0.5)]  # of a small amount of information, what is gained is in proportion
    gained = [rate(certain, [1, 2], games=games)[0].sigma ** -2 for games in (1, 3)]
    none = 1 / (0.5**2 + DRIFT**2)
    assert (gained[1] - none) / (gained[0] - none) == pytest.approx(FULL_GAME, rel=0.05)


def test_doubt_grows_with_absence_up_to_that_of_a_newcomer_and_strength_stays():
    settled = Rating(31, 3)
    doubts = [faded(settled, days).sigma for days in (0, 30, 365, 10_000)]
    assert doubts == sorted(doubts) and doubts[0] == 3 and doubts[-1] == SIGMA
    assert {faded(settled, days).mu for days in (0, 30, 365, 10_000)} == {31}
    assert faded(settled, -1) == settled
    assert faded(settled, settled_for(settled)).sigma == pytest.approx(SETTLED)
    assert 90 < settled_for(settled) < 700 and settled_for(Rating()) == 0


def test_players_who_come_back_are_reliable_again_after_two_contests():
    here, away = Rating(25, 4), faded(Rating(25, 4.5), settled_for(Rating(25, 4.5)) + 10)
    assert away.is_provisional
    for _contest in range(2):
        away, here = rate([away, here], [1, 2])
    assert not away.is_provisional


def test_the_order_of_seats_does_not_matter():
    ratings, places = [Rating(28, 4), Rating(22, 6), Rating(25, 8), Rating(30, 3)], [2, 1, 2, 4]
    turned = rate(ratings[::-1], places[::-1])[::-1]
    for rating, other in zip(rate(ratings, places), turned, strict=True):
        assert (rating.mu, rating.sigma) == pytest.approx((other.mu, other.sigma))


def test_players_who_are_far_apart_and_large_tables_are_rated_without_overflow():
    for places in ([1, 2], [2, 1]):
        assert all(0 < rating.sigma <= SIGMA for rating in rate([Rating(80, 0.5), Rating(-40, 8)], places))
    eight = rate([Rating()] * 8, [1, 2, 3, 4, 5, 6, 7, 8])
    assert [rating.mu for rating in eight] == sorted((rating.mu for rating in eight), reverse=True)


@pytest.mark.parametrize(("players", "order"), [(2, 0.75), (3, 0.8), (5, 0.85)])
def test_ten_contests_settle_ratings_and_rank_players_by_strength(players: int, order: float):
    """The true strengths are known; a contest shows strength plus luck in equal parts."""
    dice = random.Random(players)
    strength = [dice.gauss(25, 25 / 6) for _player in range(120)]
    ratings = [Rating()] * len(strength)
    for _round in range(10):
        for table in tables(len(strength), players, dice):
            shown = {player: strength[player] + dice.gauss(0, 25 / 6) for player in table}
            places = [1 + sum(other > shown[player] for other in shown.values()) for player in table]
            for player, rating in zip(table, rate([ratings[player] for player in table], places), strict=True):
                ratings[player] = rating
    assert mean(rating.sigma for rating in ratings) < 5.7
    assert correlation(strength, [rating.mu for rating in ratings]) > order


def tables(people: int, players: int, dice: random.Random) -> list[list[int]]:
    """Seat people at random at full tables; the remainder waits."""
    order = dice.sample(range(people), people)
    return [order[first : first + players] for first in range(0, people - players + 1, players)]
