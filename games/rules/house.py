"""What those who run the site decide at a table. The entry is no seat's, and no ruleset knows it: it is the log's own.

It has one action, the reason behind a colon (`give-time 24 0 2: The mail was down.`), and one event of the same kind.
Names do not stand in it: whose seat it is may be forgotten, and the log never is.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.rules.protocol import IllegalAction, Ruleset, State
from games.rules.words import gettext_noop

MOST_HOURS = 30 * 24  # that can be given at a time
LONGEST_REASON = 300
PERSON, BOT = "person", "bot"

Seat = Annotated[int, Meta(ge=0, le=9)]
Reason = Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Replaced(msgspec.Struct, frozen=True, tag_field="kind", tag="replace"):
    """Somebody else plays the seat from now on: another person, whose it is then, or to the end a bot."""

    seat: Seat
    by: Annotated[str, Meta(pattern=f"^({PERSON}|{BOT})$")]
    reason: Reason


class TimeGiven(msgspec.Struct, frozen=True, tag_field="kind", tag="give-time"):
    """These seats have so many hours more for what they owe."""

    hours: Annotated[int, Meta(ge=1, le=MOST_HOURS)]
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=9)]
    reason: Reason


class LeftToBots(msgspec.Struct, frozen=True, tag_field="kind", tag="left-to-bots"):
    """Bots play every seat to the end: the time of the competition is over."""

    reason: Reason


class Ended(msgspec.Struct, frozen=True, tag_field="kind", tag="end-game"):
    """The game is over, and the points as they stand are its result."""

    reason: Reason


class Voided(msgspec.Struct, frozen=True, tag_field="kind", tag="void-game"):
    """The game is over and counts for nothing."""

    reason: Reason


Intervention = Replaced | TimeGiven | LeftToBots | Ended | Voided
KINDS = ("replace", "give-time", "left-to-bots", "end-game", "void-game")
TEXT = re.compile(r"([a-z-]+)((?: [a-z0-9]+)*): (.+)", re.ASCII)


def plain(reason: str) -> str:
    """Return a reason as one line that an entry can hold; empty if nothing of it can be read."""
    return "".join(letter for letter in " ".join(reason.split()) if letter.isprintable())[:LONGEST_REASON]


def read(event: Mapping[str, Any]) -> Intervention | None:
    """The intervention of a stored event; null for events of rulesets, and for what nobody could have written."""
    return _convert(event, strict=True) if event.get("kind") in KINDS else None


def text(intervention: Intervention) -> str:
    """The action; `parse` is its inverse."""
    return f"{' '.join(map(str, _words(intervention)))}: {intervention.reason}"


def _words(intervention: Intervention) -> tuple[object, ...]:
    match intervention:
        case Replaced(seat=seat, by=by):
            return "replace", seat, by
        case TimeGiven(hours=hours, seats=seats):
            return "give-time", hours, *seats
        case LeftToBots():
            return ("left-to-bots",)
        case Ended():
            return ("end-game",)
    return ("void-game",)


def parse(action: str) -> Intervention:
    """The intervention that a text means. Raises `IllegalAction` for a text that means none."""
    found = TEXT.fullmatch(action)
    intervention = _convert(_facts(found[1], found[2].split(), found[3]), strict=False) if found else None
    if intervention is None or text(intervention) != action:
        raise IllegalAction(gettext_noop("The house can do no such thing."))
    return intervention


def _facts(kind: str, words: list[str], reason: str) -> dict[str, object]:
    facts: dict[str, object] = {"kind": kind, "reason": reason}
    if kind == "replace":
        facts.update(zip(("seat", "by"), words, strict=False))
    elif kind == "give-time":
        facts.update(hours=words[:1] and words[0], seats=words[1:])
    return facts


def _convert(facts: Mapping[str, Any], *, strict: bool) -> Intervention | None:
    try:
        return msgspec.convert(facts, Intervention, strict=strict)  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return None


def check(rules: Ruleset, state: State, intervention: Intervention, players: int) -> None:
    """Whether it can be done in this position. Raises `IllegalAction`."""
    if rules.is_over(state):
        raise IllegalAction(gettext_noop("The game is over: its result stands."))
    match intervention:
        case Replaced(seat=seat) if seat >= players:
            raise IllegalAction(gettext_noop("There is no such seat at this table."))
        case TimeGiven(seats=seats) if list(seats) != sorted({*seats} & {*rules.to_act(state)}):
            raise IllegalAction(gettext_noop("Time can be given to those who owe a decision."))
        case Ended() if not rules.can_count(state):
            raise IllegalAction(gettext_noop("Nothing that could decide has been played yet: call it off instead."))


def stops(intervention: Intervention | None) -> bool:
    """Whether the game is over with it."""
    return isinstance(intervention, Ended | Voided)
