"""The map of the page: the land, the pieces, highlighted changes, and tap targets."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.eight_minute.changes import NOTHING, Changes, Way, changes, ways
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import over_land
from games.boards.eight_minute.pieces import Marks, Target
from games.rules.eight_minute.view import View
from games.tables.pages.eight_minute.by_hand import selecting
from games.tables.pages.eight_minute.choices import Picked
from games.tables.pages.eight_minute.hand import Hand
from games.tables.selectors.table import Table


@dataclass(frozen=True)
class Board:
    """The layout text of the land's picture, and the pieces as SVG on top of it."""

    land: str
    pieces: SafeString


def board(table: Table, view: View, due: Hand, picked: Picked, theme: str, *, marked: bool) -> Board:
    """Return the board. With `marked`, highlight what happened; during a draft only the paths of its armies."""
    chosen, targets = due.chosen.region if due.chosen else "", _targets(due, picked)
    if table.draft and table.seat:
        steps = [action.split(" ") for action in table.draft]
        paths = ways(Way(step[1], step[2], table.seat.number) for step in steps if step[0] == "move")
        marks = Marks(targets, chosen, changes=paths)
    elif marked:
        # After set-up by hand most of the map has changed, so that marking the regions would tell nothing.
        changed = tuple(sorted(table.changed)) if 2 * len(table.changed) <= len(view.regions) else ()
        marks = Marks(targets, chosen, changed, happened(table))
    else:
        marks = Marks(targets, chosen)
    drawn = over_land(view, marks, names=table.names, translate=_, theme="dark" if theme == "dark" else "light")
    return Board(shown(view), mark_safe(drawn))


def happened(table: Table) -> Changes:
    """Return new changes on the board, without the set-up, which would be everything."""
    if table.draft:
        return NOTHING
    return changes((event for line in table.fresh if line.seq for event in line.events), len(table.seats))


def _targets(due: Hand, picked: Picked) -> dict[str, Target]:
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
