"""Everything that the page of one game shows to one reader, in few queries and without reading the whole log."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from games.models import Draft, Entry, Game, Seat, Seed
from games.rules.protocol import IllegalAction, NeedsChance, Ruleset, State, View
from games.selectors import lines, position, rights
from games.services.errors import NotFound, Stale


@dataclass(frozen=True)
class Table:
    """A game as one reader knows it.

    `seat` is the reader's own. `view` has their draft applied unless `at` asks for an earlier position, `before` has
    not; both are null until the game starts. `draft` are the texts laid out, `sealed` those of a sealed decision that
    is in and can still be changed. `seq` is what forms send as `expected_seq`. `stale` is a sentence when a draft was
    overtaken. `changed` are the regions that changed since the reader looked, else in the last turn. `waiting_for`
    never tells whose sealed decision is in. `seed`, in hexadecimal digits, is told when the game has ended.
    """

    game: Game
    seats: list[Seat]
    seat: Seat | None
    seq: int
    at: int | None = None
    view: View | None = None
    before: View | None = None
    draft: tuple[str, ...] = ()
    turn_complete: bool = False
    sealed: tuple[str, ...] = ()
    stale: str = ""
    log: list[lines.Line] = field(default_factory=list)
    has_older: bool = False
    changed: frozenset[str] = frozenset()
    deadline: datetime | None = None
    waiting_for: tuple[int, ...] = ()
    seed: str = ""

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def is_mine(self) -> bool:
        """Whether the game waits for the reader; a sealed decision that is in can still be changed."""
        return self.seat is not None and self.seat.number in self.waiting_for


def table(*, public_id: str, user: rights.Reader, at: int | None = None, invite: str = "") -> Table:
    """The game for that reader, now or after entry `at`. Raises `NotFound`, for strangers of private tables too."""
    game, seats = rights.visible(public_id=public_id, user=user, invite=invite)
    seat = rights.seat_of(user, seats)
    if at is not None and not 0 <= at <= game.seq:
        raise NotFound
    if game.seq < 0:
        return Table(game=game, seats=seats, seat=seat, seq=game.seq)
    rows = lines.recent(game, game.seq if at is None else at)
    shown = Table(
        game=game, seats=seats, seat=seat, seq=game.seq, at=at, has_older=rows[0].seq > 0, seed=published_seed(game),
        log=lines.lines(game=game, seats=seats, seat=seat, rows=rows), changed=changed(seat, rows, at),
    )  # fmt: skip
    return _as_it_stands(shown) if at is None else _as_it_stood(shown, at)


def published_seed(game: Game) -> str:
    """The seed in hexadecimal digits once the game has ended; before, nothing."""
    return bytes(Seed.objects.get(game=game).secret).hex() if game.is_finished else ""


def changed(seat: Seat | None, rows: list[Entry], at: int | None) -> frozenset[str]:
    """The regions that changed since the seat's player looked; when none did, or for an earlier entry, in the last."""
    new = [row for row in rows if seat and at is None and row.seq > seat.seen_seq]
    return regions_of(new or [row for row in rows[-1:] if row.seq > 0])


def regions_of(rows: Iterable[Entry]) -> frozenset[str]:
    """The regions that the events of these entries name."""
    return frozenset(
        event[key] for row in rows for event in row.events for key in ("region", "origin", "target") if key in event
    )


def waiting_for(game: Game, seats: list[Seat]) -> tuple[int, ...]:
    """The seats that owe a decision; all of them while decisions are sealed (R6)."""
    return tuple(seat.number for seat in seats if seat.owes or game.sealed)


def deadline(seats: list[Seat]) -> datetime | None:
    """Until when the game waits. Sealed decisions are all due at once, so this does not tell who owes one."""
    return max((seat.deadline for seat in seats if seat.deadline), default=None)


def is_complete(rules: Ruleset, state: State, seat: int) -> bool:
    """Whether a draft has ended its turn: on the position that it leads to the seat owes nothing."""
    return seat not in rules.to_act(state)


def laid_out(rules: Ruleset, before: State, seat: int, actions: Iterable[str]) -> State | None:
    """The position that a draft leads to; null for a draft that the rules refuse."""
    state = before.copy()
    try:
        for text in actions:
            for event in rules.decide(state, seat, rules.parse(text), None):
                rules.evolve(state, event)
    except (IllegalAction, NeedsChance):
        return None
    return state


def _as_it_stood(shown: Table, at: int) -> Table:
    game = shown.game
    view = game.rules.view(position.folded(game, shown.seats, at), shown.seat.number if shown.seat else None)
    return replace(shown, view=view, before=view)


def _as_it_stands(shown: Table) -> Table:
    game, seats = shown.game, shown.seats
    state = position.current(game, seats, getattr(game, "snapshot", None))
    due = replace(shown, deadline=deadline(seats), waiting_for=waiting_for(game, seats))
    if shown.seat is None:
        view = game.rules.view(state, None)
        return replace(due, view=view, before=view)
    return _with_drafts(due, shown.seat, state)


def _with_drafts(shown: Table, seat: Seat, state: State) -> Table:
    """What the reader has laid out or sealed, made so on a copy; a draft on an earlier entry is passed over."""
    rules, drafts = shown.game.rules, list(Draft.objects.filter(seat=seat))
    fresh = {draft.sealed: tuple(draft.actions) for draft in drafts if draft.seq == shown.seq}
    before = laid_out(rules, state, seat.number, fresh.get(True, ())) or state
    after = laid_out(rules, before, seat.number, fresh.get(False, ()))
    draft = fresh.get(False, ()) if after else ()
    after = after or before
    first = rules.view(before, seat.number)
    return replace(
        shown, before=first, view=rules.view(after, seat.number) if draft else first, draft=draft,
        sealed=fresh.get(True, ()), turn_complete=bool(draft) and is_complete(rules, after, seat.number),
        stale=str(Stale()) if len(fresh) < len(drafts) else "",
    )  # fmt: skip
