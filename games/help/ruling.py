"""Rulings: how this site decides where a rule can be read in two ways, in a sentence for players. And details."""

from typing import NamedTuple

from django.utils.functional import Promise

FULL_GAME = "full-game"
FINE_PRINT = ""
ALL_GAMES = "T"  # rulings for every game


class Ruling(NamedTuple):
    """A numbered ruling. `games` are the initials of the rulesets it applies to; each series has its own numbers."""

    number: int
    games: str
    text: str | Promise
    series: str = "R"

    @property
    def mark(self) -> str:
        """The ruling's label: R12 in the Eight-Minute family, K12 in Kingdoms, T12 for all games."""
        return f"{self.series}{self.number}"

    @property
    def anchor(self) -> str:
        return self.mark.lower()


class Detail(NamedTuple):
    """A sentence on how an option is played. `games` are the initials of the rulesets it applies to."""

    games: str
    text: str | Promise
