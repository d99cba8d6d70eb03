"""Open leagues for tests. Their contests are single games of two players that end without being played."""

from datetime import UTC, datetime, timedelta

import msgspec
import time_machine
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.contests import interventions as organizing
from games.contests import pools
from games.contests.leagues import services as seasons
from games.contests.leagues import sweep as season_steps
from games.contests.models import (
    Appearance,
    Badge,
    Entrant,
    Intervention,
    League,
    LeagueState,
    Match,
    MatchState,
    Member,
    News,
    Pool,
    Season,
)
from games.contests.models.league import APPROVAL
from games.contests.terms.declaration import LeagueTerms
from games.notices.models import Notice
from games.tables.models import Game, Replacement, Seat
from tests.contests.ladders import ends

MONDAY = datetime(2027, 3, 1, 12, tzinfo=UTC)
START = MONDAY + timedelta(weeks=1)


def terms_of(**more: object) -> LeagueTerms:
    usual = {
        "name": "Harbour League", "ruleset": "legends", "full": False, "division": 4, "weeks": 8, "late": 2,
        "clock": "move 1d", "starts": START.date(),
    }  # fmt: skip
    return LeagueTerms(**{**usual, **more})


def league_of(*people: User, organizer: User | None = None, **terms: object) -> League:
    """Open a league without a forecast and sign these people up in order."""
    declared = terms_of(**terms)
    league = League.objects.create(
        slug="harbour",
        name=declared.name,
        ruleset=declared.ruleset,
        terms=msgspec.to_builtins(declared),
        organizer=organizer,
        state=LeagueState.OPEN,
        made_at=timezone.now(),
    )
    season_steps.open_season(league, 1, START, timezone.now())
    for user in people:
        seasons.join(league=league, user=user)
    return league


def latest(league: League) -> Season:
    return Season.objects.filter(league=league).order_by("number").reverse()[0]


def sweep() -> None:
    """Run the sweeps that run each minute."""
    tasks.sweep_pools()
    tasks.sweep_seasons()


def started(league: League, clock: time_machine.Traveller) -> Season:
    """Start the season that was open for sign-up, and its first contests."""
    season = latest(league)
    clock.move_to(season.starts_at)
    sweep()
    sweep()
    season.refresh_from_db()
    return season


def play_all(season: Season, *best: str) -> None:
    """End every contest in the order of `best`; players who are not in it follow by name."""
    while playing := list(Match.objects.filter(pool__season=season, state=MatchState.PLAYING).order_by("pk")):
        for match in playing:
            assert match.game is not None
            ends(match.game, *places(match, best))
        pools.sweep(timezone.now())


def places(match: Match, best: tuple[str, ...]) -> list[int]:
    names = list(match.appearances.order_by("seat").values_list("entrant__name", flat=True))
    order = sorted(names, key=lambda name: (best.index(name) if name in best else len(best), name))
    return [order.index(name) + 1 for name in names]


def played(season: Season, clock: time_machine.Traveller, *best: str) -> Season:
    """Play a season to its end. The next one is then open. An organizer lets the days for corrections pass."""
    play_all(season, *best)
    clock.move_to(max(timezone.now(), season.starts_at + timedelta(weeks=season.declared.late)))
    sweep()
    season.refresh_from_db()
    if season.decided_at is not None and season.ended_at is None:
        clock.shift(APPROVAL)
        sweep()
        season.refresh_from_db()
    return season


def divisions(season: Season) -> list[set[str]]:
    """Return the names in each division, from the top."""
    rows = Pool.objects.filter(season=season).order_by("tier", "number")
    return [set(pool.entrants.values_list("name", flat=True)) for pool in rows]


def standings_of(season: Season, tier: int = 1) -> list[tuple[str, int, str]]:
    """Return the name, place and outcome of each entrant of a tier."""
    rows = Entrant.objects.filter(season=season, pool__tier=tier).order_by("place", "seed")
    return list(rows.values_list("name", "place", "outcome"))


def notified(kind: str = "season") -> dict[str, list[str]]:
    """Return the titles of each person's notices, in order."""
    titles: dict[str, list[str]] = {}
    for notice in Notice.objects.filter(kind=kind).select_related("user").order_by("pk"):
        titles.setdefault(notice.user.username, []).append(notice.title)
    return titles


def accept(user: User) -> Entrant:
    """Accept the place that the user is asked to take over."""
    return organizing.accept(pk=Replacement.objects.get(user=user, answer="asked").pk, user=user)


def everything() -> list[object]:
    """Return all rows that a step could have written."""
    kinds = (League, Season, Member, Pool, Entrant, Match, Appearance, Intervention, Badge, News, Game, Seat, Notice)
    return [list(kind._default_manager.order_by("pk").values_list()) for kind in kinds]
