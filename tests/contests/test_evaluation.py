"""The comparison of rating models, and the calibration."""

import random

import pytest

from games.contests.ratings import calibration, evaluation, generators
from games.contests.ratings.generators import Contest

DUEL = Contest(1, 0.0, [0, 1], [1, 2], [[10, 5]])


def test_trueskill_gives_the_published_ratings():
    """After a first game of two and a first game of four (Moser, The math behind TrueSkill; trueskill.org)."""
    model = evaluation.TrueSkill()
    model.learn(DUEL)
    assert [round(mean, 2) for mean, _spread in model.players.values()] == [29.4, 20.6]
    assert [round(spread**0.5, 2) for _mean, spread in model.players.values()] == [7.17, 7.17]
    model = evaluation.TrueSkill()
    model.learn(Contest(1, 0.0, [0, 1, 2, 3], [1, 2, 3, 4], [[4, 3, 2, 1]]))
    assert [round(mean, 1) for mean, _spread in model.players.values()] == [33.2, 27.4, 22.6, 16.8]


def test_elo_moves_equals_by_half_of_k_and_keeps_the_sum():
    model = evaluation.Elo()
    model.learn(DUEL)
    assert dict(model.players) == {0: 1516.0, 1: 1484.0}
    model.learn(Contest(1, 0.0, [0, 1, 2], [3, 1, 1], [[1, 2, 2]]))
    assert sum(model.players.values()) == pytest.approx(4500)


@pytest.mark.parametrize("kind", [evaluation.Ours, evaluation.OpenSkill, evaluation.TrueSkill, evaluation.Elo])
def test_every_model_says_one_half_at_first_and_more_for_the_winner_later(kind):
    model = kind()
    assert model.chance(DUEL, 0, 1) == pytest.approx(0.5)
    for _game in range(5):
        model.learn(DUEL)
    assert 0.55 < model.chance(DUEL, 0, 1) < 1
    assert model.chance(DUEL, 0, 1) + model.chance(DUEL, 1, 0) == pytest.approx(1)


def test_results_are_predicted_before_they_are_learned_and_ties_are_left_out():
    tied = Contest(1, 0.0, [0, 1], [1, 1], [[5, 5]])
    first, second, none = evaluation.predictions(evaluation.Ours(), [DUEL, DUEL, tied])
    assert first == [(pytest.approx(0.5), True)] and second[0][0] > 0.5 and none == []
    assert evaluation.losses([first, none]) == [pytest.approx(0.6931, abs=1e-4)]


def test_the_generator_of_drawn_results_repeats_itself_and_knows_no_rating():
    once, again = list(generators.drawn(3, 60)), list(generators.drawn(3, 60))
    assert once == again != list(generators.drawn(4, 60))
    assert all(len(set(contest.players)) == len(contest.players) == len(contest.places) for contest in once)
    assert {len(contest.games) for contest in once} == {1, 3}


def test_the_worth_of_a_full_game_is_found_where_it_is_known():
    """Three games with luck alone are worth three; if they share as much as their luck, one and a half."""
    for shared, worth in ((0.0, 3.0), (10.0, 1.5)):
        dice, contests = random.Random(5), []
        for _contest in range(4000):
            pair = dice.sample(range(6), 2)
            day = [5 * player + dice.gauss(0, shared / 2**0.5) for player in pair]
            games = [[round(mean + dice.gauss(0, 10 / 2**0.5)) for mean in day] for _game in range(3)]
            contests.append(Contest(1, 0.0, pair, [1, 2], games))
        assert evaluation.information_of_full_games(contests) == pytest.approx(worth, abs=0.2)


def test_deciles_show_overconfidence_and_count_favorites_from_both_sides():
    dice = random.Random(2)
    predictions = [(n, 0.84 if n % 2 else 0.16, (dice.random() < 0.67) == bool(n % 2)) for n in range(2000)]
    [whole] = calibration.deciles(predictions, 1)
    assert (whole.results, whole.predicted, whole.is_off) == (2000, pytest.approx(84), True)
    assert whole.actual == pytest.approx(67, abs=3) and 1.5 < whole.doubt < 3
    tenths = calibration.deciles([(n, 0.5 + n / 4000, dice.random() < 0.5 + n / 4000) for n in range(2000)])
    assert [tenth.results for tenth in tenths] == [200] * 10 and sum(tenth.is_off for tenth in tenths) <= 2
    assert [tenth.predicted for tenth in tenths] == sorted(tenth.predicted for tenth in tenths)


def test_ten_of_ten_does_not_count_as_certain():
    [whole] = calibration.deciles([(n, 0.9, True) for n in range(10)], 1)
    assert whole.actual == 100 and not whole.is_off


@pytest.mark.long
def test_ours_loses_to_no_other_model_on_either_generator():
    """The whole figures are in docs/fairness.md; here with fewer contests, so up to one standard error."""
    for series in ([generators.kept_games(2)], [list(generators.drawn(seed, 1000)) for seed in (201, 202)]):
        assert sum(map(len, series)) > 400
        ours, *others = evaluation.compare(series)
        assert ours.name == "ours" and all(other.more > -other.more_error for other in others)


@pytest.mark.long
def test_ours_recognizes_a_sudden_improvement_sooner_than_openskill():
    assert evaluation.recovery(evaluation.Ours, 60) < evaluation.recovery(evaluation.OpenSkill, 60)
