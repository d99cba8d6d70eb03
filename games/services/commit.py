"""One change of a game: lock its row, decide on the position, append to the log, settle the rows. No network here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.utils.translation import gettext

from games.models import Draft, Entry, Game, Seat, Seed, Snapshot, Status
from games.rules import log
from games.rules.fairness import Fair
from games.rules.protocol import Event, IllegalAction, NeedsChance, Ruleset, State
from games.selectors import position
from games.services.errors import GameError, Illegal, NotFound


@dataclass
class Locked:
    """A game whose row is locked, and what deciding needs. `state` moves on with the entries appended."""

    game: Game
    seats: list[Seat]
    state: State
    seed: bytes

    @property
    def rules(self) -> Ruleset:
        return self.game.rules

    @property
    def owing(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.owes]


def lock_row(game: Game | str) -> Game:
    """The game's row, locked and read anew: what else is read after it is as new. Raises `NotFound`."""
    which = {"public_id": game} if isinstance(game, str) else {"pk": game.pk}
    row = Game.objects.select_for_update().filter(**which).first()
    if row is None:
        raise NotFound
    return row


def load(game: Game) -> Locked:
    """A running game with its position, behind `lock_row`."""
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    snapshot = Snapshot.objects.filter(game=game).first()
    secret = bytes(Seed.objects.get(game=game).secret)
    return Locked(game, seats, position.current(game, seats, snapshot), secret)


def decided(locked: Locked, seat: int, actions: Iterable[str]) -> list[Event]:
    """Decide the actions one by one as the next entry, and make their events so. Raises `Illegal`."""
    chance, rules = Fair(locked.seed).at(locked.game.seq + 1), locked.rules
    events: list[Event] = []
    try:
        for text in actions:
            facts = rules.decide(locked.state, seat, rules.parse(text), chance)
            for event in facts:
                rules.evolve(locked.state, event)
            events += facts
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    return events


def tried(rules: Ruleset, state: State, seat: int, actions: Iterable[str]) -> State:
    """The position that a draft leads to, on a copy. Raises `GameError` with the first step's refusal."""
    copy = state.copy()
    try:
        for text in actions:
            for event in rules.decide(copy, seat, rules.parse(text), None):
                rules.evolve(copy, event)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    except NeedsChance:
        raise GameError(gettext("This step cannot be taken back: confirm it with what you have laid out.")) from None
    return copy


def ends_in_chance(before: State, locked: Locked, seat: int, actions: Sequence[str]) -> bool:
    """Whether the last of these actions is one that a draft cannot take back; the position before them is used up."""
    rules = locked.rules
    try:
        for text in actions:
            for event in rules.decide(before, seat, rules.parse(text), None):
                rules.evolve(before, event)
    except NeedsChance:
        return text == actions[-1]
    return False


def append(
    locked: Locked, *, at: datetime, seat: int | None, by: str, actions: Sequence[str], events: Sequence[Event]
) -> Entry:
    """Write the next entry behind the head of the chain."""
    game = locked.game
    plain = log.Entry(game.seq + 1, position.stamp(at), seat, tuple(actions), log.stored(events), by)
    game.seq, game.head = plain.seq, log.link(game.head, plain, locked.seed)
    return Entry.objects.create(
        game=game, seq=plain.seq, at=at, seat=seat, by=by, actions=plain.actions, events=plain.events, digest=game.head
    )


def settle(locked: Locked, *, at: datetime, mover: Seat | None = None) -> None:
    """Bring the rows in line with the position. `mover` has just been here and seen it all."""
    _keep_snapshot(locked)
    Draft.objects.filter(seat__in=[seat.pk for seat in locked.seats]).delete()
    _settle_seats(locked, at, mover)
    game = locked.game
    game.version += 1
    game.sealed = locked.rules.sealed(locked.state)
    if locked.rules.is_over(locked.state):
        _finish(locked, at)
    game.save(update_fields=["seq", "head", "version", "sealed", "status", "result", "ended_at"])


def _keep_snapshot(locked: Locked) -> None:
    state = msgspec.json.encode(locked.state).decode()
    kept = {"seq": locked.game.seq, "rules_version": locked.rules.version, "state": state}
    if not Snapshot.objects.filter(game=locked.game).update(**kept):
        Snapshot.objects.create(game=locked.game, **kept)


def _settle_seats(locked: Locked, at: datetime, mover: Seat | None) -> None:
    """Who owes a decision now, and until when."""
    owed, deadline = locked.rules.to_act(locked.state), at + locked.game.clock
    settled = [seat for seat in locked.seats if seat.owes or seat.number in owed or seat is mover]
    for seat in settled:
        seat.owes = seat.number in owed
        seat.deadline = deadline if seat.owes else None
        seat.seen_seq = locked.game.seq if seat is mover else seat.seen_seq
    Seat.objects.bulk_update(settled, ["owes", "deadline", "seen_seq"])


def _finish(locked: Locked, at: datetime) -> None:
    """Write the result where lists and full games read it."""
    game, sheet = locked.game, locked.rules.score(locked.state)
    game.status, game.ended_at, game.result = Status.FINISHED, at, msgspec.to_builtins(sheet)
    players = locked.rules.view(locked.state, None).players
    for seat, score in zip(locked.seats, sheet.seats, strict=True):
        seat.place, seat.total, seat.coins = score.place, score.total, players[seat.number].coins
    Seat.objects.bulk_update(locked.seats, ["place", "total", "coins"])
