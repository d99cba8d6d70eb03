"""Whether a notice should still be sent. Checked when it is due, and again right before it is handed over."""

from collections.abc import Callable, Sequence

from games.notices import outlets as channels
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, Why
from games.tables.models.game import Seat
from games.tables.models.log import Entry
from games.tables.selectors import position, takeback


def why_not(notice: Notice) -> str:
    """Return a `Why` if the notice should not be sent, else an empty text."""
    return reasons([notice])[0]


def reasons(notices: Sequence[Notice]) -> list[str]:
    """Return the same for several notices of one channel, in their order."""
    rows = Notice.objects.select_related("user", "seat__game").in_bulk([notice.pk for notice in notices])
    there = [rows[notice.pk] for notice in notices if notice.pk in rows]
    unreachable = zip(there, channels.outlet(notices[0].channel).reasons(there), strict=True) if there else ()
    found = {row.pk: _unwanted(row) or why or at_the_table(row) for row, why in unreachable}
    return [found.get(notice.pk, Why.LEFT) for notice in notices]


def _unwanted(notice: Notice) -> str:
    user = notice.user
    is_wanted = user.is_active and user.how(Kind(notice.kind), Channel(notice.channel)) != How.OFF
    return "" if is_wanted else Why.UNWANTED


def at_the_table(notice: Notice) -> str:
    """Return a `Why` if the state of the game makes the notice obsolete. Uses the objects loaded with the notice."""
    seat = notice.seat
    if seat is None:
        return ""
    if notice.kind == Kind.AWAY:  # it tells the reader that a bot has their seat
        return "" if seat.user_id is None else Why.SETTLED
    if seat.user_id != notice.user_id:
        return Why.LEFT
    return _STILL_TRUE.get(notice.kind, _always)(seat, notice.seq)


def _always(seat: Seat, seq: int) -> str:
    return ""


def _owes(seat: Seat, seq: int) -> str:
    return "" if position.still_owes(seat, seq) else Why.TAKEN


def _stands(seat: Seat, seq: int) -> str:
    """Return `TAKEN` unless `seq` is still the last entry. New reminders are written with each entry."""
    return "" if seat.owes and seat.game.is_running and seat.game.seq == seq else Why.TAKEN


def _asked_back(seat: Seat, seq: int) -> str:
    return "" if takeback.awaits(seat, seq) else Why.SETTLED


def _unmoved(seat: Seat, seq: int) -> str:
    """Return `TAKEN` if the player has moved and so knows about the game, or if the game was called off."""
    return Why.TAKEN if _has_moved(seat, seq) or seat.game.is_void else ""


def _has_moved(seat: Seat, seq: int) -> bool:
    return Entry.objects.filter(game=seat.game, seat=seat.number, seq__gt=seq).exists()


_STILL_TRUE: dict[str, Callable[[Seat, int], str]] = {
    Kind.TURN: _owes,
    Kind.TIME: _stands,
    Kind.STARTED: _unmoved,
    Kind.BACK: _asked_back,
}
