"""Ladders as their readers see them: which challenges are allowed, a ladder's page, open challenges, and the history.

Services ask the first part too, so that a page offers exactly the challenges that are possible.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery
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
    """A player's open challenges on a ladder, and their recent ones, as far as either still counts.

    The player challenged those in `recent` within the last `idle` days, which is a setting of the ladder.
    """

    user: User
    challenges: list[Challenge]
    recent: frozenset[int | None]
    blocked: frozenset[int]  # players whom the user has blocked
    blockers: frozenset[int]  # players who have blocked the user

    @property
    def under_way(self) -> list[Challenge]:
        return [challenge for challenge in self.challenges if challenge.state in UNDECIDED]

    @property
    def given(self) -> list[Challenge]:
        """Return the challenges of the user to others, open or in play."""
        return [challenge for challenge in self.under_way if challenge.challenger_id == self.user.pk]

    @property
    def taken(self) -> list[Challenge]:
        """Return the challenges of others to the user, open or in play."""
        return [challenge for challenge in self.under_way if challenge.challenged_id == self.user.pk]

    def are_playing(self, other: int | None) -> bool:
        return any(other in (challenge.challenger_id, challenge.challenged_id) for challenge in self.under_way)

    def last_lost(self, other: int | None) -> datetime | None:
        """Return when the user last lost their challenge to `other` or withdrew it, as far as it still counts."""
        against_other = [challenge for challenge in self.challenges if challenge.challenged_id == other]
        lost_at = [challenge.decided_at for challenge in against_other if challenge.state in BEATEN]
        return max((at for at in lost_at if at), default=None)


def challenges_of(ladder: Ladder, user: User, now: datetime) -> OwnChallenges:
    since, recent_since = now - timedelta(days=ladder.again), now - timedelta(days=ladder.idle)
    under_way = Q(state__in=UNDECIDED)
    given = Q(challenger=user) & (under_way | Q(made_at__gt=recent_since) | Q(state__in=BEATEN, decided_at__gt=since))
    rows = Challenge.objects.filter(given | under_way & Q(challenged=user), ladder=ladder)
    rows = rows.select_related("challenger", "challenged", "game").only(*CHALLENGE_FIELDS).order_by("answer_by", "pk")
    challenges = list(rows)
    recent = frozenset(
        challenge.challenged_id
        for challenge in challenges
        if challenge.challenger_id == user.pk and challenge.made_at > recent_since
    )
    pairs = list(Block.objects.filter(Q(user=user) | Q(blocked=user)).values_list("user", "blocked"))
    blocked = frozenset(person for blocker, person in pairs if blocker == user.pk)
    blockers = frozenset(blocker for blocker, person in pairs if person == user.pk)
    return OwnChallenges(user, challenges, recent, blocked, blockers)


def with_taken(rungs: QuerySet[Rung], ladder: Ladder, now: datetime) -> QuerySet[Rung]:
    """Annotate each rung with `taken` and `repeated`, the numbers of challenges of `LadderPlayer`."""
    to_answer = Challenge.objects.filter(ladder=ladder, challenged=OuterRef("user"), state=Outcome.OPEN)
    between_the_two = {"challenger": OuterRef("challenger"), "challenged": OuterRef("challenged")}
    earlier = Challenge.objects.filter(ladder=ladder, pk__lt=OuterRef("pk"), **between_the_two)
    earlier = earlier.filter(made_at__gt=now - timedelta(days=ladder.idle))
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())  # a `Count` would need a slow GROUP BY
    return rungs.annotate(
        taken=Subquery(to_answer.annotate(number=number).values("number")),
        repeated=Subquery(to_answer.filter(Exists(earlier)).annotate(number=number).values("number")),
    )


def check(ladder: Ladder, me: Rung, other: Rung, own: OwnChallenges, away: Collection[int], now: datetime) -> None:
    """Raise `IllegalAction` if `me` cannot challenge `other`, a rung from `with_taken`.

    Someone who has blocked `me` seems to be away, so that no refusal tells of the block.
    """
    if other.user_id in own.blocked:
        raise IllegalAction(gettext_noop("You have blocked this player. Unblock them to challenge them."))
    taken: int = getattr(other, "taken", 0)
    repeated: int = getattr(other, "repeated", 0)
    is_away = other.user_id in {*away, *own.blockers}
    rules.check(
        ladder.terms, LadderPlayer(me.rung, given=len(own.given)),
        LadderPlayer(other.rung, taken=taken, repeated=repeated, is_away=is_away),
        are_playing=own.are_playing(other.user_id), is_repeated=other.user_id in own.recent,
        last_lost=own.last_lost(other.user_id), now=now,
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
    """A page of a ladder. `above` are the rungs within the reader's reach, from the top.

    `own_challenges` are those of the reader, who is on the ladder.
    """

    ladder: Ladder
    page: Page
    lines: list[LadderLine]
    me: Rung | None
    above: list[LadderLine]
    own_challenges: OwnChallenges | None

    @property
    def my_page(self) -> int:
        return (self.me.rung - 1) // ON_A_PAGE + 1 if self.me else 0

    @property
    def may_give(self) -> bool:
        """Whether the reader can have another open challenge."""
        return self.own_challenges is not None and len(self.own_challenges.given) < self.ladder.given


def ladders() -> list[Ruleset]:
    """Return the games that have a ladder."""
    return [ruleset for slug, ruleset in RULESETS.items() if rungs.has_ladder(slug)]


def find(ruleset: str) -> Ladder:
    """Return the ladder of a game. It is not saved before the first player joins."""
    return Ladder.objects.filter(ruleset=ruleset).first() or Ladder(ruleset=ruleset)


def ladder(*, ruleset: str, reader: Reader, page: str | None = None) -> LadderView:
    ladder, now = find(ruleset), timezone.now()
    shown = Paginator(range(1, ladder.length + 1), ON_A_PAGE).get_page(page)
    me = rungs.rung_of(ladder, reader) if ladder.pk and is_person(reader) else None
    reached = ladder.terms.reach_from(me.rung) if me else range(0)
    listed = range(shown.start_index(), shown.end_index() + 1) if ladder.length else range(0)
    shown_rungs: list[Rung] = []
    if ladder.pk:
        wanted = Rung.objects.filter(ladder=ladder, rung__in={*listed, *reached}).select_related("user")
        shown_rungs = list(with_taken(wanted.only(*RUNG_FIELDS).order_by("rung"), ladder, now))
    away = unavailable([rung.user for rung in shown_rungs], now)
    own = challenges_of(ladder, me.user, now) if me and me.user else None
    away |= own.blockers if own else set()
    lines = [
        LadderLine(rung, rung.user_id in away, reaches=ladder.terms.reach_from(rung.rung))
        for rung in shown_rungs
        if rung.rung in listed
    ]
    above = []
    for other in (rung for rung in shown_rungs if rung.rung in reached):
        why_not = "" if other.user else gettext("This rung is empty.")
        if me and own and other.user:
            try:
                check(ladder, me, other, own, away, now)
            except IllegalAction as refusal:
                why_not = refusal.say(gettext)
        above.append(LadderLine(other, other.user_id in away, why_not))
    return LadderView(ladder, shown, lines, me, above, own)


# Challenges to answer, results and the history


def to_answer(user: User) -> list[Challenge]:
    """Return the challenges on all ladders that wait for the user's answer, most urgent first."""
    return list(open_to(user).select_related("ladder", "challenger").order_by("answer_by"))


def open_to(user: Any) -> QuerySet[Challenge]:
    return Challenge.objects.filter(challenged=user, state=Outcome.OPEN)


def sent(user: User) -> list[Challenge]:
    """Return the user's challenges on all ladders that others have to answer, most urgent first."""
    return list(open_from(user).select_related("ladder", "challenged").order_by("answer_by"))


def open_from(user: Any) -> QuerySet[Challenge]:
    return Challenge.objects.filter(challenger=user, state=Outcome.OPEN)


def result(challenge: Challenge) -> str:
    """Return a sentence about an ended match: which rung its winner took, or that both players kept theirs.

    The numbers of rungs that were kept are left out, because they may have changed since then.
    """
    if challenge.is_playing:
        return gettext("The ladder will be updated in a moment.")
    won = Climb.objects.filter(challenge=challenge, why=ClimbReason.WON).select_related("user").first()
    if won:
        values = {"name": won.name, "before": won.before, "after": won.after}
        return gettext("%(name)s won the match and moved up from rung %(before)s to rung %(after)s.") % values
    if challenge.challenger is None or challenge.challenged is None:  # one of them left the ladder with the account
        return ""
    if challenge.state == Outcome.DRAWN:
        return gettext("Nobody won the match, and both players kept their rungs.")
    winner = challenge.challenged if challenge.state == Outcome.LOST else challenge.challenger
    return gettext("%(name)s won the match, and both players kept their rungs.") % {"name": winner.username}


@dataclass(frozen=True)
class Climbs:
    """Lines of the history, latest first: of one `player`, or the decisive ones. `older` starts the next page."""

    ladder: Ladder
    player: User | None
    lines: list[Climb]
    older: int | None


def climbs(*, ruleset: str, player: User | None = None, before: int | None = None) -> Climbs:
    ladder = find(ruleset)
    rows = Climb.objects.filter(ladder=ladder) if ladder.pk else Climb.objects.none()
    rows = rows.filter(user=player) if player else rows.exclude(why__in=SHIFTS)
    rows = rows.filter(pk__lt=before) if before else rows
    rows = rows.select_related("user", "challenge__challenger", "challenge__challenged", "challenge__game")
    lines = list(rows.order_by("-pk")[: ON_A_PAGE + 1])
    older = lines[ON_A_PAGE - 1].pk if len(lines) > ON_A_PAGE else None
    return Climbs(ladder, player, lines[:ON_A_PAGE], older)
