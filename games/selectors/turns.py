"""Whether a decision that was owed once is owed still: what a link in a mail has to know before it acts."""

from games.models import Entry, Game, Seat
from games.rules import log


def still_owes(seat: Seat, seq: int) -> bool:
    """The seat still owes the decision that it owed after entry `seq`, whatever others have decided besides.

    If that entry was taken back, what the seat owes now is another decision.
    """
    if not (seat.owes and seat.game.is_running):
        return False
    has_moved = Entry.objects.filter(game=seat.game, seat=seat.number, seq__gt=seq).exists
    return seat.game.seq == seq or not (has_moved() or is_taken_back(seat.game, seq))


def is_taken_back(game: Game, seq: int) -> bool:
    """Whether the turn of entry `seq` was taken back."""
    behind = Entry.objects.filter(game=game, seq=seq + 1).first()
    return behind is not None and log.undone(behind) == seq


def was_last_asked(seat: Seat, seq: int) -> bool:
    """The seat has not been asked for anything new since it owed a decision after entry `seq`.

    It may go on with what it has begun, and it may see what comes of it.
    """
    behind = Entry.objects.filter(game=seat.game, seq__gt=seq)
    own = list(behind.filter(seat=seat.number).order_by("seq").values_list("seq", flat=True))
    if not own:
        return still_owes(seat, seq)
    is_one_run = own[-1] - own[0] < len(own)
    return is_one_run and (not seat.owes or own[-1] == seat.game.seq)
