"""Health checks of games. Each returns a sentence when due work is not being done, else None."""

from datetime import datetime, timedelta

from django.utils import timezone

from games.notices.kinds import Channel
from games.notices.models import OPEN, Notice, Outage
from games.tables.models import Seat

LATE = timedelta(minutes=5)  # sweeps run every minute


def notices_go_out() -> str | None:
    late = min(filter(None, map(_oldest, Channel)), default=None)
    return f"Notices are late. The oldest was due at {late:%Y-%m-%d %H:%M} UTC." if late else None


def _oldest(channel: Channel) -> datetime | None:
    waiting = Notice.objects.filter(channel=channel, state__in=OPEN, due_at__lt=timezone.now() - LATE)
    return waiting.order_by("due_at").values_list("due_at", flat=True).first()


def channels_answer() -> str | None:
    """Report channels that fail. Failed notices are rescheduled, so `notices_go_out` does not see them."""
    silent = Outage.objects.filter(since__lt=timezone.now() - LATE).order_by("since").first()
    if silent is None:
        return None
    return f"No {silent.get_channel_display()} has gone out since {silent.since:%Y-%m-%d %H:%M} UTC: {silent.reason}"


def clocks_are_watched() -> str | None:
    late = Seat.objects.filter(owes=True, deadline__lt=timezone.now() - LATE).order_by("deadline").first()
    return f"Clocks are not checked. One ran out at {late.deadline:%Y-%m-%d %H:%M} UTC." if late else None
