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
    rules, chosen = get(ruleset), msgspec.json.decode(options)
    tables = (Table(rules, chosen, [QUICK] * players, seed_of("length", number)) for number in range(GAMES))
    return ceil(median_low(table.play().waits for table in tables) / players)
