"""Random games over random combinations of options, rulesets and numbers of players."""

import pytest

from games.rules.fairness import Quick
from tests.rules.families import FAMILIES
from tests.rules.tables import Table, at_random, seats
from tests.rules.walk import LONGEST, people

EVERY = 29  # decisions between two conservation checks


def play(table: Table, seed: int) -> None:
    """Play a random game, checking conservation now and then, and the result at the end."""
    ruleset, chance = table.ruleset, Quick(seed)
    state = ruleset.initial(table.chosen, people(table.players))
    for event in ruleset.start(table.chosen, people(table.players), chance):
        ruleset.evolve(state, event)
    for turn in range(LONGEST):
        waiting = ruleset.to_act(state)
        if not waiting:
            break
        actions = ruleset.legal(state, waiting[0])
        events = ruleset.decide(state, waiting[0], actions[chance.below(len(actions))], chance)
        for event in events:
            if not turn % EVERY:
                expected = FAMILIES[table.slug].totals(state)
                expected.update(FAMILIES[table.slug].flow(state, event))
                ruleset.evolve(state, event)
                assert FAMILIES[table.slug].totals(state) == expected
            else:
                ruleset.evolve(state, event)
    assert ruleset.is_over(state)
    assert ruleset.score(state).winners
    assert state.result == ruleset.score(state)


def plays(first: int, games: int) -> None:
    for seed in range(first, first + games):
        table = at_random(*seats()[seed % len(seats())], seed)
        try:
            play(table, seed)
        except Exception as failure:
            failure.add_note(f"seed {seed}, {table}")
            raise


@pytest.mark.long
def test_random_games_with_300_random_option_sets_end() -> None:
    plays(0, 300)


@pytest.mark.long
def test_random_games_with_5000_random_option_sets_end() -> None:
    plays(1000, 5000)
