"""Games as files: exported for a reader, checked, taken in again. And the proof that the rows agree with the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from accounts.models import User
from games.models import Entry, Game, Seat, Seed, Snapshot, Status
from games.rules import record as records
from games.rules.log import Entry as PlainEntry
from games.rules.protocol import Scoresheet, State
from games.rules.record import Record, RecordSeat
from games.selectors import position, rights
from games.services.errors import NotFound, RecordError
from games.services.ids import new_game


def export(*, public_id: str, user: rights.Reader, invite: str = "") -> bytes:
    """The game's record as that reader may have it: whole when it has ended, else without what is hidden from them."""
    game, seats = rights.visible(public_id=public_id, user=user, invite=invite)
    mine = rights.seat_of(user, seats)
    return export_for(game=game, seats=seats, seat=mine.number if mine else None)


def export_for(*, game: Game, seats: Sequence[Seat], seat: int | None) -> bytes:
    """The record for one seat, or with null for a watcher. Raises `NotFound` for a game that has not begun."""
    if game.seq < 0:
        raise NotFound
    whole = record(game=game, seats=seats)
    if game.is_open_book:
        return records.encode(msgspec.structs.replace(whole, seats=records.told(whole.seats, whole.entries)))
    return records.encode(records.seen_by(whole, seat))


def record(*, game: Game, seats: Sequence[Seat]) -> Record:
    """Everything, seed and ages included: for checking, and for `export` to take from."""
    entries = tuple(position.entries(game))
    return Record(
        format=records.form(entries), game=game.public_id, ruleset=game.ruleset, version=game.rules_version,
        options=game.options, seats=tuple(RecordSeat(s.name, s.own_bot, s.born, s.joined) for s in seats),
        seed_hash=game.seed_hash, entries=entries,
        seed=bytes(Seed.objects.get(game=game).secret).hex(),
        scoresheet=msgspec.convert(game.result, Scoresheet) if game.result else None,
    )  # fmt: skip


# Checking


@dataclass(frozen=True)
class Proof:
    """What playing a record again has shown: `problems` in sentences, none where all is as it should be.

    `record` is null while its game runs: the seed is secret then, and nothing can be checked.
    """

    record: Record | None
    problems: tuple[str, ...] = ()
    game: Game | None = None

    @property
    def decisions(self) -> int:
        return sum(len(entry.actions) for entry in self.record.entries) if self.record else 0


def proof(*, public_id: str, user: rights.Reader) -> Proof:
    """The check of a game for a reader who may see it. Raises `NotFound`, also for one that has not begun."""
    game, seats = rights.visible(public_id=public_id, user=user)
    if game.seq < 0:
        raise NotFound
    if not game.is_open_book:
        return Proof(None, game=game)
    return Proof(record(game=game, seats=seats), tuple(verify(game=game)), game)


def proof_of_file(data: bytes) -> Proof:
    """The check of a record file. Raises `RecordError` for a file that is none."""
    whole = read(data)
    return Proof(whole, tuple(records.verify(whole, gettext)))


def verify(*, game: Game) -> list[str]:
    """What is wrong with a game that has begun, in sentences: with its log, or with the rows beside it."""
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    whole = record(game=game, seats=seats)
    problems = records.verify(whole, gettext)
    return problems or list(rows_that_differ(game, seats, whole, records.replay(whole)))


def rows_that_differ(game: Game, seats: Sequence[Seat], whole: Record, state: State) -> Iterator[str]:
    """Where a row does not say what the log folds to."""
    last = whole.entries[-1]
    if (game.seq, game.head) != (last.seq, last.digest):
        yield gettext("The row of the game does not end where its log ends.")
    if game.has_ended != game.rules.is_over(state) or game.is_void != records.is_void(whole.entries):
        yield gettext("The row of the game says that it has ended and the log does not, or the other way round.")
    snapshot = Snapshot.objects.filter(game=game, seq=game.seq, rules_version=game.rules.version).first()
    if snapshot and msgspec.json.decode(snapshot.state, type=game.rules.state_type) != state:
        yield gettext("The snapshot is not the position that the log folds to.")
    if not game.sealed and {seat.number for seat in seats if seat.owes} != set(game.rules.to_act(state)):
        yield gettext("The seats that owe a decision are not those whose turn it is.")
    yield from results_that_differ(seats, whole.scoresheet)


def results_that_differ(seats: Sequence[Seat], sheet: Scoresheet | None) -> Iterator[str]:
    for seat, score in zip(seats, sheet.seats if sheet else (), strict=False):
        if (seat.total, seat.place) != (score.total, score.place):
            yield gettext("Seat %(seat)d does not have the result of the scoresheet.") % {"seat": seat.number}


# Taking in


def read(data: bytes) -> Record:
    """The record in a file, with its form checked. Raises `RecordError`."""
    if len(data) > records.LARGEST:
        raise RecordError(gettext("This file is too large for a record."))
    try:
        return records.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        raise RecordError(gettext("This file is no record: %(reason)s") % {"reason": problem}) from None


@transaction.atomic
def take_in(*, data: bytes, user: User | None = None) -> Game:
    """Keep the finished game of a record file: unlisted, marked as imported. Raises `RecordError`, nothing written."""
    whole = read(data)
    problems = records.verify(whole, gettext)
    if problems:
        raise RecordError(problems[0])
    if whole.scoresheet is None and not records.is_void(whole.entries):
        raise RecordError(gettext("This game has not ended; only ended games can be taken in."))
    moments = _moments(whole)
    try:
        with transaction.atomic():
            game = _imported_game(whole, moments, user)
    except IntegrityError:
        raise RecordError(gettext("This game has been taken in before.")) from None
    _write_rows(game, whole, moments)
    return game


def _moments(whole: Record) -> list[datetime]:
    try:
        return [datetime.fromisoformat(entry.at) for entry in whole.entries]
    except ValueError:
        raise RecordError(gettext("A moment in this record is no date.")) from None


def _imported_game(whole: Record, moments: Sequence[datetime], user: User | None) -> Game:
    last = whole.entries[-1]
    return new_game(
        ruleset=whole.ruleset, rules_version=whole.version, options=whole.options,
        status=Status.FINISHED if whole.scoresheet else Status.VOID, players=len(whole.seats), listed=False,
        imported=True, opener=user, seq=last.seq, head=last.digest, seed_hash=whole.seed_hash, version=1,
        result=msgspec.to_builtins(whole.scoresheet),
        opened_at=moments[0], started_at=moments[0], ended_at=moments[-1],
    )  # fmt: skip


def _write_rows(game: Game, whole: Record, moments: Sequence[datetime]) -> None:
    Seed.objects.create(game=game, secret=bytes.fromhex(whole.seed or ""))
    state = records.replay(whole)
    Snapshot.objects.create(
        game=game, seq=game.seq, rules_version=game.rules_version, state=msgspec.json.encode(state).decode()
    )
    Seat.objects.bulk_create(_seat(game, whole, number, state) for number in range(len(whole.seats)))
    Entry.objects.bulk_create(_row(game, entry, at) for entry, at in zip(whole.entries, moments, strict=True))


def _seat(game: Game, whole: Record, number: int, state: State) -> Seat:
    one = whole.seats[number]
    seat = Seat(game=game, number=number, name=one.name, bot=one.bot, born=one.born, joined=one.joined)
    if whole.scoresheet:
        score = whole.scoresheet.seats[number]
        seat.place, seat.total, seat.left = score.place, score.total, game.rules.left_over(state)[number]
    return seat


def _row(game: Game, entry: PlainEntry, at: datetime) -> Entry:
    return Entry(
        game=game, seq=entry.seq, at=at, seat=entry.seat, by=entry.by, actions=entry.actions, events=entry.events,
        digest=entry.digest,
    )  # fmt: skip
