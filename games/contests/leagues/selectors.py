"""Leagues as their readers see them: the list, the home of a league, its seasons and divisions, the organizer's view.

A season of twenty thousand players needs no more queries than one of six: divisions are paged, and the home only
computes the reader's own one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.core.paginator import Page, Paginator
from django.db.models import Count, IntegerField, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.http import whole_number
from accounts.models import User
from games.contests import interventions
from games.contests.gates.conditions import Gate, gate, pairs_apart
from games.contests.leagues import divisions
from games.contests.leagues.decisions import arrangement
from games.contests.leagues.divisions import DivisionStandings, division_name
from games.contests.leagues.entrants import allows_bots, late_until, may_join_late, taking_part
from games.contests.leagues.forecast import Forecast
from games.contests.leagues.sweep import fewest
from games.contests.matches.selectors import MatchLine, match_lines
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    League,
    LeagueState,
    Member,
    Pool,
    Season,
    SeasonState,
)
from games.contests.organizers import Right, may_organize
from games.contests.organizing.selectors import OrganizerTexts, ShownOrganizers, organizer_texts, shown_organizers
from games.contests.terms.declaration import LeagueTerms
from games.errors import NotFound
from games.tables.selectors.rights import Reader, is_person

LISTED = 100  # leagues
SEASONS = 60  # seasons in the archive
TIERS = 12  # tiers named on a home
ON_A_PAGE = 30  # divisions


def find(slug: str, reader: Reader) -> League:
    """Return a league. Raises `NotFound`, also for unpublished leagues of others."""
    rows = _counted().select_related("organizer").annotate(apart=pairs_apart("league"))
    league = rows.filter(slug=slug).first()
    if league is None or (league.state == LeagueState.DRAFT and not may_organize(league, reader)):
        raise NotFound
    return league


# The list


@dataclass(frozen=True)
class Listed:
    """A league in a list. `season` is running or open for sign-up; unpublished and closed leagues have none."""

    league: League
    season: Season | None
    members: int

    @property
    def is_running(self) -> bool:
        return self.season is not None and self.season.state == SeasonState.RUNNING

    @property
    def terms(self) -> LeagueTerms:
        """Return the terms of the season, or those of future seasons if there is none."""
        return self.season.declared if self.season else self.league.declared


@dataclass(frozen=True)
class Leagues:
    """The list of leagues. `mine` are those in which the reader is a member, or which they organize."""

    mine: list[Listed]
    open: list[Listed]
    running: list[Listed]


def leagues(reader: Reader) -> Leagues:
    mine: list[Listed] = []
    if is_person(reader):
        concerning = Q(organizer=reader) | Q(pk__in=Member.objects.filter(user=reader).values("league"))
        mine = [_listed(league) for league in _leagues().filter(concerning).order_by("state", "name")[:LISTED]]
    shown = _leagues().filter(state=LeagueState.OPEN).exclude(pk__in=[entry.league.pk for entry in mine])
    others = [_listed(league) for league in shown.order_by("-pk")[:LISTED]]
    running = [entry for entry in others if entry.is_running]
    return Leagues(mine, [entry for entry in others if not entry.is_running], running)


def _leagues() -> QuerySet[League]:
    """Return leagues with their seasons that have not ended."""
    current = Prefetch("seasons", Season.objects.exclude(state=SeasonState.ENDED), to_attr="current")
    return _counted().prefetch_related(current)


def _counted() -> QuerySet[League]:
    """Annotate leagues with their numbers of members: `people`, which has an index, and `machines`."""
    of_league = Member.objects.filter(league=OuterRef("pk")).order_by().values("league")
    return League.objects.annotate(
        people=_number_of(of_league.filter(user__isnull=False)), machines=_number_of(of_league.filter(user=None))
    )


def _number_of(rows: QuerySet[Any, Any]) -> Coalesce:
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0)


def _listed(league: Any) -> Listed:
    """Return a list entry for a league from `_leagues`."""
    return Listed(league, league.current[0] if league.current else None, league.people + league.machines)


# The home


@dataclass(frozen=True)
class Ended:
    """A season in the archive, and the winners of its first tier."""

    season: Season
    champions: list[Entrant]


class Tiers(NamedTuple):
    """How many `divisions` tiers have: the first ones, that of `pool`, and the one below it.

    `last` is the lowest tier. `pool` is the reader's division, or else the first one.
    """

    divisions: Counter[int] = Counter()
    last: int = 0
    pool: Pool | None = None

    @property
    def first(self) -> list[tuple[int, int]]:
        return [(tier, number) for tier, number in sorted(self.divisions.items()) if tier <= TIERS]


@dataclass(frozen=True)
class Home:
    """The home of a league. `standings` is the reader's division, or the first one. `forecast` may be None.

    `kept_out`: the kind of intervention that keeps the reader out of the league or of the season that is open for
    sign-up, empty if there is none.
    """

    listed: Listed
    forecast: Forecast | None
    member: Member | None
    standings: DivisionStandings | None
    tiers: Tiers
    archive: list[Ended]
    organizers: ShownOrganizers
    gate: Gate
    written: OrganizerTexts
    kept_out: str
    signed_up: int  # how many take part in a season that is open for sign-up, at most as many as it needs

    @property
    def league(self) -> League:
        return self.listed.league

    @property
    def may_organize(self) -> bool:
        return bool(self.organizers.rights)

    @property
    def season(self) -> Season | None:
        return self.listed.season

    @property
    def plays(self) -> bool:
        """Whether the reader plays in the running season."""
        row = self.standings.my_row if self.standings else None
        return row is not None and not row.is_out

    @property
    def is_banned(self) -> bool:
        return self.kept_out == InterventionKind.BANNED

    @property
    def terms(self) -> LeagueTerms:
        """Return the terms of the current season, or those of future seasons if there is none."""
        return self.listed.terms

    @property
    def later_terms(self) -> LeagueTerms | None:
        """Return the terms of future seasons if they differ from those of the current one."""
        later = self.league.declared
        return None if later.plays_like(self.terms) else later

    @property
    def unplayed(self) -> float:
        """Return the forecast share of matches that people do not play to the end."""
        return self.forecast.annulled + self.forecast.by_bot if self.forecast else 0

    @property
    def lacks(self) -> int:
        """Return how many more players are needed to start the season."""
        return max(fewest(self.season) - self.signed_up, 0) if self.season and not self.listed.is_running else 0

    @property
    def late_until(self) -> datetime | None:
        """Return until when players can join the running season."""
        season = self.season
        return late_until(season) if season and may_join_late(season, timezone.now()) else None


def home(*, slug: str, reader: Reader, invite: str = "") -> Home:
    """Return the home of a league. `invite` is the token of the invitation link. Raises `NotFound`."""
    league: Any = find(slug, reader)
    top = Pool.objects.filter(season__league=league, tier=1)
    first = Entrant.objects.filter(pool__in=top, place=1, left_at=None).select_related("user").order_by("seed")
    rows = league.seasons.order_by("-number").prefetch_related(Prefetch("entrants", first, to_attr="champions"))
    seasons = list(rows[: SEASONS + 1])
    current = next((past for past in seasons if past.state != SeasonState.ENDED), None)
    listed, person = Listed(league, current, league.people + league.machines), reader if is_person(reader) else None
    tiers = _tiers(current, person) if current and listed.is_running else Tiers()
    member = Member.objects.filter(league=league, user=person).first() if person else None
    organizers = shown_organizers(league, reader)
    terms = current.declared if current and not listed.is_running else league.declared  # of the next season to start
    standings = divisions.standings(tiers.pool, reader, tiers.divisions) if tiers.pool else None
    plays = standings is not None and standings.my_row is not None and not standings.my_row.is_out
    return Home(
        listed=listed,
        forecast=msgspec.convert(league.forecast, Forecast) if league.forecast else None,
        member=member,
        standings=standings,
        tiers=tiers,
        archive=[Ended(past, past.champions) for past in seasons if past.state == SeasonState.ENDED],
        organizers=organizers,
        gate=gate(
            league,
            terms,
            reader,
            is_organizer=bool(organizers.rights),
            has_entered=member is not None,
            apart=league.apart,
            token=invite,
        ),
        written=organizer_texts(league),
        kept_out=_kept_out(league, current, person) if person and not plays else "",
        signed_up=taking_part(current)[: fewest(current)].count() if current and not listed.is_running else 0,
    )


def _kept_out(league: League, season: Season | None, person: User) -> str:
    """Return the kind of intervention that keeps a person out of the league or the season to come."""
    if season is not None and season.state == SeasonState.SIGN_UP:
        return interventions.out_of(season, person).get(person.pk, "")
    return InterventionKind.BANNED if interventions.is_banned(league, person) else ""


def _tiers(season: Season, person: Any) -> Tiers:
    """Return the tiers of a season, with one query."""
    my_entrants = Entrant.objects.filter(season=season, user=person) if person else Entrant.objects.none()
    tier, is_mine = Subquery(my_entrants.values("pool__tier")[:1]), Q(pk__in=my_entrants.values("pool"))
    near = Q(tier__lte=TIERS) | Q(tier=tier) | Q(tier=tier + 1)
    last = season.pools.order_by("-tier").values("tier")[:1]
    rows = list(
        season.pools.filter(near)
        .order_by("-tier")
        .values("tier")
        .annotate(n=Count("pk"), my_pk=Max("pk", filter=is_mine), my_number=Max("number", filter=is_mine))
        .annotate(first=Min("pk"), last=Subquery(last))
    )
    shown = next((row for row in rows if row["my_pk"]), rows[-1] if rows else None)
    if shown is None:
        return Tiers()
    number = {"pk": shown["my_pk"] or shown["first"], "number": shown["my_number"] or 1}
    pool = Pool(season=season, tier=shown["tier"], **number)
    return Tiers(Counter({row["tier"]: row["n"] for row in rows}), shown["last"], pool)


# Seasons and divisions


def find_season(slug: str, number: int) -> Season:
    """Return a season. Raises `NotFound`."""
    season = Season.objects.select_related("league__organizer").filter(league__slug=slug, number=number).first()
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
    """A season. During sign-up, `signed_up` are the first of `people`; later, `divisions` are filled.

    `has_signed_up`: the reader is one of these people. `is_kept_out`: an intervention keeps the reader out.
    """

    season: Season
    page: Page
    divisions: list[Division]
    tiers: int
    my_entrant: Entrant | None
    interventions: Sequence[Intervention]
    signed_up: list[Member]
    people: int
    has_signed_up: bool
    is_kept_out: bool
    may_organize: bool


def season(*, slug: str, number: int, reader: Reader, page: str | None = None, tier: str = "") -> SeasonView:
    """Return a page of the season's divisions; with `tier`, the one where this tier starts. Raises `NotFound`."""
    season = find_season(slug, number)
    totals = season.pools.aggregate(divisions=Count("pk"), tiers=Max("tier"))
    wanted = whole_number(tier, digits=5)
    if wanted and totals["tiers"]:
        page = str(season.pools.filter(tier__lt=min(wanted, totals["tiers"])).count() // ON_A_PAGE + 1)
    pages = Paginator(season.pools.order_by("tier", "number"), ON_A_PAGE)
    pages.count = totals["divisions"]
    shown = pages.get_page(page)
    by_pool: dict[int | None, list[Entrant]] = {pool.pk: [] for pool in shown}
    for entrant in Entrant.objects.filter(pool__in=list(shown)).order_by("seed", "pk"):
        by_pool[entrant.pool_id].append(entrant)
    for entrants in by_pool.values():
        entrants.sort(key=_order)
    my_entrant = season.entrants.filter(user=reader).select_related("pool").first() if is_person(reader) else None
    my_pool = my_entrant.pool_id if my_entrant else None

    people, signed_up, has_signed_up, is_kept_out = 0, list[Member](), False, False
    if season.state == SeasonState.SIGN_UP:
        is_kept_out = is_person(reader) and bool(interventions.out_of(season, reader))
        members = taking_part(season)
        # People are counted through their index; there are few bots
        people = members.filter(user__isnull=False).count() + members.filter(user=None).count()
        signed_up = list(members.select_related("user").order_by("pk")[:LISTED])
        has_signed_up = is_person(reader) and members.filter(user=reader).exists()
    return SeasonView(
        season=season, page=shown, tiers=totals["tiers"] or 0, my_entrant=my_entrant,
        interventions=divisions.interventions(season),
        divisions=[Division(pool, by_pool[pool.pk], pool.pk == my_pool) for pool in shown],
        people=people, signed_up=signed_up, has_signed_up=has_signed_up, is_kept_out=is_kept_out,
        may_organize=may_organize(season.league, reader, Right.DECIDE),
    )  # fmt: skip


def _order(entrant: Entrant) -> tuple[int, bool, float]:
    """Return a sort key for the entrants of a division: by place, or before there are places, by share of points."""
    return entrant.place or 0, entrant.left_at is not None, -entrant.points / max(entrant.possible, 1)


def division(*, slug: str, number: int, tier: int, division: int, reader: Reader) -> tuple[Season, DivisionStandings]:
    """Return a division's season and standings. Raises `NotFound`."""
    season = find_season(slug, number)
    pool = season.pools.filter(tier=tier, number=division).first()
    if pool is None:
        raise NotFound
    pool.season = season
    return season, divisions.standings(pool, reader, _tiers_around(season, tier))


def _tiers_around(season: Season, tier: int) -> Counter[int]:
    near = season.pools.filter(tier__in=(tier, tier + 1)).order_by()
    return Counter(dict(near.values_list("tier").annotate(n=Count("pk"))))


# The organizer's view


@dataclass(frozen=True)
class Organized:
    """A season as its organizer sees it: one running division, and a page of the league's members.

    `signed_up` is how many take part in a season that is open for sign-up. `names` lists all divisions, unless there
    are too many. Before the start of a small season, `divisions` are those that the players signed up so far would
    make.
    """

    season: Season
    standings: DivisionStandings | None
    names: list[str]
    members: Page
    signed_up: int
    enough: int
    divisions: list[tuple[str, list[Member]]]
    out: dict[int, str]

    @property
    def people(self) -> list[Member]:
        """Return the members on this page who have signed up, to choose from."""
        if not self.is_open:
            return []
        return [member for member in self.members if not member.sits_out and member.user_id not in self.out]

    @property
    def lines(self) -> list[tuple[Member, str]]:
        """Return the members on this page, each with the kind of intervention that keeps them out, if any."""
        return [(member, self.out.get(member.user_id or 0, "")) for member in self.members]

    @property
    def matches(self) -> list[MatchLine]:
        """Return the matches of the division, to choose from."""
        matches = self.standings.matches if self.standings else []
        return match_lines(((shown.match, shown.entrants) for shown in matches), self.season)

    @property
    def is_open(self) -> bool:
        return self.season.state == SeasonState.SIGN_UP

    @property
    def takes_bots(self) -> bool:
        """Whether bots that are entered now play this season."""
        return self.is_open and allows_bots(self.season.declared)

    @property
    def is_running(self) -> bool:
        return self.season.state == SeasonState.RUNNING


def organized(*, season: Season, reader: Reader, place: str = "", page: str | None = None) -> Organized:
    """Return the organizer's view. `place` names a division, as in `2-3`; the default is the first one."""
    places = list(season.pools.order_by("tier", "number").values_list("tier", "number")[: LISTED + 1])
    are_few = len(places) <= LISTED
    tier, number = (whole_number(part, digits=4) for part in place.partition("-")[::2])
    pool = season.pools.filter(tier=tier, number=number).first() if tier and number else None
    pool = pool or season.pools.filter(tier=1, number=1).first()
    if pool is not None:
        pool.season = season
    counted = Counter(tier for tier, _number in places) if are_few or pool is None else _tiers_around(season, pool.tier)
    members = season.league.members
    pages = Paginator(members.select_related("user").order_by("pk"), LISTED)
    is_open, out = season.state == SeasonState.SIGN_UP, interventions.out_of(season)
    pages.count = members.filter(user__isnull=False).count()  # they have an index
    pages.count += members.filter(user=None).count() if season.declared.bots else 0
    return Organized(
        season, divisions.standings(pool, reader, counted) if pool else None,
        [f"{tier}-{number}" for tier, number in places] if are_few else [],
        pages.get_page(page), taking_part(season).count() if is_open else 0, fewest(season),
        [
            (division_name(*tier_and_number), members)
            for tier_and_number, members in (arrangement(season) if is_open and pages.count <= LISTED else {}).items()
        ],
        out,
    )  # fmt: skip
