"""Medium: tries every card, searches what to do with it in this turn, and keeps the best result.

Easy uses the same search with the knowledge of a beginner, and Hard and Master find the turns that they judge with it.

The value of a position, and which steps belong together, is the knowledge of a family of games, not of this search.
Families have a table here and not in `games.families`, because bots are pure: benches run them without Django.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple, Protocol

from games.bots.bot import Planner
from games.bots.eight_minute import knowledge as eight_minute
from games.bots.kingdoms import plan as kingdoms
from games.rules.fairness import Quick
from games.rules.play import apply
from games.rules.protocol import Action, Chance, NeedsChance, Ruleset, State, View

WIDTH = 3
OUTCOMES = 5  # samples for a step that needs chance


class Knowledge(Protocol):
    """What the search needs to know about a family of games."""

    def evaluate(self, state: State, seat: int) -> float:
        """Return the value of the position for the seat, in points."""

    def key(self, state: State) -> Hashable:
        """Return a key that is equal for lines of one turn with the same result."""

    def strides(self, state: State, seat: int) -> Sequence[Sequence[Action]]:
        """Return what to try next: groups of actions that make sense together, without the end of the turn."""

    def decided(
        self, state: State, seat: int, prospects: Callable[[State], list[float]], chance: Chance
    ) -> Action | None:
        """Return a decision outside the turns, or None. `prospects` returns the value of each choice of a turn."""


KNOWLEDGE: dict[str, Knowledge] = {"eight_minute": eight_minute}
PLANS: dict[str, Planner] = {"kingdoms": kingdoms.plan}


class Line(NamedTuple):
    """Actions, the position after them, and its value. A line that reaches a draw goes no further."""

    value: float
    actions: tuple[Action, ...]
    state: State
    goes_on: bool = True


def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    """Use the family's own planner if it has one, otherwise search."""
    return PLANS.get(ruleset.family, searched)(ruleset, view, budget, chance)


def searched(
    ruleset: Ruleset, view: View, budget: int, chance: Chance, knowledge: Knowledge | None = None, width: int = WIDTH
) -> list[str]:
    """Return the actions of the best line, by the family's knowledge or another."""
    state, seat = ruleset.sample(view, chance), view.seat
    search = Search(ruleset, seat, budget, knowledge, width)
    action = search.knowledge.decided(state, seat, search.prospects, chance)
    if action is not None:
        return [ruleset.text(action)]
    best = search.best(state)
    texts = [ruleset.text(action) for action in best.actions]
    end = ruleset.end_of_turn(best.state, seat)
    return [*texts, ruleset.text(end)] if end else texts


class Search:
    """A search of one turn: a beam of the most promising lines, with a limited number of positions."""

    def __init__(
        self, ruleset: Ruleset, seat: int, budget: int, knowledge: Knowledge | None = None, width: int = WIDTH
    ) -> None:
        self.ruleset, self.seat, self.left, self.width = ruleset, seat, budget, width
        self.knowledge = knowledge or KNOWLEDGE[ruleset.family]

    def best(self, state: State) -> Line:
        """Return the best line to the end of the turn."""
        return max(map(self.deepened, self.starts(state)), key=by_value)

    def starts(self, state: State) -> list[Line]:
        """Return the lines to begin with: the empty one or, if the turn can't end here, one for each stride."""
        empty = Line(self.knowledge.evaluate(state, self.seat), (), state)
        return [empty] if self.ruleset.end_of_turn(state, self.seat) else self.longer(empty)

    def prospects(self, state: State) -> list[float]:
        """Return the value of each choice of a turn when followed by the best continuation."""
        return [self.deepened(line).value for line in self.longer(Line(0.0, (), state))]

    def deepened(self, line: Line) -> Line:
        """Return the best extension of a line, or the line itself."""
        return max(self.extensions(line), key=by_value)

    def extensions(self, line: Line) -> Iterator[Line]:
        """Yield the line, then its best extensions by each number of strides, best first, while the budget lasts."""
        yield line
        beam = [line]
        while beam and self.left > 0:
            by_key = {self.knowledge.key(longer.state): longer for shorter in beam for longer in self.longer(shorter)}
            beam = sorted(by_key.values(), key=by_value, reverse=True)[: self.width]
            yield from beam

    def longer(self, line: Line) -> list[Line]:
        """Return the line extended by each possible stride."""
        if not line.goes_on or self.seat not in self.ruleset.to_act(line.state):
            return []
        return [self.after(line, stride) for stride in self.knowledge.strides(line.state, self.seat)]

    def after(self, line: Line, stride: Sequence[Action]) -> Line:
        """Return the line extended by a stride; if that needs chance, its value is the average of several outcomes."""
        self.left -= 1
        actions = (*line.actions, *stride)
        try:
            state = self.played(line.state, stride, None)
        except NeedsChance:
            states = [self.played(line.state, stride, Quick(number)) for number in range(OUTCOMES)]
            return Line(
                fmean(self.knowledge.evaluate(outcome, self.seat) for outcome in states), actions, states[0], False
            )
        return Line(self.knowledge.evaluate(state, self.seat), actions, state)

    def played(self, before: State, stride: Sequence[Action], chance: Chance | None) -> State:
        state = before.copy()
        apply(self.ruleset, state, self.seat, stride, chance)
        return state


def by_value(line: Line) -> float:
    return line.value
