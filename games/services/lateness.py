"""What it does to seat and player that a turn was taken in time, or that time was up."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from games.models import Game, Seat, TimeOut
from games.models.absence import Handover, Why
from games.models.game import STAND_IN
from games.models.log import By
from games.services.reliability import remember

TIME_IS_UP = {By.CLOCK, By.LATE}
IN_A_ROW = 2  # time-outs, after which a bot keeps the seat at every table


def count(decided: Iterable[Seat], by: Mapping[int, str], at: datetime, *, game: Game, is_last: bool) -> list[Seat]:
    """Count the decisions that have just ended, for whoever plays the seat. What bots decide counts for nobody.

    Nor does the reliability of people change who took the seat over for good: they helped out.

    Returns the seats that a bot takes over for it; they have still to be written.
    `is_last`: the game has ended with them, so that nobody need take over unless another game follows.
    """
    lost = []
    for seat in sorted(decided, key=lambda seat: seat.user_id or 0):  # two tables lock the same people in one order
        player, how = seat.user, by[seat.number]
        if player is None or not (how == By.SEAT or how in TIME_IS_UP):
            continue
        if player.pk != seat.owner_id or not seat.is_newcomers:
            remember(player, was_in_time=how == By.SEAT)
        seat.time_outs = 0 if how == By.SEAT else seat.time_outs + 1
        if how in TIME_IS_UP and is_lost(game, seat) and (game.full_game_id or not is_last):
            lose(game, seat, at)
            lost.append(seat)
    return lost


def is_lost(game: Game, seat: Seat) -> bool:
    """Whether a bot keeps the seat from now on."""
    return game.time_out != TimeOut.TURN or seat.time_outs >= IN_A_ROW


def lose(game: Game, seat: Seat, at: datetime) -> None:
    """A bot takes the seat over: until its owner comes back, or for good where the table has it so."""
    seat.has_given_up = game.time_out == TimeOut.OUT
    seat.user, seat.bot, seat.back_at, seat.has_changed_hands = None, STAND_IN, None, True
    why = Why.OUT if seat.has_given_up else Why.TIME
    Handover.objects.create(seat=seat, at=at, bot=STAND_IN, why=why)
