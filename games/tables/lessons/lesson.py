"""What a lesson is: a short game on a fixed deal, with a sentence for each thing that the learner is to do.

The rules, the page and the log are those of every game. A lesson only says which card comes next; how it is used is up
to the learner, so each prompt is found from what their seat sees, and not from a list of moves.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.rules.protocol import View

LEARNER, TEACHER = 0, 1  # their seats
OPPONENT = "medium"  # the bot of the teacher's seat, which only plays if a script fails


@dataclass(frozen=True)
class Prompt:
    """What the learner is to do in step `number`: `todo` in one untranslated sentence, and perhaps `why` in another.

    `accepts` are the actions with which the lesson continues, or their first word if the rest does not matter. `marked`
    names the cards that the page points at.
    """

    number: int
    todo: str
    why: str = ""
    accepts: Sequence[str] = ()
    marked: Sequence[str] = ()

    def allows(self, action: str) -> bool:
        return action in self.accepts or action.partition(" ")[0] in self.accepts


@dataclass(frozen=True)
class Lesson:
    """A lesson about the ruleset `slug`, which takes about `minutes` and has `steps`.

    `seed` fixes every draw; everyone knows it, so such a game never counts. `opening` holds decisions made before the
    learner comes, with their seats, and `orders` the learner's standing orders. `due` returns the prompt for what the
    learner saw before their draft, and sees with it, with true if the draft is complete; None at the end of the lesson.
    `teacher` returns what the teacher wants to do; illegal steps are left out. `end` is said after the last step.
    """

    slug: str
    minutes: int
    steps: int
    seed: bytes
    options: Mapping[str, Any]
    opening: Sequence[tuple[int, str]]
    due: Callable[[View, View, bool], Prompt | None]
    teacher: Callable[[View], Sequence[str]]
    end: str
    orders: Mapping[str, Any] = field(default_factory=dict)
