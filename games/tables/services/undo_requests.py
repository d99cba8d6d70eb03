"""Requests to undo the last turn, and answers to them. Nothing is deleted: an undo is the next entry of the log.

Each call is one transaction on the locked row of the game. If a move, an answer and a second request come at the same
time, the first one wins and the others are refused as stale. With `player`, that person must still play the seat then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.errors import GameError, Illegal, NotYours
from games.rules import log
from games.rules.fairness import Fair
from games.rules.protocol import IllegalAction, State
from games.tables.models import Game, Seat
from games.tables.models.log import By, UndoRequest, UndoState
from games.tables.selectors import position
from games.tables.selectors.position import is_undone
from games.tables.selectors.table import open_undo_request, why_final, why_missing, yet_to_agree
from games.tables.services import commit, deadlines, notify
from games.tables.services.commit import Locked


@dataclass(frozen=True)
class UndoableTurn:
    """A turn that can be undone, the position before it, and the seats whose owners must agree.

    `is_under_way`: the seat still owes the next part of the same turn, so its clock has not stopped in between.
    """

    turn: log.Entry
    before: State
    is_under_way: bool
    must_agree: tuple[Seat, ...]


def preview(*, game: Game, seat: int) -> UndoableTurn:
    """Return what undoing the seat's last turn would involve. Raises `GameError` if it cannot be undone."""
    commit.need_running(game, game.seq)
    _need_no_lesson(game)
    locked = commit.load(game)
    undoable = undoable_turn(locked, locked.seat(seat))
    _need_owners_present(undoable.must_agree)
    return undoable


@transaction.atomic
def ask(*, game: Game | str, seat: int, expected_seq: int, player: User | None = None) -> Game:
    """Ask to undo the last turn, once, or undo it right away if nobody has to agree. Raises `GameError`."""
    game = _locked_row(game, seat, player)
    if is_undone(game, expected_seq):
        return game
    commit.need_running(game, expected_seq)
    before = UndoRequest.objects.filter(game=game, seq=game.seq).first()
    if before and before.seat == seat and before.state == UndoState.ASKED:
        return game
    if before:
        raise GameError(gettext("You can ask to undo a turn only once."))
    _need_no_lesson(game)
    locked = commit.load(game)
    own_seat, now = locked.seat(seat), timezone.now()
    undoable = undoable_turn(locked, own_seat)
    _need_owners_present(undoable.must_agree)
    if not undoable.must_agree:
        _undo(locked, undoable, own_seat, now)
        return game
    # Ask these people. This replaces the request about an earlier turn.
    numbers = [seat.number for seat in undoable.must_agree]
    new = {"seat": seat, "seq": game.seq, "asked_at": now, "asked": numbers, "agreed": [], "state": UndoState.ASKED}
    UndoRequest.objects.update_or_create(game=game, defaults=new)
    notify.tell_undo_requested(game=game, seats=undoable.must_agree, asker=own_seat)
    commit.refresh_pages(game)
    return game


@transaction.atomic
def agree(*, game: Game | str, seat: int, expected_seq: int, player: User | None = None) -> Game:
    """Agree to the undo, which the last one to agree performs. Raises `GameError`, also for substitutes."""
    game = _locked_row(game, seat, player)
    if is_undone(game, expected_seq):
        return game
    request, locked = _request(game, expected_seq), commit.load(game)
    _need_asked(request, seat)
    undoable, own_seat = undoable_turn(locked, locked.seat(request.seat)), locked.seat(seat)
    if own_seat.is_away:
        raise NotYours(gettext("Only %(name)s can agree, because this is their seat.") % {"name": own_seat.name})
    request.agreed = sorted({*request.agreed, seat})
    if yet_to_agree(request, locked.seats):
        _save_answer(game, request, UndoState.ASKED)
    else:
        _undo(locked, undoable, own_seat, timezone.now())
        request.state = UndoState.DONE
        request.save(update_fields=["agreed", "state"])
    return game


@transaction.atomic
def refuse(*, game: Game | str, seat: int, expected_seq: int, player: User | None = None) -> Game:
    """Decline the undo. It cannot be requested again. Raises `GameError`."""
    game = _locked_row(game, seat, player)
    if (before := _ended(game, UndoState.REFUSED)) and seat in before.asked:
        return game
    request = _request(game, expected_seq)
    _need_asked(request, seat)
    _save_answer(game, request, UndoState.REFUSED)
    return game


@transaction.atomic
def withdraw(*, game: Game | str, seat: int, expected_seq: int, player: User | None = None) -> Game:
    """Withdraw the request. Raises `GameError`."""
    game = _locked_row(game, seat, player)
    if (before := _ended(game, UndoState.WITHDRAWN)) and before.seat == seat:
        return game
    request = _request(game, expected_seq)
    if request.seat != seat:
        raise NotYours(gettext("You have not asked to undo a turn."))
    _save_answer(game, request, UndoState.WITHDRAWN)
    return game


# What can be undone


def _need_no_lesson(game: Game) -> None:
    if game.lesson:
        raise GameError(gettext("You can’t undo a turn of a lesson. Play on, or skip it and start again."))


def undoable_turn(locked: Locked, seat: Seat) -> UndoableTurn:
    """Return the last turn if it is the seat's and can be undone. Raises `GameError`."""
    rules, after = locked.rules, locked.state
    *earlier, turn = position.entries(locked.game)
    before = log.fold(rules, position.empty(locked.game, locked.seats), earlier)
    try:
        log.check_undo(rules, before, turn, after, seat.number, earlier[-1] if earlier else None)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    is_under_way = seat.owes and rules.is_under_way(after) and rules.is_reply(after) == rules.is_reply(before)
    if not (is_under_way or deadlines.still_kept(seat, locked.game.parsed_clock, timezone.now())):
        raise GameError(gettext("You can’t undo this turn, because its time has since run out."))
    learned = log.who_learned(rules, before, turn, after, len(locked.seats))
    if learned and (reason := why_final(locked.game)):
        raise GameError(reason)
    # Programs can't be asked: outside bots agree silently, as ours do
    must_agree = tuple(seat for seat in locked.seats if seat.number in learned and seat.owner and not seat.owner.is_bot)
    return UndoableTurn(turn, before, is_under_way, must_agree)


def _need_owners_present(seats: Sequence[Seat]) -> None:
    """Refuse the request if one of these owners is away, because nobody can agree for them."""
    for seat in seats:
        if seat.is_away:
            raise GameError(why_missing(seat))


# Steps of the above


def _locked_row(game: Game | str, seat: int, player: User | None) -> Game:
    """Lock the game for a step of this seat. Raises `NotYours` if its `player`, if given, does not play it then."""
    game = commit.lock_row(game)
    if player is not None and not Seat.objects.filter(game=game, number=seat, user=player).exists():
        raise NotYours(gettext("You no longer play this seat."))
    return game


def _request(game: Game, expected_seq: int) -> UndoRequest:
    """Return the open request about the last entry. Raises `GameError`."""
    commit.need_running(game, expected_seq)
    request = open_undo_request(Game.objects.select_related("undo_request").get(pk=game.pk))
    if request is None:
        raise GameError(gettext("This undo request is no longer open."))
    return request


def _ended(game: Game, state: UndoState) -> UndoRequest | None:
    """Return the request about the last entry if it has ended in this state, as when an answer is sent twice."""
    return UndoRequest.objects.filter(game=game, seq=game.seq, state=state).first()


def _need_asked(request: UndoRequest, seat: int) -> None:
    if seat not in request.asked:
        raise NotYours(gettext("You were not asked about this undo request."))


def _save_answer(game: Game, request: UndoRequest, state: UndoState) -> None:
    request.state = state
    request.save(update_fields=["agreed", "state"])
    commit.refresh_pages(game)


def _undo(locked: Locked, undoable: UndoableTurn, mover: Seat, now: datetime) -> None:
    """Append the undo and update the rows. The player of the seat `mover` has just acted."""
    turn, locked.state = undoable.turn, undoable.before
    assert turn.seat is not None
    chance = Fair(locked.seed, locked.game.draws)
    actions, events = log.undoing(turn, again=chance.has_drawn)
    chance.undo()
    locked.game.draws = chance.kept
    commit.append(locked, at=now, seat=turn.seat, by=By.SEAT, actions=actions, events=events)
    mover.seen_seq = locked.game.seq
    reopened = commit.reopen(locked, at=now, undone_seat=locked.seat(turn.seat), is_under_way=undoable.is_under_way)
    notify.tell_who_is_asked(game=locked.game, seats=reopened, mover=mover, now=now)
    notify.wait_for(game=locked.game, seats=reopened, now=now)
