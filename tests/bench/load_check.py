"""Checks after the load: every turn is in its log once, every notice was sent once or not needed."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from statistics import quantiles

from django.db.models import F, Q, Sum
from django.utils import timezone

from accounts.models import User
from games.notices.kinds import Kind
from games.notices.models import Notice, NoticeReason, NoticeState
from games.tables.models import Entry, Game
from games.tables.services import records
from games.tables.services.notify import SHORTEST_PAUSE
from tests.bench.load_drive import Table
from tests.bench.load_post import Taken

VERIFIED = 500  # logs that are verified
CLOCK_STEP = timedelta(seconds=10)  # between the time of a turn and the row of its notice


def problems(tables: Sequence[Table], stood: int, taken: Taken, began: datetime) -> Iterator[str]:
    """Yield problems in sentences. `stood` is the sum of the games' last entry numbers before the load."""
    yield from counts(tables, stood)
    yield from logs(tables)
    yield from emails(tables, taken, began)


def last_entries(tables: Iterable[Table]) -> int:
    ids = [table.pk for table in tables]
    return int(Game.objects.filter(pk__in=ids).aggregate(sum=Sum("seq"))["sum"] or 0)


def counts(tables: Sequence[Table], stood: int) -> Iterator[str]:
    accepted, grown = sum(table.accepted for table in tables), last_entries(tables) - stood
    if accepted != grown:
        yield f"{accepted:,} turns were accepted, and the logs have grown by {grown:,} entries."


def logs(tables: Sequence[Table]) -> Iterator[str]:
    """Verify the logs of some of the games in which turns were taken."""
    moved = sampled(tables)
    for game in Game.objects.filter(pk__in=[table.pk for table in moved]):
        if differences := records.verify(game=game):
            yield f"Game {game}: {differences[0]}"


def sampled(tables: Sequence[Table]) -> list[Table]:
    """Return an even sample of the tables where turns were taken."""
    moved = [table for table in tables if table.accepted]
    return moved[:: max(1, len(moved) // VERIFIED)]


def emails(tables: Sequence[Table], taken: Taken, began: datetime) -> Iterator[str]:
    """Check that each turn notified the next player, and that each email arrived once."""
    notices = Notice.objects.filter(created_at__gte=began, kind=Kind.TURN)
    entries = Entry.objects.filter(game__in=[table.pk for table in tables], at__gte=began)
    last = sum(not table.turns for table in tables)
    if (wanted := entries.count() - last) != notices.count():
        yield f"{wanted:,} turns needed a notice to the next player, and {notices.count():,} were written."
    # a player who is looking at the table is not told until a pause has passed, or the delay that new players have
    pause = max(SHORTEST_PAUSE, timedelta(minutes=User().delay)) + CLOCK_STEP
    pausing = Q(state=NoticeState.QUEUED, due_at__gt=timezone.now(), due_at__lte=F("created_at") + pause)
    waiting = (
        notices.exclude(state=NoticeState.SENT)
        .exclude(state=NoticeState.DROPPED, why=NoticeReason.TAKEN)
        .exclude(pausing)
        .count()
    )
    if waiting:
        yield f"{waiting:,} notices of turns were neither sent, nor overtaken by the turn, nor held for an onlooker."
    sent = set(
        Notice.objects.filter(created_at__gte=began, state=NoticeState.SENT).values_list("message_id", flat=True)
    )
    for complaint, names in (
        ("were sent and did not arrive", sent - set(taken)),
        ("arrived and are not known to be sent", set(taken) - sent),
        ("arrived twice", {name for name, times in taken.items() if len(times) > 1}),
    ):
        if names:
            yield f"{len(names):,} emails {complaint}."


def delays(taken: Taken, began: datetime, ended: datetime) -> tuple[list[float], int]:
    """Return the seconds from writing a turn's notice until the email server accepted it, and the number of notices."""
    notices = Notice.objects.filter(kind=Kind.TURN, created_at__gte=began, created_at__lt=ended)
    rows = notices.values_list("message_id", "created_at")
    seconds = [(taken[name][0] - at) / timedelta(seconds=1) for name, at in rows if name in taken]
    return seconds, len(rows)


def spread(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Return the 50th, 95th and 99th percentiles."""
    if len(seconds) < 2:
        return (seconds[0],) * 3 if seconds else (0.0, 0.0, 0.0)
    cuts = quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[94], cuts[98]
