"""How long a game is, in decisions, found by letting bots play. PURE, and always the same."""

from collections.abc import Mapping
from typing import Any


def decisions(ruleset: str, players: int, options: Mapping[str, Any]) -> int:
    """How often one player is waited for in one game. Raises `IllegalAction` for options that make no sense."""
    raise NotImplementedError
