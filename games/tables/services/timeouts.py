"""Time-outs: when a seat's time is up, the rules or a bot decide for it, and the log says so."""

import logging
import random
from datetime import datetime, timedelta
from time import monotonic

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.tables.models import Game, Seat, Status
from games.tables.services import deadlines
from games.tables.services.bots import act_for

logger = logging.getLogger(__name__)

BATCH = 200  # seats read at once
SWEEP = 50  # longest run of one sweep, in seconds
PATIENCE = timedelta(minutes=1)  # for which a seat that is overdue is passed over while others hold its game


@transaction.atomic
def time_out(*, seat: Seat, now: datetime) -> bool:
    """Decide for a seat whose time is up, until it owes nothing or has time again.

    Return whether anything was played; not if its player was quicker, or another transaction holds the game. After a
    while we wait for that one, because a player could hold the game again and again with turns that are refused.
    """
    is_new = seat.deadline is None or seat.deadline > now - PATIENCE
    rows = Game.objects.filter(pk=seat.game_id, status=Status.RUNNING)
    game = rows.select_for_update(skip_locked=is_new).first()
    was_played = False
    while game:
        late = overdue(now).filter(pk=seat.pk).select_related("user").first()
        if late is None or late.since is None:
            break
        due = deadlines.runs_out_at(late, game.parsed_clock)
        if due > now:  # the player's nights or vacations have moved the deadline
            Seat.objects.filter(pk=late.pk).update(deadline=due)
            break
        if not act_for(seat=late, late_at=now):
            break
        was_played = True
    return was_played


def overdue(now: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(owes=True, deadline__lte=now)


def sweep_overdue(now: datetime) -> int:
    """Time out the seats whose deadline has passed, each once. Return how many were played for.

    They are read in batches, the longest overdue first, and shuffled, so that workers share a batch.
    """
    stops, late = monotonic() + SWEEP, 0
    waiting = overdue(now).filter(since__lt=timezone.now()).order_by("deadline", "pk")
    batch = list(waiting[:BATCH])
    while batch:
        last = batch[-1]
        for seat in random.sample(batch, len(batch)):
            if monotonic() > stops:
                return late
            try:
                late += time_out(seat=seat, now=now)
            except Exception:  # one broken game must not stop the clocks of all others
                logger.exception("Cannot time out seat %s.", seat)
        after_last = Q(deadline__gt=last.deadline) | Q(deadline=last.deadline, pk__gt=last.pk)
        batch = list(waiting.filter(after_last, deadline__gte=last.deadline)[:BATCH])
    return late
