"""Whether a notice should still be sent, as things stand at this moment: asked when it is due, and once more last."""

from collections.abc import Callable

from accounts.kinds import Channel, How, Kind
from accounts.models import User
from games.models.game import Seat
from games.models.log import Entry
from games.notices import channels
from games.notices.models import Notice, Why
from games.selectors import takeback, turns


def why_not(notice: Notice) -> str:
    """Why the notice should not be sent, as a `Why`; empty when it should."""
    user = User.objects.get(pk=notice.user_id)
    if not user.is_active or user.how(Kind(notice.kind), Channel(notice.channel)) == How.OFF:
        return Why.UNWANTED
    return channels.outlet(notice.channel).why_not(notice) or _why_not_at_the_table(notice)


def _why_not_at_the_table(notice: Notice) -> str:
    if notice.seat_id is None:
        return ""
    seat = Seat.objects.select_related("game").get(pk=notice.seat_id)
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
