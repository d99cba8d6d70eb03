"""Seasons of one division for tests. Contests are single games that end without being played."""

from datetime import timedelta
from itertools import combinations

import msgspec
from django.utils import timezone

from accounts.models import User
from games.contests import pools
from games.contests.models import Entrant, League, LeagueState, Match, Pool, Season, SeasonState
from games.contests.terms.declaration import LeagueTerms
from games.tables.models import Game

WEEKS = timedelta(weeks=8)


def division_of(*people: User, organizer: User | None = None, at_once: int = 2, **terms: object) -> Pool:
    """Create a running season in which each pair meets once. No contest has begun."""
    now = timezone.now()
    declared = msgspec.to_builtins(LeagueTerms(**{"name": "Harbour League", "full": False, **terms}))
    league = League.objects.create(
        slug="harbour", name="Harbour League", ruleset="legends", terms=declared, organizer=organizer,
        state=LeagueState.OPEN, made_at=now,
    )  # fmt: skip
    season = Season.objects.create(
        league=league, number=1, terms=declared, state=SeasonState.RUNNING, opened_at=now, starts_at=now,
        ends_at=now + WEEKS, started_at=now,
    )  # fmt: skip
    pool = Pool.objects.create(season=season)
    entrants = [
        Entrant.objects.create(
            season=season, pool=pool, user=user, name=user.username, seed=n, at_once=at_once, joined_at=now
        )
        for n, user in enumerate(people, start=1)
    ]
    for n, pair in enumerate(combinations(entrants, 2), start=1):
        pools.write(pools.plan(pool, n, [pair], now + WEEKS / 2, now + WEEKS))
    return pool


def look(pool: Pool) -> bool:
    return pools.take_due_steps(pool.pk, timezone.now())


def match_of(pool: Pool, first: str, second: str) -> Match:
    of_first = Match.objects.filter(pool=pool, appearances__entrant__name=first)
    return of_first.get(appearances__entrant__name=second)


def game(pool: Pool, first: str, second: str) -> Game:
    game = match_of(pool, first, second).game
    assert game is not None
    return game


def states(pool: Pool) -> dict[str, str]:
    """Return the state of each match by the names of its players."""
    rows = Match.objects.filter(pool=pool).order_by("round", "number")
    return {pools.names_of_players(match_row): match_row.state for match_row in rows}


def sums(pool: Pool) -> dict[str, tuple[int, int, int]]:
    """Return the points, possible points and matches of each entrant."""
    rows = Entrant.objects.filter(pool=pool).order_by("seed")
    return {line.name: (line.points, line.possible, line.played) for line in rows}
