"""Rulings: how this site decides where a rule can be read in two ways, in a sentence for players."""

from typing import NamedTuple

from django.utils.functional import Promise

FULL_GAME = "full-game"
FINE_PRINT = ""
ALL_GAMES = "T"  # rulings for every game


class Ruling(NamedTuple):
    """A numbered ruling. `games` are the initials of the rulesets it applies to."""

    number: int
    games: str
    text: str | Promise

    @property
    def mark(self) -> str:
        """The ruling's label: R12 in the Eight-Minute family, K12 in Kingdoms, T12 for all games."""
        return f"{self.games if self.games in ('K', ALL_GAMES) else 'R'}{self.number}"

    @property
    def anchor(self) -> str:
        return self.mark.lower()
