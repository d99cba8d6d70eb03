"""The log of a game: entries in a hash chain, and the state that they fold to.

Nothing is ever deleted: a turn taken back stays, followed by the entry that takes it back, and is left out in folding.
What the house decides (`games.rules.house`) is an entry too, and no turn.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from games.rules import house
from games.rules.fairness import keyed
from games.rules.protocol import Event, Ruleset, State

GENESIS = "0" * 64
TAKE_BACK = "take-back"  # the action, and the kind of the event
OWN, ORDERS = "seat", "orders"  # what `by` says of the decisions of players, and of their standing orders


class Logged(Protocol):
    """What an entry and the row that keeps it have in common."""

    @property
    def seq(self) -> int: ...
    @property
    def events(self) -> Sequence[dict[str, Any]]: ...


Some = TypeVar("Some", bound=Logged)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One commit: what a seat submitted (null: the house) and the facts that followed. `at` is in ISO 8601, UTC.

    `by` tells who decided for the seat: `seat` itself; `orders`, what it had ordered beforehand; `stand-in`, the bot
    that kept it meanwhile; where its time was up `clock`, a bot that played for it, or `late`, what the rules do then.

    An entry that takes the one before it back has the action `take-back` and the event `take-back` with its `seq`;
    what the house decides has the action and the event of a `games.rules.house.Intervention`.
    """

    seq: int
    at: str
    seat: int | None
    actions: tuple[str, ...]
    events: tuple[dict[str, Any], ...]
    by: str = "seat"
    digest: str = ""


def link(previous: str, entry: Entry, seed: bytes) -> str:
    """The digest of `entry` behind the digest `previous`: 64 hexadecimal digits.

    It is salted from the seed, so that while the game runs nobody can guess a hidden event and check the guess.
    """
    body = msgspec.json.encode([entry.seq, entry.at, entry.seat, entry.by, entry.actions, entry.events], order="sorted")
    return hashlib.sha256(previous.encode() + keyed(seed, "salt", entry.seq) + body).hexdigest()


def as_by_hand(entry: Entry) -> Entry:
    """Return the entry without telling whether the player or a standing order of the player decided it."""
    return msgspec.structs.replace(entry, by=OWN) if entry.by == ORDERS else entry


def stored(events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """Events as plain data, as entries keep them."""
    return tuple(msgspec.to_builtins(event) for event in events)


class TurnTakenBack(msgspec.Struct, frozen=True, tag_field="kind", tag=TAKE_BACK, omit_defaults=True):
    """The turn of entry `seq` counts no longer. The one event that no ruleset knows: it is the log's own.

    `again`: the turn drew by number, and these draws come again when its seat draws next.
    """

    seq: int
    again: bool = False


def undone(entry: Logged) -> int | None:
    """Which entry this one takes back, if it does."""
    event = entry.events[0] if entry.events else {}
    seq = event.get("seq")  # of a record that nobody has checked yet it may be anything
    return seq if event.get("kind") == TAKE_BACK and isinstance(seq, int) else None


def taken_back(entries: Iterable[Logged]) -> frozenset[int]:
    """The entries that others among these take back."""
    return frozenset(seq for seq in map(undone, entries) if seq is not None)


def intervention(entry: Logged) -> house.Intervention | None:
    """What the house decided with this entry, if it did."""
    return house.read(entry.events[0]) if entry.events else None


def is_own(entry: Logged) -> bool:
    """Whether the entry is the log's own: of what it says, no ruleset knows anything, and nothing is a secret."""
    return undone(entry) is not None or intervention(entry) is not None


def standing(entries: Sequence[Some]) -> list[Some]:
    """The turns that count: without those taken back by others among these, and without entries of the log's own."""
    gone = taken_back(entries)
    return [entry for entry in entries if entry.seq not in gone and not is_own(entry)]


def facts(ruleset: Ruleset, entry: Entry) -> list[Event]:
    """An entry's events as the ruleset's own values; none where the entry is the log's own."""
    if is_own(entry):
        return []
    return msgspec.convert(entry.events, list[ruleset.event_type])  # type: ignore[name-defined]


def has_shown_secrets(ruleset: Ruleset, entries: Iterable[Entry], seat: int) -> bool:
    """Return whether the seat was ever shown something that watchers were not, such as its hand.

    Turns that were taken back count: what was seen stays seen. An event of which watchers learn nothing at all is a
    secret decision of the seat, and not something that it was shown. All of these are told when the last one is in.
    """
    return any(
        (public := ruleset.seen(event, None)) is not None and ruleset.seen(event, seat) != public
        for entry in entries
        for event in facts(ruleset, entry)
    )


def seen_by(ruleset: Ruleset, entry: Entry, seat: int | None) -> Entry:
    """The entry as a seat, or a watcher, may know it. Standing orders are their player's secret."""
    if is_own(entry):
        return entry
    if seat is None or seat != entry.seat:
        entry = as_by_hand(entry)
    known = [ruleset.seen(event, seat) for event in facts(ruleset, entry)]
    told = stored(event for event in known if event is not None)
    return msgspec.structs.replace(entry, events=told, actions=seen_actions(ruleset, entry, seat, known))


def seen_actions(ruleset: Ruleset, entry: Entry, seat: int | None, known: Sequence[Event | None]) -> tuple[str, ...]:
    """What was submitted, as far as the seat may know it; `known` are the entry's events as it sees them.

    It is withheld from others where it is private, or where something that came of it is kept from them.
    """
    is_mine = seat is not None and seat == entry.seat
    if is_own(entry):
        return entry.actions
    is_secret = None in known or any(ruleset.is_private(ruleset.parse(text)) for text in entry.actions)
    return entry.actions if is_mine or not is_secret else ()


def fold(ruleset: Ruleset, state: State, entries: Iterable[Entry]) -> State:
    """Make every turn that counts so, in order, on `state`, which is changed and returned; and the end, if the house
    has ended it."""
    read = list(entries)
    for entry in standing(read):
        for event in facts(ruleset, entry):
            ruleset.evolve(state, event)
    if read and house.stops(intervention(read[-1])):
        ruleset.stop(state)
    return state
