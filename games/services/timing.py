"""The clocks of the seats: begun, ended, and when they run out. The seat's player is read with it; see docs/clocks.md.

The current player's night, weekends and vacations stop a clock; a bot has none.
"""

from datetime import datetime, timedelta

from accounts.models import User
from games.clocks import running, vacations
from games.clocks.clock import Clock, after_move
from games.clocks.spans import NOTHING
from games.clocks.zones import DAY
from games.models import Seat, Vacation


def begin(seat: Seat, clock: Clock, time: timedelta, at: datetime) -> None:
    """The seat has so much time from now on for what it owes."""
    seat.time_left, seat.since, seat.is_fixed = time, at, False
    seat.deadline = moment(seat, clock)


def end(seat: Seat, clock: Clock, at: datetime, *, is_reply: bool) -> None:
    """What the seat owed has been decided. An answer to somebody else's move leaves the bank alone."""
    if seat.since:
        seat.kept = left(seat, clock, at) if is_reply else min(seat.bank, left(seat, clock, at))
        seat.bank = seat.bank if is_reply else after_move(clock, seat.kept, NOTHING)
    stop(seat)


def stop(seat: Seat) -> None:
    """Nothing is owed any more, and nothing was spent."""
    seat.time_left = seat.since = seat.deadline = None
    seat.is_fixed = False


def give(seat: Seat, clock: Clock, more: timedelta, now: datetime) -> None:
    """So much more for what is owed; from now on where its time was up already."""
    seat.time_left, seat.since = left(seat, clock, now) + more, now
    seat.deadline = moment(seat, clock)


def reopen(seat: Seat, clock: Clock, at: datetime, *, is_reply: bool) -> None:
    """What the seat decided last is taken back: it has the time again that was left then, and no more (T9)."""
    time = seat.bank if seat.kept is None else seat.kept
    if not is_reply:
        seat.bank = time
    begin(seat, clock, time, at)


def moment(seat: Seat, clock: Clock, share: float = 1) -> datetime:
    """When that share of the time for what is owed will have run down, as far as anybody can know now."""
    assert seat.since is not None and seat.time_left is not None
    time = seat.time_left * share
    if seat.user is None or seat.is_fixed:
        return seat.since + time
    return running.deadline(clock, time, seat.since, seat.user.nights, away(seat.user, seat.since))


def left(seat: Seat, clock: Clock, now: datetime) -> timedelta:
    """How much of the time for what is owed has not run down yet."""
    assert seat.since is not None and seat.time_left is not None
    if seat.user is None or seat.is_fixed:
        return max(seat.time_left - (now - seat.since), NOTHING)
    nights, vacations = seat.user.nights, away(seat.user, seat.since)
    return running.settle(clock, seat.time_left, seat.since, now, nights, vacations).bank


def away(user: User, since: datetime) -> list[vacations.Vacation]:
    """The vacations that can stop a clock which runs since then. Who announced none since is not asked for any."""
    if user.away_until is None or user.away_until <= since:
        return []
    return [vacation.plain for vacation in Vacation.objects.filter(user=user, last__gte=since.date() - DAY)]


def hold(seat: Seat, clock: Clock, now: datetime, *, is_reply: bool) -> None:
    """The seat changes hands while its clock runs: from now on nothing moves the deadline, until this is decided.

    So nobody gains time by handing a seat to and fro, and what is left for moves is what it was before.
    """
    if seat.since is None or seat.deadline is None:
        return
    if not is_reply:
        seat.bank = min(seat.bank, left(seat, clock, now))
    seat.since, seat.is_fixed = min(now, seat.deadline), True
    seat.time_left = seat.deadline - seat.since


def settle(seat: Seat, clock: Clock, now: datetime) -> None:
    """What is spent until now stays spent, whatever rests from now on."""
    if seat.since is None or seat.time_left is None or seat.user is None or seat.is_fixed:
        return
    nights, vacations = seat.user.nights, away(seat.user, seat.since)
    now_left = running.settle(clock, seat.time_left, seat.since, now, nights, vacations)
    seat.time_left, seat.since = now_left.bank, now_left.since
