"""Leagues for the tests of their pages, started once by each worker."""

from collections.abc import Hashable

import time_machine

from accounts.models import User
from games.contests.models import Season
from games.tables.models import Game
from tests.contests.leagues import league_of, started
from tests.kept import kept_if_first


def started_league(clock: time_machine.Traveller, *people: User, **terms: Hashable) -> Season:
    """The running first season of a league of these people, at its start. It is the first league of the test."""

    def play() -> Game:
        started(league_of(*people, **terms), clock)
        return Game.objects.order_by("pk")[0]

    kept_if_first("league", people, *terms.items(), play=play)
    season = Season.objects.get()
    clock.move_to(season.starts_at)
    return season
