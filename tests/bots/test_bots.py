"""Every bot at every table: what it says is legal, whole, a matter of its view alone, and the same each time."""

import pytest

from games.bots.bot import BUDGET, play_turn
from games.bots.registry import BOTS, from_strong_to_weak
from games.rules.fairness import Quick
from games.rules.protocol import NeedsChance
from games.rules.registry import get
from tests.each import for_each
from tests.rules.families import FAMILIES
from tests.rules.tables import plain_and_full, thinned
from tests.rules.walk import Step, walk

BOTS_AT_TABLES = [
    thinned((bot, table), slug=table.slug, players=table.players) for bot in BOTS for table in plain_and_full()
]


@pytest.fixture(params=BOTS_AT_TABLES, ids=lambda case: "-".join(map(str, case)))
def case(request: pytest.FixtureRequest) -> tuple:
    """A bot, a ruleset, and some decisions of a random game: the first ones, and one here and there."""
    bot, table = request.param
    game = walk(table.ruleset, table.players, 1, table.options)
    return BOTS[bot], game.ruleset, [*game.decisions[:6], *game.decisions[6::17]]


def views(ruleset, decisions: list[Step]) -> list:
    return [ruleset.view(step.before, step.seat) for step in decisions]


def test_a_choice_is_legal(case: tuple) -> None:
    bot, ruleset, decisions = case
    for view in views(ruleset, decisions):
        assert bot.choose(ruleset, view, BUDGET, Quick(1)) in view.legal


def test_a_turn_is_legal_step_by_step_and_leaves_nothing_open(case: tuple) -> None:
    bot, ruleset, decisions = case
    for step in decisions:
        texts = play_turn(ruleset, ruleset.view(step.before, step.seat), bot, Quick(1))
        assert texts
        state = laid_out(ruleset, step, texts)
        assert state is None or "done" not in map(ruleset.text, ruleset.legal(state, step.seat))


def laid_out(ruleset, step: Step, texts: list[str]) -> object:
    """The position after these steps; null if the last of them needs chance, as none before it may."""
    state = step.before.copy()
    for number, text in enumerate(texts, 1):
        try:
            events = ruleset.decide(state, step.seat, ruleset.parse(text), None)
        except NeedsChance:
            assert number == len(texts)
            return None
        for event in events:
            ruleset.evolve(state, event)
    return state


def test_the_same_view_and_the_same_chance_give_the_same_turn(case: tuple) -> None:
    bot, ruleset, decisions = case
    for view in views(ruleset, decisions[::3]):
        assert play_turn(ruleset, view, bot, Quick(4)) == play_turn(ruleset, view, bot, Quick(4))


def test_a_bot_knows_what_its_view_tells_and_no_more(case: tuple) -> None:
    bot, ruleset, decisions = case
    for step in decisions:
        other = FAMILIES[ruleset.slug].scramble(step.before, step.seat)
        plans = [play_turn(ruleset, ruleset.view(state, step.seat), bot, Quick(4)) for state in (step.before, other)]
        assert plans[0] == plans[1]


def test_a_bot_leaves_the_view_as_it_is(case: tuple) -> None:
    bot, ruleset, decisions = case
    for step in decisions[::3]:
        view = ruleset.view(step.before, step.seat)
        play_turn(ruleset, view, bot, Quick(1))
        assert view == ruleset.view(step.before, step.seat)


@for_each("budget", [0, 1, 10])
def test_a_bot_without_time_to_think_still_takes_its_turn(case: tuple, budget: int) -> None:
    bot, ruleset, decisions = case
    for view in views(ruleset, decisions[::3]):
        assert play_turn(ruleset, view, bot, Quick(1), budget)[0] in view.legal


def test_a_bot_that_owes_nothing_says_nothing(case: tuple) -> None:
    bot, ruleset, decisions = case
    last = decisions[-1]
    idle = (last.seat + 1) % len(last.before.seats)
    assert play_turn(ruleset, ruleset.view(last.before, idle), bot, Quick(1)) == []


def test_bots_stand_in_the_order_of_their_strength() -> None:
    assert list(BOTS) == ["random", "greedy"]
    assert all(bot.slug == slug for slug, bot in BOTS.items())


def test_where_a_bot_fails_every_weaker_one_can_take_the_turn() -> None:
    assert [bot.slug for bot in from_strong_to_weak("greedy")] == ["greedy", "random"]
    assert [bot.slug for bot in from_strong_to_weak("random")] == ["random"]


def test_random_play_chooses_each_legal_action() -> None:
    game = walk(get("legends"), 3, seed=1)
    view = game.ruleset.view(game.steps[-40].before, game.steps[-40].seat)
    chance = Quick(1)
    assert {BOTS["random"].choose(game.ruleset, view, 0, chance) for _ in range(60 * len(view.legal))} == set(
        view.legal
    )
