"""Everything that a game's page shows to one reader, in few queries and without reading the whole log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext

from empire.prepared import Prepared
from empire.web.languages import display_name
from games.errors import NotFound, Stale
from games.rules import log, play
from games.rules.protocol import IllegalAction, Ruleset, State, View
from games.tables import hooks
from games.tables.families import parts_of
from games.tables.models import Draft, Entry, Game, Seat, Seed
from games.tables.models.log import By, UndoRequest, UndoState
from games.tables.selectors import lines, position, rights
from games.tables.selectors.lines import turn_lines

LOOK, NEW, TURN, START, LAST, ENTRY = "look", "new", "turn", "start", "last", "entry"
HEAD_DIGITS = 12  # digits of a digest that forms send
# Of a seat that the person still plays: it may have changed hands since the seats were read
DRAFTS = Prepared(lambda seat, player: Draft.objects.filter(seat=seat, seat__user=player))


@dataclass(frozen=True)
class Period:
    """The entries after `after`, up to `upto`, that a page shows as new.

    `kind` is `LOOK` (since the reader last looked), `NEW` (what they have not seen, at their first look or while they
    stay), `TURN` (since their last turn), `START` (since the start, before their first turn), `LAST` (the last entry
    only) or `ENTRY` (the entry shown in the history).
    """

    kind: str
    after: int
    upto: int

    @property
    def count(self) -> int:
        return self.upto - self.after

    def __contains__(self, seq: object) -> bool:
        return isinstance(seq, int) and self.after < seq <= self.upto


@dataclass(frozen=True)
class Table:
    """A game as one reader sees it."""

    game: Game
    seats: list[Seat]
    seat: Seat | None  # the one that the reader plays
    seq: int  # the last entry; forms send it as `expected_seq`, with `head`
    at: int | None = None  # the entry after which the position is shown, if it is an earlier one
    view: View | None = None  # with the reader's draft applied, unless `at` is given; None before the start
    before: View | None = None  # without the draft
    draft: tuple[str, ...] = ()  # its action texts
    turn_complete: bool = False  # whether no further step can follow the draft
    sealed: tuple[str, ...] = ()  # the action texts of a sealed decision that can still be changed
    stale: str = ""  # a sentence if the draft is outdated
    log: list[lines.LogLine] = field(default_factory=list)
    has_older: bool = False  # whether there are entries before these
    period: Period = Period(LAST, 0, 0)  # the entries that are new to the reader
    last_turn: int | None = None  # the entry of the reader's own last turn; None if it is too old
    changed: frozenset[str] = frozenset()  # the regions that the new entries name
    own: Seat | None = None  # the one that the reader owns
    asked: Seat | None = None  # one that the reader was asked to play
    known_games: Sequence[Game] = ()  # after the end of one of a full game: those up to the last that they may see
    is_reply: bool = False  # whether a decision during another player's turn is due
    deadline: datetime | None = None
    waiting_for: tuple[int, ...] = ()  # seats; never reveals whose sealed decision is in
    seed: str = ""  # in hexadecimal, once the game is over
    reader: int | None = None  # see `live_reader`
    entries: Sequence[Entry] = field(default=(), compare=False, repr=False)  # those of `log`, or more

    @property
    def head(self) -> str:
        """The beginning of the last entry's digest, enough to tell it from another entry with the same number."""
        return self.game.head[:HEAD_DIGITS]

    @property
    def names(self) -> list[str]:
        return [display_name(seat.name) for seat in self.seats]

    @property
    def fresh(self) -> list[lines.LogLine]:
        """The new lines, as far as the log is loaded."""
        return [line for line in self.log if line.seq in self.period]

    @property
    def is_mine(self) -> bool:
        """Whether the game waits for the reader. A sealed decision can still be changed."""
        return self.seat is not None and self.seat.number in self.waiting_for


@dataclass(frozen=True)
class LoadedGame:
    """A game as its player has just left it: rows, the position after the last entry, and the drafts of their seat."""

    game: Game
    seats: list[Seat]
    state: State
    drafts: list[Draft]

    @property
    def laid(self) -> list[str]:
        """The action texts that are laid out."""
        return next(
            (list(draft.actions) for draft in self.drafts if not draft.sealed and draft.seq == self.game.seq), []
        )


def table(
    *, public_id: str, user: rights.Reader, at: int | None = None, invite: str = "", since: str = "",
    trying: Sequence[str] | None = None, loaded: LoadedGame | None = None,
    visible: tuple[Game, list[Seat]] | None = None,
) -> Table:  # fmt: skip
    """Return the game for the reader, now or after entry `at`. Raises `NotFound`, also if they may not see it.

    `since="turn"` shows what happened since the reader's own last turn, even if they have looked since. `trying`
    replaces the reader's draft without saving it, and is dropped if the rules refuse it. A game that was `loaded` for
    the player of a seat is not read again, nor is a `visible` one with its seats, as `rights.visible` returns them.
    """
    if loaded:
        game, seats = loaded.game, loaded.seats
    else:
        game, seats = visible or rights.visible(public_id=public_id, user=user, invite=invite)
    seat = rights.seat_of(user, seats)
    if at is not None and not 0 <= at <= game.seq:
        raise NotFound
    if game.seq < 0:
        return Table(game=game, seats=seats, seat=seat, seq=game.seq)
    entries = lines.recent(game, game.seq if at is None else at)
    counting = log.turns_that_count(entries)
    own_last_turn = last_turn(seat, counting)
    last = counting[-1].seq if counting else game.seq
    new_period = period(seat, game.seq, own_last_turn, since, last) if at is None else Period(ENTRY, at - 1, at)
    # The regions that the new events name; targets can also be players, which are numbers
    changes = net([entry for entry in entries if entry.seq in new_period and entry.seq], entries)
    new_events = (event for entry in changes for event in entry.events)
    region_names = (event.get(key) for event in new_events for key in ("region", "origin", "target"))
    seed = bytes(Seed.objects.get(game=game).secret).hex() if game.is_open_book else ""
    known_games: Sequence[Game] = ()
    if game.is_finished and game.full_game_id is not None:
        known_games, _seen = rights.known_games(game.full_game_id, user)
    shown = Table(
        game=game, seats=seats, seat=seat, seq=game.seq, at=at, has_older=entries[0].seq > 0, seed=seed,
        log=lines.lines(game=game, seats=seats, seat=seat, entries=entries), period=new_period, last_turn=own_last_turn,
        changed=frozenset(region for region in region_names if isinstance(region, str)),
        own=rights.own_seat(user, seats), asked=rights.asked_seat(user, seats),
        known_games=known_games, reader=live_reader(game, user), entries=entries,
    )  # fmt: skip
    rules, viewer = game.rules, seat.number if seat else None
    if at is not None:
        whole_log = position.rows(game, at)  # the film reads it, too
        view = rules.view(log.fold(rules, position.empty(game, seats), whole_log, position.facts), viewer)
        return replace(shown, view=view, before=view, entries=whole_log)
    state = loaded.state if loaded else position.current(game, seats, getattr(game, "snapshot", None))
    shown = replace(
        shown, deadline=deadline(game, seats, seat), waiting_for=waiting_for(game, seats),
        is_reply=rules.is_reply(state),
    )  # fmt: skip
    if seat is None:
        view = rules.view(state, None)
        return replace(shown, view=view, before=view)
    # Apply the reader's draft and sealed decision to a copy. Drafts on earlier entries are ignored.
    drafts = loaded.drafts if loaded else DRAFTS(seat.pk, seat.user_id)
    fresh = {draft.sealed: tuple(draft.actions) for draft in drafts if draft.seq == game.seq}
    sealed = laid_out(rules, state, seat.number, fresh.get(True, ()))
    before = sealed.state if sealed else state
    laid = fresh.get(False, ()) if trying is None else tuple(trying)
    after = laid_out(rules, before, seat.number, laid) or play.Walk(before)
    draft = laid if after.state is not before else ()
    first = rules.view(before, seat.number)
    return replace(
        shown, before=first, view=rules.view(after.state, seat.number) if draft else first, draft=draft,
        sealed=fresh.get(True, ()), turn_complete=after.is_closed,
        stale=str(Stale()) if len(fresh) < len(drafts) else "",
    )  # fmt: skip


def live_reader(game: Game, user: rights.Reader) -> int | None:
    """Return the reader's id for the live URL of a private game, 0 for visitors; None for a listed game."""
    return None if game.listed else (getattr(user, "pk", None) or 0)


def last_turn(seat: Seat | None, entries: Iterable[Entry]) -> int | None:
    """Return the last of these entries that the seat's own player made."""
    own_turns = [entry.seq for entry in entries if seat and entry.seat == seat.number and entry.by == By.SEAT]
    return own_turns[-1] if own_turns else None


def period(seat: Seat | None, seq: int, last_turn: int | None, since: str, last: int) -> Period:
    """Return what a page shows as new.

    That is what the reader has not seen; else, so that reloading loses nothing, what happened since their last turn,
    or since the start; and if that is nothing, the `last` entry that counts.
    """
    if seat is None or last_turn == seq or (last_turn == last and seat.seen_seq >= seq):
        return Period(LAST, last - 1, seq)
    if since != TURN and seat.seen_seq < seq:
        is_back = seat.seen_seq >= 0 and not seat.is_looking(timezone.now())
        return Period(LOOK if is_back else NEW, max(0, seat.seen_seq), seq)
    return Period(START if last_turn is None else TURN, last_turn or 0, seq)


def net(new: Sequence[Entry], entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with a net effect: an undone turn counts only if it is not itself new."""
    undone = log.undone(new) - {entry.seq for entry in new}
    return [entry for entry in entries if entry.seq in undone] + log.turns_that_count(new)


def waiting_for(game: Game, seats: list[Seat]) -> tuple[int, ...]:
    """Return the seats that owe a decision; all seats while decisions are sealed (R6)."""
    return tuple(seat.number for seat in seats if seat.owes or game.sealed)


def deadline(game: Game, seats: list[Seat], own_seat: Seat | None = None) -> datetime | None:
    """Return the deadline of the reader, else of the game: while decisions are sealed, the latest as set at first."""
    if own_seat is not None and own_seat.deadline:
        return own_seat.deadline
    if game.sealed:
        return game.sealed_until
    return max((seat.deadline for seat in seats if seat.deadline), default=None)


def laid_out(rules: Ruleset, before: State, seat: int, actions: Iterable[str]) -> play.Walk | None:
    """Apply a draft; None if the rules refuse it, or if it needs chance and so can only be submitted."""
    try:
        walk = play.walk(rules, before, seat, actions)
    except IllegalAction:
        return None
    return None if walk.needs_chance else walk


def laid_out_now(seat: Seat) -> tuple[str, ...]:
    """Return the seat's current draft."""
    drafts = Draft.objects.filter(seat=seat, seat__user=seat.user_id, sealed=False, seq=seat.game.seq)
    draft = drafts.first()
    return tuple(draft.actions) if draft else ()


# Undo requests, as one reader of the table sees them


@dataclass(frozen=True)
class OpenUndoRequest:
    """A request by `name` to undo the last turn. `waiting` names the players who have not agreed yet.

    `is_mine`: the reader asks. `is_asked`: the reader must agree, and `has_agreed` tells whether they did.
    """

    name: str
    waiting: tuple[str, ...]
    is_mine: bool
    is_asked: bool
    has_agreed: bool


def open_undo_request(game: Game) -> UndoRequest | None:
    """Return the open request about the last entry, if any. `game` is loaded with its `undo_request`."""
    request: UndoRequest | None = getattr(game, "undo_request", None)
    stands = request is not None and game.is_running and request.seq == game.seq and request.state == UndoState.ASKED
    return request if stands else None


def yet_to_agree(request: UndoRequest, seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats whose owners have not agreed yet, away or not. Bots and abandoned seats agree silently."""
    return [
        seat for seat in seats if seat.number in request.asked and seat.number not in request.agreed and seat.owner_id
    ]


def has_to_answer(request: UndoRequest, seat: Seat) -> bool:
    """Return whether the seat's player has to answer. Substitutes do not, because owners answer themselves."""
    return not seat.is_away and yet_to_agree(request, [seat]) == [seat]


def awaits_answer(seat: Seat, seq: int) -> bool:
    """Return whether the seat has to answer a request about entry `seq`, the last one."""
    request = UndoRequest.objects.filter(game=seat.game_id, seq=seq, state=UndoState.ASKED, game__seq=seq).first()
    return request is not None and has_to_answer(request, seat)


def undo_request_for_reader(table: Table) -> OpenUndoRequest | None:
    """Return the request as the reader sees it; None for earlier positions."""
    request = open_undo_request(table.game)
    if request is None or table.at is not None:
        return None
    me = table.seat.number if table.seat and not table.seat.is_away else None
    return OpenUndoRequest(
        name=table.names[request.seat],
        waiting=tuple(display_name(seat.name) for seat in yet_to_agree(request, table.seats)),
        is_mine=table.seat is not None and table.seat.number == request.seat,
        is_asked=me in request.asked,
        has_agreed=me in request.agreed,
    )


class NoUndo(NamedTuple):
    """Why the reader can't ask to undo their last turn, briefly and in a sentence; both are empty if they may."""

    brief: str = ""
    sentence: str = ""


def why_no_undo(table: Table) -> NoUndo | None:
    """Return why the reader can't ask to undo their last turn, or that they may; None if there is nothing to ask for.

    While they lay out the next turn, “undo” means a step.
    """
    game, seat = table.game, table.seat
    if table.at is not None or seat is None or not game.is_running or game.lesson or not table.log or table.draft:
        return None
    request: UndoRequest | None = getattr(table.game, "undo_request", None)
    if request is not None and request.seq == table.game.seq:
        return None
    # The last line must be the reader's own turn, not sealed, and not played after an undo
    last, *before = reversed(table.log[-2:])
    is_own = last.seat == seat.number and last.by == By.SEAT and last in turn_lines([last])
    if not is_own or any(line.at == last.at or line.actions == (log.UNDO,) for line in before):
        return None
    # What was revealed counts for good where results are compared, and elsewhere everyone has to agree themselves
    if not any(isinstance(event, parts_of(game.rules).reveals) for event in last.events):
        return NoUndo()
    if sentence := why_final(game):
        return NoUndo(gettext("No undo: your turn revealed something"), sentence)
    missing = [other for other in table.seats if other.is_away and other.owner_id and other.number != seat.number]
    if missing:
        return NoUndo(gettext("No undo: %(name)s is away") % {"name": missing[0].name}, why_missing(missing[0]))
    return NoUndo()


def why_missing(seat: Seat) -> str:
    """Return why a turn can't be undone that needs the agreement of this seat's owner, who is away."""
    sentence = gettext("You can’t undo this turn, because %(name)s is away and nobody else can agree for them.")
    return sentence % {"name": seat.name}


def why_final(game: Game) -> str:
    """Return why a turn that revealed something can't be undone in this game; empty if everyone may agree to undo it.

    Where results are compared with other people's, revealed information must not be used, also against bots (T10).
    """
    if game.counts or game.duplicate_id is not None:
        return gettext("You can’t undo this turn, because it revealed hidden information and the game is rated.")
    if any(hook(game) for hook in hooks.is_match):
        return gettext(
            "You can’t undo this turn, because it revealed hidden information and this is a match of a competition."
        )
    return ""
