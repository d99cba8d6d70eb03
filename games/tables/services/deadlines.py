"""The clocks of the seats: begun, ended, and when they run out; see docs/clocks.md.

A clock is two values, the time left and the moment that this was counted; the deadline always follows from them and
from the rest of the seat's owner, whoever plays. So a seat that changes hands keeps its clock. A vacation stops the
clock only while the owner plays. A bot's own seat has no rest.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from accounts.models import User
from games.clocks import running, vacations
from games.clocks.clock import Clock, after_move
from games.clocks.rest import Rest
from games.clocks.running import Running
from games.clocks.zones import DAY
from games.tables.models import Seat, Vacation

CLOCK = ["time_left", "since", "deadline", "kept", "kept_at"]  # what `settle` and `run_on` change of a seat


def begin(seat: Seat, clock: Clock, time: timedelta, at: datetime) -> None:
    """The seat has so much time from now on for what it owes."""
    seat.time_left, seat.since, seat.left_by = time, at, None
    seat.deadline = moment(seat, clock)


def end(seat: Seat, clock: Clock, at: datetime, *, is_reply: bool) -> None:
    """What the seat owed has been decided. An answer to somebody else's move leaves the bank alone."""
    if seat.since:
        seat.kept = left(seat, clock, at) if is_reply else min(seat.bank, left(seat, clock, at))
        seat.kept_at = at
        seat.bank = seat.bank if is_reply else after_move(clock, seat.kept, timedelta())
    stop(seat)


def stop(seat: Seat) -> None:
    """Nothing is owed any more, and nothing was spent."""
    seat.time_left = seat.since = seat.deadline = None


def give(seat: Seat, clock: Clock, more: timedelta, now: datetime) -> None:
    """So much more for what is owed; from now on where its time was up already."""
    seat.time_left, seat.since = left(seat, clock, now) + more, now
    seat.deadline = moment(seat, clock)


def reopen(seat: Seat, clock: Clock, at: datetime, *, is_reply: bool) -> None:
    """Start the clock of the seat's last decision again, which was taken back: it has run on all the time (T9)."""
    time = still_kept(seat, clock, at)
    if not is_reply:
        seat.bank = time
    begin(seat, clock, time, at)


def still_kept(seat: Seat, clock: Clock, now: datetime) -> timedelta:
    """Return how much time the last decision would have left if its clock had run on until now."""
    if seat.kept is None or seat.kept_at is None:
        return seat.bank
    return _settled(seat, clock, seat.kept, seat.kept_at, now).bank


def moment(seat: Seat, clock: Clock, share: float = 1) -> datetime:
    """When that share of the time for what is owed will have run down, as far as anybody can know now."""
    assert seat.since is not None and seat.time_left is not None
    nights, away = _rest(seat, seat.since)
    return running.deadline(_ticking(seat, clock), seat.time_left * share, seat.since, nights, away)


def left(seat: Seat, clock: Clock, now: datetime) -> timedelta:
    """How much of the time for what is owed has not run down yet."""
    assert seat.since is not None and seat.time_left is not None
    return _settled(seat, clock, seat.time_left, seat.since, now).bank


def settle(seat: Seat, clock: Clock, now: datetime) -> None:
    """What is spent until now stays spent, whatever rests from now on and whoever plays."""
    if seat.since is not None and seat.time_left is not None:
        found = _settled(seat, clock, seat.time_left, seat.since, now)
        seat.time_left, seat.since = found.bank, found.since
    if seat.kept is not None and seat.kept_at is not None:
        found = _settled(seat, clock, seat.kept, seat.kept_at, now)
        seat.kept, seat.kept_at = found.bank, found.since


def run_on(seat: Seat, clock: Clock) -> None:
    """Set the deadline again after what stops the clock has changed, or who plays; `settle` comes first."""
    if seat.since is not None:
        seat.deadline = moment(seat, clock)


def away(user: User, since: datetime) -> list[vacations.Vacation]:
    """The vacations that can stop a clock which runs since then. Who announced none since is not asked for any."""
    if user.away_until is None or user.away_until <= since:
        return []
    return [vacation.plain for vacation in Vacation.objects.filter(user=user, last__gte=since.date() - DAY)]


def _settled(seat: Seat, clock: Clock, time: timedelta, since: datetime, now: datetime) -> Running:
    return running.settle(_ticking(seat, clock), time, since, now, *_rest(seat, since))


def _rest(seat: Seat, since: datetime) -> tuple[Rest, Iterable[vacations.Vacation]]:
    """The nights and the vacations that stop the seat's clock."""
    owner: User | None = seat.clock_owner
    if owner is None:
        return Rest("UTC"), ()
    return owner.nights, away(owner, since) if seat.user_id == owner.pk else ()


def _ticking(seat: Seat, clock: Clock) -> Clock:
    """The clock as it runs for the seat: a bot's own has no weekends either."""
    return clock if seat.owner_id or not clock.weekends_off else msgspec.structs.replace(clock, weekends_off=False)
