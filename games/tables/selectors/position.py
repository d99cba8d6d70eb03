"""The log of a game: its entries, the position that they lead to, and whether a decision is still due.

The position is read from the snapshot if that is current, else folded from the log.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec
from django.db.models import F, Model

from games.rules import log
from games.rules.protocol import Event, Ruleset, SeatInfo, State, View
from games.tables.models import Entry, Game, Seat, Snapshot


def infos(seats: Iterable[Seat]) -> tuple[SeatInfo, ...]:
    """Return the seats as the rules see them, as they were at the start of the game."""
    return tuple(SeatInfo(bot=bool(seat.own_bot), born=seat.born, joined=seat.joined) for seat in seats)


def stamp(at: datetime) -> str:
    """Format a moment as in log entries: `2026-11-21T08:05:00.000000Z`."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def plain(entry: Entry) -> log.Entry:
    """Convert an entry to the type of the pure layers."""
    return log.Entry(
        entry.seq, stamp(entry.at), entry.seat, tuple(entry.actions), tuple(entry.events), entry.by, entry.digest
    )


MOST_DECODED = 5000  # entries, of about 1 KB
_decoded: dict[tuple[int, str, str, int], tuple[Event, ...]] = {}


def facts(rules: Ruleset, entry: Entry) -> tuple[Event, ...]:
    """Return the events of a stored entry as values of the ruleset. Each process remembers them by the digest."""
    key = (entry.game_id, entry.digest, rules.slug, rules.version)
    if (events := _decoded.get(key)) is None:
        if len(_decoded) >= MOST_DECODED:
            _decoded.clear()
        events = _decoded[key] = tuple(log.facts(rules, plain(entry)))
    return events


def rows(game: Game, upto: int | None = None) -> list[Entry]:
    """Read the log of a game, up to entry `upto` or all of it."""
    of_game = Entry.objects.filter(game=game).order_by("seq")
    return list(of_game if upto is None else of_game.filter(seq__lte=upto))


def entries(game: Game, upto: int | None = None) -> list[log.Entry]:
    """Return the log of a game, up to entry `upto` or all of it."""
    return [plain(entry) for entry in rows(game, upto)]


def empty(game: Game, seats: Sequence[Seat]) -> State:
    """Return the initial position, before entry 0."""
    return game.rules.initial(game.rules.options(game.options, game.players), infos(seats))


def folded(game: Game, seats: Sequence[Seat], upto: int | None = None) -> State:
    """Return the position after entry `upto`, by default the last one, folded from the log."""
    return log.fold(game.rules, empty(game, seats), rows(game, upto), facts)


# A snapshot that a query reads together with a row, because a turn may be written between two statements

COLUMNS = ("seq", "rules_version", "state")


def with_snapshot(path: str = "snapshot") -> dict[str, F]:
    """Return the annotations that add the snapshot at this path from the row's model."""
    return {f"snapshot_{column}": F(f"{path}__{column}") for column in COLUMNS}


def take_snapshot(row: Model, game_id: int) -> Snapshot | None:
    """Take the annotations of `with_snapshot` off the row, and return their snapshot; None if there is none."""
    values = {column: vars(row).pop(f"snapshot_{column}") for column in COLUMNS}
    return None if values["seq"] is None else Snapshot(game_id=game_id, **values)


def current(game: Game, seats: Sequence[Seat], snapshot: Snapshot | None) -> State:
    """Return the position after the last entry. A snapshot that does not match is ignored."""
    if snapshot and (snapshot.seq, snapshot.rules_version) == (game.seq, game.rules.version):
        try:
            return msgspec.json.decode(snapshot.state, type=game.rules.state_type)
        except msgspec.ValidationError:
            pass  # written before the state grew a field
    return folded(game, seats)


Moment = tuple[int, Event | None, Callable[[], View]]


def moments(
    game: Game, seats: Sequence[Seat], seat: int | None, after: int, upto: int, loaded: Sequence[Entry] = ()
) -> Iterator[Moment]:
    """Yield the position after entry `after`, then after each event up to entry `upto`, as the seat may know them.

    A moment is the number of the entry, the event as the seat may know it, and a function that returns the view; call
    it before the next moment is read. Turns undone by `upto` do not occur. Entries that are `loaded` are not read.
    """
    rules, state = game.rules, empty(game, seats)
    is_whole = loaded and loaded[0].seq == 0 and loaded[-1].seq == upto
    turns = log.turns_that_count(loaded if is_whole else rows(game, upto))
    for event in (event for turn in turns if turn.seq <= after for event in facts(rules, turn)):
        rules.evolve(state, event)

    def view() -> View:
        return rules.view(state, seat)

    yield after, None, view
    for turn in turns:
        for event in facts(rules, turn) if turn.seq > after else ():
            rules.evolve(state, event)
            yield turn.seq, rules.seen(event, seat), view


# Decisions that are due, which links in emails check before they act


def still_owes(seat: Seat, seq: int) -> bool:
    """Return whether the seat still owes the decision that was due after entry `seq`.

    Decisions of others in between do not matter. If that entry was undone, the seat owes a different decision.
    """
    if not (seat.owes and seat.game.is_running):
        return False
    if seat.game.seq == seq:
        return True
    has_moved = Entry.objects.filter(game=seat.game, seat=seat.number, seq__gt=seq).exists()
    return not has_moved and not is_undone(seat.game, seq)


def is_undone(game: Game, seq: int) -> bool:
    """Return whether the turn of entry `seq` was undone."""
    following = Entry.objects.filter(game=game, seq=seq + 1).first()
    return following is not None and log.undoes(following) == seq


def was_last_asked(seat: Seat, seq: int) -> bool:
    """Return whether the decision due after entry `seq` is the last one that the seat was asked for.

    The seat may be continuing that turn, or have just finished it. Entries written together with its own, such as
    sealed decisions, do not end the turn.
    """
    later = list(Entry.objects.filter(game=seat.game, seq__gt=seq).order_by("seq").values_list("seat", "at"))
    own = [place for place, (number, _at) in enumerate(later) if number == seat.number]
    if not own:
        return still_owes(seat, seq)
    moments = {later[place][1] for place in own}
    run = later[own[0] :] if seat.owes else later[own[0] : own[-1]]
    return all(at in moments for _number, at in run)
