"""Fuzzed action texts, in positions of every ruleset with all its options: each is legal or refused with a sentence,
causes no error of ours, and does not change the position it was tried on.
"""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.fairness import Quick
from games.rules.protocol import IllegalAction, Ruleset, State
from tests.nonsense import Texts, always, garbled, seeded
from tests.rules.tables import Table, at_random, seats
from tests.rules.walk import Walk, walk

JOINTS = " +;:-"


def played(seed: int) -> Walk:
    """Play a random game with random options. The seeds cycle through all rulesets and numbers of players."""
    table: Table = at_random(*seats()[seed % len(seats())], seed)
    return walk(table.ruleset, table.players, seed, table.options)


def texts_of(game: Walk) -> tuple[str, ...]:
    return tuple({game.ruleset.text(step.action): None for step in game.decisions})


def sends(draw: st.DrawFn, games: int) -> None:
    """Send texts in some position. Most resemble actions that are legal there."""
    game = played(draw(st.integers(0, games - 1)))
    ruleset, step = game.ruleset, draw(st.sampled_from(game.steps))
    state, all_seats = step.after, range(len(game.seats))
    seat = draw(st.sampled_from([*ruleset.to_act(state), *all_seats]))
    legal = tuple(ruleset.text(action) for owed in ruleset.to_act(state) for action in ruleset.legal(state, owed)[:60])
    heard = texts_of(game)
    meant = draw(st.sampled_from(legal or heard))
    for _attempt in range(5):
        attempt(ruleset, state, seat, draw(garbled(meant, Texts((*legal[:20], *heard)), JOINTS)))


def attempt(ruleset: Ruleset, state: State, seat: int, text: str) -> None:
    before = msgspec.json.encode(state)
    try:
        action = ruleset.parse(text)
        assert ruleset.parse(ruleset.text(action)) == action
        events = ruleset.decide(state, seat, action, Quick(1))
    except IllegalAction as refusal:
        assert str(refusal) and len(str(refusal)) < 400
    else:
        assert seat in ruleset.to_act(state) or ruleset.sealed(state)  # a sealed decision can be changed
        after = state.copy()
        for event in events:
            ruleset.evolve(after, event)
        ruleset.view(after, seat)
    assert msgspec.json.encode(state) == before


@pytest.mark.long
@always(200)
@given(st.data())
def test_a_thousand_fuzzed_texts_are_refused_or_legal(data: st.DataObject) -> None:
    sends(data.draw, 2 * len(seats()))


@pytest.mark.long
@seeded(20_000)
@given(st.data())
def test_a_hundred_thousand_fuzzed_texts_are_refused_or_legal(data: st.DataObject) -> None:
    sends(data.draw, 20 * len(seats()))
