"""Automatic steps of leagues: seasons start, end, and the next one opens.

Each step is a transaction under the lock of the league's row, and checks again whether it is still due. So sweeps may
run at the same time, twice, or be killed anywhere. Matches start and end with their pools (`pools.py`).
"""

import logging
from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from operator import attrgetter, itemgetter

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.contests.leagues import badges, entrants, news
from games.contests.leagues.divisions import rank
from games.contests.leagues.placement import who_moves
from games.contests.models import (
    Appearance,
    Entrant,
    League,
    LeagueState,
    Match,
    MatchState,
    Member,
    NewsKind,
    Pool,
    Season,
    SeasonOutcome,
    SeasonState,
)
from games.contests.models.league import APPROVAL
from games.contests.models.pools import UNDECIDED
from games.contests.pairing import round_robin
from games.contests.pairing.crosstable import Result
from games.contests.terms.declaration import LeagueTerms
from games.contests.webhooks import outbox as webhooks

logger = logging.getLogger(__name__)

BATCH = 100  # seasons per sweep
WEEK = timedelta(weeks=1)
PUT_OFF = 3  # postponements before the league is closed (L5)


def sweep(now: datetime) -> int:
    """Take all due steps of leagues. Return how many were taken."""
    to_start = Season.objects.filter(state=SeasonState.SIGN_UP, starts_at__lte=now).order_by("starts_at")
    busy = Pool.objects.filter(season=OuterRef("pk"), look_at__isnull=False)  # pools with something left to do
    checked = Q(decided_at=None) | Q(decided_at__lte=now - APPROVAL)
    to_end = Season.objects.filter(~Exists(busy), checked, state=SeasonState.RUNNING).order_by("pk")
    taken = 0
    for step, seasons in ((start, to_start), (end, to_end)):
        for pk in seasons.values_list("pk", flat=True)[:BATCH]:
            try:
                taken += step(pk, now)
            except Exception:  # one broken season must not stop the others
                logger.exception("A season could not do %s%s.", step.__name__, (pk, now))
    return taken + news.sweep()


# Opening and starting a season


def open_season(league: League, number: int, starts_at: datetime, now: datetime) -> Season:
    """Open sign-up with the league's current terms. The league must be locked."""
    season = Season.objects.create(
        league=league, number=number, terms=league.terms, opened_at=now, starts_at=starts_at,
        ends_at=starts_at + timedelta(weeks=league.declared.weeks),
    )  # fmt: skip
    if number > 1:
        news.spread(league, NewsKind.OPENED, season)
    return season


@transaction.atomic
def start(pk: int, now: datetime) -> bool:
    """Start a season: place everyone and lay out all matches. With too few players, postpone it. Return whether due."""
    season = lock(pk)
    if season.state != SeasonState.SIGN_UP or season.starts_at > now or season.league.state != LeagueState.OPEN:
        return False
    (members, left_out), enough = entrants.ready(season), fewest(season)
    if len(members) < enough and season.put_off >= PUT_OFF:
        news.tell_given_up(season.league, members, enough)
        _cancel_and_close(season.league)
        return True
    if len(members) < enough:
        later = max(season.starts_at + WEEK, first_noon(now))
        season.starts_at, season.ends_at = later, season.ends_at + (later - season.starts_at)
        season.put_off += 1
        season.save(update_fields=["starts_at", "ends_at", "put_off"])
        news.tell_put_off(season, members, enough, len(left_out))
        return True
    left_over = entrants.place_all(season, members, now)
    for member, lacks in left_out:
        news.tell_left_out(season, member, lacks)
    news.tell_organizer_left_out(season, len(left_out))
    season.state, season.started_at = SeasonState.RUNNING, now
    season.save(update_fields=["state", "started_at"])
    for member in left_over:
        news.tell_left_over(season, member)
    news.spread(season.league, NewsKind.BEGUN, season)
    webhooks.season_started(season)
    return True


def sign_up_terms(league: League) -> LeagueTerms:
    """Return the terms of the season that people sign up for: the one that is open for it, or the one after this."""
    season = league.seasons.filter(state=SeasonState.SIGN_UP).first()
    return season.declared if season else league.declared


def fewest(season: Season) -> int:
    """Return the minimum number of players, which is enough for one division."""
    return min(round_robin.sizes(season.declared.players))


# Ending a season


@transaction.atomic
def end(pk: int, now: datetime, *, approved: bool = False) -> bool:
    """End a season once all matches are decided, and open the next one. Return whether it ended.

    A season with an organizer waits until they have approved its results, or for three days. Corrections start these
    days again.
    """
    season = lock(pk)
    if season.state != SeasonState.RUNNING or entrants.may_join_late(season, now):
        return False
    list(season.pools.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    if Match.objects.filter(pool__season=season, state__in=UNDECIDED).exists():
        return False
    season.refresh_from_db(fields=["decided_at"])  # corrections change it under the lock of a pool
    if season.league.organizer_id is not None and not approved:
        if season.decided_at is None:
            season.decided_at = now
            season.save(update_fields=["decided_at"])
            news.tell_decided(season, now + APPROVAL)
        if now < season.decided_at + APPROVAL:
            return False
    badges.award(season, _write_results(season), now)
    season.pools.update(ended_at=now, look_at=None)
    season.state, season.ended_at = SeasonState.ENDED, now
    season.save(update_fields=["state", "ended_at"])
    webhooks.season_ended(season)
    league = season.league
    if league.state == LeagueState.OPEN:
        starts_at = first_noon(now + timedelta(weeks=league.declared.pause))
        open_season(league, season.number + 1, starts_at, now)
    news.spread(league, NewsKind.ENDED, season)
    return True


def _write_results(season: Season) -> list[Entrant]:
    """Save places, promotions and relegations, and the tiers of members. Return the entrants with their pools."""
    # 1. Read the divisions from the top with their entrants, and the results that count
    divisions: dict[Pool, list[Entrant]] = {pool: [] for pool in season.pools.order_by("tier", "number")}
    by_pk = {pool.pk: pool for pool in divisions}
    for entrant in Entrant.objects.filter(season=season, pool__isnull=False).order_by("seed", "pk"):
        assert entrant.pool_id is not None
        entrant.pool = by_pk[entrant.pool_id]
        divisions[entrant.pool].append(entrant)
    results: dict[int, list[Result]] = defaultdict(list)  # by pool
    counted = Appearance.objects.filter(match__pool__season=season, match__state=MatchState.ENDED)
    rows = counted.order_by("match", "seat").values_list("match", "match__pool", "entrant", "place", "score")
    for (_match, in_pool), appearances in groupby(rows, key=itemgetter(0, 1)):
        results[in_pool].append(Result(*zip(*(appearance[2:] for appearance in appearances), strict=True)))

    # 2. Rank each division, and decide the outcomes of each tier
    terms = season.declared
    tiers = [list(of_tier) for _tier, of_tier in groupby(divisions, key=attrgetter("tier"))]
    by_place_and_outcome: dict[tuple[int, SeasonOutcome], list[int]] = defaultdict(list)  # primary keys of entrants
    for number, pools in enumerate(tiers, start=1):
        ranked = [rank(divisions[pool], results[pool.pk], terms.tie_breaks) for pool in pools]
        below = len(tiers[number]) if number < len(tiers) else 0
        orders = [[line.entrant for line in lines] for lines in ranked]
        moves = who_moves(orders, terms, tier=number, below=below)
        outcomes = dict.fromkeys(moves.up, SeasonOutcome.UP) | dict.fromkeys(moves.down, SeasonOutcome.DOWN)
        places = {line.entrant: line.place for lines in ranked for line in lines}
        for entrant in (entrant for pool in pools for entrant in divisions[pool]):
            entrant.place = places[entrant.pk]
            entrant.outcome = SeasonOutcome.OUT if entrant.left_at else outcomes.get(entrant.pk, SeasonOutcome.STAYS)
            by_place_and_outcome[entrant.place, entrant.outcome].append(entrant.pk)

    # 3. Save them, with one statement for all entrants who share both, and the tier that each member has played in
    for (place, outcome), numbers in by_place_and_outcome.items():
        for chunk in entrants.chunks(numbers):
            Entrant.objects.filter(pk__in=chunk).update(place=place, outcome=outcome)
    final = [entrant for of_pool in divisions.values() for entrant in of_pool]
    tier_of = {entrants.key_of(entrant): entrant.pool.tier for entrant in final if entrant.pool is not None}
    members: dict[int, list[int]] = defaultdict(list)
    for member in Member.objects.filter(league=season.league).only("pk", "user", "name"):
        if tier := tier_of.get(entrants.key_of(member)):
            members[tier].append(member.pk)
    for tier, numbers in members.items():
        for chunk in entrants.chunks(numbers):
            Member.objects.filter(pk__in=chunk).update(tier=tier)
    return final


def close(league: League) -> None:
    """Close the league. A running season continues. The league must be locked."""
    _cancel_and_close(league)
    news.spread(league, NewsKind.CLOSED)


def _cancel_and_close(league: League) -> None:
    league.seasons.filter(state=SeasonState.SIGN_UP).delete()
    league.state = LeagueState.CLOSED
    league.save(update_fields=["state"])


# Locks and days


def lock(pk: int) -> Season:
    """Lock the league, then read and return the season. Raises if it was deleted because the league closed."""
    League.objects.select_for_update(of=("self",)).get(seasons=pk)  # rows about the season can be added meanwhile
    return Season.objects.select_related("league").get(pk=pk)


def noon(day: date) -> datetime:
    """Return noon UTC of the day, when it is the same day nearly everywhere (L2)."""
    return datetime.combine(day, time(12), tzinfo=UTC)


def first_noon(moment: datetime) -> datetime:
    """Return the first noon that is not before the moment."""
    today = noon(moment.astimezone(UTC).date())
    return today if moment <= today else today + timedelta(days=1)
