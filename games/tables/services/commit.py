"""The steps that every change of a running game shares: lock, load, decide, append, update the rows. No network."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from empire.on_commit import delay_on_commit
from empire.prepared import Prepared, PreparedUpdate
from games.errors import Illegal, NotFound, NotYours, Over, Stale
from games.rules import log, play
from games.rules.fairness import Fair
from games.rules.protocol import Event, IllegalAction, Ruleset, State
from games.rules.record import HEADER_FROM
from games.tables.models import Draft, Entry, Game, Seat, Snapshot, Status
from games.tables.models.log import By
from games.tables.selectors import position, rights
from games.tables.services import deadlines, records

logger = logging.getLogger(__name__)

MOST_ENTRIES = 3000  # in a log (H11); of 120 simulated games of Kingdoms, the longest had 501
SETTLED = ("owes", "deadline", "bank", "time_left", "since", "kept", "kept_at", "left_by", "time_outs", "seen_seq")
TAKEN_OVER = (*SETTLED, "user", "bot", "back_at", "has_given_up", "has_changed_hands")
ROW = ("seq", "head", "version", "sealed", "sealed_until", "draws", "status", "result", "ended_at", "signature")
save_settled, save_taken_over = PreparedUpdate(Seat, *SETTLED), PreparedUpdate(Seat, *TAKEN_OVER)
save_row, save_snapshot = PreparedUpdate(Game, *ROW), PreparedUpdate(Snapshot, "seq", "rules_version", "state")


@dataclass
class Locked:
    """A game with a locked row, and what deciding needs. `state` advances with the appended entries.

    `was_reply`: the decision due at first was a reply during another player's turn. `by` tells who decided, by seat;
    `taken_over` are the seats that a bot has taken over because time was up. `last_at` is the time of the last entry.
    """

    game: Game
    seats: list[Seat]
    state: State
    seed: bytes
    was_reply: bool = False
    by: dict[int, str] = field(default_factory=dict)
    taken_over: list[Seat] = field(default_factory=list)
    last_at: datetime | None = None

    @property
    def rules(self) -> Ruleset:
        return self.game.rules

    @property
    def owing(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.owes]

    def seat(self, number: int) -> Seat:
        """Return the seat with this number. Raises `NotYours`."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise NotYours(gettext("This table has no such seat."))

    def seat_of(self, who: int | User) -> Seat:
        """Return the seat with this number, or the one that this person plays. Raises `NotYours`."""
        if isinstance(who, int):
            return self.seat(who)
        for seat in self.seats:
            if seat.user_id == who.pk:
                return seat
        raise NotYours(gettext("You no longer play this seat."))

    def time_for(self, seat: Seat) -> timedelta:
        """Return the time for the decision that is due now."""
        return self.game.reply_time if self.rules.is_reply(self.state) else seat.bank


# Loading


def _locking(**which: Any) -> QuerySet[Game]:
    return Game.objects.select_for_update(of=("self",)).filter(**which)


LOCKED = {
    "pk": Prepared(lambda pk: _locking(pk=pk)),
    "public_id": Prepared(lambda public_id: _locking(public_id=public_id)),
}
LOCKED_FOR_PLAYER = {
    "pk": Prepared(lambda pk, player: _locking(pk=pk, seats__user=player)),
    "public_id": Prepared(lambda public_id, player: _locking(public_id=public_id, seats__user=player)),
}
LAST_ENTRY = Prepared(
    lambda game, seq: (
        Entry.objects.filter(game=game, seq=seq)
        .only("at")
        .annotate(secret=F("game__seed__secret"), **position.with_snapshot("game__snapshot"))
    )
)


def lock_row(game: Game | str, player: User | None = None) -> Game:
    """Lock and reload the game's row, so that everything read after it is current. Raises `NotFound`.

    With `player`, only if they play a seat, so that strangers cannot make others wait. Check that again after locking.
    """
    column, value = ("public_id", game) if isinstance(game, str) else ("pk", game.pk)
    rows = LOCKED[column](value) if player is None else LOCKED_FOR_PLAYER[column](value, player.pk)
    if not rows:
        raise NotFound
    return rows[0]


def lock_rows(games: QuerySet[Game]) -> list[int]:
    """Lock the rows of several games in order, so that two who lock the same games don't wait for each other.

    Return the ids. Lock all games of a transaction at once, and before the rows of people.
    """
    rows = Game.objects.select_for_update().filter(pk__in=games.values("pk"))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def lookup(game: Game | str) -> dict[str, Any]:
    """Return the filter for a game that is given as its row or by its public id."""
    return {"public_id": game} if isinstance(game, str) else {"pk": game.pk}


def refresh_pages(game: Game) -> None:
    """Tell open pages to refresh."""
    game.version += 1
    game.save(update_fields=["version"])


def refresh_pages_of(seats: QuerySet[Seat]) -> None:
    """Tell open pages of the tables of these seats to refresh."""
    open_or_running = Game.objects.filter(seats__in=seats, status__in=[Status.OPEN, Status.RUNNING])
    Game.objects.filter(pk__in=lock_rows(open_or_running)).update(version=F("version") + 1)


def need_running(game: Game, expected_seq: int) -> None:
    """Raise `Over` unless the game is running, and `Stale` unless its last entry is the expected one."""
    if game.is_open:
        raise Over(gettext("The game has not started."))
    if not game.is_running:
        raise Over(gettext("The game is over."))
    if expected_seq != game.seq:
        raise Stale


def load(game: Game) -> Locked:
    """Load a running game with its position. Call `lock_row` first."""
    seats = rights.seats_at(game)
    last: Any
    (last,) = LAST_ENTRY(game.pk, game.seq)
    state = position.current(game, seats, position.take_snapshot(last, game.pk))
    return Locked(game, seats, state, bytes(last.secret), game.rules.is_reply(state), last_at=last.at)


# Deciding


def walked(rules: Ruleset, state: State, seat: int, actions: Iterable[str]) -> play.Walk:
    """Apply the actions without chance. Raises `Illegal`, independent of what the seat cannot know."""
    try:
        return play.walk(rules, state, seat, actions)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None


def decided(locked: Locked, seat: int, actions: Iterable[str]) -> list[Event]:
    """Decide actions that `walked` has accepted, with chance, and apply their events. A refusal is a defect."""
    chance, rules = Fair(locked.seed, locked.game.draws).at(locked.game.seq + 1, seat), locked.rules
    events = play.apply(rules, locked.state, seat, map(rules.parse, actions), chance)
    locked.game.draws = chance.kept
    return events


def append(
    locked: Locked, *, at: datetime, seat: int | None, by: str, actions: Sequence[str], events: Sequence[Event]
) -> Entry:
    """Append an entry to the chain. Its time is never before that of the last entry, even if the clock was set back."""
    game = locked.game
    at = locked.last_at = max(at, locked.last_at or at)
    plain = log.Entry(game.seq + 1, position.stamp(at), seat, tuple(actions), log.stored(events), by)
    linked = plain if game.record_format < HEADER_FROM else log.as_by_hand(plain)
    game.seq, game.head = plain.seq, log.link(game.head, linked, locked.seed)
    if game.seq >= MOST_ENTRIES and not game.is_left_to_bots:  # if the task is lost, the next entry asks again
        delay_on_commit("games.tasks.finish_long_game", game.pk)
    return Entry.objects.create(
        game=game, seq=plain.seq, at=at, seat=seat, by=by, actions=plain.actions, events=plain.events, digest=game.head
    )


def answer_by_orders(locked: Locked, now: datetime) -> None:
    """Answer by standing orders, each answer an entry, until someone has to decide. Bots decide for themselves."""
    rules = locked.rules
    while True:
        owed = rules.to_act(locked.state)
        for seat in locked.seats:
            action = (
                rules.answer(locked.state, seat.number, seat.orders) if seat.number in owed and not seat.bot else None
            )
            if action is not None:
                break
        else:
            return
        texts = (rules.text(action),)
        try:
            walked(rules, locked.state, seat.number, texts)
            events = decided(locked, seat.number, texts)
        except Illegal:  # a faulty order must not stop the game: ask its player
            logger.exception("A standing order of seat %s gave an illegal answer: %s", seat, texts)
            return
        append(locked, at=now, seat=seat.number, by=By.ORDERS, actions=texts, events=events)


# Updating the rows


def settle(locked: Locked, *, at: datetime, mover: Seat | None = None) -> list[Seat]:
    """Update the rows to match the position: who must act, and by when. `mover` has just acted.

    Return the seats that owe a new decision, without a seat that continues its turn and keeps its remaining time.
    """
    rules, state, clock = locked.rules, locked.state, locked.game.parsed_clock
    owed, goes_on = rules.to_act(state), rules.is_under_way(state) and rules.is_reply(state) == locked.was_reply
    settled = [seat for seat in locked.seats if seat.owes or seat.number in owed or seat is mover]
    newly_owing = [seat for seat in settled if seat.number in owed and not (seat.owes and goes_on)]
    for seat in settled:
        if seat in newly_owing or seat.number not in owed:
            deadlines.end(seat, clock, at, is_reply=locked.was_reply)
        seat.owes = seat.number in owed
    decided = [seat for seat in locked.seats if seat.number in locked.by and (seat in newly_owing or not seat.owes)]
    locked.taken_over = deadlines.count_turns(decided, locked.by, at, game=locked.game, is_last=rules.is_over(state))
    if not locked.game.lesson:  # which has no clock
        for seat in newly_owing:
            deadlines.begin(seat, clock, locked.time_for(seat), at)
    _save_seats(locked, {*settled, *decided})
    _settle_game(locked, at)
    return newly_owing


def settle_unchanged(locked: Locked, *, before: int) -> None:
    """Update the rows after entries that do not change the position. Drafts and sealed decisions remain."""
    _save_snapshot(locked)
    Draft.objects.filter(seat__in=[seat.pk for seat in locked.seats], seq=before).update(seq=locked.game.seq)
    locked.game.version += 1
    locked.game.save(update_fields=["seq", "head", "version", "sealed_until"])


def reopen(locked: Locked, *, at: datetime, undone_seat: Seat, is_under_way: bool) -> list[Seat]:
    """Update the rows to match the position before the turn of this seat, which was undone.

    Return the seat, or nothing if `is_under_way`: it still owes the next part of the same turn, and its clock ran on.
    """
    clock = locked.game.parsed_clock
    is_reply, owed = locked.rules.is_reply(locked.state), locked.rules.to_act(locked.state)
    for seat in locked.seats:
        seat.owes = seat.number in owed
        if not seat.owes:
            deadlines.stop(seat)
        elif seat is undone_seat and not is_under_way:
            deadlines.reopen(seat, clock, at, is_reply=is_reply)
    _save_seats(locked, locked.seats)
    _settle_game(locked, at)
    return [] if is_under_way else [undone_seat]


def _save_seats(locked: Locked, seats: Iterable[Seat]) -> None:
    """Save each seat separately: with this many fields that is several times as fast as `bulk_update`."""
    for seat in seats:
        (save_taken_over if seat in locked.taken_over else save_settled)(seat)


def _settle_game(locked: Locked, at: datetime) -> None:
    """Update the game's row, and write the result for lists and full games if the position is final."""
    game, rules, state = locked.game, locked.rules, locked.state
    _save_snapshot(locked)
    Draft.objects.filter(seat__in=[seat.pk for seat in locked.seats]).delete()
    game.version += 1
    game.sealed = rules.sealed(state)
    ends = [seat.deadline for seat in locked.owing if seat.deadline and game.sealed]
    game.sealed_until = max(ends, default=None)
    if rules.is_over(state) and not game.is_void:
        sheet, left_over, counted = rules.score(state), rules.left_over(state), rules.counted(state)
        game.status, game.ended_at, game.result = Status.FINISHED, at, msgspec.to_builtins(sheet)
        for seat, score in zip(locked.seats, sheet.seats, strict=True):
            seat.place, seat.total, seat.left = score.place, score.total, left_over[seat.number]
            seat.counted = sum(line.points for line in counted[seat.number])
        Seat.objects.bulk_update(locked.seats, ["place", "total", "left", "counted"])
    if game.has_ended:
        game.signature = records.sign(game.record_format, game.head)
    save_row(game)


def _save_snapshot(locked: Locked) -> None:
    state = msgspec.json.encode(locked.state).decode()
    snapshot = Snapshot(game=locked.game, seq=locked.game.seq, rules_version=locked.rules.version, state=state)
    if not save_snapshot(snapshot):
        snapshot.save(force_insert=True)
