"""Ladders as their pages show them: rungs, challenges, possible opponents, and the history."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.contests.ladders import reach, rungs
from games.contests.models import Challenge, Climb, Ladder, Rung
from games.contests.models.ladder import Because, Outcome
from games.rules.protocol import IllegalAction, Ruleset
from games.rules.registry import RULESETS
from games.tables.selectors.people import away
from games.tables.selectors.rights import Reader, is_person

ON_A_PAGE = 50
READ = ("ladder", "rung", "best", "last_at", "user__username", "user__away_until")
SHIFTS = (Because.PASSED, Because.CAME_UP)  # what others did


@dataclass(frozen=True)
class Line:
    """A player on the ladder and the rungs they can challenge.

    `why_not`: for players within the reader's reach, why the reader cannot challenge them.
    """

    rung: Rung
    is_away: bool
    why_not: str = ""
    reaches: range = range(0)

    @property
    def is_busy(self) -> bool:
        return bool(getattr(self.rung, "taken", 0))


@dataclass(frozen=True)
class LadderView:
    """A page of a ladder. `above` are the rungs within the reader's reach, from the top; `mine` their challenges."""

    ladder: Ladder
    page: Page
    lines: list[Line]
    me: Rung | None
    above: list[Line]
    mine: reach.Mine | None

    @property
    def my_page(self) -> int:
        return (self.me.rung - 1) // ON_A_PAGE + 1 if self.me else 0

    @property
    def may_give(self) -> bool:
        """Whether the reader can have another open challenge."""
        return self.mine is not None and len(self.mine.given) < self.ladder.given


def ladders() -> list[Ruleset]:
    """Return the games that have a ladder."""
    return [rules for slug, rules in RULESETS.items() if rungs.has_ladder(slug)]


def find(ruleset: str) -> Ladder:
    """Return the ladder of a game. It is not saved before the first player joins."""
    return Ladder.objects.filter(ruleset=ruleset).first() or Ladder(ruleset=ruleset)


def ladder(*, ruleset: str, reader: Reader, page: str | None = None) -> LadderView:
    found, now = find(ruleset), timezone.now()
    shown = Paginator(range(1, found.length + 1), ON_A_PAGE).get_page(page)
    me = rungs.rung_of(found, reader) if found.pk and is_person(reader) else None
    reached = found.terms.reach_from(me.rung) if me else range(0)
    listed = range(shown.start_index(), shown.end_index() + 1) if found.length else range(0)
    standing = _standing(found, {*listed, *reached}) if found.pk else []
    resting = away([rung.user for rung in standing], now)
    mine = reach.challenges_of(found, me.user, now) if me and me.user else None
    terms = found.terms
    lines = [
        Line(rung, rung.user_id in resting, reaches=terms.reach_from(rung.rung))
        for rung in standing
        if rung.rung in listed
    ]
    if me is None or mine is None:
        return LadderView(found, shown, lines, None, [], None)
    above = [_within_reach(found, me, rung, mine, resting, now) for rung in standing if rung.rung in reached]
    return LadderView(found, shown, lines, me, above, mine)


def _standing(ladder: Ladder, wanted: Collection[int]) -> list[Rung]:
    """Return the wanted rungs, from the top."""
    rows = Rung.objects.filter(ladder=ladder, rung__in=wanted).select_related("user").only(*READ).order_by("rung")
    return list(reach.with_taken(rows))


def _line(rung: Rung, resting: set[int], why_not: str = "") -> Line:
    return Line(rung, rung.user_id in resting, why_not)


def _within_reach(
    ladder: Ladder, me: Rung, other: Rung, mine: reach.Mine, resting: set[int], now: datetime
) -> Line:  # fmt: skip
    if other.user is None:
        return _line(other, resting, gettext("This rung is empty."))
    try:
        reach.check(ladder, me, other, mine, resting, now)
    except IllegalAction as refusal:
        return _line(other, resting, refusal.say(gettext))
    return _line(other, resting)


def to_answer(user: User) -> list[Challenge]:
    """Return the challenges on all ladders that wait for the user's answer, most urgent first."""
    return list(open_to(user).select_related("ladder", "challenger").order_by("answer_by"))


def open_to(user: Any) -> QuerySet[Challenge]:
    return Challenge.objects.filter(challenged=user, state=Outcome.OPEN)


@dataclass(frozen=True)
class Climbs:
    """Lines of the history, latest first: of one `player`, or the decisive ones. `older` starts the next page."""

    ladder: Ladder
    player: User | None
    lines: list[Climb]
    older: int | None


def climbs(*, ruleset: str, player: User | None = None, before: int | None = None) -> Climbs:
    found = find(ruleset)
    rows = Climb.objects.filter(ladder=found) if found.pk else Climb.objects.none()
    rows = rows.filter(user=player) if player else rows.exclude(why__in=SHIFTS)
    rows = rows.filter(pk__lt=before) if before else rows
    rows = rows.select_related("user", "challenge__challenger", "challenge__challenged", "challenge__game")
    lines = list(rows.order_by("-pk")[: ON_A_PAGE + 1])
    older = lines[ON_A_PAGE - 1].pk if len(lines) > ON_A_PAGE else None
    return Climbs(found, player, lines[:ON_A_PAGE], older)
