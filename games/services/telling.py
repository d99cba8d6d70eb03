"""Whom a change of a game concerns: notices for people, the doorbell for bots."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.models import Game, Seat
from games.notices import outbox
from games.notices.models import Kind
from games.services.bell import ring

RUNNING_OUT = 0.8  # of the clock; then a player is reminded
BOT_PAUSE = timedelta(minutes=10)  # bots answer at once: who is still there takes the turn, and needs no mail


def tell_who_acts(*, game: Game, seats: Iterable[Seat], mover: Seat | None, now: datetime) -> None:
    """Tell those who owe a decision now. `mover` has just been here and needs no word, only the reminder."""
    due_at = now + BOT_PAUSE if mover and mover.bot else None
    for seat in seats:
        if seat.has_person:
            if seat is not mover:
                outbox.tell(kind=Kind.TURN, seat=seat, seq=game.seq, due_at=due_at)
            remind(game=game, seat=seat, now=now)
        else:
            wake(game=game, seat=seat)


def tell_started(*, game: Game, seats: Iterable[Seat], starter: Seat | None, now: datetime) -> None:
    """Tell the people at the table that the game began, save the one who just made it begin; wake the bots."""
    for seat in seats:
        if not seat.has_person:
            if seat.owes:
                wake(game=game, seat=seat)
            continue
        if seat != starter and not outbox.tell(kind=Kind.STARTED, seat=seat, seq=game.seq) and seat.owes:
            outbox.tell(kind=Kind.TURN, seat=seat, seq=game.seq)  # who wants no news of beginnings may want turns
        if seat.owes:
            remind(game=game, seat=seat, now=now)


def tell_ended(*, game: Game, seats: Iterable[Seat]) -> None:
    for seat in people(seats):
        outbox.tell(kind=Kind.ENDED, seat=seat, seq=game.seq)


def tell_closed(*, game: Game, seats: Iterable[Seat]) -> None:
    for seat in people(seats):
        outbox.tell(kind=Kind.CLOSED, seat=seat, seq=0)


def remind(*, game: Game, seat: Seat, now: datetime) -> None:
    """Once a turn, when most of the clock has run down."""
    outbox.tell(kind=Kind.TIME, seat=seat, seq=game.seq, due_at=now + RUNNING_OUT * game.clock)


def wake(*, game: Game, seat: Seat) -> None:
    ring("games.tasks.play_bot", game.pk, seat.number)


def people(seats: Iterable[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.has_person]
