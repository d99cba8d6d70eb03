"""Possible challenges: the facts that the rules need, shared by the page and the action."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.clocks import running
from games.clocks.clock import parse
from games.clocks.rest import Rest
from games.contests.ladders import rules as ladder_rules
from games.contests.ladders.rules import LadderPlayer
from games.contests.models import Challenge, Ladder, Rung
from games.contests.models.ladder import UNDECIDED, Outcome
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop
from games.tables.models import Block
from games.tables.models.game import USUAL_CLOCK
from games.tables.services import deadlines as timing

READ = (
    "ladder", "challenger__username", "challenged__username", "made_at", "answer_by", "state", "decided_at",
    "full_game", "game__public_id",
)  # fmt: skip
BEATEN = (Outcome.LOST, Outcome.WITHDRAWN)  # after these, the same player cannot be challenged for a while


@dataclass(frozen=True)
class Mine:
    """A player's open challenges on a ladder, and those that recently failed."""

    user: User
    challenges: list[Challenge]
    blocked: frozenset[int]  # players who have blocked the user or are blocked by them

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


def challenges_of(ladder: Ladder, user: User, now: datetime) -> Mine:
    since = now - timedelta(days=ladder.again)
    under_way = Q(state__in=UNDECIDED) & (Q(challenger=user) | Q(challenged=user))
    wanted = under_way | Q(challenger=user, state__in=BEATEN, decided_at__gt=since)
    rows = Challenge.objects.filter(wanted, ladder=ladder).select_related("challenger", "challenged", "game")
    pairs = Block.objects.filter(Q(user=user) | Q(blocked=user)).values_list("user", "blocked")
    blocked = frozenset(pk for pair in pairs for pk in pair if pk != user.pk)
    return Mine(user, list(rows.only(*READ).order_by("answer_by", "pk")), blocked)


def with_taken(rungs: QuerySet[Rung]) -> QuerySet[Rung]:
    """Annotate each rung with `taken`, the number of challenges that its player has to answer."""
    to_answer = Challenge.objects.filter(ladder=OuterRef("ladder"), challenged=OuterRef("user"), state=Outcome.OPEN)
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())  # a `Count` would need a slow GROUP BY
    return rungs.annotate(taken=Subquery(to_answer.annotate(number=number).values("number")))


def check(ladder: Ladder, me: Rung, other: Rung, mine: Mine, resting: Collection[int], now: datetime) -> None:
    """Raise `IllegalAction` if `me` cannot challenge `other`, a rung from `with_taken`."""
    if other.user_id in mine.blocked:
        raise IllegalAction(gettext_noop("You and this player can’t challenge each other. Choose someone else."))
    taken: int = getattr(other, "taken", 0)
    ladder_rules.check(
        ladder.terms, LadderPlayer(me.rung, given=len(mine.given)),
        LadderPlayer(other.rung, taken=taken, is_away=other.user_id in resting),
        are_playing=mine.are_playing(other.user_id), last_lost=mine.last_lost(other.user_id), now=now,
    )  # fmt: skip


def answer_by(ladder: Ladder, challenged: User, since: datetime) -> datetime:
    """Return when a challenge has to be answered, not counting days on which the challenged player is on vacation."""
    vacations = timing.away(challenged, since)
    return running.deadline(parse(USUAL_CLOCK), timedelta(days=ladder.answer), since, Rest("UTC"), vacations)
