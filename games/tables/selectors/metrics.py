"""Metrics of games. Each number comes from an index, so its cost does not grow with the number of games."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from empire.observability.metrics import Reading
from games.notices.kinds import Channel
from games.notices.models import OPEN, Notice
from games.tables.models import Game, Seat, Status

MOST = 10_000  # an upper bound, to keep the query cheap


def games() -> Iterator[Reading]:
    yield Reading("empire_games_running", Game.objects.filter(status=Status.RUNNING).count())


def clocks() -> Iterator[Reading]:
    now = timezone.now()
    late = Seat.objects.filter(owes=True, deadline__lte=now).order_by("deadline")
    yield Reading("empire_clocks_overdue", late[:MOST].count())
    yield Reading("empire_clocks_overdue_seconds", _age(late, "deadline", now))


def notices() -> Iterator[Reading]:
    now = timezone.now()
    for channel in Channel.values:
        due = Notice.objects.filter(channel=channel, state__in=OPEN, due_at__lte=now).order_by("due_at")
        yield Reading("empire_notices_due", due[:MOST].count(), "channel", channel)
        yield Reading("empire_notices_due_seconds", _age(due, "due_at", now), "channel", channel)


def _age(rows: QuerySet[Any], name: str, now: datetime) -> float:
    first = rows.values_list(name, flat=True).first()
    return (now - first).total_seconds() if first else 0
