"""The map of the page: the land, and over it what stands there, what is new and what a tap does where."""

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
    """The text of the land's picture, and the pieces as SVG laid over it."""

    land: str
    pieces: SafeString


def board(table: Table, view: View, due: Hand, picked: Picked, theme: str, *, marked: bool = True) -> Board:
    """`marked`: with the signs of what happened."""
    ink = "dark" if theme == "dark" else "light"
    drawn = over_land(view, _marks(table, view, due, picked, marked), names=table.names, translate=_, theme=ink)
    return Board(shown(view), mark_safe(drawn))


def _marks(table: Table, view: View, due: Hand, picked: Picked, marked: bool) -> Marks:
    """What a tap does where, and what happened; while a turn is being laid out nothing but the ways of its armies."""
    chosen = due.chosen.region if due.chosen else ""
    targets = _places(due) if due.setup and due.setup.places else _regions(due, chosen, picked)
    if table.draft and table.seat:
        return Marks(targets, chosen, changes=ways(_steps(table.draft, table.seat.number)))
    return Marks(targets, chosen, _changed(table, view), happened(table)) if marked else Marks(targets, chosen)


def happened(table: Table) -> Changes:
    """What the board tells anew; nothing of the set-up, which would be everything."""
    if table.draft:
        return NOTHING
    return changes((event for line in table.fresh if line.seq for event in line.events), len(table.seats))


def _changed(table: Table, view: View) -> tuple[str, ...]:
    """What is new, unless that is most of the map, as behind a set-up by hand: a mark everywhere marks nothing."""
    return tuple(sorted(table.changed)) if 2 * len(table.changed) <= len(view.regions) else ()


def _places(due: Hand) -> dict[str, Target]:
    """The free places of a table whose boards are being laid."""
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
    """The moves among the steps of a turn."""
    for verb, *rest in (action.split(" ") for action in actions):
        if verb == "move":
            yield Way(rest[0], rest[1], seat)
