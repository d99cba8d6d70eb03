"""The speed of rules and bots, compared to python-chess in the same run."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.fairness import Quick
from games.rules.log import fold
from games.rules.play import apply, begin
from games.rules.protocol import Ruleset, SeatInfo
from games.rules.registry import get
from tests.bench import Rate, Row, Time, ms, rate, timed, times

BUDGET = "700 games/s, 100,000 steps/s"
KINGDOMS_BUDGET = "half of Legends, 50,000 steps/s"
CHESS_PLIES = 200  # longer random games are abandoned


class Case(NamedTuple):
    """A kind of table to measure."""

    name: str
    slug: str
    players: int
    options: Mapping[str, Any]

    @property
    def ruleset(self) -> Ruleset:
        return get(self.slug)


def everything(slug: str) -> Mapping[str, Any]:
    """Return the options of the preset with the most options."""
    return max((preset.options for preset in get(slug).presets), key=len)


def cases() -> list[Case]:
    """Return kinds of tables of the whole family, except plain Legends."""
    full = everything("legends")
    return [
        Case("Legends, 4 players, every variant", "legends", 4, full),
        Case("Legends, 4 players, every variant, set up by hand", "legends", 4, {**full, "setup": "by-hand"}),
        Case("Prototype, 4 players, with its tokens", "prototype", 4, everything("prototype")),
        Case("Classic, 5 players, with goods tokens", "classic", 5, everything("classic")),
    ]


def rows(seconds: float) -> Iterator[Row]:
    chess = rate(random_chess, seconds)
    yield Row("python-chess, random play", f"{chess.games:.0f} games/s, {chess.steps:,.0f} plies/s")
    plain = chess
    for players in get("legends").seat_counts:
        plain = speed(Case("", "legends", players, {}), seconds)
        measured = f"{speeds(plain)} ({plain.steps / chess.steps:.1f} × chess)"
        yield Row(f"Legends, {players} players, random play", measured, BUDGET * (players == 4))
    for case in cases():
        pace = speed(case, seconds)
        measured = f"{speeds(pace)} ({pace.steps / plain.steps:.2f} × plain)"
        yield Row(f"{case.name}, random play", measured, BUDGET * (case.options == everything("legends")))
    pace = speed(Case("", "kingdoms", 4, {}), seconds)
    measured = f"{speeds(pace)} ({pace.steps / plain.steps:.2f} × Legends, {pace.steps / chess.steps:.1f} × chess)"
    yield Row("Kingdoms, 4 players, random play", measured, KINGDOMS_BUDGET)
    for case in (Case("Legends, 4 players", "legends", 4, {}), *cases()[:1]):
        yield Row(f"Fold of a finished log: {case.name}", ms(fold_times(case)), "3 ms")
        turns = greedy_turns(case)
        yield Row(f"Turn of Medium: {case.name}", f"{ms(turns)}, slowest {max(turns).wall:.0f} ms", "100 ms")


def speed(case: Case, seconds: float) -> Rate:
    return rate(lambda number: random_game(case.ruleset, case.players, number, case.options), seconds)


def speeds(pace: Rate) -> str:
    return f"{pace.games:.0f} games/s, {pace.steps:,.0f} steps/s"


def random_game(ruleset: Ruleset, players: int, number: int, chosen: Mapping[str, Any] = {}) -> int:
    """Play a whole random game through the protocol. Return the number of decisions."""
    chance, seats = Quick(number), [SeatInfo()] * players
    state, _events = begin(ruleset, ruleset.options(chosen, players), seats, chance)
    steps = 0
    while waiting := ruleset.to_act(state):
        ruleset.advance(state, waiting[0], ruleset.random_action(state, waiting[0], chance), chance)
        steps += 1
    return steps


def random_chess(number: int) -> int:
    """Play a random game of python-chess, whose speed is well known. Return the number of plies."""
    import chess

    board, random = chess.Board(), Random(number)
    while not board.is_game_over() and board.ply() < CHESS_PLIES:
        board.push(random.choice(list(board.legal_moves)))
    return board.ply()


def fold_times(case: Case) -> list[Time]:
    ruleset = case.ruleset
    game = Table(ruleset, case.options, [BOTS["random"]] * case.players, seed_of("bench", 0)).play()
    options, seats = ruleset.options(case.options, case.players), [SeatInfo(bot=True)] * case.players
    return times(lambda: fold(ruleset, ruleset.initial(options, seats), game.record.entries), 50)


def greedy_turns(case: Case) -> list[Time]:
    """Time the turns of one game of Medium bots."""
    ruleset, bot, chance = case.ruleset, BOTS["medium"], Quick(1)
    taken: list[Time] = []
    options, seats = ruleset.options(case.options, case.players), [SeatInfo(bot=True)] * case.players
    state, _events = begin(ruleset, options, seats, chance)
    while waiting := ruleset.to_act(state):
        texts: list[str] = []
        view = ruleset.view(state, waiting[0])
        taken.append(timed(lambda view=view, texts=texts: texts.extend(play_turn(ruleset, view, bot, chance))))  # type: ignore[misc]
        apply(ruleset, state, waiting[0], map(ruleset.parse, texts), chance)
    return taken
