"""A player's card: the badges they have earned and the divisions they play in."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import CharField, IntegerField, QuerySet, Value
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from games.contests.leagues.names import division_name
from games.contests.models import Badge, Entrant, Honour, SeasonState

MOST = 200  # rows that a card reads
NAMED = 4  # seasons named per badge; older ones are counted


class Row(NamedTuple):
    """A badge, or, without an honor, a division that the person plays in."""

    honour: str
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
        title = f"{self.league} {self.season}"
        if self.division:
            return f"{title}: {division_name(self.tier, self.division)}"
        return title if self.honour == Honour.CHAMPION else f"{title}, {gettext('tier {n}').format(n=self.tier)}"

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

    honour: Honour
    rows: Sequence[Row]

    @property
    def named(self) -> Sequence[Row]:
        return self.rows[:NAMED]

    @property
    def others(self) -> int:
        return len(self.rows[NAMED:])


@dataclass(frozen=True)
class Card:
    """A player's card. `playing` are the divisions of running seasons."""

    earned: list[Earned]
    playing: list[Row]


def card(person: User) -> Card:
    """Return a person's card, with one query."""
    by_honour: dict[str, list[Row]] = defaultdict(list)
    for row in _badges(person).union(_divisions(person), all=True).order_by("-at")[:MOST]:
        by_honour[row[0]].append(Row(*row))
    earned = [Earned(honour, by_honour[honour]) for honour in Honour if honour in by_honour]
    return Card(earned, by_honour.get("", []))


def _badges(person: User) -> QuerySet[Badge, tuple]:
    return Badge.objects.filter(user=person).values_list(
        "honour", "season__league__name", "season__league__slug", "season__number", "tournament__name",
        "tournament__public_id", "tier", Value(0, IntegerField()), "at",
    )  # fmt: skip


def _divisions(person: User) -> QuerySet[Entrant, tuple]:
    nothing = Value("", CharField())
    rows = Entrant.objects.filter(user=person, left_at=None, season__state=SeasonState.RUNNING, pool__isnull=False)
    return rows.values_list(
        nothing, "season__league__name", "season__league__slug", "season__number", nothing, nothing, "pool__tier",
        "pool__number", "joined_at",
    )  # fmt: skip
