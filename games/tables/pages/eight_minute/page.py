"""The table page of the Eight-Minute family as one value, with everything that its templates show."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.rules.eight_minute.view import View
from games.tables.pages.eight_minute import panels, sources
from games.tables.pages.eight_minute.choices import Picked
from games.tables.pages.eight_minute.gifts import Find, finds
from games.tables.pages.eight_minute.hand import Hand, hand
from games.tables.pages.eight_minute.map import Board, board, happened
from games.tables.pages.eight_minute.offers import Offer, offers
from games.tables.pages.eight_minute.players import PlayerPanel, player_panels
from games.tables.pages.eight_minute.traded import Taken, drawn, taken
from games.tables.pages.frame import Frame, frame
from games.tables.selectors.table import Table
from games.tables.views.history import is_marked

STYLES = ("css/cards.css", "css/pieces.css", "css/setup.css")


@dataclass(frozen=True, kw_only=True)
class Page(Frame):
    """The context of `tables/eight_minute/_table.html`.

    `row` holds the cards on offer when none can be taken now, `finds` the tokens on the map. `new_cards` recently came
    into the row, `taken` left it.
    """

    template = "tables/eight_minute/_table.html"
    styles = STYLES

    hand: Hand
    board: Board
    row: tuple[Offer, ...]
    new_cards: frozenset[str]
    taken: list[Taken]
    deck: int
    purse: int
    players: list[PlayerPanel]
    sources: list[sources.Source]
    finds: list[Find]
    edition: str

    @property
    def by_seat(self) -> list[PlayerPanel]:
        return sorted(self.players, key=lambda player: player.seat)

    @property
    def seen(self) -> list[Find]:
        """The face-down tokens that the reader has seen."""
        return [find for find in self.finds if find.face]

    @property
    def said(self) -> str:
        """The text for screen readers after each step."""
        return self.alert or ". ".join([*self.told, *self.hand.said])


def page(table: Table, *, now: datetime, theme: str, query: Mapping[str, str], alert: str = "") -> Page:
    """Return the page of a started game. `query` is the reader's selection, see `Picked`."""
    assert table.view is not None and table.before is not None
    me, picked = table.seat.number if table.seat else None, Picked.of(query)
    view, before = table.view, table.before
    due = Hand("past") if table.at is not None else hand(table, picked)
    headline = panels.headline(before, view, table.names, me, table.turn_complete)
    shared = frame(
        table, headline=headline, over=before.over, tie_breaks=sources.TIE_BREAKS, now=now, theme=theme, alert=alert,
        query=query, has_marks=bool(happened(table)),
    )  # fmt: skip
    return Page(
        **shared,
        hand=due,
        board=board(table, view, due, picked, theme, marked=is_marked(query)),
        row=() if due.offers or before.over else offers(view),
        new_cards=drawn(table) if is_marked(query) else frozenset(),
        taken=taken(table, view),
        deck=view.deck,
        purse=0 if me is None else view.players[me].coins,
        players=player_panels(view, before, table.names, me),
        sources=_sources(view),
        finds=finds(view, table.names),
        edition=view.edition,
    )


def _sources(view: View) -> list[sources.Source]:
    """Return the current points by source; empty during set-up."""
    return [] if view.setup else sources.sources(view.edition, view.scoresheet)
