"""What a bot is: from what its seat may know, it says in action texts what it does next."""

from collections.abc import Callable

import msgspec

from games.rules.protocol import Chance, Ruleset, View

BUDGET = 4000

Planner = Callable[[Ruleset, View, int, Chance], list[str]]


class Bot(msgspec.Struct, frozen=True):
    """A player made of code. `plan` gives the next actions of the view's seat in order, at least one of them.

    The budget is how many positions it may look at. The same view, budget and chance give the same plan.
    """

    slug: str
    name: str
    plan: Planner

    def choose(self, ruleset: Ruleset, view: View, budget: int, chance: Chance) -> str:
        """The next action alone."""
        return self.plan(ruleset, view, budget, chance)[0]
