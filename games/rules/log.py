"""The log of a game: entries in a hash chain, and the state that they fold to."""

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from games.rules.fairness import keyed
from games.rules.protocol import Event, Ruleset, State

GENESIS = "0" * 64


class Entry(msgspec.Struct, frozen=True):
    """One commit: what a seat submitted (null: the house) and the facts that followed. `at` is in ISO 8601, UTC.

    `by` tells who decided for the seat: `seat` itself, or `clock`, the bot that plays a turn when its time is up.
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


def stored(events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """Events as plain data, as entries keep them."""
    return tuple(msgspec.to_builtins(event) for event in events)


def facts(ruleset: Ruleset, entry: Entry) -> list[Event]:
    """An entry's events as the ruleset's own values."""
    return msgspec.convert(entry.events, list[ruleset.event_type])  # type: ignore[name-defined]


def fold(ruleset: Ruleset, state: State, entries: Iterable[Entry]) -> State:
    """Make every entry so, in order, on `state`, which is changed and returned."""
    for entry in entries:
        for event in facts(ruleset, entry):
            ruleset.evolve(state, event)
    return state
