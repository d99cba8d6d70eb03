"""Health checks and metrics of games.

A health check returns a sentence when due work is not being done, else None. Each number of the metrics comes from an
index, so its cost does not grow with the number of games.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from empire.observability.metrics import Reading
from games.notices.kinds import Channel
from games.notices.models import OPEN, Notice, Outage
from games.tables.models import Game, Seat, Status

LATE = timedelta(minutes=5)  # sweeps run every minute
MOST_COUNTED = 10_000  # an upper bound, to keep the queries of metrics cheap


def notices_go_out() -> str | None:
    late: list[datetime] = []
    for channel in Channel:  # one query each, because the index begins with the channel
        waiting = Notice.objects.filter(channel=channel, state__in=OPEN, due_at__lt=timezone.now() - LATE)
        late += waiting.order_by("due_at").values_list("due_at", flat=True)[:1]
    return f"Notices are late. The oldest was due at {min(late):%Y-%m-%d %H:%M} UTC." if late else None


def channels_answer() -> str | None:
    """Report channels that fail. Failed notices are rescheduled, so `notices_go_out` does not see them.

    The reason is not for everyone: a server's refusal can name our account there.
    """
    silent = Outage.objects.filter(since__lt=timezone.now() - LATE).order_by("since").first()
    if silent is None:
        return None
    return f"No {silent.get_channel_display()} has gone out since {silent.since:%Y-%m-%d %H:%M} UTC."


def clocks_are_watched() -> str | None:
    late = Seat.objects.filter(owes=True, deadline__lt=timezone.now() - LATE).order_by("deadline").first()
    return f"Clocks are not checked. One ran out at {late.deadline:%Y-%m-%d %H:%M} UTC." if late else None


# Metrics


def games() -> Iterator[Reading]:
    yield Reading("empire_games_running", Game.objects.filter(status=Status.RUNNING).count())


def clocks() -> Iterator[Reading]:
    now = timezone.now()
    late = Seat.objects.filter(owes=True, deadline__lte=now).order_by("deadline")
    yield Reading("empire_clocks_overdue", late[:MOST_COUNTED].count())
    yield Reading("empire_clocks_overdue_seconds", _age(late, "deadline", now))


def notices() -> Iterator[Reading]:
    now = timezone.now()
    for channel in Channel.values:
        due = Notice.objects.filter(channel=channel, state__in=OPEN, due_at__lte=now).order_by("due_at")
        yield Reading("empire_notices_due", due[:MOST_COUNTED].count(), "channel", channel)
        yield Reading("empire_notices_due_seconds", _age(due, "due_at", now), "channel", channel)


def _age(rows: QuerySet[Any], name: str, now: datetime) -> float:
    first = rows.values_list(name, flat=True).first()
    return (now - first).total_seconds() if first else 0
