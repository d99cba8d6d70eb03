"""Whole games between bots without a database, to measure rules and bots and to create records."""

import json
from argparse import ArgumentTypeError
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
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
    help = "Play whole games between bots without a database, and print speed and scores."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", choices=RULESETS)
        parser.add_argument("--players", type=int, help="default: the maximum of the ruleset")
        parser.add_argument("--games", type=int, default=10)
        parser.add_argument("--seed", default="0", help="any text; the same text gives the same games")
        parser.add_argument("--options", type=options, default={}, metavar="JSON")
        parser.add_argument(
            "--bots", type=bots, default=[BOTS["random"]], help="comma-separated, for the seats in order: random,greedy"
        )
        parser.add_argument("--budget", type=int, default=BUDGET, help="positions a bot may examine per turn")
        parser.add_argument("--records", type=Path, metavar="DIR", help="write one record per game")
        parser.add_argument(
            "--tally",
            action="append",
            default=[],
            metavar="KIND.FIELD",
            help="the field of each game's last event of that kind: percentiles of numbers, shares of words",
        )
        parser.add_argument(
            "--count",
            action="append",
            default=[],
            metavar="KIND",
            help="the average number of events of that kind per game",
        )
        parser.add_argument(
            "--first",
            metavar="KIND",
            help="scores by distance from the starting seat, the seat of a game's first event of that kind",
        )
        parser.add_argument(
            "--legal", action="store_true", help="also write all legal actions at each decision, next to each record"
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
        for name in chosen["tally"]:
            self.stdout.write(f"{name}: {tally(games, *name.split('.', 1))}")
        if chosen["first"]:
            self.told("begins +", by_order(games, chosen["first"]))
        for kind in chosen["count"]:
            self.stdout.write(f"{kind}: {fmean(count(game, kind) for game in games):.1f} a game")

    def report(self, games: list[Simulated], seconds: float) -> None:
        steps = sum(game.steps for game in games)
        self.stdout.write(f"{len(games)} games, {steps} steps in {seconds:.2f} s")
        self.stdout.write(f"{len(games) / seconds:.1f} games/s, {steps / seconds:.0f} steps/s")
        waits, replies = fmean(game.waits for game in games), fmean(game.replies for game in games)
        self.stdout.write(f"waits for somebody new: {waits:.1f} a game, {replies:.1f} of them outside their turn")
        self.stdout.write(f"first place shared in {fmean(map(is_shared, games)):.1%}")
        self.told("seat ", by_seat(games))
        self.told("bot ", by_bot(games))

    def told(self, title: str, scores: "Scores") -> None:
        for name, (points, wins) in sorted(scores.items()):
            self.stdout.write(f"{title}{name}: {fmean(points):.2f} points, first in {fmean(wins):.1%}")


def play(ruleset: Ruleset, chosen: dict[str, Any], number: int) -> Simulated:
    """Play one game of the series, and write its record if requested."""
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
        raise ArgumentTypeError(f"not valid JSON: {wrong}") from None
    if not isinstance(chosen, dict):
        raise ArgumentTypeError('options must be a JSON object, such as {"setter": 1}')
    return chosen


def bots(text: str) -> list[Bot]:
    unknown = set(text.split(",")) - set(BOTS)
    if unknown:
        raise ArgumentTypeError(f"unknown bot {', '.join(sorted(unknown))}; choose from {', '.join(BOTS)}")
    return [BOTS[slug] for slug in text.split(",")]


def seating(bots: list[Bot], players: int, number: int) -> list[Bot]:
    """Return the bots by seat for one game, rotated by one each game so that no seat favours a bot."""
    return [bots[(seat + number) % len(bots)] for seat in range(players)]


def decision(ruleset: Ruleset, seq: int, state: State, seat: int, action: str) -> dict[str, Any]:
    legal = [ruleset.text(one) for one in ruleset.legal(state, seat)]
    return {"seq": seq, "seat": seat, "legal": legal, "action": action}


def write(stem: Path, game: Simulated, decisions: list[dict[str, Any]]) -> None:
    """Write `NAME.json`, and with decisions also `NAME.legal.jsonl`, one decision per line."""
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


def by_order(games: Iterable[Simulated], kind: str) -> Scores:
    """Return scores by distance from the starting seat; 0 is the starting seat."""
    return _gathered(
        (str((score.seat - first) % len(game.record.seats)), score.total, score.place)
        for game in games
        if (first := _first_said(game, kind)) is not None
        for score in _scores(game)
    )


def _scores(game: Simulated) -> Any:
    return game.record.scoresheet.seats if game.record.scoresheet else ()


def _gathered(results: Iterable[tuple[str, int, int]]) -> Scores:
    scores: Scores = defaultdict(lambda: ([], []))
    for name, total, place in results:
        scores[name][0].append(total)
        scores[name][1].append(place == 1)
    return scores


def tally(games: Iterable[Simulated], kind: str, field: str = "kind") -> str:
    """Return `p10/median/p90` of a numeric field of the last events of a kind, else the share of each value."""
    said = [found for game in games if (found := _last_said(game, kind, field)) is not None]
    if said and all(isinstance(one, int) for one in said):
        return "/".join(str(one) for one in spread(said))
    shares = Counter(map(str, said)).most_common()
    return ", ".join(f"{word} {n / len(said):.1%}" for word, n in shares) or "-"


def _last_said(game: Simulated, kind: str, field: str) -> Any:
    events = (event for entry in reversed(game.record.entries) for event in reversed(entry.events))
    return next((event.get(field) for event in events if event["kind"] == kind), None)


def count(game: Simulated, kind: str) -> int:
    return sum(event["kind"] == kind for entry in game.record.entries for event in entry.events)


def is_shared(game: Simulated) -> bool:
    """Return whether several seats share first place."""
    return sum(score.place == 1 for score in _scores(game)) > 1


def _first_said(game: Simulated, kind: str) -> Any:
    events = (event for entry in game.record.entries for event in entry.events)
    return next((event.get("seat") for event in events if event["kind"] == kind), None)


def spread(numbers: Sequence[int]) -> tuple[int, int, int]:
    """Return the 10th, 50th and 90th percentiles."""
    ranked, n = sorted(numbers), len(numbers)
    return ranked[n // 10], ranked[n // 2], ranked[n * 9 // 10]
