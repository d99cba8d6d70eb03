"""The position of a game: from its snapshot if current, else folded from the log."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from games.rules import log
from games.rules.protocol import SeatInfo, State
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


def entries(game: Game, upto: int | None = None) -> list[log.Entry]:
    """Return the log of a game, up to entry `upto` or all of it."""
    rows = Entry.objects.filter(game=game).order_by("seq")
    return [plain(row) for row in (rows if upto is None else rows.filter(seq__lte=upto))]


def empty(game: Game, seats: Sequence[Seat]) -> State:
    """Return the initial position, before entry 0."""
    return game.rules.initial(game.rules.options(game.options, game.players), infos(seats))


def folded(game: Game, seats: Sequence[Seat], upto: int | None = None) -> State:
    return log.fold(game.rules, empty(game, seats), entries(game, upto))


def current(game: Game, seats: Sequence[Seat], snapshot: Snapshot | None) -> State:
    """Return the position after the last entry. A snapshot that does not match is ignored."""
    if snapshot and (snapshot.seq, snapshot.rules_version) == (game.seq, game.rules.version):
        try:
            return msgspec.json.decode(snapshot.state, type=game.rules.state_type)
        except msgspec.ValidationError:
            pass  # written before the state grew a field
    return folded(game, seats)
