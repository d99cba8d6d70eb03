"""The rungs of a ladder. Moving them requires the lock of the ladder's row; rungs that stay are not written."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Least
from django.utils.translation import gettext

from accounts.models import User
from games.contests.ladders import rules
from games.contests.models import Challenge, Climb, Ladder, Rung
from games.contests.models.ladder import ClimbReason
from games.errors import GameError
from games.rules.registry import RULESETS

PLAYERS = 2
WINDOW = 2000  # rungs that one transaction moves to let empty ones sink


def has_ladder(ruleset: str) -> bool:
    """Return whether the game has a ladder: two players must be able to play it."""
    return ruleset in RULESETS and PLAYERS in RULESETS[ruleset].seat_counts


def need_ladder(ruleset: str) -> None:
    if not has_ladder(ruleset):
        raise GameError(gettext("There is no such ladder."))


def lock(ruleset: str) -> Ladder:
    """Lock and return the ladder's row, creating it if necessary. Raises `GameError` if the game has no ladder."""
    need_ladder(ruleset)
    try:
        with transaction.atomic():
            Ladder.objects.get_or_create(ruleset=ruleset)
    except IntegrityError:  # someone else created it at the same moment
        pass
    return Ladder.objects.select_for_update().get(ruleset=ruleset)


def rung_of(ladder: Ladder, user: User | None) -> Rung | None:
    rung = Rung.objects.filter(ladder=ladder, user=user).first() if user else None
    if rung:
        rung.user = user
    return rung


def need_rung(ladder: Ladder, user: User) -> Rung:
    rung = rung_of(ladder, user)
    if rung is None:
        raise GameError(gettext("You are not on this ladder. Join it first."))
    return rung


def add(ladder: Ladder, user: User, now: datetime) -> Rung:
    """Add the user on a new rung at the bottom."""
    ladder.length += 1
    ladder.save(update_fields=["length"])
    rung = Rung.objects.create(
        ladder=ladder, user=user, rung=ladder.length, best=ladder.length, joined_at=now, last_at=now
    )
    Climb.objects.create(ladder=ladder, user=user, after=rung.rung, why=ClimbReason.JOINED, at=now)
    return rung


def take_off(ladder: Ladder, rung: Rung, now: datetime) -> None:
    """Empty a rung."""
    Climb.objects.create(ladder=ladder, user=rung.user, before=rung.rung, why=ClimbReason.LEFT, at=now)
    Rung.objects.filter(pk=rung.pk).update(user=None)


def overtake(challenge: Challenge, winner: Rung, loser: Rung, now: datetime) -> bool:
    """Move the winner above the loser. Return whether anyone moved."""
    moves = rules.climb(winner.rung, loser.rung)
    why = {winner.rung: ClimbReason.WON, loser.rung: ClimbReason.LOST}
    record_climbs(challenge.ladder, moves, why, ClimbReason.PASSED, now, challenge)
    move(challenge.ladder, moves)
    return bool(moves)


def fall(ladder: Ladder, rung: Rung, now: datetime) -> int:
    """Drop an inactive player. Return their new rung."""
    moves = rules.drop(rung.rung, ladder.fall, ladder.length)
    record_climbs(ladder, moves, {rung.rung: ClimbReason.FELL}, ClimbReason.CAME_UP, now)
    move(ladder, moves)
    return moves.get(rung.rung, rung.rung)


def record_climbs(
    ladder: Ladder, moves: dict[int, int], why: dict[int, ClimbReason], otherwise: ClimbReason, now: datetime,
    challenge: Challenge | None = None,
) -> None:  # fmt: skip
    """Add a line to the history for each player who is about to move."""
    users = Rung.objects.filter(ladder=ladder, rung__in=moves, user__isnull=False).order_by("rung")
    Climb.objects.bulk_create(
        Climb(
            ladder=ladder, user_id=user, before=old, after=moves[old], why=why.get(old, otherwise), at=now,
            challenge=challenge,
        )
        for old, user in users.values_list("rung", "user")
    )  # fmt: skip


def move(ladder: Ladder, moves: dict[int, int]) -> None:
    """Apply the moves. Rungs are negative in between, because rungs must be unique at all times."""
    rungs = Rung.objects.filter(ladder=ladder)
    for first, last, down in rules.runs(moves):
        rungs.filter(rung__range=(first, last)).update(rung=-(F("rung") + down))
    if moves:
        rungs.filter(rung__lt=0).update(rung=-F("rung"), best=Least(F("best"), -F("rung")))


def empty(ladder: Ladder) -> QuerySet[Rung]:
    return Rung.objects.filter(ladder=ladder, user=None).order_by("rung")


@transaction.atomic
def sink(ruleset: str) -> bool:
    """Let empty rungs sink by one batch, and remove those at the bottom. Return whether any are left."""
    ladder = lock(ruleset)
    gone = list(empty(ladder).values_list("rung", flat=True))
    if not gone:
        return False
    together = sum(rung == gone[0] + n for n, rung in enumerate(gone))  # rungs that sink in this batch
    last = min(gone[0] + together + WINDOW, ladder.length)
    sunk = {rung for rung in gone if rung <= last}
    move(ladder, rules.sink(sunk, last))
    if last == ladder.length:
        Rung.objects.filter(ladder=ladder, rung__gt=ladder.length - len(sunk)).delete()
        ladder.length -= len(sunk)
        ladder.save(update_fields=["length"])
        return len(gone) > len(sunk)
    return True


def record_activity(challenge: Challenge, now: datetime) -> None:
    """Record that both players of a decided challenge were active, except one who did not answer."""
    players = [challenge.challenger_id] + ([challenge.challenged_id] if challenge.game_id else [])
    Rung.objects.filter(ladder=challenge.ladder, user__in=players).update(last_at=now, has_fallen=False)


def long_idle(ladder: Ladder, now: datetime, *, has_fallen: bool) -> QuerySet[Rung]:
    """Return rungs of players inactive for so long that they drop or, if they did before, leave. Lowest first."""
    days = ladder.idle * (2 if has_fallen else 1)
    idle = Rung.objects.filter(ladder=ladder, has_fallen=has_fallen, last_at__lte=now - timedelta(days=days))
    return idle.filter(user__isnull=False).order_by("-rung")
