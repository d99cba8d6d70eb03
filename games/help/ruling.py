"""A ruling: how this site decides where a rule can be read in two ways, in a sentence for players."""

from typing import NamedTuple

from django.utils.functional import Promise

FULL_GAME = "full-game"
FINE_PRINT = ""
ALL_GAMES = "T"  # what holds at every table


class Ruling(NamedTuple):
    """`games` are the rulesets that the sentence is true of, by their first letters."""

    number: int
    games: str
    text: str | Promise

    @property
    def mark(self) -> str:
        """What it is called: R12 in the Eight-Minute family, K12 in Kingdoms, T12 at every table."""
        return f"{self.games if self.games in ('K', ALL_GAMES) else 'R'}{self.number}"

    @property
    def anchor(self) -> str:
        return self.mark.lower()
