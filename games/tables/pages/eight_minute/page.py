"""The table page of the Eight-Minute family as one value, with everything that its templates show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.boards.eight_minute.changes import NOTHING, Changes, Way, changes, trade, ways
from games.boards.eight_minute.describe import map_text
from games.boards.eight_minute.film import film
from games.boards.eight_minute.geometry import region_name
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import over_land
from games.boards.eight_minute.pieces import Marks, drawings
from games.boards.targets import Target
from games.boards.themes import shade_of
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.events import TokenSeen
from games.rules.eight_minute.state import BID, EXTRA, FIRST, LAY, NEUTRAL, OUTPOST, START, TOKENS
from games.rules.eight_minute.tokens import gifts
from games.rules.eight_minute.view import View
from games.tables.pages.eight_minute.by_hand import selecting
from games.tables.pages.eight_minute.choices import Offer, Picked, Taken, card_face, offers
from games.tables.pages.eight_minute.due import Due, due
from games.tables.pages.eight_minute.plan import kit, plan
from games.tables.pages.eight_minute.players import TIE_BREAKS, Find, PlayerPanel, Source, finds, player_panel, sources
from games.tables.pages.frame import Frame, aloud, frame, from_reader, winners_words
from games.tables.pages.history import is_marked
from games.tables.selectors.lines import LogLine, turn_lines
from games.tables.selectors.position import moments
from games.tables.selectors.table import Table


@dataclass(frozen=True)
class Board:
    """The layout text of the land's picture, the pieces on it as SVG, and while it is the reader's turn the `kit`."""

    land: str
    pieces: SafeString
    kit: dict[str, Any] | None


def board(table: Table, view: View, due: Due, picked: Picked, theme: str, *, marked: bool) -> Board:
    """Return the board. With `marked`, highlight what happened; during a draft only the paths of its armies."""
    chosen, targets = due.chosen.region if due.chosen else "", _targets(due, picked)
    if table.draft and table.seat:
        steps = [action.split(" ") for action in table.draft]
        paths = ways(Way(step[1], step[2], table.seat.number) for step in steps if step[0] == "move")
        marks = Marks(targets, chosen, changes=paths)
    elif marked:
        # After set-up by hand most of the map has changed, and marking all of it would tell nothing.
        changed = tuple(sorted(table.changed)) if 2 * len(table.changed) <= len(view.regions) else ()
        marks = Marks(targets, chosen, changed, happened(table))
    else:
        marks = Marks(targets, chosen)
    ink = "dark" if shade_of(theme) == "dark" else "light"  # the style sheet of the page has the palette
    drawn = over_land(view, marks, names=table.names, translate=_, theme=ink)
    # Drawings and the kit are sent before they are needed, because the answer with the first map is large without them.
    if view.setup and view.setup.places:
        drawn = drawn.replace("</desc>", f"</desc>{drawings(len(view.players), ink)}", 1)
    return Board(shown(view), mark_safe(drawn), kit(view) if due.is_mine else None)


def happened(table: Table) -> Changes:
    """Return new changes on the board, without the set-up, which would be everything."""
    if table.draft:
        return NOTHING
    return changes((event for line in table.fresh if line.seq for event in line.events), len(table.seats))


def played(table: Table, after: int) -> dict[str, Any]:
    """Return the film of what happened after this entry, as the reader may know it."""
    seat = table.seat.number if table.seat else None
    positions = moments(table.game, table.seats, seat, after, table.period.upto, table.entries)
    _entry, _event, view = next(positions)
    return film(view(), positions)


def _targets(due: Due, picked: Picked) -> dict[str, Target]:
    """Return what a tap does: on free places while boards are being placed, otherwise on regions."""
    if due.setup and due.setup.places:
        side = due.setup.side
        words = _("Place {board} here").format(board=due.setup.side_name) if side else _("Place a board here")
        return {
            place.id: Target(words, selecting(side=side, place=place.id) + "#hand", kind="choose")
            for place in due.setup.places
        }

    query = f"?token={picked.token}&" if picked.token else "?"
    targets = {}
    for spot in due.spots:
        select = f"{query}region={spot.region}#board"
        if spot.only:
            targets[spot.region] = Target(spot.only.full, select, spot.only.action)
        else:
            words = _("Choose what to do in {region}") if spot.here else _("Move from {region}")
            targets[spot.region] = Target(words.format(region=spot.name), select, kind="choose")
    if due.chosen:
        # A tap on a neighbor moves an army there, and a second tap on the region deselects it.
        for step in due.chosen.away:
            region = step.action.split(" ")[2]
            targets[region] = Target(step.full, f"{query}region={region}#board", step.action)
        words = _("{region}: deselect").format(region=due.chosen.name)
        targets[due.chosen.region] = Target(words, f"{query}#board", kind="cancel")
    return targets


# Headlines for the seat that has to act, and for everyone else. Those of normal turns are in `_headline`.
YOUR_TURN = {
    FIRST: gettext_noop("You won the bid: choose who goes first"),
    EXTRA: gettext_noop("You can take one more card"),
    LAY: gettext_noop("Set up the game: place the boards"),
    START: gettext_noop("Set up the game: choose the start region"),
    OUTPOST: gettext_noop("Set up the game: choose the overseas region"),
    TOKENS: gettext_noop("Set up the game: place the tokens"),
    NEUTRAL: gettext_noop("Place a third-color army"),
}
SETS_UP = gettext_noop("{player} is setting up the game")
OTHERS_TURN = {
    FIRST: gettext_noop("{player} is choosing who goes first"),
    EXTRA: gettext_noop("{player} can take one more card"),
    NEUTRAL: gettext_noop("{player} is placing a third-color army"),
    **dict.fromkeys((LAY, START, OUTPOST, TOKENS), SETS_UP),
}


@dataclass(frozen=True, kw_only=True)
class EightMinutePage(Frame):
    """The context of `tables/eight_minute/_table.html`.

    `row` holds the cards on offer when none can be taken now, `finds` the tokens on the map. `new_cards` recently came
    into the row, `taken` left it. `plan` is what the browser needs to lay out steps. `sources` is empty during set-up.
    """

    template = "tables/eight_minute/_table.html"
    result_template = "tables/eight_minute/_result.html"
    keys_template = "tables/eight_minute/_keys.html"
    styles = (
        "css/eight_minute/cards.css", "css/eight_minute/pieces.css", "css/eight_minute/setup.css",
        "css/eight_minute/steps.css",
    )  # fmt: skip
    scripts = ("js/eight_minute/steps.js",)

    view: View
    due: Due
    plan: dict[str, Any] | None
    board: Board
    row: tuple[Offer, ...]
    new_cards: frozenset[str]
    taken: list[Taken]
    deck: int
    purse: int
    players: list[PlayerPanel]
    sources: list[Source]
    finds: list[Find]
    edition: str

    @property
    def by_seat(self) -> list[PlayerPanel]:
        return sorted(self.players, key=lambda player: player.seat)

    @property
    def step_template(self) -> str:
        """The parts that a step changes; between turns, the whole table changes."""
        has_steps = self.due.kind in ("take", "steps", "sure", "complete", "setup")
        return "tables/eight_minute/_step.html" if has_steps else ""

    @property
    def has_goods(self) -> bool:
        """Whether cards give goods instead of powers."""
        return bool(edition(self.edition).goods)

    @property
    def keeps_cards(self) -> bool:
        """Whether the last step took and returned no card, so that the page has all cards already."""
        return ";" in self.laid

    @property
    def laid_cards(self) -> list[str]:
        """The cards that the draft takes."""
        return [step.removeprefix("take ") for step in self.laid.split(";") if step.startswith("take ")]

    @property
    def seen(self) -> list[Find]:
        """The face-down tokens that the reader has seen."""
        return [find for find in self.finds if find.face]

    @property
    def map_text(self) -> str:
        """The map as the tag `map_words` takes it; empty while boards are being placed."""
        return "" if self.view.setup and self.view.setup.places else map_text(self.view)

    @property
    def announcement(self) -> str:
        """The text for screen readers after each step."""
        is_midway = bool(self.due.steps) and self.due.kind in ("steps", "sure") and not self.lesson
        return self.alert or aloud([*([] if is_midway else self.spoken), *self.due.spoken])


def page(table: Table, *, now: datetime, theme: str, query: Mapping[str, str], alert: str = "") -> EightMinutePage:
    """Return the page of a started game. `query` is the reader's selection, see `Picked`."""
    assert table.view is not None and table.before is not None
    me, picked, marked = table.seat.number if table.seat else None, Picked.of(query), is_marked(query)
    view, before, names = table.view, table.before, table.names
    decision = due(table, picked)
    shared = frame(
        table, headline=_headline(before, view, names, me, table.turn_complete), over=before.over,
        tie_breaks=TIE_BREAKS, now=now, theme=theme, alert=alert, query=query, has_marks=bool(happened(table)),
        draw=played,
    )  # fmt: skip
    if shared["learned"]:
        shared["learned"] = learned_words(next(line for line in turn_lines(table.log)[::-1] if line.seat == me))
    # While the reader has a draft, cards that are new in the row are not marked.
    traded = trade(event for line in table.fresh for event in line.events if not table.draft)
    return EightMinutePage(
        **shared,
        view=view,
        due=decision,
        plan=plan(view, table.draft) if decision.kind == "steps" else None,
        board=board(table, view, decision, picked, theme, marked=marked),
        row=() if decision.offers or before.over else offers(view),
        new_cards=traded.drawn if marked else frozenset(),
        taken=[Taken(card_face(view, card), seat, names[seat]) for seat, card in traded.taken],
        deck=view.deck,
        purse=0 if me is None else view.players[me].coins,
        players=[player_panel(view, before, names, seat) for seat in from_reader(len(view.players), me)],
        sources=[] if view.setup else sources(view.edition, view.scoresheet),
        finds=finds(view, names),
        edition=view.edition,
    )


def learned_words(line: LogLine) -> list[str]:
    """Return what only the player learned from their turn, addressed to them: the tokens they looked at."""
    sentence = _("You looked at the token in {region}: {token}.")
    return [
        sentence.format(region=_(region_name(event.region)), token=_(gifts()[event.face].name))
        for event in line.events
        if isinstance(event, TokenSeen) and event.seat == line.seat and event.face
    ]


def _headline(before: View, view: View, names: Sequence[str], me: int | None, is_complete: bool) -> str:
    """Return the headline for the reader. `view` has their draft applied."""
    if before.over:
        return winners_words(before.scoresheet, names, me)
    if before.phase == BID:
        if me is None:
            return _("Waiting for bids")
        return _("Your turn: place your bid") if before.players[me].bid is None else _("Your bid is in")
    if not before.to_act:
        return _("The game is being set up")
    acting = before.to_act[0]
    if acting != me:
        return _(OTHERS_TURN.get(before.phase, gettext_noop("It is {player}’s turn"))).format(player=names[acting])
    if is_complete:
        return (
            _("Your part of the setup is done: confirm your choices")
            if before.setup
            else _("Your turn: confirm your moves")
        )
    if view.phase in YOUR_TURN:
        return _(YOUR_TURN[view.phase])
    return _("Your turn: play your card") if view.taken else _("Your turn: take a card")
