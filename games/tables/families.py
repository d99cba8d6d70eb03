"""What the table needs from each family of games. `games.families` registers it at start-up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from games.rules.protocol import Ruleset

if TYPE_CHECKING:
    from games.tables.pages.frame import Frame


@dataclass(frozen=True)
class TableParts:
    """A family's part of the table.

    `page` builds the page of a started game. `advice` tells a player in short sentences to take the actions of a turn,
    from their view and the names of the seats. `gives_up` tells in words what an action gives up that could still be
    used, from the view before it; empty if nothing. `remembered` are preferences on this page that are kept in cookies,
    with their possible values. `reveals` are the types of events that always show someone something hidden: a turn with
    one can't be undone freely. `region_name` names a region or board in the log. `miniature` draws a position as SVG.
    """

    page: "Callable[..., Frame]"
    advice: Callable[[Any, Sequence[str], Sequence[str]], list[str]]
    gives_up: Callable[[Any, str], str]
    reveals: tuple[type, ...]
    remembered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    region_name: Callable[[str], str] = str
    miniature: Callable[[Any], str] = lambda view: '<svg xmlns="http://www.w3.org/2000/svg"/>'


PARTS: dict[str, TableParts] = {}


def parts_of(ruleset: Ruleset) -> TableParts:
    """Return what the ruleset's family brings to the table."""
    return PARTS[ruleset.family]
