"""Bots: code that plays from what its seat may know, and returns action texts."""

from collections.abc import Callable

import msgspec

from games.rules.protocol import Chance, Ruleset, View

BUDGET = 4000

Planner = Callable[[Ruleset, View, int, Chance], list[str]]


class Bot(msgspec.Struct, frozen=True):
    """A player made of code. `plan` returns the next actions of the view's seat, in order, at least one.

    The budget is how many positions it may examine. The same view, budget and chance give the same plan.
    """

    slug: str
    name: str
    plan: Planner

    def choose(self, ruleset: Ruleset, view: View, budget: int, chance: Chance) -> str:
        """Return only the next action."""
        return self.plan(ruleset, view, budget, chance)[0]
