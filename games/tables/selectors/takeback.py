"""Who wants their last turn back, as one reader of the table sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules import log
from games.tables.models import Game, Seat
from games.tables.models.log import By
from games.tables.models.takeback import Answer, TakeBack
from games.tables.selectors.lines import Line, that_count
from games.tables.selectors.table import Table


@dataclass(frozen=True)
class Request:
    """`name` asks for the last turn. `waiting` are the names of those who have not agreed yet.

    `is_mine`: the reader asks. `is_asked`: the reader has to answer, and `has_agreed` says whether they did.
    """

    name: str
    waiting: tuple[str, ...]
    is_mine: bool
    is_asked: bool
    has_agreed: bool


def standing(game: Game) -> TakeBack | None:
    """What is asked about the last entry and not answered in full; `game` was read with its `take_back`."""
    asked: TakeBack | None = getattr(game, "take_back", None)
    stands = asked is not None and game.is_running and asked.seq == game.seq and asked.state == Answer.ASKED
    return asked if stands else None


def waiting_for(request: TakeBack, seats: Sequence[Seat]) -> list[Seat]:
    """The seats whose owners have not agreed yet, away or not. Bots agree silently, and seats that people have left."""
    return [one for one in seats if one.number in request.asked and one.number not in request.agreed and one.owner_id]


def answers(request: TakeBack, seat: Seat) -> bool:
    """Whether the player of the seat is asked and has not agreed. A substitute is not: owners answer themselves."""
    return not seat.is_away and waiting_for(request, [seat]) == [seat]


def awaits(seat: Seat, seq: int) -> bool:
    """Whether the seat is asked about entry `seq`, the last one, and has not answered."""
    asked = TakeBack.objects.filter(game=seat.game_id, seq=seq, state=Answer.ASKED, game__seq=seq).first()
    return asked is not None and answers(asked, seat)


def request_of(table: Table) -> Request | None:
    """The request as the reader of the table sees it; none for earlier positions."""
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
    """Whether the reader may ask for the last turn, as far as the end of the log tells."""
    if table.at is not None or table.seat is None or not table.game.is_running or not table.log:
        return False
    asked: TakeBack | None = getattr(table.game, "take_back", None)
    return _is_own(table.log, table.seat.number) and (asked is None or asked.seq != table.game.seq)


def _is_own(lines: Sequence[Line], seat: int) -> bool:
    """A turn that the seat's player took, and not anew. What was decided in secret is written with that of others."""
    last, *before = reversed(lines[-2:])
    is_own = last.seat == seat and last.by == By.SEAT and last in that_count(lines)
    return is_own and all(one.at != last.at and one.actions != (log.TAKE_BACK,) for one in before)
