"""Time-outs and reliability: what late turns mean for the seat and its player, and tables that require reliability."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import F, Value
from django.db.models.functions import Concat, Right
from django.utils.translation import gettext

from accounts.models import User
from games.clocks.reliability import LAST
from games.errors import TableError
from games.tables.models import Game, Seat, TimeOut
from games.tables.models.absence import Handover, Why
from games.tables.models.game import STAND_IN
from games.tables.models.log import By

TIME_IS_UP = {By.CLOCK, By.LATE}
IN_A_ROW = 2  # time-outs, after which a bot keeps the seat at every table
FEW_TURNS = 10  # with fewer turns, reliability is unknown


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
        # A bot takes the seat over until its owner comes back, or permanently if the table's setting says so
        is_lost = game.time_out != TimeOut.TURN or seat.time_outs >= IN_A_ROW
        if player and is_missed and is_lost and (game.full_game_id or not is_last):
            seat.has_given_up = game.time_out == TimeOut.OUT
            seat.user, seat.bot, seat.back_at, seat.has_changed_hands = None, STAND_IN, None, True
            why = Why.OUT if seat.has_given_up else Why.TIME
            Handover.objects.create(seat=seat, at=at, bot=STAND_IN, why=why)
            lost.append(seat)
    for person, was_in_time in sorted(counted):  # a fixed order, so that two games cannot deadlock
        # Keep the last hundred turns, in one atomic update
        turns = Right(Concat(F("punctuality"), Value("1" if was_in_time else "0")), LAST)
        User.objects.filter(pk=person).update(punctuality=turns)
    return lost


def need_reliable(game: Game, user: User) -> None:
    """Refuse a player who is less reliable than the table requires. Players with few turns can always join."""
    shown = user.reliability
    if shown and shown.turns >= FEW_TURNS and shown.percent < game.reliability:
        sentence = gettext("This table requires %(wanted)d%% of turns on time. %(name)s has %(percent)d%%.")
        raise TableError(sentence % {"wanted": game.reliability, "name": user.username, "percent": shown.percent})
