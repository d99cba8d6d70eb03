"""Undo requests, as one reader of the table sees them."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules import log
from games.tables.models import Game, Seat
from games.tables.models.log import Answer, By, TakeBack
from games.tables.selectors.lines import that_count
from games.tables.selectors.table import Table


@dataclass(frozen=True)
class Request:
    """A request by `name` to undo the last turn. `waiting` names the players who have not agreed yet.

    `is_mine`: the reader asks. `is_asked`: the reader must agree, and `has_agreed` tells whether they did.
    """

    name: str
    waiting: tuple[str, ...]
    is_mine: bool
    is_asked: bool
    has_agreed: bool


def standing(game: Game) -> TakeBack | None:
    """Return the open request about the last entry, if any. `game` is loaded with its `take_back`."""
    asked: TakeBack | None = getattr(game, "take_back", None)
    stands = asked is not None and game.is_running and asked.seq == game.seq and asked.state == Answer.ASKED
    return asked if stands else None


def waiting_for(request: TakeBack, seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats whose owners have not agreed yet, away or not. Bots and abandoned seats agree silently."""
    return [one for one in seats if one.number in request.asked and one.number not in request.agreed and one.owner_id]


def answers(request: TakeBack, seat: Seat) -> bool:
    """Return whether the seat's player has to answer. Substitutes do not, because owners answer themselves."""
    return not seat.is_away and waiting_for(request, [seat]) == [seat]


def awaits(seat: Seat, seq: int) -> bool:
    """Return whether the seat has to answer a request about entry `seq`, the last one."""
    asked = TakeBack.objects.filter(game=seat.game_id, seq=seq, state=Answer.ASKED, game__seq=seq).first()
    return asked is not None and answers(asked, seat)


def request_of(table: Table) -> Request | None:
    """Return the request as the reader sees it; None for earlier positions."""
    asked = standing(table.game)
    if asked is None or table.at is not None:
        return None
    me = table.seat.number if table.seat and not table.seat.is_away else None
    return Request(
        name=table.names[asked.seat],
        waiting=tuple(seat.name for seat in waiting_for(asked, table.seats)),
        is_mine=table.seat is not None and table.seat.number == asked.seat,
        is_asked=me in asked.asked,
        has_agreed=me in asked.agreed,
    )


def may_ask(table: Table) -> bool:
    """Return whether the reader may ask to undo the last turn, judging by the end of the log."""
    if table.at is not None or table.seat is None or not table.game.is_running or not table.log:
        return False
    asked: TakeBack | None = getattr(table.game, "take_back", None)
    if asked is not None and asked.seq == table.game.seq:
        return False
    # The last line must be the reader's own turn, not sealed, and not played after an undo
    last, *before = reversed(table.log[-2:])
    is_own = last.seat == table.seat.number and last.by == By.SEAT and last in that_count([last])
    return is_own and all(one.at != last.at and one.actions != (log.TAKE_BACK,) for one in before)
