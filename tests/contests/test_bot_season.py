"""`manage.py season`: a season of bots, played immediately through all services."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.contests.leagues import services as seasons
from games.contests.management.commands import season as command
from games.contests.models import Badge, Entrant, League, Match, Season
from games.notices.models import Notice
from games.tables.models import Game, Seat
from games.tables.services.bots import play_bot

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def short_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seasons, "SIMULATED", 5)


def season(**chosen: object) -> str:
    out = StringIO()
    call_command("season", stdout=out, **chosen)
    return out.getvalue()


@pytest.mark.long
def test_a_season_of_bots_is_played_to_its_end():
    output = season(bots=8, division=4, single=True)
    assert Season.objects.get().state == "ended" and League.objects.get().state == "closed"
    assert list(Match.objects.values_list("state", flat=True)) == ["ended"] * 12
    assert not Game.objects.exclude(status="finished").exists() and not Game.objects.filter(rated=True).exists()
    assert sum(Entrant.objects.values_list("points", flat=True)) == 2 * 12
    assert Entrant.objects.filter(outcome="up").count() == Entrant.objects.filter(outcome="down").count() == 1
    assert not Notice.objects.exists() and not Badge.objects.exists()
    assert output.startswith("Bots 1: /leagues/bots-1/") and output.count("Random") == 8
    assert "division 1-1" in output and "division 2-1" in output and "promoted" in output


@pytest.mark.long
def test_turns_taken_by_a_worker_of_the_site_do_not_stop_the_season(monkeypatch: pytest.MonkeyPatch):
    find = command.waiting_for

    def find_too_late(match: Match) -> Seat | None:
        seat = find(match)
        assert seat is None or play_bot(game=seat.game_id, seat=seat.number)
        return seat

    monkeypatch.setattr(command, "waiting_for", find_too_late)
    season(bots=4, division=4, single=True)
    assert Season.objects.get().state == "ended"
    assert not Game.objects.exclude(status="finished").exists()


@pytest.mark.parametrize(
    ("chosen", "words"),
    [({"bots": 3}, "Only 3 players have signed up"), ({"players": 5}, "players"), ({"division": 9}, "division")],
)
def test_impossible_seasons_are_refused_with_a_reason(chosen, words):
    with pytest.raises(CommandError, match=words):
        season(single=True, **chosen)
    assert not League.objects.exists() and not Game.objects.exists() and not Match.objects.exists()
