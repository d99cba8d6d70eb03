"""The table page of Kingdoms as one value. Parts that a fragment does not show are not computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from games.boards.kingdoms.changes import NOTHING, Changes, changes
from games.boards.kingdoms.film import film
from games.rules.kingdoms import events as e
from games.rules.kingdoms.state import DEFEND
from games.rules.kingdoms.view import View
from games.tables.pages.frame import Frame, aloud, frame, from_reader
from games.tables.pages.history import is_marked
from games.tables.pages.kingdoms.cards import MyHand, Ways, helper
from games.tables.pages.kingdoms.due import Due, due
from games.tables.pages.kingdoms.middle import Middle, Scene, Ware, middle, scene
from games.tables.pages.kingdoms.offers import flop_choices
from games.tables.pages.kingdoms.pictures import picture
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
from games.tables.pages.kingdoms.reader import Picked, SeatedReader
from games.tables.pages.kingdoms.words import course, headline, hero, named, soon_won, won_by
from games.tables.selectors.lines import LogLine, turn_lines
from games.tables.selectors.options import Order, orders_of
from games.tables.selectors.position import moments
from games.tables.selectors.table import Table

GAINS = (e.CardDrawn, e.FlopDrawn, e.CardPicked, e.TributeTaken, e.CardStolen, e.HeroRecovered, e.HeroTurned)


@dataclass(frozen=True, kw_only=True)
class KingdomsPage(Frame):
    """The context of `tables/kingdoms/_table.html`. `reader` is None for spectators; `changes` are highlighted.

    `learned_in_dock`: what only the reader learned from their last action, if the dock tells it rather than the
    heading.
    """

    template = "tables/kingdoms/_table.html"
    result_template = "tables/kingdoms/_result.html"
    keys_template = "tables/kingdoms/_keys.html"
    styles = ("css/kingdoms/cards.css", "css/kingdoms/table.css")
    scripts = ("js/kingdoms/table.js",)
    parts = {
        **Frame.parts, "hand": "tables/kingdoms/_dock.html", "cards": "tables/kingdoms/_cards.html",
        "helper": "tables/kingdoms/_helper.html", "burn-pile": "tables/kingdoms/_burnt.html",
        "in-words": "tables/kingdoms/_in_words.html",
    }  # fmt: skip

    table: Table
    view: View
    before: View
    reader: SeatedReader | None
    picked: Picked
    whole: str
    due: Due
    learned_in_dock: list[str]
    changes: Changes

    @property
    def step_template(self) -> str:
        """The parts that a step or a selection changes; between decisions, the whole table changes."""
        return "tables/kingdoms/_step.html" if self.due.is_mine else ""

    @property
    def scrolls_to_top(self) -> bool:
        is_from_flop = self.middle.is_asked and not any(
            isinstance(event, e.FlopDrawn) for line in turn_lines(self.table.log)[-1:] for event in line.events
        )
        return self.due.is_mine and not self.table.draft and (bool(self.due.looked) or is_from_flop)

    @property
    def announcement(self) -> str:
        """The text for screen readers after each step."""
        is_midway = bool(self.due.steps) and self.due.kind != "complete" and not self.lesson
        return self.alert or aloud([*([] if is_midway else self.spoken), *self.learned_in_dock, *self.due.spoken])

    @property
    def course(self) -> str:
        return course(self.view)

    @property
    def soon_won(self) -> str:
        return soon_won(self.view, self.table.names)

    @property
    def whispers(self) -> bool:
        """Whether the reader can send private messages here."""
        return self.me is not None and self.game.rules.lets_whisper(self.view.options)

    @cached_property
    def battle(self) -> Scene | None:
        return scene(self.view, self.table.log, self.table.names, self.table.period)

    @property
    def has_battle_last(self) -> bool:
        """Whether the reader needs their cards first, and the battle comes below them: after it, or to defend."""
        if self.battle is None or self.cards is None or not self.due.is_mine:
            return False
        return self.battle.is_over or self.before.phase == DEFEND

    @cached_property
    def realm(self) -> Realm:
        return realm(self.view, self.table.names, self.due, self.changes)

    @cached_property
    def middle(self) -> Middle:
        choices = {} if self.due.sure else flop_choices(self.reader)
        can_pick = self.reader is not None and self.due.kind in ("turn", "wait") and not self.due.sure
        return middle(self.view, self.picked.words, choices, can_pick, self.changes, self.table.names)

    @property
    def looked(self) -> list[Ware]:
        """The hand that a spy looks at, with cards to take."""
        return [Ware(choice.action.rpartition(" ")[2], "", False, choice) for choice in self.due.looked]

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
        own_last = [line for line in turn_lines(self.table.log) if line.seat == self.me][-1:]
        gained: set[str] = set()
        for line in self.table.log:
            for event in line.events if line.new or line in own_last else ():
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
    def seats_with_details(self) -> frozenset[int]:
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


def page(table: Table, *, now: datetime, theme: str, query: Mapping[str, str], alert: str = "") -> KingdomsPage:
    """Return the page of a started game. `query` is the reader's selection, see `Picked`."""
    assert table.view is not None and table.before is not None
    view, before, picked = table.view, table.before, Picked.of(query)
    reader = SeatedReader(view, table.seat.number, table.names, table.draft, picked) if table.seat else None
    # Nothing is new during a draft, and nothing of the deal.
    changed = changes(event for line in table.fresh if line.seq and not table.draft for event in line.events)
    shared = frame(
        table,
        headline=headline(before, view, table.names, reader.seat if reader else None, table.turn_complete),
        over=before.over,
        tie_breaks=TIE_BREAKS,
        now=now,
        theme=theme,
        alert=alert,
        query=query,
        has_marks=bool(changed),
        draw=played,
        how=won_by(view),
    )
    decision, learned_in_dock = due(table, reader), []
    counting_lines = turn_lines(table.log)
    own_last = [line for line in counting_lines if table.seat and line.seat == table.seat.number][-1:]
    if shared["learned"]:
        shared["learned"] = learned_words(own_last[0], table.names)
    if decision.is_mine and own_last and own_last == counting_lines[-1:]:
        # The dock tells it, because it is always in sight and nothing else moves; but not once something is laid out.
        learned_in_dock, shared["learned"] = [] if table.draft else learned_words(own_last[0], table.names), []
    if shared["film"] and shared["since"]:  # the film tells it; the list would push the cards below the screen
        shared["since"] = replace(shared["since"], is_unfolded=False)
    return KingdomsPage(
        **shared,
        table=table,
        view=view,
        before=before,
        reader=reader,
        picked=picked,
        whole=query.get("all", ""),
        due=decision,
        learned_in_dock=learned_in_dock,
        changes=changed if is_marked(query) else NOTHING,
    )


def played(table: Table, after: int) -> dict[str, Any]:
    """Return the film of what happened after this entry, as the reader may know it."""
    seat = table.seat.number if table.seat else None
    positions = moments(table.game, table.seats, seat, after, table.period.upto, table.entries)
    _entry, _event, view = next(positions)
    return film(view(), positions, names=table.names, face=picture, translate=_)


def learned_words(line: LogLine, names: Sequence[str]) -> list[str]:
    """Return what only the player learned from their action, addressed to them: the cards they drew, took and gave.

    Troops are left out: the player chose them, the battle shows them, and soon everyone sees them.
    """
    drawn = [event.card for event in line.events if isinstance(event, e.CardDrawn) and event.card]
    sentences = [_("You drew {cards}.").format(cards=named(drawn))] if drawn else []
    for event in line.events:
        match event:
            case e.CardPicked(seat, other, card) | e.TributeTaken(seat, other, card) | e.CardStolen(seat, other, card):
                if seat == line.seat and card:
                    sentences.append(_("You took {card} from {player}.").format(card=hero(card), player=names[other]))
            case e.Given(seat, other, _count, cards) if seat == line.seat and cards:
                sentences.append(_("You gave {cards} to {player}.").format(cards=named(cards), player=names[other]))
    return sentences
