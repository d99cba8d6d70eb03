"""Bots: code that plays from what its seat may know, and returns action texts; and the turn that a bot plays."""

from collections.abc import Callable

import msgspec

from games.rules.play import walk
from games.rules.protocol import Chance, Ruleset, View

BUDGET = 4000

Planner = Callable[[Ruleset, View, int, Chance], list[str]]


class Bot(msgspec.Struct, frozen=True):
    """A player made of code. `plan` returns the next actions of the view's seat, in order, at least one.

    The budget is how much it may examine, in a unit of the planner's own, such as positions; `budget` is what it gets
    for a turn unless the caller says otherwise. `sentence` tells players how it plays, and reads well after its name
    and a colon. A bot that `thinks` may use up to a second of processor a turn, the others some milliseconds. The same
    view, budget and chance give the same plan.
    """

    slug: str
    name: str
    plan: Planner
    budget: int = BUDGET
    sentence: str = ""
    thinks: bool = False


def play_turn(ruleset: Ruleset, view: View, bot: Bot, chance: Chance, budget: int | None = None) -> list[str]:
    """Return the action texts that the view's seat submits, up to the first step after which nothing can follow.

    Without a `budget`, the bot has its own.
    """
    state, seat = ruleset.sample(view, chance), view.seat
    budget = bot.budget if budget is None else budget
    texts: list[str] = []
    while seat in ruleset.to_act(state):
        for text in bot.plan(ruleset, ruleset.view(state, seat), budget, chance):
            texts.append(text)
            walked = walk(ruleset, state, seat, (text,))
            if walked.is_closed:
                return texts
            state = walked.state
    return texts
