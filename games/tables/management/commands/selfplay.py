"""Whole games between bots without a database, to measure rules and bots and to create records."""

import json
from argparse import ArgumentTypeError
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots.bot import Bot
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
        parser.add_argument("--series", default="0", help="any text; the same text gives the same games")
        parser.add_argument("--options", type=options, default={}, metavar="JSON")
        parser.add_argument(
            "--bots", type=bots, default=[BOTS["random"]], help="comma-separated, for the seats in order: random,medium"
        )
        parser.add_argument("--budget", type=int, help="what a bot may examine per turn; by default its own budget")
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
        if chosen["first"]:  # scores by distance from the starting seat; 0 is the starting seat
            by_order: Scores = defaultdict(lambda: ([], []))
            for game in games:
                first = next(event_fields(game, chosen["first"], "seat"), None)
                for score in scores(game) if first is not None else ():
                    add(by_order, str((score.seat - first) % len(game.record.seats)), score)
            self.print_scores("begins +", by_order)
        for kind in chosen["count"]:
            counts = (sum(1 for _event in event_fields(game, kind)) for game in games)
            self.stdout.write(f"{kind}: {fmean(counts):.1f} a game")

    def report(self, games: list[Simulated], seconds: float) -> None:
        steps = sum(game.steps for game in games)
        self.stdout.write(f"{len(games)} games, {steps} steps in {seconds:.2f} s")
        self.stdout.write(f"{len(games) / seconds:.1f} games/s, {steps / seconds:.0f} steps/s")
        waits, replies = fmean(game.waits for game in games), fmean(game.replies for game in games)
        self.stdout.write(f"waits for another player: {waits:.1f} a game, {replies:.1f} of them outside their turn")
        shared = fmean(sum(score.place == 1 for score in scores(game)) > 1 for game in games)
        self.stdout.write(f"first place shared in {shared:.1%}")
        by_seat: Scores = defaultdict(lambda: ([], []))
        by_bot: Scores = defaultdict(lambda: ([], []))
        for game in games:
            for score in scores(game):
                add(by_seat, str(score.seat), score)
                add(by_bot, game.record.seats[score.seat].bot, score)
        self.print_scores("seat ", by_seat)
        self.print_scores("bot ", by_bot)

    def print_scores(self, title: str, results: "Scores") -> None:
        for name, (points, wins) in sorted(results.items()):
            self.stdout.write(f"{title}{name}: {fmean(points):.2f} points, first in {fmean(wins):.1%}")


def play(ruleset: Ruleset, chosen: dict[str, Any], number: int) -> Simulated:
    """Play one game of the series, and write its record if requested."""
    players, series, bots = chosen["players"] or max(ruleset.seat_counts), chosen["series"], chosen["bots"]
    # The bots are rotated by one each game, so that no seat favors a bot
    seating = [bots[(seat + number) % len(bots)] for seat in range(players)]
    table = Table(ruleset, chosen["options"], seating, seed_of(series, number))
    decisions: list[dict[str, Any]] = []

    def listener(seq: int, state: State, seat: int, action: str) -> None:
        legal = [ruleset.text(possible) for possible in ruleset.legal(state, seat)]
        decisions.append({"seq": seq, "seat": seat, "legal": legal, "action": action})

    game = table.play(chosen["budget"], listener if chosen["legal"] else None)
    if chosen["records"]:  # `NAME.json`, and with decisions also `NAME.legal.jsonl`, one decision per line
        stem = chosen["records"] / f"{ruleset.slug}-{players}-{series}-{number:04}"
        stem.parent.mkdir(parents=True, exist_ok=True)
        stem.with_name(f"{stem.name}.json").write_bytes(encode(game.record))
        if decisions:
            lines = b"\n".join(map(msgspec.json.encode, decisions))
            stem.with_name(f"{stem.name}.legal.jsonl").write_bytes(lines + b"\n")
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
    unknown = sorted({slug for slug in text.split(",") if slug not in BOTS})
    if unknown:
        raise ArgumentTypeError(f"unknown bot {', '.join(unknown)}; choose from {', '.join(BOTS)}")
    return [BOTS[slug] for slug in text.split(",")]


Scores = dict[str, tuple[list[int], list[bool]]]


def scores(game: Simulated) -> Any:
    return game.record.scoresheet.seats if game.record.scoresheet else ()


def add(results: Scores, name: str, score: Any) -> None:
    results[name][0].append(score.total)
    results[name][1].append(score.place == 1)


def event_fields(game: Simulated, kind: str, field: str = "kind") -> Iterator[Any]:
    """Yield the field of the game's events of that kind."""
    return (event.get(field) for entry in game.record.entries for event in entry.events if event["kind"] == kind)


def tally(games: Iterable[Simulated], kind: str, field: str = "kind") -> str:
    """Return `p10/median/p90` of a numeric field of the last events of a kind, else the share of each value."""
    last = [deque(event_fields(game, kind, field), maxlen=1) for game in games]
    values = [events_of_game[0] for events_of_game in last if events_of_game and events_of_game[0] is not None]
    if values and all(isinstance(value, int) for value in values):
        return "/".join(str(value) for value in spread(values))
    shares = Counter(map(str, values)).most_common()
    return ", ".join(f"{word} {n / len(values):.1%}" for word, n in shares) or "-"


def spread(numbers: Sequence[int]) -> tuple[int, int, int]:
    """Return the 10th, 50th and 90th percentiles."""
    ranked, n = sorted(numbers), len(numbers)
    return ranked[n // 10], ranked[n // 2], ranked[n * 9 // 10]
