"""Playing a turn. A submission is one transaction: lock, check, decide, append, answer by orders, settle, notify."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from empire.observability import logs, metrics
from games.errors import GameError, NotYours, Over, Stale, Unfinished
from games.notices.outbox import outbox
from games.tables.models import Draft, Entry, Game, Seat, Status
from games.tables.models.log import By
from games.tables.services import answers, commit
from games.tables.services import deadlines as timing
from games.tables.services import full_games as leagues
from games.tables.services import notify as telling
from games.tables.services.commit import Locked
from games.tables.services.drafts import add_step, lay_out, undo
from games.tables.services.full_game_news import is_last

logger = logging.getLogger(__name__)

__all__ = ["add_step", "lay_out", "look", "submit_turn", "undo"]


@transaction.atomic
def submit_turn(
    *,
    game: Game | str,
    seat: int,
    actions: Sequence[str],
    expected_seq: int,
    by: str = By.SEAT,
    late_at: datetime | None = None,
) -> Game:
    """Play the seat's complete turn. Submitting it twice counts once. Raises `GameError` with nothing written.

    A sealed decision stays out of the log, and can be changed, until the last one is in. With `late_at` the turn is
    played only if the seat's time is up then.
    """
    row = commit.lock_row(game)
    if expected_seq < row.seq and has_been_taken(row, seat, actions, expected_seq):
        return row
    with logs.about(game=row.public_id, seat=seat, seq=row.seq):
        need_running(row, expected_seq)
        locked = commit.load(row)
        mover = seat_at(locked, seat)
        need_late(mover, late_at)
        if row.sealed:
            seal(locked, mover, actions, by)
        else:
            take_turn(locked, mover, actions, by)
        note_accepted(row, by)
    return row


def note_accepted(game: Game, by: str) -> None:
    """Log and count the turn after the commit."""
    known = logs.facts() | {"seq": game.seq}

    def note() -> None:
        metrics.turns.labels(game.ruleset, by).inc()
        with logs.about(**known):
            logger.info("A turn was accepted.")

    transaction.on_commit(note, robust=True)


def look(*, seat: Seat, seq: int, has_stale_draft: bool = False) -> None:
    """Record that the seat's player has seen the table up to entry `seq`, and drop an outdated draft.

    A full disk must not keep anyone from looking, so database errors are ignored.
    """
    with suppress(OperationalError):
        if seat.seen_seq < seq:
            Seat.objects.filter(pk=seat.pk, seen_seq__lt=seq).update(seen_seq=seq)
        if has_stale_draft:
            Draft.objects.filter(seat=seat, seq__lt=seq).delete()


def has_been_taken(game: Game, seat: int, actions: Sequence[str], expected_seq: int) -> bool:
    """Return whether exactly this turn was already accepted from this seat at `expected_seq`.

    It is then the next entry or, for a sealed decision, one of the entries written at the same moment.
    """
    near = Entry.objects.filter(game=game, seq__gt=expected_seq, seq__lte=expected_seq + game.players).order_by("seq")
    behind = list(near)
    same = [entry for entry in behind if entry.at == behind[0].at and entry.seat == seat]
    return bool(same) and same[0].actions == list(actions)


def need_running(game: Game, expected_seq: int) -> None:
    if game.status == Status.OPEN:
        raise Over(gettext("The game has not started."))
    if game.status != Status.RUNNING:
        raise Over(gettext("The game is over."))
    if expected_seq != game.seq:
        raise Stale


def need_course(game: Game, seq: int, head: str) -> None:
    """Raise `Stale` unless the page was drawn on the current last entry.

    After a restore a different entry may have the same seq. An empty `head` is not checked. No lock is needed, because
    `seq` alone detects normal changes.
    """
    if seq == game.seq and not game.head.startswith(head):
        raise Stale


def seat_at(locked: Locked, number: int) -> Seat:
    found = next((seat for seat in locked.seats if seat.number == number), None)
    if found is None:
        raise NotYours(gettext("This table has no such seat."))
    return found


def need_late(mover: Seat, late_at: datetime | None) -> None:
    """Refuse to act for a seat that still has time. The caller holds the lock. Raises `NotYours`."""
    if late_at is not None and (mover.deadline is None or mover.deadline > late_at):
        raise NotYours(gettext("This turn still has time left."))


def take_turn(locked: Locked, mover: Seat, actions: Sequence[str], by: str) -> None:
    """Check the turn without chance, then decide and append it. The turn must be complete (R40)."""
    if not mover.owes:
        raise NotYours(gettext("It’s not your turn."))
    walk = commit.walked(locked.rules, locked.state, mover.number, actions)
    if not actions or (not walk.is_closed and locked.rules.end_of_turn(walk.state, mover.number)):
        raise Unfinished
    now = timezone.now()
    events = commit.decided(locked, mover.number, actions)
    locked.by[mover.number] = by
    commit.append(locked, at=now, seat=mover.number, by=by, actions=actions, events=events)
    have_seen(locked, mover, by)
    settle(locked, mover, by, now)


def have_seen(locked: Locked, mover: Seat, by: str) -> None:
    """Mark everything so far as seen by the mover; answers by standing orders of others come later."""
    if by == By.SEAT:
        mover.seen_seq = locked.game.seq


def seal(locked: Locked, mover: Seat, actions: Sequence[str], by: str) -> None:
    """Store a sealed decision. Until the last one is in, nothing visible to others changes (R6)."""
    if by != By.SEAT and not mover.owes:
        return
    if len(actions) != 1:
        raise GameError(gettext("Submit one decision at a time."))
    commit.walked(locked.rules, locked.state, mover.number, actions)
    kept = {"seq": locked.game.seq, "actions": list(actions), "by": by}
    Draft.objects.filter(seat=mover, sealed=False).delete()
    Draft.objects.update_or_create(seat=mover, sealed=True, defaults=kept)
    timing.end(mover, locked.game.pace, timezone.now(), is_reply=locked.was_reply)
    mover.owes = False
    mover.save(update_fields=["owes", "deadline", "bank", "time_left", "since"])
    if not locked.owing:
        reveal(locked, mover, by)


def reveal(locked: Locked, last: Seat, by: str) -> None:
    """Write all sealed decisions at once in seat order, so that the log does not reveal who decided when."""
    now = timezone.now()
    kept = {draft.seat_id: draft for draft in Draft.objects.filter(seat__in=locked.seats, sealed=True)}
    owed = locked.rules.to_act(locked.state)
    for seat in [seat for seat in locked.seats if seat.number in owed]:
        draft = kept[seat.pk]
        locked.by[seat.number] = draft.by
        events = commit.decided(locked, seat.number, draft.actions)
        commit.append(locked, at=now, seat=seat.number, by=draft.by, actions=draft.actions, events=events)
    have_seen(locked, last, by)
    settle(locked, last, by, now)


def settle(locked: Locked, mover: Seat, by: str, now: datetime) -> None:
    """Let standing orders answer, update the rows, notify people, and continue after a finished game."""
    game, here = locked.game, mover if by == By.SEAT else None
    answers.answer(locked, now)
    asked = commit.settle(locked, at=now, mover=here)
    with outbox.together():
        telling.tell_who_is_asked(game=game, seats=asked, mover=here, now=now)
        telling.tell_lost(game=game, seats=locked.lost)
        telling.wait_for(game=game, seats=locked.owing, now=now)
    if game.is_finished:
        if not is_last(game):
            telling.tell_ended(game=game, seats=locked.seats)
        leagues.go_on(game=game, now=now)
