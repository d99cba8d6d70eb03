"""Leagues as their readers see them: which there are, the home of one, its seasons.

A season of twenty thousand players costs what a season of six costs: divisions come in pages, and on its home only the
reader's own one is worked out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.core.paginator import Page, Paginator
from django.db.models import Count, IntegerField, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.leagues.crosstable import TIE_BREAKS, TieBreak
from games.leagues.models import Act, Entrant, League, LeagueState, Member, Pool, Season, SeasonState
from games.leagues.names import division_name
from games.leagues.season_late import may_come_late
from games.leagues.season_steps import fewest
from games.leagues.simulation import Forecast
from games.leagues.terms import Terms
from games.selectors import divisions
from games.selectors.divisions import Standing
from games.selectors.rights import Reader, is_person
from games.services.errors import NotFound

LISTED = 100  # leagues
SEASONS = 60  # that an archive shows
TIERS = 12  # that a home names
ON_A_PAGE = 30  # divisions


def find(slug: str, reader: Reader) -> League:
    """Raises `NotFound`, also for those who may not see a draft."""
    league = _counted().select_related("organiser").filter(slug=slug).first()
    if league is None or (league.state == LeagueState.DRAFT and not may_organise(league, reader)):
        raise NotFound
    return league


def find_season(slug: str, number: int) -> Season:
    """Raises `NotFound`."""
    season = Season.objects.select_related("league__organiser").filter(league__slug=slug, number=number).first()
    if season is None:
        raise NotFound
    return season


def may_organise(league: League, reader: Reader) -> bool:
    return is_person(reader) and (reader.is_staff or league.organiser_id == reader.pk)


# Which there are


@dataclass(frozen=True)
class Listed:
    """`season` is the one that runs or takes sign-ups; drafts and closed leagues have none."""

    league: League
    season: Season | None
    members: int

    @property
    def is_running(self) -> bool:
        return self.season is not None and self.season.state == SeasonState.RUNNING


@dataclass(frozen=True)
class Leagues:
    """`mine` are those that the reader belongs to or organises."""

    mine: list[Listed]
    open: list[Listed]
    running: list[Listed]


def leagues(reader: Reader) -> Leagues:
    mine: list[Listed] = []
    if is_person(reader):
        concerning = Q(organiser=reader) | Q(pk__in=Member.objects.filter(user=reader).values("league"))
        mine = [_listed(one) for one in _leagues().filter(concerning).order_by("state", "name")[:LISTED]]
    shown = _leagues().filter(state=LeagueState.OPEN).exclude(pk__in=[one.league.pk for one in mine])
    others = [_listed(one) for one in shown.order_by("-pk")[:LISTED]]
    return Leagues(mine, [one for one in others if not one.is_running], [one for one in others if one.is_running])


def _leagues() -> QuerySet[League]:
    """With the seasons that have not ended."""
    current = Prefetch("seasons", Season.objects.exclude(state=SeasonState.ENDED), to_attr="current")
    return _counted().prefetch_related(current)


def _counted() -> QuerySet[League]:
    """Each with how many `people` belong to it."""
    members = Member.objects.filter(league=OuterRef("pk")).order_by().values("league")
    counted = Subquery(members.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    return League.objects.annotate(people=Coalesce(counted, 0))


def _listed(league: Any) -> Listed:
    """Of what `_leagues` has found."""
    return Listed(league, league.current[0] if league.current else None, league.people)


# The home of one


@dataclass(frozen=True)
class Ended:
    """A season in the archive, and who won its first tier."""

    season: Season
    champions: list[Entrant]


@dataclass(frozen=True)
class Home:
    """`standing` is the reader's division, or the first one. `tiers` are numbers, each with how many divisions it has.

    `forecast` is null where none was made.
    """

    listed: Listed
    forecast: Forecast | None
    member: Member | None
    standing: Standing | None
    tiers: list[tuple[int, int]]
    archive: list[Ended]
    may_organise: bool

    @property
    def league(self) -> League:
        return self.listed.league

    @property
    def season(self) -> Season | None:
        return self.listed.season

    @property
    def plays(self) -> bool:
        """Whether the reader plays in the season that runs."""
        row = self.standing.mine if self.standing else None
        return row is not None and not row.is_out

    @property
    def first_tiers(self) -> list[tuple[int, int]]:
        return self.tiers[:TIERS]

    @property
    def declared(self) -> Terms:
        """For the seasons to come."""
        return self.league.declared

    @property
    def is_later(self) -> bool:
        """Whether what is declared now does not hold for the season that is open or running."""
        return self.season is not None and self.season.terms != self.league.terms

    @property
    def tie_breaks(self) -> list[TieBreak]:
        return [TIE_BREAKS[name] for name in self.declared.tie_breaks]

    @property
    def unplayed(self) -> float:
        """The share of contests that are not played by people to the end, by the forecast."""
        return self.forecast.annulled + self.forecast.by_bot if self.forecast else 0

    @property
    def lacks(self) -> int:
        """How many have to sign up still so that the season can start."""
        return max(fewest(self.season) - self.listed.members, 0) if self.season and not self.listed.is_running else 0

    @property
    def late_until(self) -> datetime | None:
        """Until when one can join the season that runs."""
        season = self.season
        if season is None or season.started_at is None or not may_come_late(season, timezone.now()):
            return None
        return late_until(season)


def late_until(season: Season) -> datetime:
    assert season.started_at is not None
    return season.started_at + timedelta(weeks=season.declared.late)


def home(*, slug: str, reader: Reader) -> Home:
    """Raises `NotFound`."""
    league: Any = find(slug, reader)
    seasons = _seasons(league)
    current = next((one.season for one in seasons if one.season.state != SeasonState.ENDED), None)
    listed, person = Listed(league, current, league.people), reader if is_person(reader) else None
    tiers, pool = _tiers(current, person) if current and listed.is_running else (Counter[int](), None)
    return Home(
        listed=listed,
        forecast=msgspec.convert(league.forecast, Forecast) if league.forecast else None,
        member=Member.objects.filter(league=league, user=person).first() if person else None,
        standing=divisions.standing(pool, reader, tiers) if pool else None,
        tiers=sorted(tiers.items()),
        archive=[one for one in seasons if one.season.state == SeasonState.ENDED],
        may_organise=may_organise(league, reader),
    )


def _seasons(league: League) -> list[Ended]:
    """The latest first, with those who won; nobody has as long as one runs."""
    first = Entrant.objects.filter(pool__tier=1, place=1, left_at=None).select_related("user").order_by("seed")
    rows = league.seasons.order_by("-number").prefetch_related(Prefetch("entrants", first, to_attr="champions"))
    return [Ended(season, season.champions) for season in rows[: SEASONS + 1]]


def _tiers(season: Season, person: Any = None) -> tuple[Counter[int], Pool | None]:
    """How many divisions each tier has, and the division of that person, or else the first one. With one query."""
    mine = Q(pk__in=Entrant.objects.filter(season=season, user=person).values("pool")) if person else Q(pk=None)
    rows = (
        season.pools.order_by("-tier")
        .values_list("tier")
        .annotate(n=Count("pk"), my_pk=Max("pk", filter=mine), my_number=Max("number", filter=mine), first=Min("pk"))
    )
    pool = None
    for tier, _divisions, my_pk, my_number, first in rows:
        if my_pk or (tier == 1 and pool is None):
            pool = Pool(pk=my_pk or first, season=season, tier=tier, number=my_number or 1)
    return Counter({tier: number for tier, number, *_others in rows}), pool


# A season


@dataclass(frozen=True)
class Division:
    """A division in a list: who plays there, those first who have the most of their points."""

    pool: Pool
    entrants: Sequence[Entrant]
    is_mine: bool

    @property
    def name(self) -> str:
        return division_name(self.pool.tier, self.pool.number)


@dataclass(frozen=True)
class SeasonView:
    """As long as it takes sign-ups, `signed_up` are those who came first, of `people`. Later there are `divisions`."""

    season: Season
    page: Page
    divisions: list[Division]
    tiers: int
    mine: Entrant | None
    acts: Sequence[Act]
    signed_up: list[Member]
    people: int
    may_organise: bool


def season(*, slug: str, number: int, reader: Reader, page: str | None = None, tier: str = "") -> SeasonView:
    """A page of its divisions; with `tier`, that on which this one begins. Raises `NotFound`."""
    found = find_season(slug, number)
    (tiers, _pool), wanted = _tiers(found), int(tier) if tier.isascii() and tier.isdigit() and len(tier) < 6 else 0
    if wanted:
        page = str(sum(n for one, n in tiers.items() if one < min(wanted, max(tiers, default=1))) // ON_A_PAGE + 1)
    pages = Paginator(found.pools.order_by("tier", "number"), ON_A_PAGE)
    pages.count = tiers.total()
    shown = pages.get_page(page)
    mine = (
        Entrant.objects.filter(season=found, user=reader).select_related("pool").first() if is_person(reader) else None
    )
    signed_up = found.league.members.filter(rests=False).select_related("user").order_by("joined_at", "pk")
    is_open = found.state == SeasonState.SIGN_UP
    return SeasonView(
        season=found, page=shown, divisions=_divisions(list(shown), mine), tiers=max(tiers, default=0), mine=mine,
        acts=divisions.acts(found), signed_up=list(signed_up[:LISTED]) if is_open else [],
        people=signed_up.count() if is_open else 0,
        may_organise=may_organise(found.league, reader),
    )  # fmt: skip


def _divisions(pools: list[Pool], mine: Entrant | None) -> list[Division]:
    by_pool: dict[int, list[Entrant]] = {pool.pk: [] for pool in pools}
    for entrant in Entrant.objects.filter(pool__in=pools).order_by("seed", "pk"):
        assert entrant.pool_id is not None
        by_pool[entrant.pool_id].append(entrant)
    my_pool = mine.pool_id if mine else None
    return [Division(pool, sorted(by_pool[pool.pk], key=_rank), pool.pk == my_pool) for pool in pools]


def _rank(entrant: Entrant) -> tuple[int, bool, float]:
    return entrant.place or 0, entrant.left_at is not None, -entrant.points / max(entrant.possible, 1)


def division(*, slug: str, number: int, tier: int, division: int, reader: Reader) -> tuple[Season, Standing]:
    """Raises `NotFound`."""
    found = find_season(slug, number)
    pool = found.pools.filter(tier=tier, number=division).first()
    if pool is None:
        raise NotFound
    pool.season = found
    return found, divisions.standing(pool, reader, _tiers_around(found, tier))


def _tiers_around(season: Season, tier: int) -> Counter[int]:
    near = season.pools.filter(tier__in=(tier, tier + 1)).order_by()
    return Counter(dict(near.values_list("tier").annotate(n=Count("pk"))))


# For its organiser


@dataclass(frozen=True)
class Organised:
    """A season in the hands of its organiser: a division of it that runs, and a page of the league's members.

    `names` are those of all divisions, as long as they can be listed.
    """

    season: Season
    standing: Standing | None
    names: list[str]
    members: Page
    resting: int
    enough: int

    @property
    def is_open(self) -> bool:
        return self.season.state == SeasonState.SIGN_UP

    @property
    def is_running(self) -> bool:
        return self.season.state == SeasonState.RUNNING

    @property
    def signed_up(self) -> int:
        return self.members.paginator.count - self.resting


def organised(*, season: Season, reader: Reader, place: str = "", page: str | None = None) -> Organised:
    """`place` is a division as `2-3`; the first one where there is none of that name."""
    tiers, first = _tiers(season)
    pool = _pool_at(season, place) or first
    members = season.league.members.select_related("user").order_by("joined_at", "pk")
    is_listed = tiers.total() <= LISTED
    names = [f"{tier}-{n}" for tier in sorted(tiers) for n in range(1, tiers[tier] + 1)] if is_listed else []
    return Organised(
        season, divisions.standing(pool, reader, tiers) if pool else None, names,
        Paginator(members, LISTED).get_page(page), season.league.members.filter(rests=True).count(), fewest(season),
    )  # fmt: skip


def _pool_at(season: Season, place: str) -> Pool | None:
    tier, _dash, number = place.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in (tier, number)):
        return None
    pool = season.pools.filter(tier=int(tier), number=int(number)).first()
    if pool is not None:
        pool.season = season
    return pool
