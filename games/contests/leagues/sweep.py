"""Automatic steps of leagues: seasons start, end, and the next one opens.

Each step is a transaction under the lock of the league's row, and checks again whether it is still due. So sweeps may
run at the same time, twice, or be killed anywhere. Matches start and end with their pools (`pools.py`).
"""

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.contests.leagues import news as season_news
from games.contests.leagues import news_messages as season_letters
from games.contests.leagues import season_end, season_start
from games.contests.leagues.late_entries import may_come_late
from games.contests.models import League, LeagueState, Member, Pool, Season, SeasonState, What
from games.contests.pairing import round_robin
from games.errors import GameError

logger = logging.getLogger(__name__)

BATCH = 100  # seasons per sweep
WEEK = timedelta(weeks=1)
PUT_OFF = 3  # postponements before the league is closed (L5)


def sweep(now: datetime) -> int:
    """Take all due steps of leagues. Return how many were taken."""
    taken = _each(start, [(pk, now) for pk in _to_start(now)[:BATCH]])
    taken += _each(end, [(pk, now) for pk in _to_end()[:BATCH]])
    return taken + season_news.sweep()


def _each(step: Callable[..., bool], calls: Iterable[tuple[int, datetime]]) -> int:
    """Call the step for each season, so that one broken season does not stop the others."""
    taken = 0
    for facts in calls:
        try:
            taken += step(*facts)
        except Exception:
            logger.exception("A season could not do %s%s.", step.__name__, facts)
    return taken


def _to_start(now: datetime) -> QuerySet[Season, int]:
    due = Season.objects.filter(state=SeasonState.SIGN_UP, starts_at__lte=now)
    return due.order_by("starts_at").values_list("pk", flat=True)


def _to_end() -> QuerySet[Season, int]:
    """Return running seasons whose pools have nothing left to do."""
    busy = Pool.objects.filter(season=OuterRef("pk"), look_at__isnull=False)
    return Season.objects.filter(~Exists(busy), state=SeasonState.RUNNING).order_by("pk").values_list("pk", flat=True)


# Opening and starting a season


def open_season(league: League, number: int, starts_at: datetime, now: datetime) -> Season:
    """Open sign-up with the league's current terms. The league must be locked."""
    season = Season.objects.create(
        league=league, number=number, terms=league.terms, opened_at=now, starts_at=starts_at,
        ends_at=starts_at + timedelta(weeks=league.declared.weeks),
    )  # fmt: skip
    if number > 1:
        season_news.spread(league, What.OPENED, season)
    return season


@transaction.atomic
def start(pk: int, now: datetime) -> bool:
    """Start a season: place everyone and lay out all matches. With too few players, postpone it. Return whether due."""
    season = lock(pk)
    if season.state != SeasonState.SIGN_UP or season.starts_at > now or season.league.state != LeagueState.OPEN:
        return False
    members, enough = season_start.signed_up(season), fewest(season)
    if len(members) < enough:
        _put_off(season, members, enough, now)
        return True
    left_over = season_start.seat(season, members, now)
    season.state, season.started_at = SeasonState.RUNNING, now
    season.save(update_fields=["state", "started_at"])
    for member in left_over:
        season_letters.tell_left_over(season, member)
    season_news.spread(season.league, What.BEGUN, season)
    return True


def _put_off(season: Season, members: list[Member], enough: int, now: datetime) -> None:
    """Postpone the start by a week, or close the league after several postponements."""
    if season.put_off >= PUT_OFF:
        season_letters.tell_given_up(season.league, members, enough)
        _give_up(season.league)
        return
    later = max(season.starts_at + WEEK, first_noon(now))
    season.starts_at, season.ends_at = later, season.ends_at + (later - season.starts_at)
    season.put_off += 1
    season.save(update_fields=["starts_at", "ends_at", "put_off"])
    season_letters.tell_put_off(season, members, enough)


def fewest(season: Season) -> int:
    """Return the minimum number of players, which is enough for one division."""
    return min(round_robin.sizes(season.declared.players))


def need_enough(season: Season) -> None:
    signed_up, enough = len(season_start.signed_up(season)), fewest(season)
    if signed_up < enough:
        raise GameError(season_letters.too_few(signed_up, enough))


# Ending a season


@transaction.atomic
def end(pk: int, now: datetime) -> bool:
    """End a season once all matches are decided, and open the next one. Return whether it ended."""
    season = lock(pk)
    if season.state != SeasonState.RUNNING or may_come_late(season, now) or not season_end.is_decided(season):
        return False
    season_end.write(season, now)
    season.state, season.ended_at = SeasonState.ENDED, now
    season.save(update_fields=["state", "ended_at"])
    league = season.league
    if league.state == LeagueState.OPEN:
        starts_at = first_noon(now + timedelta(weeks=league.declared.pause))
        open_season(league, season.number + 1, starts_at, now)
    season_news.spread(league, What.ENDED, season)
    return True


def close(league: League) -> None:
    """Close the league. A running season continues. The league must be locked."""
    _give_up(league)
    season_news.spread(league, What.CLOSED)


def _give_up(league: League) -> None:
    league.seasons.filter(state=SeasonState.SIGN_UP).delete()
    league.state = LeagueState.CLOSED
    league.save(update_fields=["state"])


# Locks and days


def lock(pk: int) -> Season:
    """Lock the league and return the season as read after that. Raises if it was deleted because the league closed."""
    League.objects.select_for_update().get(seasons=pk)
    return Season.objects.select_related("league").get(pk=pk)


def noon(day: date) -> datetime:
    """Return noon UTC of the day, when it is the same day nearly everywhere (L2)."""
    return datetime.combine(day, time(12), tzinfo=UTC)


def first_noon(moment: datetime) -> datetime:
    """Return the first noon that is not before the moment."""
    today = noon(moment.astimezone(UTC).date())
    return today if moment <= today else today + timedelta(days=1)
