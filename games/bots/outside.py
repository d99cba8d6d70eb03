"""Outside bots: what a program receives about its seat, and what it may answer. docs/bots.md is for their authors."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.rules.play import MOST_STEPS, Incomplete, is_whole, walk
from games.rules.protocol import IllegalAction, Ruleset, State
from games.rules.words import gettext_noop

PROTOCOL = 1
LONGEST_STEP = 1000  # characters; the cards of large hands in Kingdoms have up to 26 each


class Unclear(IllegalAction):
    """Text that is no turn at all."""

    def __init__(self) -> None:
        super().__init__(gettext_noop("A turn is one or more actions, separated by semicolons."))


def name_of(ruleset: Ruleset) -> str:
    """Return the ruleset with the version of its rules: `legends/2`."""
    return f"{ruleset.slug}/{ruleset.version}"


def parsed(text: str) -> list[str]:
    """Return the actions of a turn in one text, `take night-hydra; place v3`. Raises `Unclear` if it is no turn."""
    actions = [step.strip() for step in text.split(";")]
    if len(actions) > MOST_STEPS or not all(0 < len(action) <= LONGEST_STEP for action in actions):
        raise Unclear
    return actions


def seat_document(
    ruleset: Ruleset, options: Mapping[str, Any], state: State, seat: int, laid: Sequence[str]
) -> dict[str, Any]:
    """Return what a bot gets to know of its seat after the steps in `laid`, which are tried without chance.

    `legal` holds the actions that may follow; `is_complete` says whether `laid` is a whole turn. Raises
    `IllegalAction` if the rules refuse a step.
    """
    walked = walk(ruleset, state, seat, laid)
    view = ruleset.view(walked.state, seat)
    can_go_on = seat in ruleset.to_act(walked.state) and not walked.is_closed
    position = msgspec.to_builtins(view)
    position.pop("legal", None)
    return {
        "protocol": PROTOCOL,
        "ruleset": name_of(ruleset),
        "options": options,
        "seat": seat,
        "laid": laid,
        "is_complete": bool(laid) and is_whole(ruleset, walked, seat),
        "legal": list(view.legal) if can_go_on else [],
        "position": position,
    }


def need_whole_turn(ruleset: Ruleset, state: State, seat: int, actions: Sequence[str]) -> None:
    """Raise `IllegalAction` unless the actions are a whole turn."""
    if not is_whole(ruleset, walk(ruleset, state, seat, actions), seat):
        raise Incomplete
