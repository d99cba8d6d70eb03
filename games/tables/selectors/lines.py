"""The log in words, for one reader."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext

from games.rules import log
from games.rules.protocol import Event, Ruleset
from games.tables.models import Entry, Game, Seat
from games.tables.models.log import By
from games.tables.selectors import decisions, position, rights
from games.tables.selectors.regions import region_name

RECENT = 60  # entries that a page shows; older ones on demand


@dataclass(frozen=True)
class Line:
    """An entry in words, and as the texts that were handed in.

    `seat` is null for the house; `by` tells who decided for it; `new` since the reader looked. `actions` are withheld
    from readers that may not know all that came of them. `learned` are those of the sentences that nobody but the
    reader is told. `events` are the facts as the reader may know them. `taken_back`: it counts no longer, so of it
    there are the sentences alone. `by_house`: those who run the site decided it. What a standing order decided reads to
    others as if its player had.
    """

    seq: int
    at: datetime
    seat: int | None
    by: str
    sentences: tuple[str, ...]
    new: bool
    actions: tuple[str, ...]
    learned: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    taken_back: bool = False
    by_house: bool = False

    @property
    def decider(self) -> str:
        """Who decided for the seat, in words."""
        return str(By(self.by).label)


def lines(*, game: Game, seats: list[Seat], seat: Seat | None, rows: Sequence[Entry]) -> list[Line]:
    """Entries in words, without what the reader in `seat` may not know."""
    seen, gone = seat.seen_seq if seat else game.seq, log.taken_back(rows)
    told = [_line(game, seats, seat, row, is_new=row.seq > seen) for row in rows]
    return [_void(line) if line.seq in gone else line for line in told]


def _void(line: Line) -> Line:
    """What is left of a turn that was taken back: the words."""
    return replace(line, taken_back=True, actions=(), learned=(), events=())


def _line(game: Game, seats: list[Seat], seat: Seat | None, row: Entry, *, is_new: bool) -> Line:
    if log.undone(row) is not None and row.seat is not None:
        said = gettext("{player} undid their last turn.").format(player=seats[row.seat].name)
        return Line(row.seq, row.at, row.seat, row.by, (said,), is_new, tuple(row.actions))
    if intervention := log.intervention(row):
        told_of = decisions.sentence(intervention, seats)
        return Line(row.seq, row.at, row.seat, row.by, (told_of,), is_new, tuple(row.actions), by_house=True)
    rules, viewer, names = game.rules, seat.number if seat else None, [one.name for one in seats]
    entry, mine = position.plain(row), viewer is not None and row.seat == viewer
    facts = log.facts(rules, entry)
    known = [rules.seen(event, viewer) for event in facts]
    told = [event for event in known if event is not None]
    return Line(
        seq=row.seq,
        at=row.at,
        seat=row.seat,
        by=row.by if mine else log.as_by_hand(entry).by,
        sentences=tuple(rules.tell(told, names, gettext, region_name)),
        new=is_new,
        actions=log.seen_actions(rules, entry, viewer, known),
        learned=_learned(rules, facts, told, names) if mine else (),
        events=tuple(told),
    )


def sentences(*, game: Game, seats: list[Seat], seat: Seat | None, row: Entry) -> tuple[str, ...]:
    """What one entry says to the reader in `seat`."""
    return _line(game, seats, seat, row, is_new=False).sentences


def _learned(rules: Ruleset, facts: list[Event], told: list[Event], names: list[str]) -> tuple[str, ...]:
    """What the events say to the reader who brought them about and to nobody else."""
    known = [event for event in (rules.seen(event, None) for event in facts) if event is not None]
    private = [event for event in told if event not in known]
    public = rules.tell(known, names, gettext, region_name) if private else []
    return tuple(said for said in rules.tell(private, names, gettext, region_name) if said not in public)


def that_count(told: Iterable[Line]) -> list[Line]:
    """The turns that count: without those that were taken back, and without entries of the log's own."""
    return [line for line in told if not (line.taken_back or line.by_house or line.actions == (log.TAKE_BACK,))]


def recent(game: Game, upto: int) -> list[Entry]:
    """The last entries as far as `upto`, oldest first."""
    return list(Entry.objects.filter(game=game, seq__range=(upto - RECENT + 1, upto)).order_by("seq"))


def since(*, game: Game, seats: list[Seat], seat: Seat, after: int) -> list[Line]:
    """The lines behind entry `after`: what a mail tells of."""
    rows = list(Entry.objects.filter(game=game, seq__gt=after).order_by("seq"))
    return lines(game=game, seats=seats, seat=seat, rows=rows)


def log_lines(*, public_id: str, user: rights.Reader, before: int | None = None, invite: str = "") -> list[Line]:
    """All lines in front of entry `before`, oldest first; the whole log when it is left out."""
    game, seats = rights.visible(public_id=public_id, user=user, invite=invite)
    rows = Entry.objects.filter(game=game).order_by("seq")
    read = rows if before is None else rows.filter(seq__lte=before)  # the next one too, which may take the last back
    shown = lines(game=game, seats=seats, seat=rights.seat_of(user, seats), rows=list(read))
    return [line for line in shown if before is None or line.seq < before]
