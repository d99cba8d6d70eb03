"""The time to work out a deadline, to find clocks that have run out, and to handle a thousand of them."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from django.db import connection
from django.utils import timezone

from games.clocks.clock import each_move
from games.clocks.nights import Nights, parse_window
from games.clocks.running import deadline
from games.clocks.vacations import announce
from games.clocks.zones import instant
from games.tables.models import Entry, Game, Seat, Seed, Snapshot
from games.tables.services import deadlines as timing
from games.tables.services import timeouts
from tests.bench import Row, ms, timed, times

DUE = 1000


def rows(game: Game, stored: int) -> Iterator[Row]:
    """Measure with `stored` running games. The late tables are copies of `game`, which is half played."""
    yield Row("A deadline weeks away, with weekends, nights and a vacation", ms(times(far_deadline, 50)), "1 ms")
    where = f"{stored:,} running, {connection.vendor}"
    swept = times(lambda: timeouts.sweep_overdue(timezone.now()), 5)
    yield Row(f"Sweep, no clock has run out, {where}", ms(swept), "1 s")
    for number in range(DUE):
        late_copy(game, f"late{number:04}")
    seconds_each = times(lambda: list(timeouts.overdue(timezone.now()).order_by("deadline", "pk")[: timeouts.BATCH]), 5)
    yield Row(f"The first {timeouts.BATCH} of {DUE:,} that have, {where}", ms(seconds_each), "1 s")
    late: list[int] = []
    took = timed(lambda: late.append(timeouts.sweep_overdue(timezone.now())))
    each = f"{took.wall / late[0]:.1f} ms each ({took.own / late[0]:.1f} of processor)"
    yield Row(f"{late[0]:,} time-outs by one worker, {where}", f"{took.wall / 1000:.1f} s, {each}", "40 s")


def far_deadline() -> datetime:
    """Return a deadline more than a month away, as for the first question about a player."""
    instant.cache_clear()
    clock, since = each_move(14 * 24, weekends_off=True), datetime(2026, 3, 10, 15, tzinfo=UTC)
    nights = Nights("Europe/Berlin", parse_window("22:00-08:00"))
    off = [announce([], date(2026, 3, 20), date(2026, 3, 24), "Europe/Berlin", since)]
    return deadline(clock, clock.at_start, since, nights, off)


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
