"""The clocks of the seats: when they start and stop, and the deadline. See docs/clocks.md.

A running clock is two values: `time_left`, and `since`, the moment at which that much was left. The deadline follows
from them and from the nights and weekends of the seat's owner, even if someone else plays, so a seat keeps its clock
when it changes hands. A vacation pauses the clock only while the owner plays. The clock of a bot's own seat never
pauses.

`kept` and `kept_at` are the same two values for the seat's last decision, in case it is undone. `bank` is the time for
the seat's next turn. The functions change the seat and leave saving it to the caller; `clock` is the game's
`parsed_clock`.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

import msgspec
from django.db.models import F, Value
from django.db.models.functions import Concat, Right
from django.utils.translation import gettext

from accounts.models import User
from empire.prepared import PreparedChange
from games.clocks import running, vacations
from games.clocks.clock import LAST_TURNS, Clock, after_move
from games.clocks.nights import Nights
from games.clocks.running import Running
from games.clocks.zones import DAY
from games.errors import TableError
from games.tables.models import Game, Seat, TimeOut, Vacation
from games.tables.models.absence import Handover, HandoverReason
from games.tables.models.game import STAND_IN
from games.tables.models.log import By

CLOCK = ["time_left", "since", "deadline", "kept", "kept_at"]  # what `subtract_spent` and `recalculate` change


def begin(seat: Seat, clock: Clock, time: timedelta, at: datetime) -> None:
    """Start the clock with this much time for a decision."""
    seat.time_left, seat.since, seat.left_by = time, at, None
    seat.deadline = runs_out_at(seat, clock)


def end(seat: Seat, clock: Clock, at: datetime, *, is_reply: bool) -> None:
    """Stop the clock after a decision and update the bank, which replies do not use."""
    if seat.since:
        seat.kept = left(seat, clock, at) if is_reply else min(seat.bank, left(seat, clock, at))
        seat.kept_at = at
        seat.bank = seat.bank if is_reply else after_move(clock, seat.kept, timedelta())
    stop(seat)


def stop(seat: Seat) -> None:
    """Stop the clock without using time."""
    seat.time_left = seat.since = seat.deadline = None


def give(seat: Seat, clock: Clock, more: timedelta, now: datetime) -> None:
    """Add time to the current decision, counted from now if its time was up."""
    seat.time_left, seat.since = left(seat, clock, now) + more, now
    seat.deadline = runs_out_at(seat, clock)


def reopen(seat: Seat, clock: Clock, at: datetime, *, is_reply: bool) -> None:
    """Restart the clock of the last decision, which was undone, as if it had never stopped (T9)."""
    time = still_kept(seat, clock, at)
    if not is_reply:
        seat.bank = time
    begin(seat, clock, time, at)


def still_kept(seat: Seat, clock: Clock, now: datetime) -> timedelta:
    """Return how much time the last decision would have left if its clock had run on until now."""
    if seat.kept is None or seat.kept_at is None:
        return seat.bank
    return _as_of(seat, clock, seat.kept, seat.kept_at, now).bank


def runs_out_at(seat: Seat, clock: Clock, share: float = 1) -> datetime:
    """Return when this share of the time left will be used up; the whole is the deadline.

    Vacations that are announced later move it.
    """
    assert seat.since is not None and seat.time_left is not None
    nights, away = _pauses(seat, seat.since)
    return running.deadline(_clock_of(seat, clock), seat.time_left * share, seat.since, nights, away)


def left(seat: Seat, clock: Clock, now: datetime) -> timedelta:
    """Return the time left for the current decision."""
    assert seat.since is not None and seat.time_left is not None
    return _as_of(seat, clock, seat.time_left, seat.since, now).bank


def subtract_spent(seat: Seat, clock: Clock, now: datetime) -> None:
    """Subtract the time spent so far, before the pauses or the player of the seat change."""
    if seat.since is not None and seat.time_left is not None:
        updated = _as_of(seat, clock, seat.time_left, seat.since, now)
        seat.time_left, seat.since = updated.bank, updated.since
    if seat.kept is not None and seat.kept_at is not None:
        updated = _as_of(seat, clock, seat.kept, seat.kept_at, now)
        seat.kept, seat.kept_at = updated.bank, updated.since


def recalculate(seat: Seat, clock: Clock) -> None:
    """Recalculate the deadline after the pauses or the player of the seat have changed.

    Call `subtract_spent` before the change.
    """
    if seat.since is not None:
        seat.deadline = runs_out_at(seat, clock)


def away(user: User, since: datetime) -> list[vacations.Vacation]:
    """Return vacations that can pause a clock running since then, without a query if there are none."""
    if user.away_until is None or user.away_until <= since:
        return []
    return [vacation.plain for vacation in Vacation.objects.filter(user=user, last__gte=since.date() - DAY)]


def _as_of(seat: Seat, clock: Clock, time: timedelta, since: datetime, now: datetime) -> Running:
    """Return what is left now of the time that was left at `since`."""
    return running.settle(_clock_of(seat, clock), time, since, now, *_pauses(seat, since))


def _pauses(seat: Seat, since: datetime) -> tuple[Nights, Iterable[vacations.Vacation]]:
    """Return the nights and vacations that pause the seat's clock."""
    owner: User | None = seat.clock_owner
    if owner is None:
        return Nights("UTC"), ()
    return owner.nights, away(owner, since) if seat.user_id == owner.pk else ()


def _clock_of(seat: Seat, clock: Clock) -> Clock:
    """Return the clock as it applies to the seat: no weekends off for a bot's own seat."""
    return clock if seat.owner_id or not clock.weekends_off else msgspec.structs.replace(clock, weekends_off=False)


# Consequences of on-time and late turns for the seat and the player's reliability

TIME_IS_UP = {By.CLOCK, By.LATE}
IN_A_ROW = 2  # time-outs, after which a bot keeps the seat at every table
FEW_TURNS = 10  # with fewer turns, reliability is unknown


def _adding(turn: str) -> PreparedChange:
    """Return the change that adds a turn to those of a user, given by id, and keeps the last hundred."""
    turns = Right(Concat(F("punctuality"), Value(turn)), LAST_TURNS)
    return PreparedChange(lambda person: (User.objects.filter(pk=person), {"punctuality": turns}))


ADD_TURN = {True: _adding("1"), False: _adding("0")}  # by whether it was in time


def count_turns(
    decided: Collection[Seat], by: Mapping[int, str], at: datetime, *, game: Game, is_last: bool
) -> list[Seat]:
    """Count the decisions that have just been made for the reliability of the seats' players.

    An on-time turn counts for the player. A late turn counts against the player, and against the person who gave the
    seat away while that clock ran. Other decisions by bots count for nobody. People who took a seat over permanently
    are not counted, because they helped out.

    Return the seats that a bot takes over, not yet saved. `is_last`: the game is over, so no bot takes over unless
    another game of a full game follows. Lessons count for nobody.
    """
    if game.lesson:
        return []
    counted, taken_over = [], []
    for seat in decided:
        player, how = seat.user_id, by[seat.number]
        helper = seat.owner_id if seat.is_newcomers else None
        is_missed = how in TIME_IS_UP or (how == By.STAND_IN and seat.left_by_id is not None)
        if is_missed:
            counted += [(person, False) for person in {player, seat.left_by_id} if person and person != helper]
            seat.time_outs += bool(player or seat.left_by_id)
        elif player and how == By.SEAT:
            counted += [(player, True)] if player != helper else []
            seat.time_outs = 0
        seat.left_by = None
        # A bot takes the seat over until its owner comes back, or permanently if the table's setting says so
        is_taken_over = game.time_out != TimeOut.TURN or seat.time_outs >= IN_A_ROW
        if player and is_missed and is_taken_over and (game.full_game_id or not is_last):
            seat.has_given_up = game.time_out == TimeOut.OUT
            seat.user, seat.bot, seat.back_at, seat.has_changed_hands = None, STAND_IN, None, True
            why = HandoverReason.OUT if seat.has_given_up else HandoverReason.TIME
            Handover.objects.create(seat=seat, at=at, bot=STAND_IN, why=why)
            taken_over.append(seat)
    for person, was_in_time in sorted(counted):  # a fixed order, so that two games cannot deadlock
        ADD_TURN[was_in_time](person)
        for seat in decided:
            if seat.user and seat.user_id == person:  # which the page after the turn shows
                seat.user.punctuality = f"{seat.user.punctuality}{int(was_in_time)}"[-LAST_TURNS:]
    return taken_over


def need_reliable(game: Game, user: User) -> None:
    """Refuse a player who is less reliable than the table requires. Players with few turns can always join."""
    reliability = user.reliability
    if reliability and reliability.turns >= FEW_TURNS and reliability.percent < game.reliability:
        sentence = gettext("This table requires %(wanted)d%% of turns on time. %(name)s has %(percent)d%%.")
        raise TableError(sentence % {"wanted": game.reliability, "name": user.username, "percent": reliability.percent})
