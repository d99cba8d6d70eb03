"""Asking for one's last turn back, and answering. Nothing is deleted: taking back is the next entry of the log.

Each call is one transaction on the locked row of the game, so that of a move, an answer and a second request at one
moment the first decides, and the others learn that the table has moved on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from games.models import Game, Seat
from games.models.log import By
from games.models.takeback import Answer, TakeBack
from games.rules import log, takeback
from games.rules.fairness import Fair
from games.rules.protocol import IllegalAction, State
from games.selectors import position
from games.selectors.takeback import standing, waiting_for
from games.selectors.turns import is_taken_back
from games.services import commit, play, telling
from games.services.commit import Locked
from games.services.errors import GameError, Illegal, NotYours


@dataclass(frozen=True)
class Undoing:
    """A turn that can be taken back: the position `before` it, and the people who have to agree."""

    turn: log.Entry
    before: State
    asked: tuple[Seat, ...]


def prospect(*, game: Game, seat: int) -> Undoing:
    """What asking for the seat's last turn would come to. Raises `GameError` where it cannot be taken back."""
    play.need_running(game, game.seq)
    locked = commit.load(game)
    return undoing(locked, play.seat_at(locked, seat))


@transaction.atomic
def ask(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Ask for the seat's turn that was the last entry; where nobody has to agree it is taken back at once.

    Once for each turn; sent twice it counts once. Raises `GameError`.
    """
    row = commit.lock_row(game)
    if is_taken_back(row, expected_seq):
        return row
    play.need_running(row, expected_seq)
    asked = TakeBack.objects.filter(game=row, seq=row.seq).first()
    if asked:
        return _asked_before(row, asked, seat)
    locked = commit.load(row)
    found, now = undoing(locked, play.seat_at(locked, seat)), timezone.now()
    if found.asked:
        _put_to(row, play.seat_at(locked, seat), found.asked, now)
    else:
        _take_back(locked, found.turn, found.before, seat, now)
    return row


@transaction.atomic
def agree(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Let the turn be taken back, as far as the seat is concerned; with the last to agree it is. Raises `GameError`."""
    row = commit.lock_row(game)
    if is_taken_back(row, expected_seq):
        return row
    request, locked = _request(row, expected_seq), commit.load(row)
    _need_asked(request, seat)
    request.agreed = sorted({*request.agreed, seat})
    if waiting_for(request, locked.seats):
        _keep(row, request, Answer.ASKED)
    else:
        turn, before, _earlier = last_turn(locked)
        _take_back(locked, turn, before, seat, timezone.now())
        request.state = Answer.DONE
        request.save(update_fields=["agreed", "state"])
    return row


@transaction.atomic
def refuse(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Let the turn stand. It cannot be asked for again. Raises `GameError`."""
    row = commit.lock_row(game)
    request = _request(row, expected_seq)
    _need_asked(request, seat)
    _keep(row, request, Answer.REFUSED)
    return row


@transaction.atomic
def withdraw(*, game: Game | str, seat: int, expected_seq: int) -> Game:
    """Ask no longer: the turn stands. Raises `GameError`."""
    row = commit.lock_row(game)
    request = _request(row, expected_seq)
    if request.seat != seat:
        raise NotYours(gettext("You have not asked for a turn."))
    _keep(row, request, Answer.WITHDRAWN)
    return row


# What can be taken back


def undoing(locked: Locked, mine: Seat) -> Undoing:
    """The last turn, if it is the seat's and may be taken back. Raises `GameError`."""
    turn, before, earlier = last_turn(locked)
    try:
        takeback.check(locked.rules, before, turn, locked.state, mine.number, earlier)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    return Undoing(turn, before, consenting(locked, before, turn))


def consenting(locked: Locked, before: State, turn: log.Entry) -> tuple[Seat, ...]:
    """The people who have to agree. Raises `GameError` where there should be somebody and is nobody."""
    learned = takeback.who_learned(locked.rules, before, turn, locked.state, len(locked.seats))
    asked = tuple(seat for seat in telling.people(locked.seats) if seat.number in learned)
    if not asked and draws(locked, before, turn):
        raise GameError(gettext("What a draw decided stands here, for there is nobody who could agree to another."))
    return asked


def last_turn(locked: Locked) -> tuple[log.Entry, State, log.Entry | None]:
    """The last entry, the position before it, and the entry before it."""
    *earlier, turn = position.entries(locked.game)
    before = log.fold(locked.rules, position.empty(locked.game, locked.seats), earlier)
    return turn, before, earlier[-1] if earlier else None


def draws(locked: Locked, before: State, turn: log.Entry) -> bool:
    """Whether the turn, taken anew, would draw otherwise. Decks would not: the same card comes again."""
    chance = Fair(locked.seed).at(turn.seq)
    takeback.again(locked.rules, before, turn, chance)
    return chance.drawn > 0


# Asking and answering


def _asked_before(row: Game, asked: TakeBack, seat: int) -> Game:
    if asked.seat == seat and asked.state == Answer.ASKED:
        return row
    raise GameError(gettext("This turn has been asked for once, and it stands."))


def _put_to(row: Game, mine: Seat, people: Sequence[Seat], now: datetime) -> None:
    """Ask these people. The request before, about an earlier turn, is over."""
    asked = [one.number for one in people]
    new = {"seat": mine.number, "seq": row.seq, "asked_at": now, "asked": asked, "agreed": [], "state": Answer.ASKED}
    TakeBack.objects.update_or_create(game=row, defaults=new)
    telling.tell_asked_back(game=row, seats=people, asker=mine)
    _show(row)


def _request(row: Game, expected_seq: int) -> TakeBack:
    """What is asked about the last entry. Raises `GameError`."""
    play.need_running(row, expected_seq)
    request = standing(Game.objects.select_related("take_back").get(pk=row.pk))
    if request is None:
        raise GameError(gettext("Nobody asks for their turn any more."))
    return request


def _need_asked(request: TakeBack, seat: int) -> None:
    if seat not in request.asked:
        raise NotYours(gettext("This is not yours to answer."))


def _keep(row: Game, request: TakeBack, state: Answer) -> None:
    request.state = state
    request.save(update_fields=["agreed", "state"])
    _show(row)


def _show(row: Game) -> None:
    """Pages that are open show it."""
    row.version += 1
    row.save(update_fields=["version"])


def _take_back(locked: Locked, turn: log.Entry, before: State, here: int, now: datetime) -> None:
    """Write the entry and settle the rows. The player in seat `here` has just been at the table."""
    assert turn.seat is not None
    actions, events = takeback.taking_back(turn)
    after, locked.state = locked.state, before
    commit.append(locked, at=now, seat=turn.seat, by=By.SEAT, actions=actions, events=events)
    mine, mover = play.seat_at(locked, turn.seat), play.seat_at(locked, here)
    play.have_seen(locked, mover, By.SEAT)
    asked = commit.reopen(locked, at=now, seat=mine, after=after)
    telling.tell_who_is_asked(game=locked.game, seats=asked, mover=mover, now=now)
    telling.wait_for(game=locked.game, seats=asked, now=now)
