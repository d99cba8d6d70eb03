"""The time to find clocks that have run out, and to handle a thousand of them."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from games.tables.models import Entry, Game, Seat, Seed, Snapshot
from games.tables.services import deadlines as timing
from games.tables.services import timeouts
from tests.bench import Row, ms, timed, times

DUE = 1000


def rows(game: Game, stored: int) -> Iterator[Row]:
    """Measure with `stored` running games. The late tables are copies of `game`, which is half played."""
    where = f"{stored:,} running, {connection.vendor}"
    swept = times(lambda: timeouts.sweep_overdue(timezone.now()), 5)
    yield Row(f"Sweep, no clock has run out, {where}", ms(swept), "1 s")
    for number in range(DUE):
        late_copy(game, f"late{number:04}")
    found = times(lambda: list(timeouts.overdue(timezone.now()).order_by("deadline", "pk")[: timeouts.BATCH]), 5)
    yield Row(f"The first {timeouts.BATCH} of {DUE:,} that have, {where}", ms(found), "1 s")
    late: list[int] = []
    took = timed(lambda: late.append(timeouts.sweep_overdue(timezone.now())))
    each = f"{took.wall / late[0]:.1f} ms each ({took.own / late[0]:.1f} of processor)"
    yield Row(f"{late[0]:,} time-outs by one worker, {where}", f"{took.wall / 1000:.1f} s, {each}", "40 s")


def late_copy(game: Game, public_id: str) -> Game:
    """Copy the game to a new table where the acting seat's time has run out."""
    copy = Game.objects.get(pk=game.pk)
    copy.pk, copy.public_id, copy.invite_token = None, public_id, public_id
    copy.save(force_insert=True)
    Seed.objects.create(game=copy, secret=Seed.objects.get(game=game).secret)
    last = Entry.objects.get(game=game, seq=copy.seq)
    last.pk, last.game = None, copy
    last.save(force_insert=True)
    snapshot = Snapshot.objects.get(game=game)
    Snapshot.objects.create(game=copy, seq=snapshot.seq, rules_version=snapshot.rules_version, state=snapshot.state)
    for seat in Seat.objects.filter(game=game).select_related("user"):
        seat.pk, seat.game = None, copy
        if seat.owes:
            timing.begin(seat, copy.parsed_clock, copy.parsed_clock.at_start, long_ago(copy))
        seat.save(force_insert=True)
    return copy


def long_ago(game: Game) -> datetime:
    return timezone.now() - game.parsed_clock.at_start - timedelta(hours=1)
