"""A submission has the same outcome in positions that differ only in what its seat cannot know.

Twins have the same view for the seat. Submissions are legal, illegal, and probes for what is drawn or hidden.
"""

from collections.abc import Iterator

import msgspec
import pytest

from games.rules import play
from games.rules.fairness import Quick
from games.rules.kingdoms.state import all_cards
from games.rules.protocol import IllegalAction, Ruleset, State
from games.rules.registry import RULESETS
from tests.rules.families import FAMILIES
from tests.rules.tables import Table, at_random, plain_and_full, thinned
from tests.rules.walk import Step, walk

POSITIONS, SUBMISSIONS = 4, 40
FIXED = str(play.NothingCanFollow())

AMOUNTS = pytest.mark.parametrize(
    ("positions", "submissions"),
    [(POSITIONS, SUBMISSIONS), pytest.param(60, 200, marks=pytest.mark.long)],
    ids=["some", "many"],
)


def outcome(rules: Ruleset, state: State, seat: int, texts: list[str]) -> str:
    """Return `accepted`, `unfinished`, or the refusal. An accepted submission must be decided without one."""
    try:
        walked = play.walk(rules, state, seat, texts)
    except IllegalAction as refusal:
        return str(refusal)
    if not walked.is_closed and rules.end_of_turn(walked.state, seat):
        return "unfinished"
    for seed in range(3):
        play.apply(rules, state.copy(), seat, map(rules.parse, texts), Quick(seed))
    return "accepted"


def twin(rules: Ruleset, state: State, seat: int, chance: Quick) -> State:
    """Return another position with the same view for the seat but other hidden cards, faces and bids."""
    other = FAMILIES[rules.slug].scramble(state, seat) if rules.family != "kingdoms" else state
    if rules.family == "kingdoms":
        other = rules.sample(rules.view(state, seat), chance)
        other.seats = state.seats
    assert msgspec.json.encode(rules.view(other, seat)) == msgspec.json.encode(rules.view(state, seat))
    return other


def submission(rules: Ruleset, state: State, seat: int, words: list[str], chance: Quick) -> list[str]:
    """Return one to four actions. Most are legal after the ones before, so that they get far."""
    texts: list[str] = []
    here = state
    for _ in range(1 + chance.below(4)):
        legal = [rules.text(action) for action in rules.legal(here, seat)] if chance.below(4) else []
        source = legal or words
        texts.append(source[chance.below(len(source))])
        try:
            here = play.walk(rules, here, seat, texts[-1:]).state
        except IllegalAction:
            continue
    return texts


def probes(rules: Ruleset, state: State, seat: int) -> Iterator[list[str]]:
    """Return actions that an attacker sends to learn about draws or the cards of others."""
    if rules.family != "kingdoms":
        for action in rules.legal(state, seat)[:3]:
            yield from ([rules.text(action), then] for then in ("bid 2", "take night-hydra", "done", "build v1"))
        return
    cards = all_cards(state.options, state.players)[::5]
    flop = state.flop[:1]
    yield from (["draw", f"build {name}"] for name in cards)
    yield from (["draw", "boss spymaster 1", f"take {name}"] for name in cards)
    yield from (["boss spymaster 1", f"take {name}", "draw", "draw"] for name in cards)
    yield from (["draw", f"burn {top}", f"burn {name}"] for top in flop for name in cards)
    yield from ([f"burn {top}", f"buy {name} for {top}"] for top in flop for name in cards)
    yield from ([f"blind-pick {other}", f"build {name}"] for other in range(state.players) for name in cards[:5])


def spread(table: Table, count: int) -> Iterator[tuple[int, Step]]:
    """Return numbered decisions spread over a random game of the table."""
    decisions = walk(table.ruleset, table.players, len(str(table)), table.options).decisions
    return iter(list(enumerate(decisions))[:: max(1, len(decisions) // count)])


@pytest.fixture(params=[thinned(table, slug=table.slug, players=table.players) for table in plain_and_full()], ids=str)
def tables(request: pytest.FixtureRequest) -> list[Table]:
    """A table, and one with random options for the same number of players."""
    table: Table = request.param
    return [table, at_random(table.slug, table.players, len(str(table)))]


@AMOUNTS
@pytest.mark.sampled
def test_twins_give_submissions_the_same_outcome(tables: list[Table], positions: int, submissions: int) -> None:
    seen: set[str] = set()
    for table in tables:
        rules = table.ruleset
        for number, step in spread(table, positions):
            assert step.seat is not None
            chance = Quick(number)
            other = twin(rules, step.before, step.seat, chance)
            words = FAMILIES[rules.slug].vocabulary(step.before)
            random = (submission(rules, step.before, step.seat, words, chance) for _ in range(submissions))
            for texts in (*random, *probes(rules, step.before, step.seat)):
                result = outcome(rules, step.before, step.seat, texts)
                assert result == outcome(rules, other, step.seat, texts), texts
                seen.add(result)
    assert {"accepted", FIXED} <= seen


def test_no_step_is_accepted_after_one_that_draws() -> None:
    rules = RULESETS["kingdoms"]
    before = walk(rules, 3, 1).decisions[0]
    assert before.seat is not None
    after_a_draw = {
        outcome(rules, before.before, before.seat, ["draw", text])
        for text in ("end", "draw", "build k-1", "nonsense", *FAMILIES["kingdoms"].vocabulary(before.before)[:50])
    }
    assert after_a_draw == {FIXED}


def test_a_submitted_turn_must_be_complete() -> None:
    """The action that ends a turn is legal, and after it nothing of the turn is left."""
    for slug, rules in RULESETS.items():
        ended = 0
        for step in walk(rules, rules.seat_counts[0], 1).decisions:
            assert step.seat is not None
            end = rules.end_of_turn(step.before, step.seat)
            if end is None:
                continue
            assert end in rules.legal(step.before, step.seat)
            assert play.walk(rules, step.before, step.seat, [rules.text(end)]).is_closed
            ended += 1
        assert ended, slug
