"""How long a game is, in decisions, found by letting bots play. PURE, and always the same."""

from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from statistics import median_low
from typing import Any

import msgspec

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.registry import get

GAMES = 5  # of which the middle one counts: some end early, some hardly at all
QUICK = BOTS["random"]


def decisions(ruleset: str, players: int, options: Mapping[str, Any]) -> int:
    """How often one player is waited for in one game. Raises `IllegalAction` for options that make no sense."""
    return _decisions(ruleset, players, msgspec.json.encode(options, order="sorted"))


@lru_cache(1 << 10)
def _decisions(ruleset: str, players: int, options: bytes) -> int:
    chosen = msgspec.json.decode(options)
    return ceil(median_low(_waits(ruleset, players, chosen, number) for number in range(GAMES)) / players)


def _waits(ruleset: str, players: int, options: Mapping[str, Any], number: int) -> int:
    """How often a game waits for somebody new."""
    return Table(get(ruleset), options, [QUICK] * players, seed_of("length", number)).play().waits
