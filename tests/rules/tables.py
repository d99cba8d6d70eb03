"""Tables for tests: every ruleset with every number of players, with no options, all options, and random options."""

import json
from functools import cache
from typing import Any, NamedTuple

import pytest

from games.rules.eight_minute.ruleset import EightMinute
from games.rules.fairness import Quick
from games.rules.protocol import IllegalAction, OptionField, Ruleset
from games.rules.registry import RULESETS

FAMILY: dict[str, Ruleset] = {slug: ruleset for slug, ruleset in RULESETS.items() if isinstance(ruleset, EightMinute)}


class Table(NamedTuple):
    """A ruleset, a number of players, and options as JSON."""

    slug: str
    players: int
    options: str = "{}"

    @property
    def ruleset(self) -> Ruleset:
        return RULESETS[self.slug]

    @property
    def chosen(self) -> Any:
        return self.ruleset.options(json.loads(self.options), self.players)

    def __str__(self) -> str:
        chosen = json.loads(self.options).items()
        words = [name.replace("_", "-") if value is True else str(value) for name, value in chosen]
        return "-".join((self.slug, str(self.players), *words))


def seats() -> list[tuple[str, int]]:
    """Return every ruleset with every number of players."""
    return [(slug, players) for slug, ruleset in RULESETS.items() for players in ruleset.seat_counts]


@cache
def plain_and_full() -> list[Table]:
    """Return games without options and games with all options, with the set-up drawn and by hand if there is one."""
    tables = [Table(*where) for where in seats()]
    for slug, players in seats():
        fullest = {field.name: _fullest(field) for field in RULESETS[slug].option_fields(players)}
        for setup in [{"setup": "drawn"}, {"setup": "by-hand"}] if "setup" in fullest else [{}, {"mode": "standard"}]:
            if _is_possible(RULESETS[slug], fullest | setup, players):
                tables.append(Table(slug, players, json.dumps(fullest | setup)))
    return tables


def _fullest(field: OptionField) -> bool | str:
    """Return yes, or the last choice."""
    return True if field.kind == "yes-no" else field.choices[-1].value


def is_between(slug: str, players: int) -> bool:
    """Return whether a game has neither the fewest nor the most players. Such games are tested in the long run."""
    counts = RULESETS[slug].seat_counts
    return min(counts) < players < max(counts)


def thinned(*values: Any, slug: str, players: int) -> Any:
    """Return a test parameter that is `long` unless it has the fewest or the most players."""
    return pytest.param(*values, marks=[pytest.mark.long] if is_between(slug, players) else [])


def at_random(slug: str, players: int, seed: int) -> Table:
    """Return a table with random valid options."""
    chance, ruleset = Quick(seed), RULESETS[slug]
    while True:
        wanted = {field.name: _picked(field, chance) for field in ruleset.option_fields(players) if chance.below(3)}
        if _is_possible(ruleset, wanted, players):
            return Table(slug, players, json.dumps(wanted))


def _picked(field: OptionField, chance: Quick) -> bool | str:
    return field.choices[chance.below(len(field.choices))].value


def _is_possible(ruleset: Ruleset, wanted: dict[str, bool | str], players: int) -> bool:
    try:
        ruleset.options(wanted, players)
    except IllegalAction:
        return False
    return True
