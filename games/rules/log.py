"""The log of a game: entries in a hash chain, and the state they produce.

Nothing is ever deleted. A turn that is undone stays, followed by the entry that undoes it, and is skipped when folding.
Interventions by staff (`games.rules.staff`) are entries too, but not turns.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from games.rules import play, staff
from games.rules.fairness import keyed
from games.rules.protocol import Event, IllegalAction, NeedsChance, Ruleset, State
from games.rules.words import gettext_noop

GENESIS = "0" * 64
UNDO = "take-back"  # the action and the kind of the event, as records have called them since format 2
SEAT, ORDERS = "seat", "orders"  # values of `by` for decisions of a seat's player and of their standing orders


class Logged(Protocol):
    """What an entry and the database row that stores it have in common."""

    @property
    def seq(self) -> int: ...
    @property
    def events(self) -> Sequence[dict[str, Any]]: ...


AnyEntry = TypeVar("AnyEntry", bound=Logged)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One commit: what a seat submitted (null: the site) and the events that followed. `at` is in ISO 8601, UTC.

    `by` says who decided for the seat: `seat` itself; `orders`, its standing orders; `stand-in`, the bot keeping the
    seat; after a time-out `clock`, a bot, or `late`, the rules' own step.

    An entry that undoes the one before it has the action `take-back` and the event `take-back` with its `seq`. A staff
    intervention has the action and the event of a `games.rules.staff.Intervention`.
    """

    seq: int
    at: str
    seat: int | None
    actions: tuple[str, ...]
    events: tuple[dict[str, Any], ...]
    by: str = "seat"
    digest: str = ""


def link(previous: str, entry: Entry, seed: bytes) -> str:
    """Return the digest of `entry` after the digest `previous`: 64 hexadecimal digits.

    It is salted from the seed, so that nobody can guess a hidden event and check the guess while the game runs.
    """
    body = msgspec.json.encode([entry.seq, entry.at, entry.seat, entry.by, entry.actions, entry.events], order="sorted")
    return hashlib.sha256(previous.encode() + keyed(seed, "salt", entry.seq) + body).hexdigest()


def as_by_hand(entry: Entry) -> Entry:
    """Return the entry without revealing whether the player or a standing order decided it."""
    return msgspec.structs.replace(entry, by=SEAT) if entry.by == ORDERS else entry


def stored(events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """Return the events as plain data, as entries store them."""
    return tuple(msgspec.to_builtins(event) for event in events)


class TurnUndone(msgspec.Struct, frozen=True, tag_field="kind", tag=UNDO, omit_defaults=True):
    """Entry `seq` is undone. Only the log knows this event; no ruleset does.

    `again`: the turn made numbered draws, which come up again when its seat draws next.
    """

    seq: int
    again: bool = False


def undoes(entry: Logged) -> int | None:
    """Return the seq of the entry that this one undoes, or None."""
    event = entry.events[0] if entry.events else {}
    seq = event.get("seq")  # in an unchecked record it can have any type
    return seq if event.get("kind") == UNDO and isinstance(seq, int) else None


def undone(entries: Iterable[Logged]) -> frozenset[int]:
    """Return the seqs of the entries that others among these undo."""
    return frozenset(seq for seq in map(undoes, entries) if seq is not None)


def intervention(entry: Logged) -> staff.Intervention | None:
    """Return the entry's staff intervention, or None."""
    return staff.read(entry.events[0]) if entry.events else None


def is_outside_rules(entry: Logged) -> bool:
    """Return whether the entry undoes a turn or is an intervention: unknown to rulesets, and never secret."""
    return undoes(entry) is not None or intervention(entry) is not None


def turns_that_count(entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """Return the turns that count: neither undone by others among these nor outside the rules."""
    gone = undone(entries)
    return [entry for entry in entries if entry.seq not in gone and not is_outside_rules(entry)]


def facts(ruleset: Ruleset, entry: Entry) -> list[Event]:
    """Return the entry's events as values of the ruleset; none for an entry outside the rules."""
    if is_outside_rules(entry):
        return []
    return msgspec.convert(entry.events, list[ruleset.event_type])  # type: ignore[name-defined]


def has_shown_secrets(ruleset: Ruleset, entries: Iterable[Entry], seat: int) -> bool:
    """Return whether the seat was ever shown something that spectators were not, such as its hand.

    Undone turns count: what was seen stays seen. An event of which spectators learn nothing at all is the seat's own
    secret decision, not something it was shown; such decisions become public when the last one is in.
    """
    return any(
        (public := ruleset.seen(event, None)) is not None and ruleset.seen(event, seat) != public
        for entry in entries
        for event in facts(ruleset, entry)
    )


def seen_by(ruleset: Ruleset, entry: Entry, seat: int | None) -> Entry:
    """Return the entry as a seat, or a spectator, may know it. Standing orders are secret."""
    if is_outside_rules(entry):
        return entry
    if seat is None or seat != entry.seat:
        entry = as_by_hand(entry)
    known = [ruleset.seen(event, seat) for event in facts(ruleset, entry)]
    seen = stored(event for event in known if event is not None)
    return msgspec.structs.replace(entry, events=seen, actions=seen_actions(ruleset, entry, seat, known))


def seen_actions(ruleset: Ruleset, entry: Entry, seat: int | None, known: Sequence[Event | None]) -> tuple[str, ...]:
    """Return what was submitted, as far as the seat may know it; `known` are the entry's events as the seat sees them.

    Other seats don't see it if it is private or if they may not see one of its events.
    """
    is_mine = seat is not None and seat == entry.seat
    if is_outside_rules(entry):
        return entry.actions
    is_secret = None in known or any(ruleset.is_private(ruleset.parse(text)) for text in entry.actions)
    return entry.actions if is_mine or not is_secret else ()


def fold(
    ruleset: Ruleset,
    state: State,
    entries: Iterable[AnyEntry],
    facts: Callable[[Ruleset, Any], Iterable[Event]] = facts,
) -> State:
    """Apply every turn that counts to `state`, then the end if staff ended the game. Returns the changed `state`.

    `facts` returns the events of an entry.
    """
    read = list(entries)
    for entry in turns_that_count(read):
        for event in facts(ruleset, entry):
            ruleset.evolve(state, event)
    if read and staff.stops(intervention(read[-1])):
        ruleset.stop(state)
    return state


def undoing(turn: Entry, *, again: bool) -> tuple[tuple[str, ...], list[TurnUndone]]:
    """Return the actions and events of the entry that undoes `turn`. `again`: its numbered draws come up again."""
    return (UNDO,), [TurnUndone(turn.seq, again)]


def check_undo(rules: Ruleset, before: State, turn: Entry, after: State, seat: int, earlier: Entry | None) -> None:
    """Raise `IllegalAction` unless `seat` may undo `turn`, the last entry.

    `turn` led from the position `before` to `after`; `earlier` is the entry before it.
    """
    if undoes(turn) is not None:
        raise IllegalAction(gettext_noop("A turn was undone just now. The one before it can’t be undone."))
    if earlier is not None and undoes(earlier) is not None:
        raise IllegalAction(gettext_noop("This turn replaced one that was undone, so it can’t be undone."))
    if intervention(turn) is not None:
        raise IllegalAction(gettext_noop("Staff have intervened since. Turns before that can’t be undone."))
    if turn.seat is None:
        raise IllegalAction(gettext_noop("The setup was done by the site and can’t be undone."))
    if turn.seat != seat:
        raise IllegalAction(gettext_noop("Someone has acted since, so it’s too late to undo your turn."))
    if turn.by != SEAT:
        raise IllegalAction(gettext_noop("This turn was not taken by its player, so it can’t be undone."))
    if rules.sealed(before):
        raise IllegalAction(
            gettext_noop("These decisions were made in secret and then revealed to everyone, so they can’t be undone.")
        )
    if rules.is_over(after):
        raise IllegalAction(gettext_noop("This turn ended the game, and a finished game never changes."))


def who_learned(rules: Ruleset, before: State, turn: Entry, after: State, players: int) -> tuple[int, ...]:
    """Return the other seats that must agree, because they know something now that they couldn't know before.

    If the turn needed chance, or showed its own player something, that is all of them: that player would undo it
    knowing what comes next.
    """
    learned = set()
    for seat in range(players):
        # Cards or faces that the seat couldn't locate before, and can now.
        unknown = Counter(rules.unknown(rules.view(before, seat)))
        if unknown - Counter(rules.unknown(rules.view(after, seat))):
            learned.add(seat)
    if turn.seat not in learned:
        try:
            draft_events = play.apply(rules, before.copy(), turn.seat or 0, map(rules.parse, turn.actions), None)
        except NeedsChance:
            needed_chance = True
        else:
            needed_chance = stored(draft_events) != turn.events  # its draft would not show all of them
        if not needed_chance:
            return tuple(seat for seat in range(players) if seat != turn.seat and seat in learned)
    return tuple(seat for seat in range(players) if seat != turn.seat)
