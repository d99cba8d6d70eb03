"""The simulated season of docs/fairness.md, with few players, so that the command keeps working."""

from random import Random

import pytest
from django.db import transaction

from games.contests.leagues import services as leagues
from games.contests.models import Season
from games.tables.models import Game
from tests.bench import fairness
from tests.bench.fairness import Outcome, Player, Way


@pytest.fixture(autouse=True)
def short_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leagues, "SIMULATED", 5)


def test_everyone_who_does_not_behave_has_a_twin_of_the_same_strength_who_does() -> None:
    players = fairness.cast(5000, Random(1))
    assert len(players) == 5000
    for way, share in fairness.SHARES.items():
        of_this_way = [player for player in players if player.way == way]
        assert len(of_this_way) == 5000 * share
        assert all(players[player.twin or 0].strength == player.strength for player in of_this_way)
        assert all(players[player.twin or 0].way == Way.BEHAVES for player in of_this_way)
    partners = [(player, players[player.partner]) for player in players if player.partner is not None]
    assert len(partners) == 250 and all({player.way, other.way} == {"feeds", "is fed"} for player, other in partners)


def test_rank_correlations_share_ranks_for_ties() -> None:
    assert fairness.spearman([(1, 10), (2, 20), (3, 30)]) == pytest.approx(1)
    assert fairness.spearman([(1, 30), (2, 20), (3, 10)]) == pytest.approx(-1)
    assert fairness.spearman([(1, 1), (1, 2), (2, 3)]) == pytest.approx(0.8660254)


def test_differences_to_twins_have_an_interval() -> None:
    players = [Player(Way.STALLS, 0.5, twin=1, rating=1490), Player(Way.BEHAVES, 0.5, rating=1500)] * 2
    players[2] = Player(Way.STALLS, 0.7, twin=3, rating=1530)
    players[3] = Player(Way.BEHAVES, 0.7, rating=1520)
    outcome = Outcome(players, {}, [], {}, 1.0)
    assert fairness.against_twins(outcome, lambda player: True, lambda player: player.rating) == "+0.00 ± 19.60 (2)"
    assert fairness.against_twins(outcome, lambda player: True, lambda player: player.rating, least=0.6) == "–"


@pytest.mark.long
@pytest.mark.django_db
def test_a_season_with_few_players_is_played_to_its_end_and_equals_its_logs() -> None:
    outcome = fairness.simulate(40, 1, all_behave=False)
    assert Season.objects.get(number=1).state == "ended" and not Game.objects.filter(status="running").exists()
    assert outcome.problems == [] and outcome.disturbed["different after taking it back"] == 0
    assert outcome.disturbed["ratings changed"] > 0
    for kind in ("turns stalled", "games abandoned", "private games of partners", "replaced after vanishing"):
        assert outcome.counts[kind] > 0
    assert not [kind for kind in outcome.counts if kind.startswith("refused")]
    assert all(player.rating is not None for player in outcome.players if player.way == Way.BEHAVES)
    shown = {row.label: row.measured for row in fairness.rows(outcome, outcome)}
    assert shown["differences from a recomputation from the logs"] == "0"
    assert "abandon games in which they fall behind: rating against twins" in shown


@pytest.mark.long
@pytest.mark.django_db
def test_the_same_seed_gives_the_same_season() -> None:
    seasons = []
    for _time in range(2):
        with transaction.atomic():
            outcome = fairness.simulate(10, 1, all_behave=False)
            seasons.append([(player.rating, player.place, player.outcome) for player in outcome.players])
            transaction.set_rollback(True)
    assert seasons[0] == seasons[1]
