"""Badges: awarded at the end of a season, and shown on a player's card with the divisions they play in."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import CharField, Exists, IntegerField, OuterRef, Value
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from games.contests.leagues.divisions import division_name
from games.contests.models import Appearance, Badge, Entrant, Honor, MatchState, Season, SeasonOutcome, SeasonState
from games.rules.words import labelled

PLACES = {1: Honor.WINNER, 2: Honor.SECOND, 3: Honor.THIRD}
ROWS = 2000
MOST = 200  # rows that a card reads
NAMED = 4  # seasons named per badge; older ones are counted


def award(season: Season, entrants: Iterable[Entrant], now: datetime) -> None:
    """Award badges to entrants with places and outcomes. Badges that exist already are kept.

    There is one for the first three places, for promotion, and for having played everything on time: no bot decided for
    the player, and none of their matches was annulled, unless someone in it had dropped out.
    """
    appearances = Appearance.objects.filter(match__pool__season=season)
    dropped_out = Appearance.objects.filter(match=OuterRef("match"), entrant__left_at__isnull=False)
    late = appearances.filter(late__gt=0)
    unplayed = appearances.filter(~Exists(dropped_out), match__state=MatchState.ANNULLED)
    negligent = {*late.values_list("entrant", flat=True), *unplayed.values_list("entrant", flat=True)}

    earned = []
    for entrant in entrants:
        if entrant.pool is None or entrant.user_id is None or entrant.left_at is not None or not entrant.played:
            continue
        honors = []
        if entrant.place in PLACES and entrant.outcome != SeasonOutcome.DOWN:
            honors.append(Honor.CHAMPION if (entrant.pool.tier, entrant.place) == (1, 1) else PLACES[entrant.place])
        if entrant.outcome == SeasonOutcome.UP:
            honors.append(Honor.PROMOTED)
        if entrant.pk not in negligent:
            honors.append(Honor.STEADFAST)
        earned += [
            Badge(user=entrant.user, honor=honor, season=season, tier=entrant.pool.tier, at=now) for honor in honors
        ]
    Badge.objects.bulk_create(earned, batch_size=ROWS, ignore_conflicts=True)


# A player's card


class BadgeRow(NamedTuple):
    """A badge, or, without an honor, a division that the person plays in."""

    honor: str
    league: str | None
    slug: str | None
    season: int | None
    tournament: str | None
    public_id: str | None
    tier: int
    division: int
    at: datetime

    @property
    def title(self) -> str:
        if self.tournament:
            return self.tournament
        title = gettext("{league}, season {n}").format(league=self.league, n=self.season)
        if self.division:
            return labelled(title, division_name(self.tier, self.division), gettext)
        return title if self.honor == Honor.CHAMPION else f"{title}, {gettext('tier {n}').format(n=self.tier)}"

    @property
    def path(self) -> str:
        if self.public_id:
            return reverse("tournament", args=[self.public_id])
        season = (self.slug, self.season)
        if self.division:
            return reverse("division", args=[*season, self.tier, self.division])
        return reverse("season", args=season)


@dataclass(frozen=True)
class Earned:
    """A badge and where it was earned, latest first."""

    honor: Honor
    rows: Sequence[BadgeRow]

    @property
    def latest(self) -> Sequence[BadgeRow]:
        return self.rows[:NAMED]

    @property
    def others(self) -> int:
        return len(self.rows[NAMED:])


@dataclass(frozen=True)
class Card:
    """A player's card. `playing` are the divisions of running seasons."""

    earned: list[Earned]
    playing: list[BadgeRow]


def card(person: User) -> Card:
    """Return a person's card, with one query."""
    badges = Badge.objects.filter(user=person).values_list(
        "honor", "season__league__name", "season__league__slug", "season__number", "tournament__name",
        "tournament__public_id", "tier", Value(0, IntegerField()), "at",
    )  # fmt: skip
    nothing = Value("", CharField())
    playing = Entrant.objects.filter(user=person, left_at=None, season__state=SeasonState.RUNNING, pool__isnull=False)
    divisions = playing.values_list(
        nothing, "season__league__name", "season__league__slug", "season__number", nothing, nothing, "pool__tier",
        "pool__number", "joined_at",
    )  # fmt: skip
    by_honor: dict[str, list[BadgeRow]] = defaultdict(list)
    for row in badges.union(divisions, all=True).order_by("-at")[:MOST]:
        by_honor[row[0]].append(BadgeRow(*row))
    earned = [Earned(honor, by_honor[honor]) for honor in Honor if honor in by_honor]
    return Card(earned, by_honor.get("", []))
