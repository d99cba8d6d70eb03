"""A submission is refused or accepted alike in positions that differ only in what its seat cannot know.

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
    """`accepted`, `unfinished`, or the refusal. What is accepted has to be decided without a refusal."""
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
    """Another position with the same view for the seat, other hidden cards, faces and bids."""
    other = FAMILIES[rules.slug].scramble(state, seat) if rules.family != "kingdoms" else state
    if rules.family == "kingdoms":
        other = rules.sample(rules.view(state, seat), chance)
        other.seats = state.seats
    assert msgspec.json.encode(rules.view(other, seat)) == msgspec.json.encode(rules.view(state, seat))
    return other


def submission(rules: Ruleset, state: State, seat: int, words: list[str], chance: Quick) -> list[str]:
    """One to four actions. Mostly each is legal after those before it, so that they reach far."""
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
    """What an attacker sends to learn what would be drawn, or what others hold."""
    if rules.family != "kingdoms":
        for action in rules.legal(state, seat)[:3]:
            yield from ([rules.text(action), then] for then in ("bid 2", "take night-hydra", "done", "build v1"))
        return
    cards = all_cards(state.options, state.players)[::5]
    flop = state.flop[:1]
    yield from (["draw", f"build {one}"] for one in cards)
    yield from (["draw", "boss spymaster 1", f"take {one}"] for one in cards)
    yield from (["boss spymaster 1", f"take {one}", "draw", "draw"] for one in cards)
    yield from (["draw", f"burn {top}", f"burn {one}"] for top in flop for one in cards)
    yield from ([f"burn {top}", f"buy {one} for {top}"] for top in flop for one in cards)
    yield from ([f"blind-pick {other}", f"build {one}"] for other in range(state.players) for one in cards[:5])


def spread(table: Table, count: int) -> Iterator[tuple[int, Step]]:
    """Decisions of a random game of the table, spread over it; each with its number."""
    decisions = walk(table.ruleset, table.players, len(str(table)), table.options).decisions
    return iter(list(enumerate(decisions))[:: max(1, len(decisions) // count)])


@pytest.fixture(params=[thinned(one, slug=one.slug, players=one.players) for one in plain_and_full()], ids=str)
def tables(request: pytest.FixtureRequest) -> list[Table]:
    """A table, and one of as many players with random options."""
    table: Table = request.param
    return [table, at_random(table.slug, table.players, len(str(table)))]


@AMOUNTS
def test_twins_accept_and_refuse_submissions_alike(tables: list[Table], positions: int, submissions: int) -> None:
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
                said = outcome(rules, step.before, step.seat, texts)
                assert said == outcome(rules, other, step.seat, texts), texts
                seen.add(said)
    assert {"accepted", FIXED} <= seen


def test_nothing_follows_a_step_that_draws_whatever_it_is() -> None:
    rules = RULESETS["kingdoms"]
    before = walk(rules, 3, 1).decisions[0]
    assert before.seat is not None
    after_a_draw = {
        outcome(rules, before.before, before.seat, ["draw", text])
        for text in ("end", "draw", "build k-1", "nonsense", *FAMILIES["kingdoms"].vocabulary(before.before)[:50])
    }
    assert after_a_draw == {FIXED}


def test_a_turn_of_any_game_that_was_begun_has_to_be_ended() -> None:
    """The action that gives up the rest of a turn is legal, and after it nothing of the turn is left."""
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
