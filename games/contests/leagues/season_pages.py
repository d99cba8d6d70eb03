"""A season as its readers see it: pages of divisions, one division, and the organizer's view."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q, QuerySet

from games.contests.leagues import divisions
from games.contests.leagues.divisions import Standing
from games.contests.leagues.names import division_name
from games.contests.leagues.selectors import LISTED, may_organise
from games.contests.leagues.sweep import fewest
from games.contests.models import Entrant, Intervention, Member, Pool, Season, SeasonState
from games.errors import NotFound
from games.tables.selectors.rights import Reader, is_person

ON_A_PAGE = 30  # divisions


def find_season(slug: str, number: int) -> Season:
    """Return a season. Raises `NotFound`."""
    season = Season.objects.select_related("league__organiser").filter(league__slug=slug, number=number).first()
    if season is None:
        raise NotFound
    return season


@dataclass(frozen=True)
class Division:
    """A division in a list, with its entrants by their share of points."""

    pool: Pool
    entrants: Sequence[Entrant]
    is_mine: bool

    @property
    def name(self) -> str:
        return division_name(self.pool.tier, self.pool.number)


@dataclass(frozen=True)
class SeasonView:
    """A season. During sign-up, `signed_up` are the first of `people`; later, `divisions` are filled."""

    season: Season
    page: Page
    divisions: list[Division]
    tiers: int
    mine: Entrant | None
    interventions: Sequence[Intervention]
    signed_up: list[Member]
    people: int
    may_organise: bool


def season(*, slug: str, number: int, reader: Reader, page: str | None = None, tier: str = "") -> SeasonView:
    """Return a page of the season's divisions; with `tier`, the one where this tier starts. Raises `NotFound`."""
    found = find_season(slug, number)
    size = found.pools.aggregate(divisions=Count("pk"), tiers=Max("tier"))
    wanted = int(tier) if tier.isascii() and tier.isdigit() and len(tier) < 6 else 0
    if wanted and size["tiers"]:
        page = str(found.pools.filter(tier__lt=min(wanted, size["tiers"])).count() // ON_A_PAGE + 1)
    pages = Paginator(found.pools.order_by("tier", "number"), ON_A_PAGE)
    pages.count = size["divisions"]
    shown = pages.get_page(page)
    mine = found.entrants.filter(user=reader).select_related("pool").first() if is_person(reader) else None
    is_open = found.state == SeasonState.SIGN_UP
    members = found.league.members.filter(rests=False)
    return SeasonView(
        season=found, page=shown, divisions=_divisions(list(shown), mine), tiers=size["tiers"] or 0, mine=mine,
        interventions=divisions.interventions(found), people=_count(members) if is_open else 0,
        signed_up=list(members.select_related("user").order_by("pk")[:LISTED]) if is_open else [],
        may_organise=may_organise(found.league, reader),
    )  # fmt: skip


def _count(members: QuerySet[Member]) -> int:
    """Count the people through their index; there are few bots."""
    return members.filter(user__isnull=False).count() + members.filter(user=None).count()


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
    """Return a division's season and standings. Raises `NotFound`."""
    found = find_season(slug, number)
    pool = found.pools.filter(tier=tier, number=division).first()
    if pool is None:
        raise NotFound
    pool.season = found
    return found, divisions.standing(pool, reader, _tiers_around(found, tier))


def _tiers_around(season: Season, tier: int) -> Counter[int]:
    near = season.pools.filter(tier__in=(tier, tier + 1)).order_by()
    return Counter(dict(near.values_list("tier").annotate(n=Count("pk"))))


# The organizer's view


@dataclass(frozen=True)
class Organised:
    """A season as its organizer sees it: one running division, and a page of the league's members.

    `names` lists all divisions, unless there are too many.
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
    """Return the organizer's view. `place` names a division, as in `2-3`; the default is the first one."""
    places = list(season.pools.order_by("tier", "number").values_list("tier", "number")[: LISTED + 1])
    are_few = len(places) <= LISTED
    pool = _pool_at(season, place) or season.pools.filter(tier=1, number=1).first()
    if pool is not None:
        pool.season = season
    counted = Counter(tier for tier, _number in places) if are_few or pool is None else _tiers_around(season, pool.tier)
    people = season.league.members.filter(user__isnull=False)  # which have an index
    numbers = people.aggregate(all=Count("pk"), resting=Count("pk", filter=Q(rests=True)))
    pages = Paginator(season.league.members.select_related("user").order_by("pk"), LISTED)
    pages.count = numbers["all"] + (season.league.members.filter(user=None).count() if season.declared.bots else 0)
    return Organised(
        season, divisions.standing(pool, reader, counted) if pool else None,
        [f"{tier}-{number}" for tier, number in places] if are_few else [],
        pages.get_page(page), numbers["resting"], fewest(season),
    )  # fmt: skip


def _pool_at(season: Season, place: str) -> Pool | None:
    tier, _dash, number = place.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in (tier, number)):
        return None
    return season.pools.filter(tier=int(tier), number=int(number)).first()
