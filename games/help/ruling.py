"""Rulings: how this site decides where a rule can be read in two ways, in a sentence for players. And details.

The rulings on undoing a turn, for all games, are here; docs/rulings.md has the same sentences.
"""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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


def _rulings(*texts: str | Promise) -> tuple[Ruling, ...]:
    return tuple(Ruling(number, ALL_GAMES, text, ALL_GAMES) for number, text in enumerate(texts, start=1))


# fmt: off
RULINGS = _rulings(
    _(
        "The player who took the last turn may ask to undo it while the game is running, if nobody has acted since: no "
        "person, bot, standing order or clock. The turn before it can’t be undone, even after the last turn was "
        "undone, and neither can the turn played in its place."
    ),
    _(
        "Some things can’t be undone: the setup drawn by the site, secret decisions that have been revealed, anything "
        "that a bot, a standing order or the clock decided, and a turn that ended the game."
    ),
    _("If the turn involved no chance and showed nobody a card or a token, it is undone immediately."),
    _(
        "Otherwise, the players who were shown something must agree first. If the turn involved chance, or its own "
        "player was shown something, everyone else at the table must agree. Bots agree automatically. People agree for "
        "themselves: while someone else or a bot plays for one of them, nobody can be asked, and an earlier request "
        "waits for them."
    ),
    _("If anyone says no, or anyone makes another move, the turn stays. You can ask only once per turn."),
    _(
        "Nothing is deleted. The log keeps the turn, crossed out, and says that it was undone. The game continues from "
        "the position before the turn. What players saw, they have seen."
    ),
    _(
        "Random draws repeat. The deck deals the same card. A random draw, such as a card from a player’s hand, is the "
        "next random draw of that player, whenever it happens and whatever the others do in between."
    ),
    _(
        "While decisions are secret, nobody is told who has made theirs. If the turn before them is undone, everyone "
        "decides again."
    ),
    _(
        "The player’s clock keeps running, as if the turn had not been taken. If its time has run out since, the turn "
        "stays."
    ),
    _(
        "At a rated table, and in a duplicate, a turn that involved chance or showed anyone a card or a token can’t be "
        "undone."
    ),
)
