"""Whole games of bots without a database: to measure rules and bots, and to make records of games."""

import json
from argparse import ArgumentTypeError
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots.bot import BUDGET, Bot
from games.bots.registry import BOTS
from games.bots.selfplay import Simulated, Table, seed_of
from games.rules.protocol import IllegalAction, Ruleset, State
from games.rules.record import encode
from games.rules.registry import RULESETS


class Command(BaseCommand):
    help = "Plays whole games of bots without a database; prints how fast it went and how they scored."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", choices=RULESETS)
        parser.add_argument("--players", type=int, help="default: the most that the ruleset allows")
        parser.add_argument("--games", type=int, default=10)
        parser.add_argument("--seed", default="0", help="any text; the same text plays the same games")
        parser.add_argument("--options", type=options, default={}, metavar="JSON")
        parser.add_argument("--bots", type=bots, default=[BOTS["random"]], help="for the seats in turn: random,greedy")
        parser.add_argument("--budget", type=int, default=BUDGET, help="positions that a bot may look at in a turn")
        parser.add_argument("--records", type=Path, metavar="DIR", help="write one record a game")
        parser.add_argument(
            "--legal", action="store_true", help="beside each record, all legal actions at each decision"
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        if chosen["legal"] and not chosen["records"]:
            raise CommandError("--legal needs --records DIR to write to.")
        ruleset = RULESETS[chosen["ruleset"]]
        started = perf_counter()
        try:
            games = [play(ruleset, chosen, number) for number in range(chosen["games"])]
        except IllegalAction as refusal:
            raise CommandError(str(refusal)) from None
        self.report(games, perf_counter() - started)

    def report(self, games: list[Simulated], seconds: float) -> None:
        steps = sum(game.steps for game in games)
        self.stdout.write(f"{len(games)} games, {steps} steps in {seconds:.2f} s")
        self.stdout.write(f"{len(games) / seconds:.1f} games/s, {steps / seconds:.0f} steps/s")
        for title, scores in (("seat", by_seat(games)), ("bot", by_bot(games))):
            for name, (points, wins) in sorted(scores.items()):
                self.stdout.write(f"{title} {name}: {fmean(points):.2f} points, first in {fmean(wins):.1%}")


def play(ruleset: Ruleset, chosen: dict[str, Any], number: int) -> Simulated:
    """One game of the series, written down if that is asked for."""
    players, series = chosen["players"] or max(ruleset.seat_counts), chosen["seed"]
    table = Table(ruleset, chosen["options"], seating(chosen["bots"], players, number), seed_of(series, number))
    decisions: list[dict[str, Any]] = []

    def listener(*told: Any) -> None:
        decisions.append(decision(ruleset, *told))

    game = table.play(chosen["budget"], listener if chosen["legal"] else None)
    if chosen["records"]:
        write(chosen["records"] / f"{ruleset.slug}-{players}-{series}-{number:04}", game, decisions)
    return game


def options(text: str) -> dict[str, Any]:
    try:
        chosen = json.loads(text)
    except ValueError as wrong:
        raise ArgumentTypeError(f"this is not JSON: {wrong}") from None
    if not isinstance(chosen, dict):
        raise ArgumentTypeError('options are a JSON object, as in {"setter": 1}')
    return chosen


def bots(text: str) -> list[Bot]:
    unknown = set(text.split(",")) - set(BOTS)
    if unknown:
        raise ArgumentTypeError(f"there is no bot {', '.join(sorted(unknown))}; there are {', '.join(BOTS)}")
    return [BOTS[slug] for slug in text.split(",")]


def seating(bots: list[Bot], players: int, number: int) -> list[Bot]:
    """The bots in the seats of one game; they move on by a seat each game, so that no seat favours one of them."""
    return [bots[(seat + number) % len(bots)] for seat in range(players)]


def decision(ruleset: Ruleset, seq: int, state: State, seat: int, action: str) -> dict[str, Any]:
    legal = [ruleset.text(one) for one in ruleset.legal(state, seat)]
    return {"seq": seq, "seat": seat, "legal": legal, "action": action}


def write(stem: Path, game: Simulated, decisions: list[dict[str, Any]]) -> None:
    """`NAME.json`, and with decisions `NAME.legal.jsonl`, one decision a line."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    stem.with_name(f"{stem.name}.json").write_bytes(encode(game.record))
    if decisions:
        lines = b"\n".join(map(msgspec.json.encode, decisions))
        stem.with_name(f"{stem.name}.legal.jsonl").write_bytes(lines + b"\n")


Scores = dict[str, tuple[list[int], list[bool]]]


def by_seat(games: Iterable[Simulated]) -> Scores:
    return _gathered((str(score.seat), score.total, score.place) for game in games for score in _scores(game))


def by_bot(games: Iterable[Simulated]) -> Scores:
    return _gathered(
        (game.record.seats[score.seat].bot, score.total, score.place) for game in games for score in _scores(game)
    )


def _scores(game: Simulated) -> Any:
    return game.record.scoresheet.seats if game.record.scoresheet else ()


def _gathered(results: Iterable[tuple[str, int, int]]) -> Scores:
    scores: Scores = defaultdict(lambda: ([], []))
    for name, total, place in results:
        scores[name][0].append(total)
        scores[name][1].append(place == 1)
    return scores
