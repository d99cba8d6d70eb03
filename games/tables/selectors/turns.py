"""Whether a decision that was owed once is owed still: what a link in a mail has to know before it acts."""

from games.rules import log
from games.tables.models import Entry, Game, Seat


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

    It may go on with what it has begun, and it may see what comes of it. Entries that were written together with one of
    its own, as sealed decisions are, do not part what it does.
    """
    behind = list(Entry.objects.filter(game=seat.game, seq__gt=seq).order_by("seq").values_list("seat", "at"))
    own = [place for place, (number, _at) in enumerate(behind) if number == seat.number]
    if not own:
        return still_owes(seat, seq)
    moments = {behind[place][1] for place in own}
    run = behind[own[0] :] if seat.owes else behind[own[0] : own[-1]]
    return all(at in moments for _number, at in run)
