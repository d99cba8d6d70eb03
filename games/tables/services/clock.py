"""The clock: when a seat's time is up the rules, or else a bot, decide what it owes, and the log says so."""

import logging
import random
from collections.abc import Iterator
from datetime import datetime
from time import monotonic

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.tables.models import Game, Seat, Status
from games.tables.services import deadlines as timing
from games.tables.services.bots import act_for

logger = logging.getLogger(__name__)

BATCH = 200  # seats that are read at once
SWEEP = 50  # seconds that one sweep goes on for while there is something to do


@transaction.atomic
def time_out(*, seat: Seat, now: datetime) -> bool:
    """Decide for a seat whose time is up, until it owes nothing more or has new time for something new.

    Whether anything was played; nothing is when its player came first after all, or somebody is at the table now.
    """
    row = Game.objects.select_for_update(skip_locked=True).filter(pk=seat.game_id, status=Status.RUNNING).first()
    was_played = False
    while row and (late := _late(row, seat, now)) and act_for(seat=late, late_at=now):
        was_played = True
    return was_played


def _late(game: Game, seat: Seat, now: datetime) -> Seat | None:
    """The seat, if its time is up, also by what its player has set about rest meanwhile."""
    late = overdue(now).filter(pk=seat.pk).select_related("user").first()
    if late is None or late.since is None:
        return None
    due = timing.moment(late, game.pace)
    if due > now:
        Seat.objects.filter(pk=late.pk).update(deadline=due)
    return late if due <= now else None


def overdue(now: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(owes=True, deadline__lte=now)


def sweep_overdue(now: datetime) -> int:
    """Time out the seats whose deadline has passed, each once. Returns for how many something was played."""
    stops, late = monotonic() + SWEEP, 0
    for seat in _in_batches(overdue(now).filter(since__lt=timezone.now())):
        if monotonic() > stops:
            break
        late += _timed_out(seat, now)
    return late


def _in_batches(seats: QuerySet[Seat]) -> Iterator[Seat]:
    """Each once, the longest overdue first; workers at one batch take it in different orders and so share it."""
    ordered = seats.order_by("deadline", "pk")
    batch = list(ordered[:BATCH])
    while batch:
        last = batch[-1]
        yield from random.sample(batch, len(batch))
        behind = Q(deadline__gt=last.deadline) | Q(deadline=last.deadline, pk__gt=last.pk)
        batch = list(ordered.filter(behind, deadline__gte=last.deadline)[:BATCH])


def _timed_out(seat: Seat, now: datetime) -> bool:
    try:
        return time_out(seat=seat, now=now)
    except Exception:  # one broken table must not stop the clocks of all others
        logger.exception("The clock of seat %s could not act.", seat)
        return False
