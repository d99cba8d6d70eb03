"""What /healthz asks about games: whether what falls due is done. Each answers with a sentence when it is not."""

from datetime import timedelta

from django.utils import timezone

from games.models import Notice, Seat
from games.notices.models import OPEN

LATE = timedelta(minutes=10)  # the sweeps come each minute


def notices_go_out() -> str | None:
    late = Notice.objects.filter(state__in=OPEN, due_at__lt=timezone.now() - LATE).order_by("due_at").first()
    return f"Notices are late: the oldest was due at {late.due_at:%Y-%m-%d %H:%M} UTC." if late else None


def clocks_are_watched() -> str | None:
    late = Seat.objects.filter(owes=True, deadline__lt=timezone.now() - LATE).order_by("deadline").first()
    return f"Clocks are not watched: one ran out at {late.deadline:%Y-%m-%d %H:%M} UTC." if late else None
