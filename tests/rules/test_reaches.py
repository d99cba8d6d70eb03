"""The cheapest ways of armies, which pages offer as one tap: always legal, at the price told, and none left out."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise

import pytest

from games.rules.eight_minute.legal import Reach, reaches
from games.rules.eight_minute.ruleset import EightMinute
from games.rules.eight_minute.state import TURN, State
from games.rules.fairness import Quick
from games.rules.play import walk
from tests.rules.tables import FAMILY, Table, at_random, plain_and_full
from tests.rules.walk import LONGEST, people

TABLES = [table for table in plain_and_full() if table.slug in FAMILY]


def moving(table: Table, seed: int) -> Iterator[State]:
    """Play a random game, and yield the positions in which the taken card moves armies."""
    ruleset, chance = table.ruleset, Quick(seed)
    state = ruleset.initial(table.chosen, people(table.players))
    for event in ruleset.start(table.chosen, people(table.players), chance):
        ruleset.evolve(state, event)
    for _turn in range(LONGEST):
        waiting = ruleset.to_act(state)
        if not waiting:
            return
        actions = ruleset.legal(state, waiting[0])
        if state.phase == TURN and any(ruleset.text(action).startswith("move ") for action in actions):
            yield state
        for event in ruleset.decide(state, waiting[0], actions[chance.below(len(actions))], chance):
            ruleset.evolve(state, event)


def by_legal_steps(ruleset: EightMinute, state: State, origin: str) -> dict[str, int]:
    """Return what the cheapest way to each region costs that one army can go by legal steps alone."""
    spent = sum(state.used)
    costs: dict[str, int] = {}
    queue: list[tuple[int, str, tuple[str, ...]]] = [(0, origin, ())]
    while queue:
        cost, here, actions = heappop(queue)
        if here in costs:
            continue
        costs[here] = cost
        played = walk(ruleset, state, state.turn, actions)
        if played.is_closed:
            continue
        for action in map(ruleset.text, ruleset.legal(played.state, state.turn)):
            if action.startswith(f"move {here} "):
                further = walk(ruleset, played.state, state.turn, [action]).state
                # When the turn has ended, nothing is left
                total = sum(further.used) - spent if further.taken else left(ruleset, state)
                heappush(queue, (total, action.split(" ")[2], (*actions, action)))
    return {region: cost for region, cost in costs.items() if region != origin}


def left(ruleset: EightMinute, state: State) -> int:
    return next(part.left for part in ruleset.view(state, state.turn).parts if part.kind == "move")


def actions_to(ways: dict[str, Reach], origin: str, target: str) -> list[str]:
    stops = [target]
    while stops[0] != origin:
        stops.insert(0, ways[stops[0]].before)
    return [f"move {start} {end}" for start, end in pairwise(stops)]


def check(table: Table, seed: int, every: int) -> int:
    """Compare the ways in some positions of a random game with what legal steps reach. Return how many."""
    ruleset, compared = FAMILY[table.slug], 0
    for number, state in enumerate(moving(table, seed)):
        if number % every:
            continue
        for origin, ways in reaches(state, state.turn).items():
            free = by_legal_steps(ruleset, state, origin)
            assert set(ways) == set(free)
            for target, way in ways.items():
                played = walk(ruleset, state, state.turn, actions_to(ways, origin, target))
                if not played.is_closed:
                    assert sum(played.state.used) - sum(state.used) == way.cost == free[target]
                assert way.cost <= left(ruleset, state)
            compared += 1
    return compared


def test_ways_are_legal_cost_what_they_say_and_reach_all_that_legal_steps_reach():
    assert sum(check(table, seed, every=40) for seed, table in enumerate(TABLES)) > len(TABLES)


@pytest.mark.long
def test_ways_hold_with_100_random_option_sets():
    where = [(slug, players) for slug, ruleset in FAMILY.items() for players in ruleset.seat_counts]
    assert sum(check(at_random(*where[seed % len(where)], seed), seed, every=15) for seed in range(100)) > 100


def test_no_ways_are_offered_to_others_or_before_a_card_is_taken():
    table = TABLES[0]
    state = next(moving(table, 1))
    assert reaches(state, (state.turn + 1) % state.players) == {}
    before = state.copy()
    before.taken = ""
    assert reaches(before, state.turn) == {}
