"""Where a game stands: from its snapshot where that fits, else folded from the log."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from games.rules import log
from games.rules.protocol import SeatInfo, State
from games.tables.models import Entry, Game, Seat, Snapshot


def infos(seats: Iterable[Seat]) -> tuple[SeatInfo, ...]:
    """The seats as the rules know them. They stay what they were when the game began, whoever leaves."""
    return tuple(SeatInfo(bot=bool(seat.own_bot), born=seat.born, joined=seat.joined) for seat in seats)


def stamp(at: datetime) -> str:
    """A moment as entries write it: `2026-11-21T08:05:00.000000Z`."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def plain(entry: Entry) -> log.Entry:
    """An entry as the pure layers know it."""
    return log.Entry(
        entry.seq, stamp(entry.at), entry.seat, tuple(entry.actions), tuple(entry.events), entry.by, entry.digest
    )


def entries(game: Game, upto: int | None = None) -> list[log.Entry]:
    """The log of a game, the whole of it or as far as entry `upto`."""
    rows = Entry.objects.filter(game=game).order_by("seq")
    return [plain(row) for row in (rows if upto is None else rows.filter(seq__lte=upto))]


def empty(game: Game, seats: Sequence[Seat]) -> State:
    """The position that the log is folded on."""
    return game.rules.initial(game.rules.options(game.options, game.players), infos(seats))


def folded(game: Game, seats: Sequence[Seat], upto: int | None = None) -> State:
    return log.fold(game.rules, empty(game, seats), entries(game, upto))


def current(game: Game, seats: Sequence[Seat], snapshot: Snapshot | None) -> State:
    """The position after the last entry. A snapshot that does not fit is passed over."""
    if snapshot and (snapshot.seq, snapshot.rules_version) == (game.seq, game.rules.version):
        try:
            return msgspec.json.decode(snapshot.state, type=game.rules.state_type)
        except msgspec.ValidationError:
            pass  # written before the state grew a field
    return folded(game, seats)
