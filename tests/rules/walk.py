"""Random games played through the protocol and recorded step by step."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.rules.fairness import Quick
from games.rules.protocol import Action, Event, NeedsChance, Ruleset, SeatInfo, State
from games.rules.registry import RULESETS

CASES = [(slug, players) for slug, ruleset in RULESETS.items() for players in ruleset.seat_counts]
LONGEST = 5000
LONGEST_DRAFT = 20


@dataclass(frozen=True)
class Step:
    """A decision with the positions before and after it. The set-up has neither seat nor action."""

    before: State
    seat: int | None
    action: Action
    events: list[Event]
    after: State


@dataclass(frozen=True)
class Walk:
    ruleset: Ruleset
    options: Any
    seats: list[SeatInfo]
    steps: list[Step]

    @property
    def final(self) -> State:
        return self.steps[-1].after

    @property
    def decisions(self) -> list[Step]:
        return self.steps[1:]


def people(players: int) -> list[SeatInfo]:
    """Return seats of players with different ages."""
    return [SeatInfo(born=seat, joined=players - seat) for seat in range(players)]


@cache
def walk(ruleset: Ruleset, players: int, seed: int, choices: str = "{}") -> Walk:
    """Play a random legal game to its end, with these options as JSON. Fail if it does not end."""
    chance = Quick(seed)
    options, seats = ruleset.options(json.loads(choices), players), people(players)
    state = ruleset.initial(options, seats)
    steps = [_made(ruleset, state, None, None, ruleset.start(options, seats, chance))]
    for _ in range(LONGEST):
        state = steps[-1].after
        waiting = ruleset.to_act(state)
        if not waiting:
            return Walk(ruleset, options, seats, steps)
        seat = waiting[chance.below(len(waiting))]
        actions = ruleset.legal(state, seat)
        action = actions[chance.below(len(actions))]
        steps.append(_made(ruleset, state, seat, action, ruleset.decide(state, seat, action, chance)))
    raise AssertionError(f"no end after {LONGEST} steps")


def _made(ruleset: Ruleset, before: State, seat: int | None, action: Action, events: list[Event]) -> Step:
    after = before.copy()
    for event in events:
        ruleset.evolve(after, event)
    return Step(before, seat, action, events, after)


def check_draft(ruleset: Ruleset, before: State, seat: int, chance: Quick) -> list[Action]:
    """Draft offered actions until one needs chance or none is left. The game must accept them in this order.

    Return them. The kind of each action is drawn first, so that kinds with many actions do not crowd out the others.
    """
    draft, actions = before.copy(), []
    while seat in ruleset.to_act(draft) and len(actions) < LONGEST_DRAFT:
        legal = ruleset.legal(draft, seat)
        kinds = list(dict.fromkeys(map(type, legal)))
        kind = kinds[chance.below(len(kinds))]
        those = [action for action in legal if type(action) is kind]
        actions.append(those[chance.below(len(those))])
        try:
            events = ruleset.decide(draft, seat, actions[-1], None)
        except NeedsChance:
            break
        for event in events:
            ruleset.evolve(draft, event)
    state = before.copy()
    for action in actions:
        for event in ruleset.decide(state, seat, action, chance):
            ruleset.evolve(state, event)
    return actions
