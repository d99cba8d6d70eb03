"""Changes of the row that are new to the reader: new cards, and who took which."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.boards.eight_minute.changes import trade
from games.boards.eight_minute.faces import Face
from games.rules.eight_minute.view import View
from games.tables.pages.eight_minute.offers import card_face
from games.tables.selectors.table import Table


@dataclass(frozen=True)
class Taken:
    """A card that a player took."""

    face: Face
    seat: int
    name: str


def drawn(table: Table) -> frozenset[str]:
    """Return the cards that came into the row. The page highlights those that are still there."""
    if table.draft:
        return frozenset()
    return trade(_told(table)).drawn


def taken(table: Table, view: View) -> list[Taken]:
    """Return the cards that left the row, in order; empty while the reader has a draft."""
    if table.draft:
        return []
    return [Taken(card_face(view, card), seat, table.names[seat]) for seat, card in trade(_told(table)).taken]


def _told(table: Table) -> Iterator[Any]:
    return (event for line in table.fresh for event in line.events)
