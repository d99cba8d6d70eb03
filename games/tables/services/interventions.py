"""Interventions at a table: replace a player, add time, end a game or call it off.

Each is one transaction on the locked row of the game, and the next entry of its log, with a reason that the table can
read. Submitting one twice counts once. `finish` is the intervention of a competition that has run out of time, and of
the site in a game that never ends. Rulings: docs/rulings.md, interventions.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.errors import GameError, Illegal, NotYours, Over
from games.notices.outbox.words import later
from games.rules import log, staff
from games.rules.protocol import IllegalAction
from games.rules.words import one_line
from games.tables import hooks
from games.tables.models import Block, Entry, FullGame, FullStatus, Game, Replacement, Seat, Status
from games.tables.models.log import By
from games.tables.selectors.lines import intervention_sentence, intervention_words
from games.tables.selectors.rights import ever_sat
from games.tables.services import commit, deadlines, full_games, handover, notify, places, replacement
from games.tables.services.commit import Locked


@transaction.atomic
def replace(*, game: Game | str, seat: int, name: str, reason: str, expected_seq: int, by: User | None) -> Game:
    """Ask the person with this name to take over the seat, or without a name let a bot play it to the end.

    `by` is the member of staff, None for the site itself, here and in the functions below. Raises `GameError`.
    """
    clean_reason, game = need_reason(reason), commit.lock_row(game)
    if not name and intervention_after(game, expected_seq) == staff.Replaced(seat, staff.BOT, clean_reason):
        return game
    locked = _loaded(game, expected_seq, by)
    _check(locked, staff.Replaced(seat, staff.PERSON if name else staff.BOT, clean_reason))
    replaced_seat = locked.seat(seat)
    newcomer = _newcomer(name, by, game, replaced_seat) if name else None
    _need_seat_of_person(replaced_seat, newcomer)
    if newcomer is None:
        replacement.put_in(locked, replaced_seat, None, clean_reason, timezone.now())
        _report(locked, staff.Replaced(seat, staff.BOT, clean_reason), by)
    elif by is not None:
        replacement.need_place_at(locked, replaced_seat, newcomer)
        replacement.ask(user=newcomer, by=by, reason=clean_reason, seat=replaced_seat)
    game.refresh_from_db()
    return game


def _newcomer(name: str, by: User | None, game: Game, seat: Seat) -> User:
    """Return the player with this name, for staff to ask. Raises `GameError`.

    Unlike refusals for players, which must not reveal blocks, those for staff say what to do when there is one. They
    don't say which of the two has blocked the other.
    """
    person = handover.player_named(name, by, game, seat)
    if person is None:
        raise GameError(gettext("There is no player with that name. Check the spelling."))
    values = {"name": person.username}
    if by is not None and Block.objects.filter(Q(user=by, blocked=person) | Q(user=person, blocked=by)).exists():
        words = gettext("You can’t ask %(name)s yourself. Let another member of staff do it, or ask someone else.")
        raise GameError(words % values)
    refusal = gettext("%(name)s can’t play here. Ask someone else.") % values
    places.need_unblocked(person, by=places.people_at(game), refusal=refusal)
    return person


def accept(*, pk: int, user: User) -> Game:
    """Let the person who was asked take over the seat. Accepting twice counts once. Raises `GameError`.

    If there is a block between them and someone at the table, this ends the request and reads as if it had been
    withdrawn (B4).
    """
    game = _accept(pk, user)
    if game is None:
        raise Over(str(replacement.NOT_OPEN))
    return game


@transaction.atomic
def _accept(pk: int, user: User) -> Game | None:
    """Carry out the request and return the game, or withdraw it because of a block and return None."""
    request = Replacement.objects.filter(pk=pk, user=user, seat__isnull=False).select_related("seat__game").first()
    if request is None or request.seat is None:
        raise NotYours(gettext("You were not asked to take over here."))
    game = commit.lock_row(request.seat.game)
    commit.need_running(game, game.seq)
    if Seat.objects.filter(game=game, number=request.seat.number, owner=user).exists():
        return game
    locked_request, locked = replacement.find(pk, user), commit.load(game)
    seat = locked.seat(request.seat.number)
    if replacement.is_kept_apart(locked, user):
        replacement.withdraw(locked_request)
        return None
    _need_seat_of_person(seat, user)
    replacement.need_place_at(locked, seat, user)
    replacement.put_in(locked, seat, user, locked_request.reason, timezone.now())
    _report(locked, staff.Replaced(seat.number, staff.PERSON, locked_request.reason), locked_request.by)
    replacement.accepted(locked_request)
    game.refresh_from_db()
    return game


@transaction.atomic
def give_time(
    *, game: Game | str, seat: int | None, hours: int, reason: str, expected_seq: int, by: User | None
) -> Game:
    """Add hours to the decision of one seat, or of all seats that have to act. Raises `GameError`.

    While decisions are sealed, this does not reveal who has decided.
    """
    clean_reason = need_reason(reason)
    if not 1 <= hours <= staff.MOST_HOURS:
        raise GameError(gettext("Choose a time between 1 hour and 30 days."))
    game = commit.lock_row(game)
    done = intervention_after(game, expected_seq)
    if isinstance(done, staff.TimeGiven) and done == staff.TimeGiven(hours, _given(seat, done.seats), clean_reason):
        return game
    locked, now = _loaded(game, expected_seq, by), timezone.now()
    intervention = staff.TimeGiven(hours, _given(seat, locked.rules.to_act(locked.state)), clean_reason)
    _carry_out(locked, intervention, by, now)
    for due in locked.owing:
        if due.number in intervention.seats:
            deadlines.give(due, game.parsed_clock, timedelta(hours=hours), now)
            due.save(update_fields=["time_left", "since", "deadline"])
    if game.sealed and game.sealed_until:
        game.sealed_until += timedelta(hours=hours)
    commit.settle_unchanged(locked, before=expected_seq)
    _tell(locked, intervention)
    notify.wait_for(game=game, seats=locked.owing, now=now)
    return game


@transaction.atomic
def end(*, game: Game | str, reason: str, expected_seq: int, by: User | None) -> Game:
    """End the game with the current points as its result. Raises `GameError`."""
    game, intervention = commit.lock_row(game), staff.Ended(need_reason(reason))
    if intervention_after(game, expected_seq) == intervention:
        return game
    locked, now = _loaded(game, expected_seq, by), timezone.now()
    _carry_out(locked, intervention, by, now)
    commit.settle(locked, at=now)
    channels = _tell(locked, intervention)
    if not full_games.is_last(game):
        notify.tell_ended(game=game, seats=locked.seats, exclude=channels)
    full_games.after_game(game=game, now=now)
    return game


@transaction.atomic
def void(*, game: Game | str, reason: str, expected_seq: int, by: User | None) -> Game:
    """Call the game off, with the full game that it belongs to; neither counts. Raises `GameError`."""
    game, intervention = commit.lock_row(game), staff.Voided(need_reason(reason))
    if intervention_after(game, expected_seq) == intervention:
        return game
    locked, now = _loaded(game, expected_seq, by), timezone.now()
    _carry_out(locked, intervention, by, now)
    game.status, game.ended_at = Status.VOID, now
    commit.settle(locked, at=now)
    FullGame.objects.filter(games=game).update(status=FullStatus.VOID, ended_at=now)
    _tell(locked, intervention)
    for hook in hooks.after_void:
        hook(game, now)
    return game


@transaction.atomic
def finish_long_game(pk: int, now: datetime) -> None:
    """Let bots finish a game whose log has become too long (H11). `commit.append` asks for it after each such entry."""
    game = Game.objects.filter(pk=pk, seq__gte=commit.MOST_ENTRIES).first()
    if game is not None:
        finish(game=game, by_points=False, now=now, reason=staff.TOO_LONG)


def finish(*, game: Game, by_points: bool, now: datetime, reason: str) -> bool:
    """Finish a running game whose time is up, without waiting for its players. Call it in a transaction.

    With `by_points` the current points are the result, and no further game of a full game follows, unless too little
    has been played to count. Otherwise bots play to the end. Repeating it changes nothing. Return whether the current
    points are the result.
    """
    game = commit.lock_row(game)
    if not game.is_running or game.is_left_to_bots:
        return False
    locked, last = commit.load(game), game.seq
    stands = by_points and locked.rules.can_count(locked.state)
    intervention: staff.Intervention = staff.Ended(reason) if stands else staff.LeftToBots(reason)
    _write(locked, intervention, now)
    channels = _tell(locked, intervention)
    if stands:
        commit.settle(locked, at=now)
        if game.full_game_id is None:
            notify.tell_ended(game=game, seats=locked.seats, exclude=channels)
        full_games.after_game(game=game, now=now, ends_contest=True)
    else:
        commit.settle_unchanged(locked, before=last)
        handover.leave_all_to_bots(game=game)
    return stands


# Conditions


def need_reason(reason: str) -> str:
    """Return the reason as one line. Raises `GameError`."""
    clean = one_line(reason)
    if not clean:
        raise GameError(gettext("Enter a reason. Everyone at the table can read it."))
    if len(clean) > staff.LONGEST_REASON:
        raise GameError(gettext("The reason is too long. Use at most 300 characters."))
    return clean


def intervention_after(game: Game, seq: int) -> staff.Intervention | None:
    """Return the intervention right after that entry, if any, to detect repeated submissions."""
    following = Entry.objects.filter(game=game, seq=seq + 1).first()
    return log.intervention(following) if following else None


def _loaded(game: Game, expected_seq: int, by: User | None) -> Locked:
    """Load the locked game. Raises `GameError` if it is over, has changed, or `by` is involved in it."""
    commit.need_running(game, expected_seq)
    if game.lesson:
        raise GameError(gettext("This is a lesson. It doesn’t count, so there is nothing to decide."))
    if by is not None and is_involved(game, by):
        raise NotYours(gettext("You play in this game or competition. Ask another member of staff."))
    return commit.load(game)


def is_involved(game: Game, user: User) -> bool:
    """Return whether the person, or one of their outside bots, ever had a seat in this (full) game.

    For the person, its duplicate or its competition counts too.
    """
    contest = Q(game=game) | Q(game__full_game=game.full_game_id, game__full_game__isnull=False)
    if Seat.objects.filter(contest, bot_owner=user).exists():
        return True
    if ever_sat(user, contest | Q(game__duplicate=game.duplicate_id, game__duplicate__isnull=False)).exists():
        return True
    return any(hook(game, user) for hook in hooks.is_involved)


def _check(locked: Locked, intervention: staff.Intervention) -> None:
    try:
        staff.check(locked.rules, locked.state, intervention, len(locked.seats))
    except IllegalAction as refusal:
        raise Illegal(refusal) from None


def _need_seat_of_person(seat: Seat, newcomer: User | None) -> None:
    """Refuse seats that cannot be given away. Bots keep their own, because ties depend on the original players."""
    if seat.own_bot:
        raise GameError(gettext("This seat belongs to a bot, so there is nobody to replace."))
    if newcomer is None and (seat.owner is None or seat.has_given_up):
        raise GameError(gettext("A bot already plays this seat to the end."))
    if newcomer and any(hook(seat.game) for hook in hooks.is_match):
        raise GameError(gettext("This game belongs to a league or tournament. Replace the player there instead."))


def _given(seat: int | None, owing: Iterable[int]) -> tuple[int, ...]:
    """Return the seats that get time; while decisions are sealed all that were asked, answered or not (R6)."""
    return tuple(sorted(owing)) if seat is None else (seat,)


def _carry_out(locked: Locked, intervention: staff.Intervention, by: User | None, now: datetime) -> None:
    """Check the intervention, write it to the log, and report it."""
    _check(locked, intervention)
    _write(locked, intervention, now)
    _report(locked, intervention, by)


def _write(locked: Locked, intervention: staff.Intervention, now: datetime) -> None:
    """Append the intervention to the log and apply it."""
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=[staff.text(intervention)], events=[intervention])
    if staff.stops(intervention):
        locked.rules.stop(locked.state)


def _report(locked: Locked, intervention: staff.Intervention, by: User | None) -> None:
    """Tell other packages what a member of staff did. Steps of the site itself are told by those who take them."""
    if by is not None:
        for hook in hooks.after_intervention:
            hook(locked.game, intervention, intervention_words(intervention, locked.seats), by)


def _tell(locked: Locked, intervention: staff.Intervention) -> dict[int, set[str]]:
    """Notify the people at the table. Return the channels used, by user."""
    sentence = later(intervention_sentence, intervention, locked.seats)
    return notify.tell_decided(game=locked.game, seats=locked.seats, sentence=sentence)
