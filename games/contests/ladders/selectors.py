"""Ladders as their readers see them: which challenges are allowed, a ladder's page, open challenges, and the history.

Services ask the first part too, so that a page offers exactly the challenges that are possible.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.clocks import running
from games.clocks.clock import parse
from games.clocks.nights import Nights
from games.contests.ladders import rules, rungs
from games.contests.ladders.rules import LadderPlayer
from games.contests.models import Challenge, Climb, Ladder, Rung
from games.contests.models.ladder import UNDECIDED, ClimbReason, Outcome
from games.rules.protocol import IllegalAction, Ruleset
from games.rules.registry import RULESETS
from games.rules.words import gettext_noop
from games.tables.models import Block
from games.tables.models.game import USUAL_CLOCK
from games.tables.selectors.rights import Reader, away, is_person
from games.tables.services import deadlines as timing

ON_A_PAGE = 50
RUNG_FIELDS = (
    "ladder", "rung", "best", "last_at", "user__username", "user__away_until", "user__is_closed",
    "user__suspended_until",
)  # fmt: skip
CHALLENGE_FIELDS = (
    "ladder", "challenger__username", "challenged__username", "made_at", "answer_by", "state", "decided_at",
    "full_game", "game__public_id",
)  # fmt: skip
BEATEN = (Outcome.LOST, Outcome.WITHDRAWN)  # after these, the same player cannot be challenged for a while
SHIFTS = (ClimbReason.PASSED, ClimbReason.CAME_UP)  # what others did


# Possible challenges


@dataclass(frozen=True)
class OwnChallenges:
    """A player's open challenges on a ladder, and those that recently failed."""

    user: User
    challenges: list[Challenge]
    blocked: frozenset[int]  # players whom the user has blocked
    blockers: frozenset[int]  # players who have blocked the user

    @property
    def under_way(self) -> list[Challenge]:
        return [one for one in self.challenges if one.state in UNDECIDED]

    @property
    def given(self) -> list[Challenge]:
        return [one for one in self.under_way if one.challenger_id == self.user.pk]

    @property
    def taken(self) -> list[Challenge]:
        return [one for one in self.under_way if one.challenged_id == self.user.pk]

    def are_playing(self, other: int | None) -> bool:
        return any(other in (one.challenger_id, one.challenged_id) for one in self.under_way)

    def last_lost(self, other: int | None) -> datetime | None:
        lost = [one.decided_at for one in self.challenges if one.state in BEATEN and one.challenged_id == other]
        return max((at for at in lost if at), default=None)


def challenges_of(ladder: Ladder, user: User, now: datetime) -> OwnChallenges:
    since = now - timedelta(days=ladder.again)
    under_way = Q(state__in=UNDECIDED) & (Q(challenger=user) | Q(challenged=user))
    wanted = under_way | Q(challenger=user, state__in=BEATEN, decided_at__gt=since)
    rows = Challenge.objects.filter(wanted, ladder=ladder).select_related("challenger", "challenged", "game")
    pairs = list(Block.objects.filter(Q(user=user) | Q(blocked=user)).values_list("user", "blocked"))
    blocked = frozenset(other for one, other in pairs if one == user.pk)
    blockers = frozenset(one for one, other in pairs if other == user.pk)
    return OwnChallenges(user, list(rows.only(*CHALLENGE_FIELDS).order_by("answer_by", "pk")), blocked, blockers)


def with_taken(rungs: QuerySet[Rung]) -> QuerySet[Rung]:
    """Annotate each rung with `taken`, the number of challenges that its player has to answer."""
    to_answer = Challenge.objects.filter(ladder=OuterRef("ladder"), challenged=OuterRef("user"), state=Outcome.OPEN)
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())  # a `Count` would need a slow GROUP BY
    return rungs.annotate(taken=Subquery(to_answer.annotate(number=number).values("number")))


def check(ladder: Ladder, me: Rung, other: Rung, mine: OwnChallenges, away: Collection[int], now: datetime) -> None:
    """Raise `IllegalAction` if `me` cannot challenge `other`, a rung from `with_taken`.

    Someone who has blocked `me` seems to be away, so that no refusal tells of the block.
    """
    if other.user_id in mine.blocked:
        raise IllegalAction(gettext_noop("You have blocked this player. Unblock them to challenge them."))
    taken: int = getattr(other, "taken", 0)
    rules.check(
        ladder.terms, LadderPlayer(me.rung, given=len(mine.given)),
        LadderPlayer(other.rung, taken=taken, is_away=other.user_id in {*away, *mine.blockers}),
        are_playing=mine.are_playing(other.user_id), last_lost=mine.last_lost(other.user_id), now=now,
    )  # fmt: skip


def unavailable(users: Iterable[User | None], now: datetime) -> set[int]:
    """Return the ids of users who are on vacation now or suspended. Others see no difference between the two."""
    users = list(users)
    return away(users, now) | {user.pk for user in users if user and user.is_suspended}


def answer_by(ladder: Ladder, challenged: User, since: datetime) -> datetime:
    """Return when a challenge has to be answered, not counting days on which the challenged player is on vacation."""
    vacations = timing.away(challenged, since)
    return running.deadline(parse(USUAL_CLOCK), timedelta(days=ladder.answer), since, Nights("UTC"), vacations)


# A ladder's page


@dataclass(frozen=True)
class LadderLine:
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
    lines: list[LadderLine]
    me: Rung | None
    above: list[LadderLine]
    mine: OwnChallenges | None

    @property
    def my_page(self) -> int:
        return (self.me.rung - 1) // ON_A_PAGE + 1 if self.me else 0

    @property
    def may_give(self) -> bool:
        """Whether the reader can have another open challenge."""
        return self.mine is not None and len(self.mine.given) < self.ladder.given


def ladders() -> list[Ruleset]:
    """Return the games that have a ladder."""
    return [one for slug, one in RULESETS.items() if rungs.has_ladder(slug)]


def find(ruleset: str) -> Ladder:
    """Return the ladder of a game. It is not saved before the first player joins."""
    return Ladder.objects.filter(ruleset=ruleset).first() or Ladder(ruleset=ruleset)


def ladder(*, ruleset: str, reader: Reader, page: str | None = None) -> LadderView:
    found, now = find(ruleset), timezone.now()
    shown = Paginator(range(1, found.length + 1), ON_A_PAGE).get_page(page)
    me = rungs.rung_of(found, reader) if found.pk and is_person(reader) else None
    reached = found.terms.reach_from(me.rung) if me else range(0)
    listed = range(shown.start_index(), shown.end_index() + 1) if found.length else range(0)
    shown_rungs: list[Rung] = []
    if found.pk:
        wanted = Rung.objects.filter(ladder=found, rung__in={*listed, *reached}).select_related("user")
        shown_rungs = list(with_taken(wanted.only(*RUNG_FIELDS).order_by("rung")))
    away = unavailable([rung.user for rung in shown_rungs], now)
    mine = challenges_of(found, me.user, now) if me and me.user else None
    away |= mine.blockers if mine else set()
    lines = [
        LadderLine(rung, rung.user_id in away, reaches=found.terms.reach_from(rung.rung))
        for rung in shown_rungs
        if rung.rung in listed
    ]
    above = []
    for other in (rung for rung in shown_rungs if rung.rung in reached):
        why_not = "" if other.user else gettext("This rung is empty.")
        if me and mine and other.user:
            try:
                check(found, me, other, mine, away, now)
            except IllegalAction as refusal:
                why_not = refusal.say(gettext)
        above.append(LadderLine(other, other.user_id in away, why_not))
    return LadderView(found, shown, lines, me, above, mine)


# Challenges to answer, and the history


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
