"""Those who run the site step in: a seat goes to somebody else, clocks get more time, a game is ended or called off.

Each is one transaction on the locked row of the game and the next entry of its log, with a reason that the table reads.
Sent twice it counts once. Rulings: docs/rulings.md, stepping in.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.kinds import Kind
from accounts.models import User
from games.leagues import rounds
from games.leagues import services as leagues
from games.leagues.full_news import is_last
from games.leagues.models import FullGame, FullStatus, Meeting, MeetingState
from games.models import Entry, Game, Seat, Status
from games.models.log import By
from games.notices import outbox
from games.rules import house, log
from games.rules.protocol import IllegalAction
from games.selectors import decisions
from games.services import commit, handover, play, telling, timing
from games.services.bell import ring
from games.services.commit import Locked
from games.services.errors import GameError, Illegal


@transaction.atomic
def replace(*, game: Game | str, seat: int, name: str, reason: str, expected_seq: int) -> Game:
    """The seat is that of the person of that name from now on, or without a name a bot plays it. Raises `GameError`."""
    newcomer = handover.find(name) if name else None
    deed = house.Replaced(seat, house.PERSON if newcomer else house.BOT, need_reason(reason))
    row = commit.lock_row(game)
    if decided_behind(row, expected_seq) == deed and (newcomer is None or _plays(row, seat, newcomer)):
        return row
    locked = _loaded(row, expected_seq)
    _check(locked, deed)
    mine = play.seat_at(locked, seat)
    _need_seat_of_person(mine, newcomer)
    before = mine.owner, mine.user, mine.name
    _write(locked, deed, timezone.now())
    commit.go_on(locked, before=expected_seq)
    after = handover.pass_on(seat=mine, to=newcomer) if newcomer else handover.leave_to_bot(seat=mine)
    row.refresh_from_db()
    _tell_of_replacement(commit.load(row), deed, after, before)
    return row


@transaction.atomic
def give_time(*, game: Game | str, seat: int | None, hours: int, reason: str, expected_seq: int) -> Game:
    """So many hours more for what the seat owes, or without one for everybody who owes something. Raises `GameError`.

    While decisions are sealed nobody can tell from it who has made theirs.
    """
    said = need_reason(reason)
    if not 1 <= hours <= house.MOST_HOURS:
        raise GameError(gettext("Give from one hour to thirty days."))
    row = commit.lock_row(game)
    done = decided_behind(row, expected_seq)
    if isinstance(done, house.TimeGiven) and done == house.TimeGiven(hours, _given(seat, done.seats), said):
        return row
    locked, now = _loaded(row, expected_seq), timezone.now()
    deed = house.TimeGiven(hours, _given(seat, locked.rules.to_act(locked.state)), said)
    _check(locked, deed)
    _write(locked, deed, now)
    for one in locked.owing:
        if one.number in deed.seats:
            timing.give(one, row.pace, timedelta(hours=hours), now)
            one.save(update_fields=["time_left", "since", "deadline"])
    if row.sealed and row.sealed_until:
        row.sealed_until += timedelta(hours=hours)
    commit.go_on(locked, before=expected_seq)
    telling.tell_decided(game=row, seats=locked.seats, said=decisions.sentence(deed, locked.seats))
    telling.wait_for(game=row, seats=locked.owing, now=now)
    return row


@transaction.atomic
def end(*, game: Game | str, reason: str, expected_seq: int) -> Game:
    """The game is over, and the points as they stand are its result, with all that follows. Raises `GameError`."""
    row, deed = commit.lock_row(game), house.Ended(need_reason(reason))
    if decided_behind(row, expected_seq) == deed:
        return row
    locked, now = _loaded(row, expected_seq), timezone.now()
    _check(locked, deed)
    _write(locked, deed, now)
    commit.settle(locked, at=now)
    told = telling.tell_decided(game=row, seats=locked.seats, said=decisions.sentence(deed, locked.seats))
    if not is_last(row):
        telling.tell_ended(game=row, seats=locked.seats, besides=told)
    leagues.go_on(game=row, now=now)
    return row


@transaction.atomic
def void(*, game: Game | str, reason: str, expected_seq: int) -> Game:
    """The game is over and counts for nothing, nor does the full game that it belongs to. Raises `GameError`."""
    row, deed = commit.lock_row(game), house.Voided(need_reason(reason))
    if decided_behind(row, expected_seq) == deed:
        return row
    locked, now = _loaded(row, expected_seq), timezone.now()
    _check(locked, deed)
    _write(locked, deed, now)
    row.status, row.ended_at = Status.VOID, now
    commit.settle(locked, at=now)
    FullGame.objects.filter(games=row).update(status=FullStatus.VOID, ended_at=now)
    telling.tell_decided(game=row, seats=locked.seats, said=decisions.sentence(deed, locked.seats))
    rounds.contest_ended(row, now)
    ring("games.tasks.settle_challenge", row.pk)
    ring("games.tasks.settle_meeting", row.pk)
    return row


# What has to hold


def need_reason(reason: str) -> str:
    """The reason in one line. Raises `GameError`."""
    said = "".join(letter for letter in " ".join(reason.split()) if letter.isprintable())
    if not said:
        raise GameError(gettext("Say why: everybody at the table reads it."))
    if len(said) > house.LONGEST_REASON:
        raise GameError(gettext("Say it in three hundred letters."))
    return said


def decided_behind(row: Game, seq: int) -> house.Deed | None:
    """What the house decided just behind that entry: sent twice it counts once."""
    behind = Entry.objects.filter(game=row, seq=seq + 1).first()
    return log.deed(behind) if behind else None


def _loaded(row: Game, expected_seq: int) -> Locked:
    """The game as it stands behind the lock. Raises `GameError` where it is over, or has moved on."""
    play.need_running(row, expected_seq)
    return commit.load(row)


def _check(locked: Locked, deed: house.Deed) -> None:
    try:
        house.check(locked.rules, locked.state, deed, len(locked.seats))
    except IllegalAction as refusal:
        raise Illegal(refusal) from None


def _plays(row: Game, seat: int, person: User) -> bool:
    return Seat.objects.filter(game=row, number=seat, owner=person).exists()


def _need_seat_of_person(mine: Seat, newcomer: User | None) -> None:
    """Bots keep their own seats: ties go by who a seat was when the game began."""
    if mine.own_bot:
        raise GameError(gettext("This is a bot’s own seat."))
    if newcomer is None and (mine.owner is None or mine.has_given_up):
        raise GameError(gettext("A bot plays this seat to the end already."))
    contest = Q(game=mine.game) | Q(full_game=mine.game.full_game_id, full_game__isnull=False)
    if newcomer and Meeting.objects.filter(contest, state=MeetingState.PLAYING).exists():
        raise GameError(
            gettext("This is a contest of a league or tournament. Replace the player there: the place goes along.")
        )


def _given(seat: int | None, asked: Iterable[int]) -> tuple[int, ...]:
    """Whom time is given to: while decisions are sealed all who were asked, whoever has answered (R6)."""
    return tuple(sorted(asked)) if seat is None else (seat,)


# What is done


def _write(locked: Locked, deed: house.Deed, now: datetime) -> None:
    """The next entry, made so."""
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=[house.text(deed)], events=[deed])
    if house.stops(deed):
        locked.rules.stop(locked.state)


def _tell_of_replacement(
    locked: Locked, deed: house.Replaced, mine: Seat, before: tuple[User | None, User | None, str]
) -> None:
    """Tell the table, who plays there now, and who does not any more."""
    game, (owner, player, name) = locked.game, before
    others = [one for one in locked.seats if one.number != deed.seat or deed.by == house.BOT]
    telling.tell_decided(game=game, seats=others, said=decisions.sentence(deed, locked.seats))
    for person in {owner, player} - {mine.owner, mine.user, None}:
        assert person is not None
        words = gettext("You do not play this seat any more. The reason: {reason}")
        telling.tell_of_decision(game=game, user=person, said=words.format(reason=deed.reason), url=reverse("desk"))
    if mine.user:
        words = gettext("You play on for {name}, and the result will be yours. The reason: {reason}")
        said = words.format(name=name, reason=deed.reason)
        title = gettext("You take over a seat")
        told = {row.channel for row in outbox.tell(kind=Kind.DECISION, seat=mine, seq=game.seq, title=title, lead=said)}
        if mine.owes:
            outbox.tell(kind=Kind.TURN, seat=mine, seq=game.seq, besides=told)
    telling.wait_for(game=game, seats=locked.owing, now=timezone.now())
