"""The length of a game in decisions, measured by letting bots play. PURE and deterministic."""

from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from statistics import median_low
from typing import Any

import msgspec

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.registry import get

GAMES = 5  # of which the median counts: some end early, some hardly ever
QUICK = BOTS["random"]


def decisions(ruleset: str, players: int, options: Mapping[str, Any]) -> int:
    """Return how often the others wait for one player in one game. Raises `IllegalAction` for invalid options."""
    return _decisions(ruleset, players, msgspec.json.encode(options, order="sorted"))


@lru_cache(1 << 10)
def _decisions(ruleset: str, players: int, options: bytes) -> int:
    chosen = msgspec.json.decode(options)
    return ceil(median_low(_waits(ruleset, players, chosen, number) for number in range(GAMES)) / players)


def _waits(ruleset: str, players: int, options: Mapping[str, Any], number: int) -> int:
    """Return how often a game waits for a different player."""
    return Table(get(ruleset), options, [QUICK] * players, seed_of("length", number)).play().waits
