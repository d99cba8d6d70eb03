"""How fast rules and bots are, with python-chess beside them in the same run."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.bots.turn import play_turn
from games.management.measures import Row, Time, ms, rate, timed, times
from games.rules.fairness import Quick
from games.rules.log import fold
from games.rules.protocol import Ruleset, SeatInfo
from games.rules.registry import get

CHESS_PLIES = 200  # a game that random play has not ended by then is left


def rows(seconds: float) -> Iterator[Row]:
    chess = rate(random_chess, seconds)
    yield Row("python-chess, random play", f"{chess.games:.0f} games/s, {chess.steps:,.0f} plies/s")
    legends = get("legends")
    for players in legends.seat_counts:
        speed = rate(lambda number, n=players: random_game(legends, n, number), seconds)  # type: ignore[misc]
        measured = f"{speed.games:.0f} games/s, {speed.steps:,.0f} steps/s ({speed.steps / chess.steps:.1f} × chess)"
        yield Row(f"Legends, {players} players, random play", measured, "700 games/s, 100,000 steps/s" * (players == 4))
    full = next(preset.options for preset in legends.presets if preset.slug == "everything")
    speed = rate(lambda number: random_game(legends, 4, number, full), seconds)
    measured = f"{speed.games:.0f} games/s, {speed.steps:,.0f} steps/s"
    yield Row("Legends, 4 players, every variant, random play", measured, "700 games/s, 100,000 steps/s")
    yield Row("Fold of a finished log, 4 players", ms(fold_times(legends)), "3 ms")
    turns = greedy_turns(legends)
    yield Row("Turn of the greedy bot", f"{ms(turns)}, slowest {max(turns).wall:.0f} ms", "100 ms")


def random_game(ruleset: Ruleset, players: int, number: int, chosen: Mapping[str, Any] = {}) -> int:
    """A whole random game through the protocol; returns how many decisions it took."""
    chance, seats = Quick(number), [SeatInfo()] * players
    options = ruleset.options(chosen, players)
    state = ruleset.initial(options, seats)
    for event in ruleset.start(options, seats, chance):
        ruleset.evolve(state, event)
    steps = 0
    while waiting := ruleset.to_act(state):
        actions = ruleset.legal(state, waiting[0])
        action = actions[chance.below(len(actions))]
        for event in ruleset.decide(state, waiting[0], action, chance):
            ruleset.evolve(state, event)
        steps += 1
    return steps


def random_chess(number: int) -> int:
    """A random game of python-chess, the peer whose speed people know."""
    import chess

    board, random = chess.Board(), Random(number)
    while not board.is_game_over() and board.ply() < CHESS_PLIES:
        board.push(random.choice(list(board.legal_moves)))
    return board.ply()


def fold_times(ruleset: Ruleset) -> list[Time]:
    game = Table(ruleset, {}, [BOTS["random"]] * max(ruleset.seat_counts), seed_of("bench", 0)).play()
    options, seats = ruleset.options({}, len(game.record.seats)), [SeatInfo(bot=True)] * len(game.record.seats)
    return times(lambda: fold(ruleset, ruleset.initial(options, seats), game.record.entries), 50)


def greedy_turns(ruleset: Ruleset) -> list[Time]:
    """The turns of one game of greedy bots."""
    bot, chance = BOTS["greedy"], Quick(1)
    taken: list[Time] = []
    seats = [SeatInfo(bot=True)] * max(ruleset.seat_counts)
    options = ruleset.options({}, len(seats))
    state = ruleset.initial(options, seats)
    for event in ruleset.start(options, seats, chance):
        ruleset.evolve(state, event)
    while waiting := ruleset.to_act(state):
        texts: list[str] = []
        view = ruleset.view(state, waiting[0])
        taken.append(timed(lambda view=view, texts=texts: texts.extend(play_turn(ruleset, view, bot, chance))))  # type: ignore[misc]
        for text in texts:
            for event in ruleset.decide(state, waiting[0], ruleset.parse(text), chance):
                ruleset.evolve(state, event)
    return taken
