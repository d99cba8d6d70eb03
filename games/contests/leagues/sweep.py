"""What happens in leagues by itself: seasons start, end, and the next one opens.

Each step is a transaction under the lock of the league's row, and looks once more whether it is still to be done: so
sweeps may run at the same time, twice, or be killed anywhere. Contests begin and end with their pools (`pools.py`).
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

BATCH = 100  # seasons that one sweep takes up
WEEK = timedelta(weeks=1)
PUT_OFF = 3  # times that a start is, before the league is closed (L5)


def sweep(now: datetime) -> int:
    """Everything that is due in leagues. Returns how many steps were taken."""
    taken = _each(start, [(pk, now) for pk in _to_start(now)[:BATCH]])
    taken += _each(end, [(pk, now) for pk in _to_end()[:BATCH]])
    return taken + season_news.sweep()


def _each(step: Callable[..., bool], calls: Iterable[tuple[int, datetime]]) -> int:
    """One broken season must not stop all others."""
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
    """Running seasons in whose pools nothing is left to do."""
    busy = Pool.objects.filter(season=OuterRef("pk"), look_at__isnull=False)
    return Season.objects.filter(~Exists(busy), state=SeasonState.RUNNING).order_by("pk").values_list("pk", flat=True)


# A season opens and starts


def open_season(league: League, number: int, starts_at: datetime, now: datetime) -> Season:
    """Sign-up opens, on the terms that the league declares now. The league is locked."""
    season = Season.objects.create(
        league=league, number=number, terms=league.terms, opened_at=now, starts_at=starts_at,
        ends_at=starts_at + timedelta(weeks=league.declared.weeks),
    )  # fmt: skip
    if number > 1:
        season_news.spread(league, What.OPENED, season)
    return season


@transaction.atomic
def start(pk: int, now: datetime) -> bool:
    """Seat everybody and lay out all that is to be played; with too few, put it off. Whether either was done."""
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
    """By a week; after some times the league is closed."""
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
    """How many it takes to fill a division."""
    return min(round_robin.sizes(season.declared.players))


def need_enough(season: Season) -> None:
    signed_up, enough = len(season_start.signed_up(season)), fewest(season)
    if signed_up < enough:
        raise GameError(season_letters.too_few(signed_up, enough))


# A season ends


@transaction.atomic
def end(pk: int, now: datetime) -> bool:
    """Write places and badges down once everything is decided, and open the next season. Whether it was done."""
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
    """The league is locked. What runs is played out."""
    _give_up(league)
    season_news.spread(league, What.CLOSED)


def _give_up(league: League) -> None:
    league.seasons.filter(state=SeasonState.SIGN_UP).delete()
    league.state = LeagueState.CLOSED
    league.save(update_fields=["state"])


# Locks and days


def lock(pk: int) -> Season:
    """The season, read behind the lock of its league. There is none any more if the league was closed."""
    League.objects.select_for_update().get(seasons=pk)
    return Season.objects.select_related("league").get(pk=pk)


def noon(day: date) -> datetime:
    """Seasons start at noon by UTC, when it is the same day nearly everywhere (L2)."""
    return datetime.combine(day, time(12), tzinfo=UTC)


def first_noon(moment: datetime) -> datetime:
    """The first noon that is not before."""
    today = noon(moment.astimezone(UTC).date())
    return today if moment <= today else today + timedelta(days=1)
