"""Requests to undo the last turn, and answers to them. Nothing is deleted: an undo is the next entry of the log.

Each call is one transaction on the locked row of the game. If a move, an answer and a second request come at the same
time, the first one wins and the others are refused as stale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from games.errors import GameError, Illegal, NotYours
from games.rules import log
from games.rules.fairness import Fair
from games.rules.protocol import IllegalAction, State
from games.tables.models import Game, Seat
from games.tables.models.log import By, TakeBack, UndoAnswer
from games.tables.selectors import position
from games.tables.selectors.position import is_taken_back
from games.tables.selectors.table import open_request, why_final, yet_to_agree
from games.tables.services import commit, deadlines, notify
from games.tables.services.commit import Locked


@dataclass(frozen=True)
class Undoing:
    """A turn that can be undone, the position before it, and who must agree. `went_on`: its clock never stopped."""

    turn: log.Entry
    before: State
    went_on: bool
    asked: tuple[Seat, ...]


def prospect(*, game: Game, seat: int) -> Undoing:
    """Return what undoing the seat's last turn would involve. Raises `GameError` if it cannot be undone."""
    commit.need_running(game, game.seq)
    _need_no_lesson(game)
    locked = commit.load(game)
    found = undoing(locked, locked.seat(seat))
    need_owners(found.asked)
    return found


@transaction.atomic
def ask(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Ask to undo the last turn, once, or undo it right away if nobody has to agree. Raises `GameError`."""
    row = commit.lock_row(game)
    if is_taken_back(row, expected_seq):
        return row
    commit.need_running(row, expected_seq)
    before = TakeBack.objects.filter(game=row, seq=row.seq).first()
    if before and before.seat == seat and before.state == UndoAnswer.ASKED:
        return row
    if before:
        raise GameError(gettext("You can ask to undo a turn only once."))
    _need_no_lesson(row)
    locked = commit.load(row)
    mine, now = locked.seat(seat), timezone.now()
    found = undoing(locked, mine)
    need_owners(found.asked)
    if not found.asked:
        _take_back(locked, found, mine, now)
        return row
    # Ask these people. This replaces the request about an earlier turn.
    asked = [one.number for one in found.asked]
    new = {"seat": seat, "seq": row.seq, "asked_at": now, "asked": asked, "agreed": [], "state": UndoAnswer.ASKED}
    TakeBack.objects.update_or_create(game=row, defaults=new)
    notify.tell_undo_requested(game=row, seats=found.asked, asker=mine)
    commit.refresh_pages(row)
    return row


@transaction.atomic
def agree(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Agree to the undo, which the last one to agree performs. Raises `GameError`, also for substitutes."""
    row = commit.lock_row(game)
    if is_taken_back(row, expected_seq):
        return row
    request, locked = _request(row, expected_seq), commit.load(row)
    _need_asked(request, seat)
    found, mine = undoing(locked, locked.seat(request.seat)), locked.seat(seat)
    if mine.is_away:
        raise NotYours(gettext("Only %(name)s can agree, because this is their seat.") % {"name": mine.name})
    request.agreed = sorted({*request.agreed, seat})
    if yet_to_agree(request, locked.seats):
        _save_answer(row, request, UndoAnswer.ASKED)
    else:
        _take_back(locked, found, mine, timezone.now())
        request.state = UndoAnswer.DONE
        request.save(update_fields=["agreed", "state"])
    return row


@transaction.atomic
def refuse(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Decline the undo. It cannot be requested again. Raises `GameError`."""
    row = commit.lock_row(game)
    if (before := _ended(row, UndoAnswer.REFUSED)) and seat in before.asked:
        return row
    request = _request(row, expected_seq)
    _need_asked(request, seat)
    _save_answer(row, request, UndoAnswer.REFUSED)
    return row


@transaction.atomic
def withdraw(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Withdraw the request. Raises `GameError`."""
    row = commit.lock_row(game)
    if (before := _ended(row, UndoAnswer.WITHDRAWN)) and before.seat == seat:
        return row
    request = _request(row, expected_seq)
    if request.seat != seat:
        raise NotYours(gettext("You have not asked to undo a turn."))
    _save_answer(row, request, UndoAnswer.WITHDRAWN)
    return row


# What can be undone


def _need_no_lesson(game: Game) -> None:
    if game.lesson:
        raise GameError(gettext("You can’t undo a turn of a lesson. Play on, or skip it and start again."))


def undoing(locked: Locked, mine: Seat) -> Undoing:
    """Return the last turn if it is the seat's and can be undone. Raises `GameError`."""
    rules, after = locked.rules, locked.state
    *earlier, turn = position.entries(locked.game)
    before = log.fold(rules, position.empty(locked.game, locked.seats), earlier)
    try:
        log.check_undo(rules, before, turn, after, mine.number, earlier[-1] if earlier else None)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    went_on = mine.owes and rules.is_under_way(after) and rules.is_reply(after) == rules.is_reply(before)
    if not (went_on or deadlines.still_kept(mine, locked.game.parsed_clock, timezone.now())):
        raise GameError(gettext("You can’t undo this turn, because its time has since run out."))
    learned = log.who_learned(rules, before, turn, after, len(locked.seats))
    if learned and (said := why_final(locked.game)):
        raise GameError(said)
    # Programs can't be asked: outside bots agree silently, as ours do
    asked = tuple(seat for seat in locked.seats if seat.number in learned and seat.owner and not seat.owner.is_bot)
    return Undoing(turn, before, went_on, asked)


def need_owners(people: Sequence[Seat]) -> None:
    """Refuse the request if one of these owners is away, because nobody can agree for them."""
    for seat in people:
        if seat.is_away:
            sentence = gettext("You can’t undo this turn, because %(name)s is away and nobody else can agree for them.")
            raise GameError(sentence % {"name": seat.name})


# Steps of the above


def _request(row: Game, expected_seq: int) -> TakeBack:
    """Return the open request about the last entry. Raises `GameError`."""
    commit.need_running(row, expected_seq)
    request = open_request(Game.objects.select_related("take_back").get(pk=row.pk))
    if request is None:
        raise GameError(gettext("This undo request is no longer open."))
    return request


def _ended(row: Game, state: UndoAnswer) -> TakeBack | None:
    """Return the request about the last entry if it has ended in this state, as when an answer is sent twice."""
    return TakeBack.objects.filter(game=row, seq=row.seq, state=state).first()


def _need_asked(request: TakeBack, seat: int) -> None:
    if seat not in request.asked:
        raise NotYours(gettext("You were not asked about this undo request."))


def _save_answer(row: Game, request: TakeBack, state: UndoAnswer) -> None:
    request.state = state
    request.save(update_fields=["agreed", "state"])
    commit.refresh_pages(row)


def _take_back(locked: Locked, found: Undoing, here: Seat, now: datetime) -> None:
    """Append the undo and update the rows. The player of the seat `here` has just acted."""
    turn, locked.state = found.turn, found.before
    assert turn.seat is not None
    chance = Fair(locked.seed, locked.game.draws)
    actions, events = log.taking_back(turn, again=chance.has_drawn)
    chance.take_back()
    locked.game.draws = chance.kept
    commit.append(locked, at=now, seat=turn.seat, by=By.SEAT, actions=actions, events=events)
    here.seen_seq = locked.game.seq
    asked = commit.reopen(locked, at=now, seat=locked.seat(turn.seat), went_on=found.went_on)
    notify.tell_who_is_asked(game=locked.game, seats=asked, mover=here, now=now)
    notify.wait_for(game=locked.game, seats=asked, now=now)
