"""Every bot at every table: its turns are legal, complete, reproducible, and depend only on its view."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from games.bots.bot import Bot, play_turn
from games.bots.registry import BOTS, LEVELS, by_name, from_strong_to_weak, ratings
from games.rules.fairness import Quick
from games.rules.protocol import NeedsChance, Ruleset
from games.rules.registry import get
from tests.each import for_each
from tests.rules.families import FAMILIES
from tests.rules.tables import Table, is_between, plain_and_full
from tests.rules.walk import Step, walk

QUICK = 60  # a budget with which the levels that search decide quickly

Case = tuple[Bot, Ruleset, list[Step]]


class Cases(list[tuple[str, Table]]):
    """Bots at tables. Each is printed when it is tested, so the last one printed is the one that failed."""

    def __iter__(self) -> Iterator[Case]:
        """Yield the bot, the ruleset and some decisions of a random game: the first ones, then every 17th.

        Bots that think decide fewer.
        """
        for bot, table in super().__iter__():
            print(bot, table)
            game = walk(table.ruleset, table.players, 1, table.options)
            often = 68 if BOTS[bot].thinks else 17
            yield (
                BOTS[bot],
                game.ruleset,
                [*game.decisions[: 6 : 2 if BOTS[bot].thinks else 1], *game.decisions[6::often]],
            )


@pytest.fixture(params=["fewest and most players", pytest.param("between", marks=pytest.mark.long)])
def cases(request: pytest.FixtureRequest) -> Cases:
    tables = [
        table for table in plain_and_full() if is_between(table.slug, table.players) == (request.param == "between")
    ]
    # Master is Hard with a larger budget, so with the same one it plays alike
    return Cases((bot, table) for bot in BOTS if bot != "master" for table in tables)


def views(ruleset, decisions: list[Step]) -> list:
    return [ruleset.view(step.before, step.seat) for step in decisions]


@pytest.mark.long
def test_a_choice_is_legal(cases: Cases) -> None:
    for bot, ruleset, decisions in cases:
        for view in views(ruleset, decisions):
            assert bot.plan(ruleset, view, QUICK, Quick(1))[0] in view.legal


@pytest.mark.long
def test_a_turn_is_legal_and_complete(cases: Cases) -> None:
    for bot, ruleset, decisions in cases:
        for step in decisions:
            texts = play_turn(ruleset, ruleset.view(step.before, step.seat), bot, Quick(1), QUICK)
            assert texts
            state = laid_out(ruleset, step, texts)
            assert state is None or "done" not in map(ruleset.text, ruleset.legal(state, step.seat))


def laid_out(ruleset, step: Step, texts: list[str]) -> object:
    """Return the position after these steps, or None if the last one needs chance. Earlier steps must not need it."""
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


@pytest.mark.long
def test_the_same_view_and_the_same_chance_give_the_same_turn(cases: Cases) -> None:
    for bot, ruleset, decisions in cases:
        for view in views(ruleset, decisions[::3]):
            assert play_turn(ruleset, view, bot, Quick(4), QUICK) == play_turn(ruleset, view, bot, Quick(4), QUICK)


def test_a_bot_knows_only_its_view(cases: Cases) -> None:
    for bot, ruleset, decisions in cases:
        for step in decisions[::2]:
            other = FAMILIES[ruleset.slug].scramble(step.before, step.seat)
            plans = [
                play_turn(ruleset, ruleset.view(state, step.seat), bot, Quick(4), QUICK)
                for state in (step.before, other)
            ]
            assert plans[0] == plans[1]


@pytest.mark.long
def test_a_bot_does_not_change_the_view(cases: Cases) -> None:
    for bot, ruleset, decisions in cases:
        for step in decisions[::3]:
            view = ruleset.view(step.before, step.seat)
            play_turn(ruleset, view, bot, Quick(1), QUICK)
            assert view == ruleset.view(step.before, step.seat)


@pytest.mark.long
@for_each("budget", [0, 1, 10])
def test_a_bot_without_time_to_think_still_takes_its_turn(cases: Cases, budget: int) -> None:
    for bot, ruleset, decisions in cases:
        for view in views(ruleset, decisions[::3]):
            assert play_turn(ruleset, view, bot, Quick(1), budget)[0] in view.legal


def test_a_bot_that_is_not_to_act_does_nothing(cases: Cases) -> None:
    for bot, ruleset, decisions in cases:
        last = decisions[-1]
        idle = (last.seat + 1) % len(last.before.seats)
        assert play_turn(ruleset, ruleset.view(last.before, idle), bot, Quick(1)) == []


def test_bots_are_listed_in_order_of_strength() -> None:
    assert list(BOTS) == ["random", "easy", "medium", "hard", "master"]
    assert all(bot.slug == slug for slug, bot in BOTS.items())
    assert [bot.slug for bot in LEVELS] == ["easy", "medium", "hard", "master"]


def test_each_level_is_documented_and_rated() -> None:
    document = (settings.BASE_DIR / "docs" / "opponents.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| `(\w+)`", document, re.MULTILINE)
    assert rows == [(bot.name, bot.slug) for bot in LEVELS]
    assert all(list(by_slug) == [bot.slug for bot in LEVELS] for by_slug in ratings().values())


def test_the_former_name_of_a_bot_finds_it() -> None:
    assert BOTS["greedy"] is BOTS["medium"] is by_name("Greedy", str)
    assert "greedy" in BOTS and "greedy" not in list(BOTS) and "atlantis" not in BOTS


def test_a_bot_that_fails_is_replaced_by_weaker_bots() -> None:
    assert [bot.slug for bot in from_strong_to_weak("master")] == ["master", "hard", "medium", "easy", "random"]
    assert [bot.slug for bot in from_strong_to_weak("random")] == ["random"]


def test_random_play_chooses_each_legal_action() -> None:
    game = walk(get("legends"), 3, seed=1)
    view = game.ruleset.view(game.steps[-40].before, game.steps[-40].seat)
    chance = Quick(1)
    plans = [BOTS["random"].plan(game.ruleset, view, 0, chance) for _ in range(60 * len(view.legal))]
    assert {action for [action] in plans} == set(view.legal)
