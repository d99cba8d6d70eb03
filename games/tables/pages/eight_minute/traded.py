"""What became of the row since the reader's mark: the cards that are new in it, and who took which."""

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
    """A card that somebody took."""

    face: Face
    seat: int
    name: str


def drawn(table: Table) -> frozenset[str]:
    """The cards that came into the row; the page marks those that still lie there."""
    if table.draft:
        return frozenset()
    return trade(_told(table)).drawn


def taken(table: Table, view: View) -> list[Taken]:
    """The cards that left it, in order; not while the reader lays out a turn of their own."""
    if table.draft:
        return []
    return [Taken(card_face(view, card), seat, table.names[seat]) for seat, card in trade(_told(table)).taken]


def _told(table: Table) -> Iterator[Any]:
    return (event for line in table.fresh for event in line.events)
