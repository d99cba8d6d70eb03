"""Rulings: how this site decides where a rule can be read in two ways, in a sentence for players. And details.

The texts are in TOML files, by topic; docs/rulings.md has the same sentences.
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FULL_GAME = "full-game"
FINE_PRINT = "fine-print"
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


def read(folder: Path, name: str) -> dict[str, Any]:
    """Return the contents of `<name>.toml` in this folder of the help, with untranslated texts."""
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


def read_rulings(folder: Path, series: str = "R") -> dict[str, list[Ruling]]:
    """Return the rulings of a family by topic. Without `games`, they apply to the game of the series."""
    return {
        topic: [Ruling(row["number"], row.get("games", series), _(row["text"]), series) for row in rows]
        for topic, rows in read(folder, "rulings").items()
    }


def read_details(folder: Path, games: str = "") -> dict[str, list[Detail]]:
    """Return the details of a family by option. `games` are the initials for those that name none."""
    return {
        option: [Detail(row.get("games", games), _(row["text"])) for row in rows]
        for option, rows in read(folder, "details").items()
    }


RULINGS = read_rulings(Path(__file__).parent, ALL_GAMES)["undo"]
