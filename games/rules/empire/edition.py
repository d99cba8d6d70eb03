"""An edition is the data of one ruleset of the family: numbers, cards and boards.

The rules read it and know no edition by name.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.rules.empire.cards import Card, CardRow

DATA = Path(__file__).parent / "data"


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of an edition. Tuples by player count begin with two players."""

    slug: str
    name: str
    players: tuple[int, ...]
    coins: tuple[int, ...]
    cards_owned: tuple[int, ...]
    armies: int
    cities: int
    third_colour: int
    start_armies: int
    outpost_armies: int
    prices: tuple[int, ...]
    crossing: int
    most_elixirs: int
    tied_elixirs: int
    cards: dict[str, Card]

    def deck(self, players: int) -> list[str]:
        """The ids of the cards in play, in the data's order."""
        return [card.id for card in self.cards.values() if card.players <= players]

    def family(self, name: str) -> list[str]:
        """The ids of the cards of a family."""
        return [card.id for card in self.cards.values() if card.family == name]


def load(name: str) -> dict[str, Any]:
    """The plain data of `data/<name>.toml`."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def edition(slug: str) -> Edition:
    """The edition of that name, read once."""
    rows = msgspec.convert(load(f"{slug}_cards")["cards"], list[CardRow])
    cards = {row.id: row.card() for row in rows}
    return msgspec.convert({"slug": slug, **load(slug), "cards": cards}, Edition)
