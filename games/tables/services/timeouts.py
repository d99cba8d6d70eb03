"""Consequences of on-time and late turns for the seat and the player's reliability."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from games.tables.models import Game, Seat, TimeOut
from games.tables.models.absence import Handover, Why
from games.tables.models.game import STAND_IN
from games.tables.models.log import By
from games.tables.services.reliability import remember

TIME_IS_UP = {By.CLOCK, By.LATE}
IN_A_ROW = 2  # time-outs, after which a bot keeps the seat at every table


def count(decided: Iterable[Seat], by: Mapping[int, str], at: datetime, *, game: Game, is_last: bool) -> list[Seat]:
    """Count the decisions that have just been made for the reliability of the seats' players.

    An on-time turn counts for the player. A late turn counts against the player, and against the person who gave the
    seat away while that clock ran. Other decisions by bots count for nobody. People who took a seat over permanently
    are not counted, because they helped out.

    Return the seats that a bot takes over, not yet saved. `is_last`: the game is over, so no bot takes over unless
    another game of a full game follows.
    """
    counted, lost = [], []
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
        if player and is_missed and is_lost(game, seat) and (game.full_game_id or not is_last):
            lose(game, seat, at)
            lost.append(seat)
    for person, was_in_time in sorted(counted):  # a fixed order, so that two games cannot deadlock
        remember(person, was_in_time=was_in_time)
    return lost


def is_lost(game: Game, seat: Seat) -> bool:
    """Return whether a bot keeps the seat from now on."""
    return game.time_out != TimeOut.TURN or seat.time_outs >= IN_A_ROW


def lose(game: Game, seat: Seat, at: datetime) -> None:
    """Let a bot take the seat over until its owner comes back, or permanently if the table's setting says so."""
    seat.has_given_up = game.time_out == TimeOut.OUT
    seat.user, seat.bot, seat.back_at, seat.has_changed_hands = None, STAND_IN, None, True
    why = Why.OUT if seat.has_given_up else Why.TIME
    Handover.objects.create(seat=seat, at=at, bot=STAND_IN, why=why)
