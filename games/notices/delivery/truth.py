"""Whether a notice should still be sent, as things stand at this moment: asked when it is due, and once more last."""

from collections.abc import Callable, Sequence

from games.notices import outlets as channels
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, Why
from games.tables.models.game import Seat
from games.tables.models.log import Entry
from games.tables.selectors import takeback, turns


def why_not(notice: Notice) -> str:
    """Why the notice should not be sent, as a `Why`; empty when it should."""
    return reasons([notice])[0]


def reasons(notices: Sequence[Notice]) -> list[str]:
    """The same for several that go out over one channel, in their order."""
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
    """Why the table, as the notice has it, speaks against it."""
    seat = notice.seat
    if seat is None:
        return ""
    if notice.kind == Kind.AWAY:  # its reader's seat is in other hands, that is what it tells
        return "" if seat.user_id is None else Why.SETTLED
    if seat.user_id != notice.user_id:
        return Why.LEFT
    return _STILL_TRUE.get(notice.kind, _always)(seat, notice.seq)


def _always(seat: Seat, seq: int) -> str:
    return ""


def _owes(seat: Seat, seq: int) -> str:
    return "" if turns.still_owes(seat, seq) else Why.TAKEN


def _stands(seat: Seat, seq: int) -> str:
    """Nothing has happened since entry `seq`: with each entry the reminders are written anew."""
    return "" if seat.owes and seat.game.is_running and seat.game.seq == seq else Why.TAKEN


def _asked_back(seat: Seat, seq: int) -> str:
    return "" if takeback.awaits(seat, seq) else Why.SETTLED


def _unmoved(seat: Seat, seq: int) -> str:
    """Whoever has taken a turn knows that the game began; of one that was called off that is no news any more."""
    return Why.TAKEN if _has_moved(seat, seq) or seat.game.is_void else ""


def _has_moved(seat: Seat, seq: int) -> bool:
    return Entry.objects.filter(game=seat.game, seat=seat.number, seq__gt=seq).exists()


_STILL_TRUE: dict[str, Callable[[Seat, int], str]] = {
    Kind.TURN: _owes,
    Kind.TIME: _stands,
    Kind.STARTED: _unmoved,
    Kind.BACK: _asked_back,
}
