"""The clock: when a seat's time is up the bot plays that one turn, and the log says so."""

import logging
from datetime import datetime

from games.models import Seat, Status
from games.models.log import By
from games.services.bots import STAND_IN, stand_in

logger = logging.getLogger(__name__)

BATCH = 200  # turns that one sweep plays


def time_out(*, seat: Seat, now: datetime) -> bool:
    """Play for a seat whose time is up. Whether that was done; false when its player came first after all."""
    overdue = Seat.objects.filter(pk=seat.pk, owes=True, deadline__lte=now, game__status=Status.RUNNING).first()
    return overdue is not None and stand_in(seat=overdue, bot=STAND_IN, by=By.CLOCK)


def sweep_overdue(now: datetime) -> int:
    """Time out the seats whose deadline has passed. Returns how many turns were played."""
    overdue = Seat.objects.filter(owes=True, deadline__lte=now, game__status=Status.RUNNING).order_by("deadline")
    return sum(_timed_out(seat, now) for seat in overdue[:BATCH])


def _timed_out(seat: Seat, now: datetime) -> bool:
    try:
        return time_out(seat=seat, now=now)
    except Exception:  # one broken table must not stop the clocks of all others
        logger.exception("The clock of seat %s could not act.", seat)
        return False
