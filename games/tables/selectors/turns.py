"""Whether a decision is still due, which links in emails check before they act."""

from games.rules import log
from games.tables.models import Entry, Game, Seat


def still_owes(seat: Seat, seq: int) -> bool:
    """Return whether the seat still owes the decision that was due after entry `seq`.

    Decisions of others in between do not matter. If that entry was undone, the seat owes a different decision.
    """
    if not (seat.owes and seat.game.is_running):
        return False
    has_moved = Entry.objects.filter(game=seat.game, seat=seat.number, seq__gt=seq).exists
    return seat.game.seq == seq or not (has_moved() or is_taken_back(seat.game, seq))


def is_taken_back(game: Game, seq: int) -> bool:
    """Return whether the turn of entry `seq` was undone."""
    behind = Entry.objects.filter(game=game, seq=seq + 1).first()
    return behind is not None and log.undone(behind) == seq


def was_last_asked(seat: Seat, seq: int) -> bool:
    """Return whether the decision due after entry `seq` is the last one that the seat was asked for.

    The seat may be continuing that turn, or have just finished it. Entries written together with its own, such as
    sealed decisions, do not end the turn.
    """
    behind = list(Entry.objects.filter(game=seat.game, seq__gt=seq).order_by("seq").values_list("seat", "at"))
    own = [place for place, (number, _at) in enumerate(behind) if number == seat.number]
    if not own:
        return still_owes(seat, seq)
    moments = {behind[place][1] for place in own}
    run = behind[own[0] :] if seat.owes else behind[own[0] : own[-1]]
    return all(at in moments for _number, at in run)
