"""How long it takes to draw a board in the middle of a game."""

from collections.abc import Iterator

from games.boards.land import land
from games.boards.picture import picture
from games.boards.pieces import pieces
from games.boards.png import board_png
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.management.measures import Row, ms, times
from games.rules.empire.view import View
from games.rules.log import fold
from games.rules.registry import get

WIDTH = 480  # of the picture in a mail, in pixels


def rows(seconds: float) -> Iterator[Row]:
    shown = view()
    n = max(5, int(seconds * 10))
    yield Row("Board as SVG: the pieces that travel", ms(times(lambda: pieces(shown), n)), "5 ms")
    yield Row("Board as SVG: the land, the first time", ms(times(lambda: land_anew(shown.layout), n)))
    yield Row("Board as SVG: land and pieces", ms(times(lambda: picture(shown), n)), "5 ms")
    yield Row(f"Board as PNG, {WIDTH} pixels wide", ms(times(lambda: board_png(shown, WIDTH), n)), "150 ms")


def land_anew(layout: str) -> str:
    land.cache_clear()
    return land(layout, "light")


def view() -> View:
    """The table of four greedy bots after two thirds of their game."""
    legends = get("legends")
    record = Table(legends, {}, [BOTS["greedy"]] * 4, seed_of("bench", 0)).play().record
    seats = [seat.info for seat in record.seats]
    state = legends.initial(legends.options(record.options, len(seats)), seats)
    middle: View = legends.view(fold(legends, state, record.entries[: len(record.entries) * 2 // 3]), 0)
    return middle
