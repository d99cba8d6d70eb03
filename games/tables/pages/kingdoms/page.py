"""The table page of Kingdoms as one value. Parts that a fragment does not show are not computed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from games.boards.kingdoms.changes import NOTHING, Changes, changes
from games.boards.kingdoms.film import film
from games.rules.kingdoms import events as e
from games.rules.kingdoms.view import View
from games.tables.pages.frame import Frame, frame, from_reader
from games.tables.pages.kingdoms.cards import MyHand, Ways, helper
from games.tables.pages.kingdoms.due import Due, due
from games.tables.pages.kingdoms.middle import Middle, Scene, Ware, middle, scene
from games.tables.pages.kingdoms.offers import flop_choices
from games.tables.pages.kingdoms.place import Picked, Place
from games.tables.pages.kingdoms.players import (
    TIE_BREAKS,
    Ending,
    Kingdom,
    PlayerPanel,
    Realm,
    ending,
    player_panel,
    realm,
)
from games.tables.pages.kingdoms.words import course, headline, won_by
from games.tables.selectors.lines import that_count
from games.tables.selectors.options import Order, orders_of
from games.tables.selectors.table import Table
from games.tables.views.history import is_marked

GAINS = (e.CardDrawn, e.FlopDrawn, e.CardPicked, e.TributeTaken, e.CardStolen, e.HeroRecovered, e.HeroTurned)


@dataclass(frozen=True, kw_only=True)
class Page(Frame):
    """The context of `tables/kingdoms/_table.html`. `place` is None for spectators; `changes` are highlighted."""

    template = "tables/kingdoms/_table.html"
    result_template = "tables/kingdoms/_result.html"
    styles = ("css/kingdoms/cards.css", "css/kingdoms/table.css")
    scripts = ("js/kingdoms/table.js",)
    parts = {"hand": "tables/kingdoms/_dock.html"}

    table: Table
    view: View
    before: View
    place: Place | None
    picked: Picked
    whole: str
    hand: Due
    changes: Changes

    @property
    def said(self) -> str:
        """The text for screen readers after each step."""
        return self.alert or ". ".join([*self.told, *self.hand.said])

    @property
    def course(self) -> str:
        return course(self.view)

    @property
    def whispers(self) -> bool:
        """Whether the reader can send private messages here."""
        return self.me is not None and self.game.rules.lets_whisper(self.view.options)

    @cached_property
    def battle(self) -> Scene | None:
        return scene(self.view, self.table.log, self.table.names, self.table.period)

    @cached_property
    def realm(self) -> Realm:
        return realm(self.view, self.table.names, self.hand, self.changes)

    @cached_property
    def middle(self) -> Middle:
        choices = {} if self.hand.sure else flop_choices(self.place)
        can_pick = self.place is not None and self.hand.kind in ("turn", "wait") and not self.hand.sure
        return middle(self.view, self.picked.words, choices, can_pick, self.changes, self.table.names)

    @property
    def looked(self) -> list[Ware]:
        """The hand that a spy looks at, with cards to take."""
        return [Ware(choice.action.rpartition(" ")[2], "", False, choice) for choice in self.hand.looked]

    @property
    def looked_at(self) -> str:
        """The name of the player whose hand that is."""
        return "" if self.view.looked_at is None else self.table.names[self.view.looked_at]

    @property
    def orders(self) -> list[Order]:
        """The reader's standing orders, while the game runs."""
        seat = self.table.seat
        if seat is None or self.history or self.before.over:
            return []
        seat.game = self.game
        return orders_of(seat)

    @cached_property
    def cards(self) -> MyHand | None:
        if self.me is None or self.before.over:
            return None
        player = self.view.players[self.me]
        return MyHand(player.hand, self.picked, player.shown, self.new_cards & frozenset(player.hand))

    @property
    def new_cards(self) -> frozenset[str]:
        """The cards gained by the reader's last action and since they last looked, by chance or in battle."""
        mine = [line for line in that_count(self.table.log) if line.seat == self.me][-1:]
        gained: set[str] = set()
        for line in self.table.log:
            for event in line.events if line.new or line in mine else ():
                if isinstance(event, e.BattleEnded) and event.winner == self.me:
                    gained.update(event.spoils)
                elif isinstance(event, GAINS) and event.seat == self.me:
                    gained.add(event.card)
        return frozenset(gained)

    @cached_property
    def helper(self) -> list[Ways]:
        if self.cards is None:
            return []
        return helper(self.cards.cards, self.view.flop, self.whole)

    @cached_property
    def players(self) -> list[PlayerPanel]:
        names, seats = self.table.names, from_reader(len(self.view.players), self.me)
        return [player_panel(self.view, self.before, names, seat, self.changes) for seat in seats]

    @cached_property
    def told_apart(self) -> frozenset[int]:
        """The seats with cards to show or with notes, such as a substitute; the realm shows everything about others."""
        return frozenset(player.seat for player in self.players if player.shown or self.clocks.notes.get(player.seat))

    @cached_property
    def ending(self) -> Ending:
        return ending(self.view, self.table.names)

    @property
    def castles(self) -> list[tuple[Kingdom, list[tuple[int, str]]]]:
        """The kingdoms in order of place, each with how its castle was made: pairs of entry and sentence."""
        course = self.result.course if self.result else None
        if course is None:
            return []
        return [(kingdom, course.milestones[kingdom.seat]) for kingdom in self.ending.kingdoms]


def page(table: Table, *, now: datetime, theme: str, query: Mapping[str, str], alert: str = "") -> Page:
    """Return the page of a started game. `query` is the reader's selection, see `Picked`."""
    assert table.view is not None and table.before is not None
    view, before, picked = table.view, table.before, Picked.of(query)
    place = Place(view, table.seat.number, table.names, table.draft, picked) if table.seat else None
    # Nothing is new during a draft, and nothing of the deal.
    told = changes(event for line in table.fresh if line.seq and not table.draft for event in line.events)
    shared = frame(
        table,
        headline=headline(before, view, table.names, place.seat if place else None),
        over=before.over,
        tie_breaks=TIE_BREAKS,
        now=now,
        theme=theme,
        alert=alert,
        query=query,
        has_marks=bool(told),
        draw=lambda table, after: film(table.fresh, after),
        how=won_by(view),
    )
    return Page(
        **shared,
        table=table,
        view=view,
        before=before,
        place=place,
        picked=picked,
        whole=query.get("all", ""),
        hand=due(table, place),
        changes=told if is_marked(query) else NOTHING,
    )
