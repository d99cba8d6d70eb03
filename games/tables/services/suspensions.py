"""Games and tables of people whose account is suspended, closed or inactive: a bot stands in, so that nobody waits.

The sweep does all of it, each game in a transaction of its own: right after the step, for games that begin later, and
when the suspension ends or is lifted. This is an ordinary hand-over: ratings, leagues and clocks treat it as one
that a player on vacation makes, and it counts as no time-out.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Step, StepKind, User
from empire.on_commit import delay_on_commit
from games.tables.models import Game, Handover, Seat, Status
from games.tables.models.absence import HandoverReason
from games.tables.services import commit, handover, lobby

BATCH = 200  # seats in one sweep


def step_changed(step: Step) -> None:
    if step.kind in (StepKind.SUSPEND, StepKind.CLOSE):
        delay_on_commit("games.tasks.sweep_handovers")


def suspended(now: datetime) -> QuerySet[User]:
    """Return the people whose account is suspended or closed, or was made inactive in the admin, and their bots."""
    kinds = [StepKind.SUSPEND, StepKind.CLOSE]
    in_force = Step.objects.filter(Q(until=None) | Q(until__gt=now), kind__in=kinds, lifted_at=None).values("user")
    # Most inactive accounts are of guests who signed in, and have no seats
    seats = Seat.objects.filter(game__status__in=[Status.OPEN, Status.RUNNING])
    users, owners = seats.filter(user__is_active=False), seats.filter(owner__is_active=False)
    inactive = Q(pk__in=users.values("user")) | Q(pk__in=owners.values("owner"))
    return User.objects.filter(Q(pk__in=in_force) | Q(bot_account__owner__in=in_force) | inactive)


def end_of(user: User) -> datetime | None:
    """Return when the suspension of the person, or of the bot's owner, ends; None without an end."""
    person = user.bot_account.owner if user.is_bot else user
    return None if person.is_closed or not user.is_active else person.suspended_until


def sweep_suspended(now: datetime) -> int:
    """Let bots stand in for suspended people, free their seats at waiting tables, and give seats back afterwards.

    Return how many seats changed hands.
    """
    away = list(suspended(now).values_list("pk", flat=True))
    if away:
        for pk in Game.objects.filter(status=Status.OPEN, opener__in=away).values_list("pk", flat=True)[:BATCH]:
            _close(pk)
        waiting = Seat.objects.filter(game__status=Status.OPEN, owner__in=away).exclude(game__opener__in=away)
        for pk in list(waiting.values_list("pk", flat=True)[:BATCH]):
            _free(pk)
    playing = Seat.objects.filter(user__in=away, game__status=Status.RUNNING, game__lesson="")
    changed = 0
    for pk in list(playing.exclude(game__is_left_to_bots=True).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        changed += _stand_in(pk, now)
    stood_in = Handover.objects.filter(why=HandoverReason.SUSPENDED, seat__game__status=Status.RUNNING, seat__user=None)
    back = stood_in.filter(seat__has_given_up=False, seat__owner__isnull=False).exclude(seat__owner__in=away)
    for pk in list(back.order_by("seat").values_list("seat", flat=True).distinct()[:BATCH]):
        changed += _give_back(pk, now)
    return changed


@transaction.atomic
def _close(pk: int) -> None:
    game = commit.lock_row(Game.objects.get(pk=pk))
    if game.is_open and not game.duplicate_id:
        lobby.close(game)


@transaction.atomic
def _free(pk: int) -> None:
    seat = Seat.objects.select_related("game").filter(pk=pk).first()
    if seat is not None:
        game = commit.lock_row(seat.game)
        if game.is_open and Seat.objects.filter(pk=pk).delete()[0]:
            lobby.refresh_pages(game)


@transaction.atomic
def _stand_in(pk: int, now: datetime) -> bool:
    locked, seat = _locked(pk)
    if locked is None or seat is None or seat.user is None or not suspended(now).filter(pk=seat.user.pk).exists():
        return False
    until = end_of(seat.user) if seat.owner_id == seat.user_id else seat.back_at  # a substitute only stops
    handover.change_hands(locked, seat, now, to=None, until=until, why=HandoverReason.SUSPENDED)
    return True


@transaction.atomic
def _give_back(pk: int, now: datetime) -> bool:
    """Give a seat back to its owner if a bot has played it since the owner was suspended, and nothing else happened."""
    locked, seat = _locked(pk)
    if locked is None or seat is None or seat.user is not None or seat.owner is None or seat.has_given_up:
        return False
    last = list(Handover.objects.filter(seat=seat).order_by("-pk")[:2])
    was_substitutes = len(last) > 1 and last[1].to_id not in (None, seat.owner_id)
    if last[0].why != HandoverReason.SUSPENDED or was_substitutes or suspended(now).filter(pk=seat.owner.pk).exists():
        return False
    handover.change_hands(locked, seat, now, to=seat.owner, until=None, why=HandoverReason.ENDED)
    return True


def _locked(pk: int) -> tuple[commit.Locked | None, Seat | None]:
    seat = Seat.objects.select_related("game").get(pk=pk)
    game = commit.lock_row(seat.game)
    if not game.is_running or game.is_left_to_bots or game.lesson:
        return None, None
    locked = commit.load(game)
    return locked, next(seat for seat in locked.seats if seat.pk == pk)
