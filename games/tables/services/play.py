"""Playing: submit a turn, lay one out as a draft that only its player sees, and give standing orders."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from empire.bell import ring
from empire.observability import logs, metrics
from games.bots.review import can_review
from games.errors import Final, GameError, GivesUp, LaidOutElsewhere, NotFound, NotYours, Over, Stale, Unfinished
from games.notices.outbox import outbox
from games.rules.play import is_whole
from games.rules.protocol import Ruleset, State
from games.tables.families import parts_of
from games.tables.models import Draft, Entry, Game, Seat
from games.tables.models.log import By
from games.tables.selectors import position
from games.tables.services import commit, deadlines, full_games, lessons, notify
from games.tables.services.commit import Locked

logger = logging.getLogger(__name__)

LOOKS_EVERY = timedelta(seconds=20)  # at most; shorter than `notify.AT_THE_TABLE`

Turn = tuple[Seat, Sequence[str], str]  # who acts, the action texts, and by whom they were decided


@transaction.atomic
def submit_turn(
    *,
    game: Game | str,
    seat: int,
    actions: Sequence[str],
    expected_seq: int,
    by: str = By.SEAT,
    late_at: datetime | None = None,
    is_sure: bool = True,
) -> Game:
    """Play the seat's complete turn. Submitting it twice counts once. Raises `GameError` with nothing written.

    A sealed decision stays out of the log, and can be changed, until the last one is in. With `late_at` the turn is
    played only if the seat's time is up then. Unless `is_sure`, raise `GivesUp` if the last action gives up something
    usable.
    """
    # 1. Lock the row. A turn that was already accepted changes nothing: it is then the next entry or, for a sealed
    #    decision, one of the entries written at the same moment.
    row = commit.lock_row(game)
    if expected_seq < row.seq:
        near = Entry.objects.filter(game=row, seq__gt=expected_seq, seq__lte=expected_seq + row.players).order_by("seq")
        behind = list(near)
        accepted = [entry for entry in behind if entry.at == behind[0].at and entry.seat == seat]
        if accepted and accepted[0].actions == list(actions):
            return row
    with logs.about(game=row.public_id, seat=seat, seq=row.seq):
        # 2. Check that the page showed the last entry, and load the position
        commit.need_running(row, expected_seq)
        locked = commit.load(row)
        mover = locked.seat(seat)
        if late_at is not None and (mover.deadline is None or mover.deadline > late_at):
            raise NotYours(gettext("This turn still has time left."))
        # 3. Check the turn without chance, so that a refusal tells nothing hidden. It must be complete (R40).
        if row.sealed:
            turns = _seal(locked, mover, actions, by)
        elif not mover.owes:
            raise NotYours(gettext("It’s not your turn."))
        else:
            walk = commit.walked(locked.rules, locked.state, seat, actions)
            if not actions or not is_whole(locked.rules, walk, seat):
                raise Unfinished
            if row.lesson and mover.has_person:
                is_sure = lessons.need_fitting(row, locked.state, actions) or is_sure
            if not is_sure:
                _need_nothing_given_up(locked.rules, locked.state, seat, actions)
            turns = [(mover, actions, by)]
        if turns:
            # 4. Decide with chance, and append each decision to the log
            now = timezone.now()
            for one, texts, decider in turns:
                events = commit.decided(locked, one.number, texts)
                locked.by[one.number] = decider
                commit.append(locked, at=now, seat=one.number, by=decider, actions=texts, events=events)
            # 5. The mover has seen everything so far, but not what the standing orders of others answer now
            here = mover if by == By.SEAT else None
            if here:
                here.seen_seq = row.seq
            commit.answer_by_orders(locked, now)
            if row.lesson:
                lessons.go_on(locked, now)
            # 6. Update the rows, notify people, wake bots, and continue after the last turn
            _settle(locked, here, now)
        # 7. Count the turn after the commit. A failure there cannot undo it.
        known = logs.facts() | {"seq": row.seq}

        def note() -> None:
            metrics.turns.labels(row.ruleset, by).inc()
            with logs.about(**known):
                logger.info("A turn was accepted.")

        transaction.on_commit(note, robust=True)
    return row


def _seal(locked: Locked, mover: Seat, actions: Sequence[str], by: str) -> list[Turn]:
    """Store a sealed decision. Until the last one is in, nothing visible to others changes (R6).

    With the last one return all of them in seat order, so that the log does not reveal who decided when.
    """
    if by != By.SEAT and not mover.owes:
        return []
    if len(actions) != 1:
        raise GameError(gettext("Submit one decision at a time."))
    commit.walked(locked.rules, locked.state, mover.number, actions)
    kept = {"seq": locked.game.seq, "actions": list(actions), "by": by}
    Draft.objects.filter(seat=mover, sealed=False).delete()
    Draft.objects.update_or_create(seat=mover, sealed=True, defaults=kept)
    deadlines.end(mover, locked.game.pace, timezone.now(), is_reply=locked.was_reply)
    mover.owes = False
    mover.save(update_fields=["owes", "deadline", "bank", "time_left", "since"])
    if locked.owing:
        return []
    drafts = {draft.seat_id: draft for draft in Draft.objects.filter(seat__in=locked.seats, sealed=True)}
    asked = [seat for seat in locked.seats if seat.number in locked.rules.to_act(locked.state)]
    return [(seat, drafts[seat.pk].actions, drafts[seat.pk].by) for seat in asked]


def _settle(locked: Locked, here: Seat | None, now: datetime) -> None:
    """Update the rows, notify all but the player of the seat `here`, and continue after a finished game."""
    game = locked.game
    asked = commit.settle(locked, at=now, mover=here)
    if game.lesson:
        return  # nobody hears of it, and nothing follows: no scores, no next game
    with outbox.together():
        notify.tell_who_is_asked(game=game, seats=asked, mover=here, now=now)
        notify.tell_lost(game=game, seats=locked.lost)
        notify.wait_for(game=game, seats=locked.owing, now=now)
    if game.is_finished:
        if can_review(game.rules):
            ring("games.tasks.measure_luck", game.pk)
        if not full_games.is_last(game):
            notify.tell_ended(game=game, seats=locked.seats)
        full_games.go_on(game=game, now=now)


def need_course(game: Game, seq: int, head: str) -> None:
    """Raise `Stale` unless the page was drawn on the current last entry.

    After a restore a different entry may have the same seq. An empty `head` is not checked. No lock is needed, because
    `seq` alone detects normal changes.
    """
    if seq == game.seq and not game.head.startswith(head):
        raise Stale


def look(*, seat: Seat, seq: int = -1, has_stale_draft: bool = False) -> None:
    """Record that the seat's player is at the table and has seen it up to entry `seq`, and drop an outdated draft.

    The time is written at most once in `LOOKS_EVERY`, so that reading stays cheap. A full disk must not keep anyone
    from looking, so database errors are ignored.
    """
    now, row = timezone.now(), Seat.objects.filter(pk=seat.pk)
    with suppress(OperationalError):
        if seat.seen_seq < seq:
            row.filter(seen_seq__lt=seq).update(seen_seq=seq, looked_at=now)
        elif seat.looked_at is None or not timedelta() <= now - seat.looked_at < LOOKS_EVERY:
            row.update(looked_at=now)
        if has_stale_draft:
            Draft.objects.filter(seat=seat, seq__lt=seq).delete()


# Drafts: steps of a turn that nobody else sees and that can be undone until they are submitted


@transaction.atomic
def lay_out(*, game: Game | str, seat: int, actions: Sequence[str], expected_seq: int) -> Draft:
    """Replace the seat's draft. If the rules refuse a step, raise and keep the old draft."""
    board, mine = _need_turn(game, seat, expected_seq)
    _check(board, mine, actions)
    return _keep(board, mine, actions)


@transaction.atomic
def add_steps(
    *,
    game: Game | str,
    seat: int,
    actions: Sequence[str],
    expected_seq: int,
    laid: Sequence[str] | None = None,
    is_sure: bool = True,
) -> Draft:
    """Add steps to the draft: all of them, or none if the rules refuse one.

    With `laid`, raise `LaidOutElsewhere` unless the draft is what the page showed. Adding the same steps to the same
    draft twice, after a lost response, counts once. Unless `is_sure`, raise `GivesUp` at the first step that gives up
    something usable.
    """
    board, mine = _need_turn(game, seat, expected_seq)
    draft = _laid_out(board, mine)
    if laid is not None and draft != list(laid):
        if draft != [*laid, *actions]:
            raise LaidOutElsewhere
        return _keep(board, mine, draft)
    _check(board, mine, [*draft, *actions], unsure=0 if is_sure else len(actions))
    return _keep(board, mine, [*draft, *actions])


@transaction.atomic
def undo(
    *, game: Game | str, seat: int, expected_seq: int, keep: int | None = None, laid: Sequence[str] | None = None
) -> Draft:
    """Undo the last step of the draft, or with `keep` all steps after the first `keep`. For `laid` see `add_steps`."""
    board, mine = _need_turn(game, seat, expected_seq)
    draft = _laid_out(board, mine)
    kept = draft[:-1] if keep is None else draft[: max(0, keep)]
    if laid is not None and draft != list(laid):
        if draft != list(laid)[: -1 if keep is None else max(0, keep)]:
            raise LaidOutElsewhere
        return _keep(board, mine, draft)
    return _keep(board, mine, kept)


def _need_turn(game: Game | str, seat: int, expected_seq: int) -> tuple[Game, Seat]:
    """Return the game and the seat, with its row locked so that two devices of one player do not race."""
    which = {"public_id": game} if isinstance(game, str) else {"pk": game.pk}
    mine = Seat.objects.select_for_update().filter(game__in=Game.objects.filter(**which), number=seat).first()
    if mine is None:
        raise NotFound
    board = Game.objects.select_related("snapshot").get(pk=mine.game_id)
    commit.need_running(board, expected_seq)
    if not (mine.owes or board.sealed):
        raise NotYours(gettext("It’s not your turn."))
    return board, mine


def _check(game: Game, seat: Seat, actions: Sequence[str], *, unsure: int = 0) -> None:
    """Check the steps without chance. Raises `GameError`, or `Final` if the last step needs chance.

    Raises `GivesUp` if one of the last `unsure` steps gives up something usable.
    """
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    state = position.current(game, seats, getattr(game, "snapshot", None))
    walk = commit.walked(game.rules, state, seat.number, actions)
    if game.lesson and lessons.need_fitting(game, state, actions):
        unsure = 0
    for n in range(len(actions) - unsure, len(actions) - walk.needs_chance):
        _need_nothing_given_up(game.rules, state, seat.number, actions[: n + 1])
    if walk.needs_chance:
        raise Final


def _need_nothing_given_up(rules: Ruleset, state: State, seat: int, actions: Sequence[str]) -> None:
    """Raise `GivesUp` if the last of these actions gives up something that its seat could still use."""
    *earlier, last = actions
    before = commit.walked(rules, state, seat, earlier).state
    if parts_of(rules).gives_up(rules.view(before, seat), last):
        raise GivesUp(last, earlier)


def _laid_out(game: Game, seat: Seat) -> list[str]:
    draft = Draft.objects.filter(seat=seat, sealed=False, seq=game.seq).first()
    return list(draft.actions) if draft else []


def _keep(game: Game, seat: Seat, actions: Sequence[str]) -> Draft:
    kept = {"seq": game.seq, "actions": list(actions)}
    return Draft.objects.update_or_create(seat=seat, sealed=False, defaults=kept)[0]


# Standing orders: answers that a player gives in advance


@transaction.atomic
def give_orders(*, game: Game | str, seat: int, orders: Mapping[str, Any]) -> Seat:
    """Save the seat's orders, and answer a due decision at once if they cover it. Raises `GameError`."""
    row = commit.lock_row(game)
    if not (row.is_open or row.is_running):
        raise Over(gettext("The game is over."))
    if row.lesson:
        raise GameError(gettext("A lesson has no standing orders. You can give them in your first game."))
    mine = Seat.objects.filter(game=row, number=seat).first()
    if mine is None:
        raise NotYours(gettext("This table has no such seat."))
    fields = {field.name: field for field in row.rules.order_fields()}
    if not fields:
        raise GameError(gettext("This game has no standing orders."))
    for name, value in orders.items():
        if name not in fields:
            raise GameError(gettext("There is no such standing order."))
        if not any(choice.value == value and type(choice.value) is type(value) for choice in fields[name].choices):
            label = gettext(fields[name].label)
            raise GameError(gettext("“%(order)s”: choose one of the answers.") % {"order": label})
    mine.orders = dict(orders)
    mine.save(update_fields=["orders"])
    if row.is_running and mine.owes:
        locked, now, before = commit.load(row), timezone.now(), row.seq
        locked.by[seat] = By.SEAT
        commit.answer_by_orders(locked, now)
        if row.seq > before:
            _settle(locked, locked.seat(seat), now)
    return mine
