"""The time to draw a board in the middle of a game."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time

from empire.disk_cache import DiskCache
from games.boards import sprites
from games.boards.eight_minute import lying
from games.boards.eight_minute.changes import NOTHING, Changes, changes
from games.boards.eight_minute.land import land, worded
from games.boards.eight_minute.picture import picture
from games.boards.eight_minute.pieces import Marks, pieces
from games.boards.eight_minute.png import LANDS, board
from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.cards import card_picture
from games.boards.kingdoms.realm import realm
from games.boards.sprites import MEGABYTE, PIXELS, jpeg
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.eight_minute.view import View
from games.rules.kingdoms.deck import deck
from games.rules.kingdoms.market import purchases
from games.rules.kingdoms.troops import troop_hands
from games.rules.kingdoms.view import BattleView, LaidView, WaveView
from games.rules.log import Entry, facts, fold
from games.rules.protocol import Ruleset, State
from games.rules.registry import get
from tests.bench import Row, ms, timed, times
from tests.bench.rules import everything

MOST = 256 * MEGABYTE  # of stored sprites


def rows(seconds: float) -> Iterator[Row]:
    shown, marked = view("legends", 4), marks("legends", 4)
    n = max(5, int(seconds * 10))
    yield Row("Board as SVG: the pieces that travel", ms(times(lambda: pieces(shown), n)), "5 ms")
    yield Row(
        "Board as SVG: with the marks of the last four turns", ms(times(lambda: pieces(shown, marked), n)), "5 ms"
    )
    yield Row("Board as SVG: the land, the first time", ms(times(lambda: uncached_land(lying.shown(shown)), n)), "5 ms")
    yield Row("Board as SVG: land and pieces", ms(times(lambda: picture(shown), n)), "5 ms")
    yield picture_row("Legends", shown, n)
    yield picture_row("Legends, with marks", shown, n, marked.changes)
    yield picture_row("Legends, a rectangle with every variant", view("legends", 4, layout="rectangle"), n)
    yield picture_row("Prototype, three boards in a row", view("prototype", 3, layout="row"), n)
    yield picture_row("Classic, five players", view("classic", 5), n)
    yield from kingdoms_rows(n)
    with TemporaryDirectory() as folder:
        yield from new_process_rows(Path(folder))
    with TemporaryDirectory() as folder:
        yield from many_games(10 * n, Path(folder))


def picture_row(name: str, shown: View, n: int, marked: Changes = NOTHING) -> Row:
    """Measure the picture of an email, with every sprite in memory, and again when its land has to be assembled."""

    def kept() -> bytes:
        return jpeg(board(shown, changes=marked))

    def land_assembled() -> bytes:
        LANDS.clear()
        return kept()

    whole, assembled = (median(time.own for time in times(draw, n)) for draw in (kept, land_assembled))
    measured = f"{whole:.1f} ms of processor, {assembled:.1f} if its land is new; {len(kept()) / 1000:.0f} KB"
    return Row(f"Board as JPEG: {name}", measured, "6 ms, 100 KB")


def kingdoms_rows(n: int) -> Iterator[Row]:
    """Measure the pictures of Kingdoms, and what is listed for a hand of 42 cards (K101)."""
    ruleset, state, _last = middle("kingdoms", 4)
    shown, cards = ruleset.view(state, 0), deck(1)
    hand, flop, names = cards[::2][:42], cards[1:40:4], ("Alice", "Bob", "Carol", "Dan")
    hands = LaidView(0, 3, tuple(cards[:3]), None, False), LaidView(1, 3, (), None, False)
    yield Row("Kingdoms as SVG: four players", ms(times(lambda: realm(shown, names), n)), "5 ms")
    battle = BattleView(0, 1, None, None, (WaveView(hands),))
    yield Row("Kingdoms as SVG: a battle", ms(times(lambda: battle_scene(battle, names=names), n)), "5 ms")
    pictures = ms(times(lambda: [card_picture(name) for name in cards[:40]], n))
    yield Row("Kingdoms as SVG: a hand of 40 cards", pictures, "5 ms")
    bought, laid = [timed(lambda: purchases(hand, flop))], [timed(lambda: troop_hands(hand))]
    yield Row("Kingdoms: purchases of a hand of 42 cards, listed for the first time", ms(bought), "500 ms")
    yield Row("Kingdoms: troop hands of a hand of 42 cards, listed for the first time", ms(laid), "500 ms")


def new_process_rows(folder: Path) -> Iterator[Row]:
    """Measure the first pictures of a process: two of one board, the second after the others' moves."""
    for stored in ("nothing is stored", "all sprites are stored"):
        program = f"from tests.bench.boards import first; first({str(folder)!r})"
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        first_one, second = done.stdout.split()
        measured = f"{first_one} ms of processor, the second one of its board {second}"
        yield Row(f"Board as JPEG: the first of a process, {stored}", measured)


def first(folder: str) -> None:
    """Print the processor time of the first two pictures of this process, with sprites in a folder."""
    sprites.keep_in(DiskCache(Path(folder), MOST))
    shown, marked = view("legends", 4), marks("legends", 4).changes
    for changed in (NOTHING, marked):
        began = process_time()
        jpeg(board(shown, changes=changed))
        print(f"{1000 * (process_time() - began):.1f}")


def many_games(games: int, folder: Path) -> Iterator[Row]:
    """Measure pictures of a stream of games as a worker draws them: each of another game, with marks."""
    ruleset = get("legends")
    drawn: list[tuple[View, Changes]] = []
    for game in range(games):
        players = 2 + game % 3
        record = Table(ruleset, {}, [BOTS["easy"]] * players, seed_of("stream", game)).play().record
        seats = [seat.info for seat in record.seats]
        played = record.entries[: len(record.entries) * (1 + game % 4) // 5]
        state = fold(ruleset, ruleset.initial(ruleset.options(record.options, len(seats)), seats), played)
        events = [event for entry in played[1 - players :] for event in facts(ruleset, entry)]
        drawn.append((ruleset.view(state, 0), changes(events, players)))
    sprites.keep_in(DiskCache(folder, MOST))
    costs, sizes = stream(drawn)
    label = f"{games} games one after the other"
    measured = f"{mean(costs[: games // 10]):.1f} ms of processor for the first tenth, {mean(costs[games // 2 :]):.1f}"
    yield Row(f"Boards as JPEG, {label}, nothing is stored", f"{measured} for the last half")
    measured = f"{mean(sizes) / 1000:.0f} KB on average, the largest {max(sizes) / 1000:.0f} KB"
    yield Row("Boards as JPEG: size", measured, "100 KB")
    most = PIXELS.most
    for megabytes in (4, 8, 16, 24, 32, 64):
        PIXELS.most = megabytes * MEGABYTE
        costs, _sizes = stream(drawn)
        again, _sizes = stream(drawn, forget=False)
        measured = f"{mean(costs):.1f} ms of processor for a new process, {mean(again):.1f} after that"
        yield Row(f"Boards as JPEG, {label}, all stored, {megabytes} MB of pixels", measured, "6 ms")
    PIXELS.most = most


def stream(drawn: list[tuple[View, Changes]], *, forget: bool = True) -> tuple[list[float], list[int]]:
    """Draw pictures, and return the processor time and the size of each."""
    costs, sizes = list[float](), list[int]()
    if forget:
        PIXELS.clear()
    LANDS.clear()
    for shown, marked in drawn:
        began = process_time()
        sizes.append(len(jpeg(board(shown, changes=marked))))
        costs.append(1000 * (process_time() - began))
    return costs, sizes


def uncached_land(layout: str) -> str:
    worded.cache_clear()
    return land(layout, "light")


def view(slug: str, players: int, **layout: str) -> View:
    """Return the view of a game of Medium bots after two thirds. With a layout, all variants are on."""
    ruleset, state, _last = middle(slug, players, **layout)
    shown: View = ruleset.view(state, 0)
    return shown


def marks(slug: str, players: int) -> Marks:
    """Return marks for the last four turns before that position."""
    ruleset, _state, last = middle(slug, players)
    events = [event for entry in last for event in facts(ruleset, entry)]
    return Marks(changes=changes(events, players))


def middle(slug: str, players: int, **layout: str) -> tuple[Ruleset, State, list[Entry]]:
    """Return the position after two thirds of a game, and the last four entries before it."""
    ruleset = get(slug)
    options = {**everything(slug), **layout} if layout else {}
    record = Table(ruleset, options, [BOTS["medium"]] * players, seed_of("bench", 0)).play().record
    seats = [seat.info for seat in record.seats]
    played = record.entries[: len(record.entries) * 2 // 3]
    state = ruleset.initial(ruleset.options(record.options, len(seats)), seats)
    return ruleset, fold(ruleset, state, played), list(played[-4:])
