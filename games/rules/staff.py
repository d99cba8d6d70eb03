"""What staff can decide in a game. Such an entry belongs to the log: it has no seat, and no ruleset knows it.

It has one action, with the reason after a colon (`give-time 24 0 2: The email server was down.`), and one event of the
same kind. It contains no names, because accounts can be deleted and the log can't change.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.rules.protocol import IllegalAction, Ruleset, State
from games.rules.words import gettext_noop

MOST_HOURS = 30 * 24  # per intervention
LONGEST_REASON = 300
PERSON, BOT = "person", "bot"
# The site's own reasons to leave a game to bots, or to end it
TOO_LONG = gettext_noop("The game had gone on for too long.")
SEASON_OVER = gettext_noop("The season ended before this game did.")

Seat = Annotated[int, Meta(ge=0, le=9)]
Reason = Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Replaced(msgspec.Struct, frozen=True, tag_field="kind", tag="replace"):
    """The seat changes hands: a person takes it over as their own, or a bot plays it to the end."""

    seat: Seat
    by: Annotated[str, Meta(pattern=f"^({PERSON}|{BOT})$")]
    reason: Reason


class TimeGiven(msgspec.Struct, frozen=True, tag_field="kind", tag="give-time"):
    """These seats get extra hours for their pending decisions."""

    hours: Annotated[int, Meta(ge=1, le=MOST_HOURS)]
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=9)]
    reason: Reason


class LeftToBots(msgspec.Struct, frozen=True, tag_field="kind", tag="left-to-bots"):
    """The time for the game is up, or it went on for too long (`TOO_LONG`), and bots play every seat to the end."""

    reason: Reason


class Ended(msgspec.Struct, frozen=True, tag_field="kind", tag="end-game"):
    """The game is over, and the current points are its result."""

    reason: Reason


class Voided(msgspec.Struct, frozen=True, tag_field="kind", tag="void-game"):
    """The game is canceled and counts for nothing."""

    reason: Reason


Intervention = Replaced | TimeGiven | LeftToBots | Ended | Voided
KINDS = ("replace", "give-time", "left-to-bots", "end-game", "void-game")
TEXT = re.compile(r"([a-z-]+)((?: [a-z0-9]+)*): (.+)", re.ASCII)


def read(event: Mapping[str, Any]) -> Intervention | None:
    """Return the intervention in a stored event; None for events of rulesets and for malformed ones."""
    return _convert(event, strict=True) if event.get("kind") in KINDS else None


def text(intervention: Intervention) -> str:
    """Return the action's text; the inverse of `parse`."""
    words: tuple[object, ...] = (intervention.__struct_config__.tag,)
    match intervention:
        case Replaced(seat=seat, by=by):
            words += (seat, by)
        case TimeGiven(hours=hours, seats=seats):
            words += (hours, *seats)
    return f"{' '.join(map(str, words))}: {intervention.reason}"


def parse(action: str) -> Intervention:
    """Return the intervention of a text. Raises `IllegalAction` for an invalid text."""
    intervention = None
    if match := TEXT.fullmatch(action):
        kind, words = match[1], match[2].split()
        facts: dict[str, object] = {"kind": kind, "reason": match[3]}
        if kind == "replace":
            facts.update(zip(("seat", "by"), words, strict=False))
        elif kind == "give-time":
            facts.update(hours=words[:1] and words[0], seats=words[1:])
        intervention = _convert(facts, strict=False)
    if intervention is None or text(intervention) != action:
        raise IllegalAction(gettext_noop("Staff can’t do that."))
    return intervention


def _convert(facts: Mapping[str, Any], *, strict: bool) -> Intervention | None:
    try:
        return msgspec.convert(facts, Intervention, strict=strict)  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return None


def check(rules: Ruleset, state: State, intervention: Intervention, players: int) -> None:
    """Raise `IllegalAction` unless the intervention is possible in this position."""
    if rules.is_over(state):
        raise IllegalAction(gettext_noop("The game is over, and its result is final."))
    match intervention:
        case Replaced(seat=seat) if seat >= players:
            raise IllegalAction(gettext_noop("There is no such seat in this game."))
        case TimeGiven(seats=seats) if list(seats) != sorted({*seats} & {*rules.to_act(state)}):
            raise IllegalAction(gettext_noop("Time can only be given to players who must act now."))
        case Ended() if not rules.can_count(state):
            raise IllegalAction(gettext_noop("Too little has been played to decide the game. Cancel it instead."))


def stops(intervention: Intervention | None) -> bool:
    """Return whether the intervention ends the game."""
    return isinstance(intervention, Ended | Voided)
