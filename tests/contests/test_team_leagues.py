"""Team leagues: sign-up by consent, boards by strength, match days, results, and the season that runs by itself."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.contests import corrections
from games.contests import interventions as organising
from games.contests.models import (
    Badge,
    Entrant,
    Intervention,
    Match,
    RatedPlayer,
    Score,
    Team,
    TeamInvitation,
    TeamPlayer,
)
from games.contests.pairing import teams as pure
from games.contests.pairing.teams import TeamResult
from games.contests.teams import services as teams
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotYours, Over
from games.notices.models import Notice
from tests.cast import person
from tests.contests.cups import again, everything, in_days, play, running, sweep
from tests.contests.team_leagues import TEAM_NAMES, begun, day, league, lines, player, squad, team

pytestmark = pytest.mark.django_db


@pytest.fixture
def org(db):
    return person("Olga")


def told(name):
    rows = Notice.objects.filter(user__username=name, channel="mail", kind__in=["season", "decision"])
    return list(rows.order_by("pk").values_list("title", "lead"))


# A whole season


def test_a_league_of_five_teams_plays_its_season_by_itself(org):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        row = league(org, seats=5, starts=in_days(7), reserves=1)
        for n, name in enumerate(TEAM_NAMES[:5]):
            team(row, name, 2 + n % 2)
        days = []
        while not again(row).has_ended:
            sweep(row)
            for one in running(row):
                play(one)
            if (number := again(row).round) not in days:
                days.append(number)
            clock.shift(timedelta(days=1))
            assert timezone.now().year == 2027 and timezone.now().month < 6
    row = again(row)
    assert days[-5:] == [1, 2, 3, 4, 5] and row.rounds == 5
    assert row.ended_at - row.started_at == timedelta(days=4 * 7 + 1)
    # Everyone who is earlier in the alphabet wins, so all matches end 2 – 0
    assert lines(row) == [(1, "Foxes", 8, 16), (2, "Hares", 6, 12), (3, "Newts", 4, 8), (4, "Owls", 2, 4),
                          (5, "Rooks", 0, 0)]  # fmt: skip
    assert dict(Team.objects.values_list("name", "place")) == {"Foxes": 1, "Hares": 2, "Newts": 3, "Owls": 4, "Rooks": 5}
    assert set(Badge.objects.values_list("user__username", "honour")) == {
        ("Foxes1", "tournament"), ("Foxes2", "tournament"), ("Hares1", "second"), ("Hares2", "second")
    }  # fmt: skip
    assert set(Match.objects.values_list("state", flat=True)) == {"ended"} and Match.objects.count() == 20
    titles = [title for title, _lead in told("Owls2")]
    assert titles[0] == "Harbour League: match day 1" and titles[-1] == "Harbour League has ended"
    assert sum("match day" in title for title in titles) == 5 and sum("–" in title for title in titles) == 4
