"""Playing: submit a turn, lay one out as a draft that only its player sees, and give standing orders."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from empire.observability import logs, metrics
from empire.on_commit import delay_on_commit
from empire.prepared import PreparedUpdate
from games.bots.review import can_review
from games.errors import Final, GameError, GivesUp, LaidOutElsewhere, NotFound, NotYours, Over, Stale, Unfinished
from games.notices.outbox import outbox
from games.rules.play import LONGEST_TURN, MOST_STEPS, is_whole
from games.rules.protocol import Ruleset, State
from games.tables.families import parts_of
from games.tables.models import Draft, Entry, Game, Seat
from games.tables.models.log import By
from games.tables.selectors import position, rights
from games.tables.selectors.table import LoadedGame
from games.tables.services import commit, deadlines, full_games, lessons, notify
from games.tables.services.commit import Locked

logger = logging.getLogger(__name__)

LOOKS_EVERY = timedelta(seconds=20)  # at most; shorter than `models.game.AT_THE_TABLE`
save_looked_at = PreparedUpdate(Seat, "looked_at", may_be_lost=True)
save_seen = PreparedUpdate(Seat, "seen_seq", "looked_at", rises="seen_seq", may_be_lost=True)

Turn = tuple[Seat, Sequence[str], str]  # who acts, the action texts, and by whom they were decided


class Submitted(NamedTuple):
    """The game after a turn. `loaded` is what a page for the player need not read again, if it is all that it shows."""

    game: Game
    loaded: LoadedGame | None = None


def submit_turn(
    *,
    game: Game | str,
    seat: int,
    actions: Sequence[str],
    expected_seq: int,
    by: str = By.SEAT,
    late_at: datetime | None = None,
) -> Game:
    """Play the seat's complete turn as `submit` does, and return the game."""
    return submit(game=game, who=seat, actions=actions, expected_seq=expected_seq, by=by, late_at=late_at).game


@transaction.atomic
def submit(
    *,
    game: Game | str,
    who: int | User,
    actions: Sequence[str],
    expected_seq: int,
    head: str = "",
    by: str = By.SEAT,
    late_at: datetime | None = None,
    is_sure: bool = True,
) -> Submitted:
    """Play the complete turn of a seat, given by its number or as its player. Submitting it twice counts once.

    Raises `GameError` with nothing written; `NotFound` if the person plays no seat. For `head` see `need_current`. A
    sealed decision stays out of the log, and can be changed, until the last one is in. With `late_at` the turn is
    played only if the seat's time is up then. Unless `is_sure`, raise `GivesUp` if the last action gives up something
    usable.
    """
    # 1. Lock the row. A turn that was already accepted changes nothing: it is then the next entry or, for a sealed
    #    decision, one of the entries written at the same moment.
    game = commit.lock_row(game, None if isinstance(who, int) else who)
    if expected_seq < game.seq:
        following = Entry.objects.filter(game=game, seq__gt=expected_seq, seq__lte=expected_seq + game.players)
        later = list(following.order_by("seq"))
        # A person may have lost the seat while this waited for the lock
        own = {who} if isinstance(who, int) else {seat.number for seat in Seat.objects.filter(game=game, user=who)}
        accepted = [entry for entry in later if entry.at == later[0].at and entry.seat in own]
        if accepted and accepted[0].actions == list(actions):
            return Submitted(game)
    with logs.about(game=game.public_id, seq=game.seq):
        # 2. Check that the page showed the last entry, and load the position
        commit.need_running(game, expected_seq)
        need_current(game, expected_seq, head)
        locked = commit.load(game)
        mover = locked.seat_of(who)
        logs.know(seat=mover.number)
        if late_at is not None and (mover.deadline is None or mover.deadline > late_at):
            raise NotYours(gettext("This turn still has time left."))
        # 3. Check the turn without chance, so that a refusal tells nothing hidden. It must be complete (R40).
        if game.sealed:
            turns = _seal(locked, mover, actions, by)
        elif not mover.owes:
            raise NotYours(gettext("It’s not your turn."))
        else:
            _need_short(actions)
            walk = commit.walked(locked.rules, locked.state, mover.number, actions)
            if not actions or not is_whole(locked.rules, walk, mover.number):
                raise Unfinished
            if game.lesson and mover.has_person:
                is_sure = lessons.need_fitting(game, locked.state, actions) or is_sure
            if not is_sure:
                _need_nothing_given_up(locked.rules, locked.state, mover.number, actions)
            turns = [(mover, actions, by)]
        if turns:
            # 4. Decide with chance, and append each decision to the log
            now = timezone.now()
            for seat, texts, decider in turns:
                events = commit.decided(locked, seat.number, texts)
                locked.by[seat.number] = decider
                commit.append(locked, at=now, seat=seat.number, by=decider, actions=texts, events=events)
            # 5. The mover has seen everything so far, but not what the standing orders of others answer now
            present_seat = mover if by == By.SEAT else None
            if present_seat:
                present_seat.seen_seq = game.seq
            commit.answer_by_orders(locked, now)
            if game.lesson:
                lessons.after_turn(locked, now)
            # 6. Update the rows, notify people, wake bots, and continue after the last turn
            _settle(locked, present_seat, now)
        # 7. Count the turn after the commit. A failure there cannot undo it.
        log_fields = logs.facts() | {"seq": game.seq}

        def note() -> None:
            metrics.turns.labels(game.ruleset, by).inc()
            with logs.about(**log_fields):
                logger.info("A turn was accepted.")

        transaction.on_commit(note, robust=True)
    # A page can show what is known here, except an end with all that follows it, and decisions that wait for others
    if not turns or not game.is_running or game.lesson:
        return Submitted(game)
    Game.undo_request.related.set_cached_value(game, None)  # it was about an earlier entry
    return Submitted(game, LoadedGame(game, locked.seats, locked.state, drafts=[]))


def _seal(locked: Locked, mover: Seat, actions: Sequence[str], by: str) -> list[Turn]:
    """Store a sealed decision. Until the last one is in, nothing visible to others changes (R6).

    With the last one return all of them in seat order, so that the log does not reveal who decided when.
    """
    if by != By.SEAT and not mover.owes:
        return []
    if len(actions) != 1:
        raise GameError(gettext("Submit one decision at a time."))
    commit.walked(locked.rules, locked.state, mover.number, actions)
    decision = {"seq": locked.game.seq, "actions": list(actions), "by": by}
    Draft.objects.filter(seat=mover, sealed=False).delete()
    Draft.objects.update_or_create(seat=mover, sealed=True, defaults=decision)
    deadlines.end(mover, locked.game.parsed_clock, timezone.now(), is_reply=locked.was_reply)
    mover.owes = False
    mover.save(update_fields=["owes", "deadline", "bank", "time_left", "since"])
    if locked.owing:
        return []
    drafts = {draft.seat_id: draft for draft in Draft.objects.filter(seat__in=locked.seats, sealed=True)}
    deciding = [seat for seat in locked.seats if seat.number in locked.rules.to_act(locked.state)]
    return [(seat, drafts[seat.pk].actions, drafts[seat.pk].by) for seat in deciding]


def _settle(locked: Locked, present_seat: Seat | None, now: datetime) -> None:
    """Update the rows, notify all but the player of `present_seat`, who sees it, and continue after a finished game."""
    game = locked.game
    newly_owing = commit.settle(locked, at=now, mover=present_seat)
    if game.lesson:
        return  # nobody is notified, and nothing follows: no scores, no next game
    with outbox.together():
        notify.tell_who_is_asked(game=game, seats=newly_owing, mover=present_seat, now=now)
        notify.tell_taken_over(game=game, seats=locked.taken_over)
        notify.wait_for(game=game, seats=locked.owing, now=now)
    if game.is_finished:
        if can_review(game.rules):
            delay_on_commit("games.tasks.measure_luck", game.pk)
        if not full_games.is_last(game):
            notify.tell_ended(game=game, seats=locked.seats)
        full_games.after_game(game=game, now=now)


def need_current(game: Game, seq: int, head: str) -> None:
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
    now = timezone.now()
    with suppress(OperationalError):
        if seat.seen_seq < seq:
            save_seen(Seat(pk=seat.pk, seen_seq=seq, looked_at=now))  # the page still shows what was new to the player
        elif seat.looked_at is None or not timedelta() <= now - seat.looked_at < LOOKS_EVERY:
            seat.looked_at = now
            save_looked_at(seat)
        if has_stale_draft:
            Draft.objects.filter(seat=seat, seq__lt=seq).delete()


# Drafts: steps of a turn that nobody else sees and that can be undone until they are submitted


@transaction.atomic
def lay_out(
    *, game: Game | str, who: int | User, actions: Sequence[str], expected_seq: int, head: str = ""
) -> LoadedGame:
    """Replace the draft of the seat, given by its number or as its player. If the rules refuse a step, keep the old."""
    loaded, seat = _need_turn(game, who, expected_seq, head)
    _check(loaded, seat, actions)
    return _save_draft(loaded, seat, actions)


@transaction.atomic
def add_steps(
    *,
    game: Game | str,
    who: int | User,
    actions: Sequence[str],
    expected_seq: int,
    head: str = "",
    laid: Sequence[str] | None = None,
    is_sure: bool = True,
) -> LoadedGame:
    """Add steps to the draft: all of them, or none if the rules refuse one.

    With `laid`, raise `LaidOutElsewhere` unless the draft is what the page showed. Adding the same steps to the same
    draft twice, after a lost response, counts once. Unless `is_sure`, raise `GivesUp` at the first step that gives up
    something usable.
    """
    loaded, seat = _need_turn(game, who, expected_seq, head)
    draft = loaded.laid
    if laid is not None and draft != list(laid):
        if draft != [*laid, *actions]:
            raise LaidOutElsewhere
        return _save_draft(loaded, seat, draft)
    _check(loaded, seat, [*draft, *actions], unsure=0 if is_sure else len(actions))
    return _save_draft(loaded, seat, [*draft, *actions])


@transaction.atomic
def undo(
    *, game: Game | str, who: int | User, expected_seq: int, head: str = "", keep: int | None = None,
    laid: Sequence[str] | None = None,
) -> LoadedGame:  # fmt: skip
    """Undo the last step of the draft, or with `keep` all steps after the first `keep`. For `laid` see `add_steps`."""
    loaded, seat = _need_turn(game, who, expected_seq, head)
    draft = loaded.laid
    kept = draft[:-1] if keep is None else draft[: max(0, keep)]
    if laid is not None and draft != list(laid):
        if draft != list(laid)[: -1 if keep is None else max(0, keep)]:
            raise LaidOutElsewhere
        return _save_draft(loaded, seat, draft)
    return _save_draft(loaded, seat, kept)


def _need_turn(game: Game | str, who: int | User, expected_seq: int, head: str) -> tuple[LoadedGame, Seat]:
    """Return the game and the seat, with its row locked so that two devices of one player do not race.

    Raises `NotFound` if there is no such seat.
    """
    rows = Seat.objects.select_for_update().filter(game__in=Game.objects.filter(**commit.lookup(game)))
    locked = rows.filter(number=who) if isinstance(who, int) else rows.filter(user=who)
    pk, game_id = locked.values_list("pk", "game_id").first() or (0, 0)
    if not pk:
        raise NotFound
    board, seats = rights.find(game_id)
    commit.need_running(board, expected_seq)
    need_current(board, expected_seq, head)
    seat = next(seat for seat in seats if seat.pk == pk)
    if not (seat.owes or board.sealed):
        raise NotYours(gettext("It’s not your turn."))
    state = position.current(board, seats, getattr(board, "snapshot", None))
    return LoadedGame(board, seats, state, list(Draft.objects.filter(seat=seat))), seat


def _check(loaded: LoadedGame, seat: Seat, actions: Sequence[str], *, unsure: int = 0) -> None:
    """Check the steps without chance. Raises `GameError`, or `Final` if the last step needs chance.

    Raises `GivesUp` if one of the last `unsure` steps gives up something usable.
    """
    game, state = loaded.game, loaded.state
    _need_short(actions)
    walk = commit.walked(game.rules, state, seat.number, actions)
    if game.lesson and lessons.need_fitting(game, state, actions):
        unsure = 0
    for n in range(len(actions) - unsure, len(actions) - walk.needs_chance):
        _need_nothing_given_up(game.rules, state, seat.number, actions[: n + 1])
    if walk.needs_chance:
        raise Final


def _need_short(actions: Sequence[str]) -> None:
    """Raise `GameError` if a turn has too many steps, because each page and each step plays all of them again.

    Forms send the whole draft, so a draft must not become longer than they can be.
    """
    if len(actions) > MOST_STEPS:
        raise GameError(gettext("A turn can have at most %(n)d steps. Confirm or undo some.") % {"n": MOST_STEPS})
    if len(";".join(actions)) > LONGEST_TURN:
        raise GameError(gettext("Your turn is too long to send. Confirm it or undo some of its steps."))


def _need_nothing_given_up(rules: Ruleset, state: State, seat: int, actions: Sequence[str]) -> None:
    """Raise `GivesUp` if the last of these actions gives up something that its seat could still use."""
    *earlier, last = actions
    before = commit.walked(rules, state, seat, earlier).state
    if parts_of(rules).gives_up(rules.view(before, seat), last):
        raise GivesUp(last, earlier)


def _save_draft(loaded: LoadedGame, seat: Seat, actions: Sequence[str]) -> LoadedGame:
    """Save the draft in one statement, because the seat is locked. Return the game with the new draft."""
    draft = Draft(seat=seat, sealed=False, seq=loaded.game.seq, actions=list(actions))
    Draft.objects.bulk_create(
        [draft], update_conflicts=True, unique_fields=["seat", "sealed"], update_fields=["seq", "actions"]
    )
    return replace(loaded, drafts=[draft, *(other for other in loaded.drafts if other.sealed)])


# Standing orders: answers that a player gives in advance


@transaction.atomic
def give_orders(*, game: Game | str, seat: int, orders: Mapping[str, Any], player: User | None = None) -> Seat:
    """Save the seat's orders, and answer a due decision at once if they cover it. Raises `GameError`.

    With `player`, only if they still play the seat: while this waits for the lock, its owner may have come back.
    """
    game = commit.lock_row(game)
    if not (game.is_open or game.is_running):
        raise Over(gettext("The game is over."))
    if game.lesson:
        raise GameError(gettext("A lesson has no standing orders. You can give them in your first game."))
    own_seat = Seat.objects.filter(game=game, number=seat).first()
    if own_seat is None:
        raise NotYours(gettext("This table has no such seat."))
    if player is not None and own_seat.user_id != player.pk:
        raise NotYours(gettext("You no longer play this seat."))
    fields = {field.name: field for field in game.rules.order_fields()}
    if not fields:
        raise GameError(gettext("This game has no standing orders."))
    for name, value in orders.items():
        if name not in fields:
            raise GameError(gettext("There is no such standing order."))
        if not any(choice.value == value and type(choice.value) is type(value) for choice in fields[name].choices):
            label = gettext(fields[name].label)
            raise GameError(gettext("“%(order)s”: choose one of the answers.") % {"order": label})
    own_seat.orders = dict(orders)
    own_seat.save(update_fields=["orders"])
    if game.is_running and own_seat.owes:
        locked, now, before = commit.load(game), timezone.now(), game.seq
        locked.by[seat] = By.SEAT
        commit.answer_by_orders(locked, now)
        if game.seq > before:
            _settle(locked, locked.seat(seat), now)
    return own_seat
