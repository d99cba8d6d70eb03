"""The map of the page: the land, the pieces, highlighted changes, and tap targets."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.eight_minute.changes import NOTHING, Changes, Way, changes, ways
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import over_land
from games.boards.eight_minute.pieces import Marks, Target
from games.rules.eight_minute.view import View
from games.tables.pages.eight_minute.by_hand import place_query
from games.tables.pages.eight_minute.choices import Picked, Tap, taps
from games.tables.pages.eight_minute.hand import Hand
from games.tables.selectors.table import Table


@dataclass(frozen=True)
class Board:
    """The layout text of the land's picture, and the pieces as SVG on top of it."""

    land: str
    pieces: SafeString


def board(table: Table, view: View, due: Hand, picked: Picked, theme: str, *, marked: bool = True) -> Board:
    """Return the board. With `marked`, highlight what happened."""
    ink = "dark" if theme == "dark" else "light"
    drawn = over_land(view, _marks(table, view, due, picked, marked), names=table.names, translate=_, theme=ink)
    return Board(shown(view), mark_safe(drawn))


def _marks(table: Table, view: View, due: Hand, picked: Picked, marked: bool) -> Marks:
    """Return tap targets and highlights; during a draft only the paths of its armies."""
    chosen = due.chosen.region if due.chosen else ""
    targets = _places(due) if due.setup and due.setup.places else _regions(due, chosen, picked)
    if table.draft and table.seat:
        return Marks(targets, chosen, changes=ways(_steps(table.draft, table.seat.number)))
    return Marks(targets, chosen, _changed(table, view), happened(table)) if marked else Marks(targets, chosen)


def happened(table: Table) -> Changes:
    """Return new changes on the board, without the set-up, which would be everything."""
    if table.draft:
        return NOTHING
    return changes((event for line in table.fresh if line.seq for event in line.events), len(table.seats))


def _changed(table: Table, view: View) -> tuple[str, ...]:
    """Return the changed regions, unless that is most of the map, as after set-up by hand."""
    return tuple(sorted(table.changed)) if 2 * len(table.changed) <= len(view.regions) else ()


def _places(due: Hand) -> dict[str, Target]:
    """Return tap targets for free places while boards are being placed."""
    assert due.setup is not None
    words = _("Place {board} here").format(board=due.setup.side_name) if due.setup.side else _("Place a board here")
    return {
        place.id: Target(words, place_query(due.setup.side, place.id) + "#hand", kind="choose")
        for place in due.setup.places
    }


def _regions(due: Hand, chosen: str, picked: Picked) -> dict[str, Target]:
    live = taps({spot.region: spot for spot in due.spots}, chosen)
    return {
        region: Target(tap.words, _tap_url(region, tap, picked), tap.action, tap.kind) for region, tap in live.items()
    }


def _tap_url(region: str, tap: Tap, picked: Picked) -> str:
    kept = f"token={picked.token}&" if picked.token else ""
    return f"?{kept}#board" if tap.kind == "cancel" else f"?{kept}region={region}#board"


def _steps(actions: Iterable[str], seat: int) -> Iterator[Way]:
    """Yield the moves among the steps of a turn."""
    for verb, *rest in (action.split(" ") for action in actions):
        if verb == "move":
            yield Way(rest[0], rest[1], seat)
