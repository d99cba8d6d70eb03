"""The log in words, for one reader."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from games.models import Entry, Game, Seat
from games.rules import log
from games.selectors import position, rights
from games.selectors.regions import region_name

RECENT = 60  # entries that a page shows; older ones on demand


@dataclass(frozen=True)
class Line:
    """An entry in words, and as the texts that were handed in.

    `seat` is null for the house; `by` is seat or clock; `new` since the reader looked.
    """

    seq: int
    at: datetime
    seat: int | None
    by: str
    sentences: tuple[str, ...]
    new: bool
    actions: tuple[str, ...]


def lines(*, game: Game, seats: list[Seat], seat: Seat | None, rows: Iterable[Entry]) -> list[Line]:
    """Entries in words, without what the reader in `seat` may not know."""
    seen = seat.seen_seq if seat else game.seq
    return [
        Line(
            row.seq, row.at, row.seat, row.by, sentences(game=game, seats=seats, seat=seat, row=row), row.seq > seen,
            tuple(row.actions),
        )
        for row in rows
    ]  # fmt: skip


def sentences(*, game: Game, seats: list[Seat], seat: Seat | None, row: Entry) -> tuple[str, ...]:
    """What one entry says to the reader in `seat`."""
    rules, viewer, names = game.rules, seat.number if seat else None, [one.name for one in seats]
    events = [rules.seen(event, viewer) for event in log.facts(rules, position.plain(row))]
    return tuple(rules.tell([event for event in events if event is not None], names, gettext, region_name))


def recent(game: Game, upto: int) -> list[Entry]:
    """The last entries as far as `upto`, oldest first."""
    return list(Entry.objects.filter(game=game, seq__range=(upto - RECENT + 1, upto)).order_by("seq"))


def since(*, game: Game, seats: list[Seat], seat: Seat, after: int) -> list[Line]:
    """The lines behind entry `after`: what a mail tells of."""
    rows = Entry.objects.filter(game=game, seq__gt=after).order_by("seq")
    return lines(game=game, seats=seats, seat=seat, rows=rows)


def log_lines(*, public_id: str, user: rights.Reader, before: int | None = None, invite: str = "") -> list[Line]:
    """All lines in front of entry `before`, oldest first; the whole log when it is left out."""
    game, seats = rights.visible(public_id=public_id, user=user, invite=invite)
    rows = Entry.objects.filter(game=game).order_by("seq")
    shown = rows if before is None else rows.filter(seq__lt=before)
    return lines(game=game, seats=seats, seat=rights.seat_of(user, seats), rows=shown)
