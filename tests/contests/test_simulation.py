"""Forecasts from simulated seasons: their length, the effect of drop-outs, and their fairness."""

from random import Random

import msgspec
import pytest

from games.clocks.clock import parse
from games.contests.leagues.forecast import Forecast, simulate
from games.contests.pairing.round_robin import matches_each, sizes
from games.contests.terms.declaration import LeagueTerms
from games.contests.terms.fitting import allowed_hours, season_weeks
from tests.each import for_each

TERMS = LeagueTerms(name="Harbour League", players=3)
DECISIONS = 11
SEASONS = 300


def forecast(
    seed: int = 1, drop_out: float = 0.0, seasons: int = SEASONS, stalls: int = 0, **lines: object
) -> Forecast:
    return simulate(msgspec.structs.replace(TERMS, **lines), DECISIONS, Random(seed), seasons, drop_out, stalls)


def test_the_same_seed_gives_the_same_forecast():
    assert forecast(5, 0.1) == forecast(5, 0.1) != forecast(6, 0.1)


def test_a_forecast_can_be_stored():
    predicted = forecast(seasons=3)
    assert msgspec.convert(msgspec.to_builtins(predicted), Forecast) == predicted


@for_each("players, division", [(players, division) for players in range(2, 5) for division in sizes(players)])
def test_a_forecast_counts_matches_and_games_for_every_supported_size(players: int, division: int):
    predicted = forecast(players=players, division=division, seasons=3)
    assert (predicted.matches, predicted.games) == (
        matches_each(division, players),
        3 * matches_each(division, players),
    )


def test_if_nobody_drops_out_every_match_is_played():
    predicted = forecast(weeks=52)
    assert (predicted.annulled, predicted.by_bot, predicted.over) == (0, 0, 0)


def test_matches_of_drop_outs_are_played_by_bots_or_annulled():
    by_bot, annulled = forecast(drop_out=0.2), forecast(drop_out=0.2, drop_outs="annul")
    assert by_bot.by_bot > 0.05 > by_bot.annulled
    assert annulled.annulled > 0.05 and annulled.by_bot == 0


def test_a_forecast_handles_all_players_dropping_out():
    for drop_outs in ("bot", "annul"):
        predicted = forecast(drop_out=1.0, drop_outs=drop_outs, clock="move 30d")
        assert predicted.annulled + predicted.unfinished > 0.9
        assert (predicted.strongest_wins, predicted.best_promoted, predicted.order) == (0, 0, 0)


def test_late_matches_are_finished_and_never_annulled():
    for unfinished in ("bots", "points"):
        predicted = forecast(weeks=1, unfinished=unfinished)
        assert predicted.over > 0.9 and predicted.unfinished > 0.3 and predicted.annulled == 0


@pytest.mark.long
def test_a_player_who_stalls_gains_nothing():
    """Each of six players of random strength wins a sixth of the seasons, however slowly they play."""
    for unfinished in ("bots", "points"):
        for weeks in (4, 16):
            predicted = forecast(
                weeks=weeks, unfinished=unfinished, stalls=1, players=2, clock="move 12h", seasons=1000
            )
            assert predicted.staller_wins < 1 / 6 + 0.05
            assert weeks > 4 or predicted.unfinished > 0.1


def test_a_player_who_uses_the_whole_clock_lengthens_the_forecast():
    brisk, slow = forecast(players=2), forecast(players=2, stalls=1)
    assert slow.days > 2 * brisk.days and slow.most_days > 2 * brisk.most_days
    answers = 3 * DECISIONS * allowed_hours(parse(TERMS.clock), DECISIONS) / 14
    assert slow.days >= 2 * answers


def test_most_seasons_take_about_as_long_as_the_check_of_the_terms_expects():
    for clock in ("bank 3d +8h cap 5d", "move 12h", "move 2d weekends-off"):
        terms = msgspec.structs.replace(TERMS, clock=clock)
        predicted = simulate(terms, DECISIONS, Random(1), SEASONS, 0.0, stalls=0)
        assert 0.7 < predicted.days / (7 * season_weeks(terms, DECISIONS)) < 1.3
        assert predicted.days < predicted.most_days < 3 * predicted.days


def test_nobody_answers_later_than_the_clock_allows():
    """Ten matches of three players, three games and eleven answers each in a row, an hour per answer at most."""
    predicted = forecast(clock="move 1h", at_once=1)
    assert predicted.days < predicted.most_days <= 10 * 3 * 3 * DECISIONS / 24


def test_more_matches_at_a_time_make_a_season_shorter():
    single, twice, fivefold = (forecast(at_once=number).days for number in (1, 2, 5))
    assert single > twice > fivefold


def test_the_strongest_players_win_most_often_and_more_so_in_full_games():
    full, single = forecast(weeks=52), forecast(weeks=52, full=False)
    assert full.strongest_wins > single.strongest_wins > 1 / 6
    assert full.order > single.order > 0.3
    assert full.best_promoted > full.strongest_wins
    assert forecast(weeks=52, promoted=2).best_promoted > full.best_promoted
