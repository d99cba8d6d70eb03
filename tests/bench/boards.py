"""The time to draw a board in the middle of a game."""

from collections.abc import Iterator

from games.boards.eight_minute import lying
from games.boards.eight_minute.changes import changes
from games.boards.eight_minute.land import land, worded
from games.boards.eight_minute.picture import picture
from games.boards.eight_minute.pieces import NO_MARKS, Marks, pieces
from games.boards.eight_minute.png import board_png
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.eight_minute.view import View
from games.rules.log import Entry, facts, fold
from games.rules.protocol import Ruleset, State
from games.rules.registry import get
from tests.bench import Row, ms, times
from tests.bench.rules import everything

WIDTH = 480  # pixels, as in emails


def rows(seconds: float) -> Iterator[Row]:
    shown, marked = view("legends", 4), marks("legends", 4)
    n = max(5, int(seconds * 10))
    yield Row("Board as SVG: the pieces that travel", ms(times(lambda: pieces(shown), n)), "5 ms")
    yield Row(
        "Board as SVG: with the marks of the last four turns", ms(times(lambda: pieces(shown, marked), n)), "5 ms"
    )
    yield Row("Board as SVG: the land, the first time", ms(times(lambda: uncached_land(lying.shown(shown)), n)))
    yield Row("Board as SVG: land and pieces", ms(times(lambda: picture(shown), n)), "5 ms")
    yield png_row("Legends", shown, n)
    yield png_row("Legends, with marks", shown, n, marked)
    yield png_row("Legends, a rectangle with every variant", view("legends", 4, layout="rectangle"), n)
    yield png_row("Prototype, three boards in a row", view("prototype", 3, layout="row"), n)
    yield png_row("Classic, five players", view("classic", 5), n)


def png_row(name: str, shown: View, n: int, marked: Marks = NO_MARKS) -> Row:
    taken = times(lambda: board_png(shown, WIDTH, marks=marked), n)
    return Row(f"Board as PNG, {WIDTH} pixels wide: {name}", ms(taken), "150 ms")


def uncached_land(layout: str) -> str:
    worded.cache_clear()
    return land(layout, "light")


def view(slug: str, players: int, **layout: str) -> View:
    """Return the view of a game of greedy bots after two thirds. With a layout, all variants are on."""
    ruleset, state, _last = middle(slug, players, **layout)
    shown: View = ruleset.view(state, 0)
    return shown


def marks(slug: str, players: int) -> Marks:
    """Return marks for the last four turns before that position."""
    ruleset, _state, last = middle(slug, players)
    told = [event for entry in last for event in facts(ruleset, entry)]
    return Marks(changes=changes(told, players))


def middle(slug: str, players: int, **layout: str) -> tuple[Ruleset, State, list[Entry]]:
    """Return the position after two thirds of a game, and the last four entries before it."""
    ruleset = get(slug)
    options = {**everything(slug), **layout} if layout else {}
    record = Table(ruleset, options, [BOTS["medium"]] * players, seed_of("bench", 0)).play().record
    seats = [seat.info for seat in record.seats]
    played = record.entries[: len(record.entries) * 2 // 3]
    state = ruleset.initial(ruleset.options(record.options, len(seats)), seats)
    return ruleset, fold(ruleset, state, played), list(played[-4:])
