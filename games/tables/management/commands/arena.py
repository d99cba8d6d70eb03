"""`manage.py arena`: a round robin of bots without a database, with ratings and processor time."""

import re
import secrets
import shlex
from argparse import ArgumentTypeError
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import msgspec
import tomlkit
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots import arena
from games.bots.arena import Fixture, Result
from games.bots.bot import Bot
from games.bots.registry import BOTS, LEVELS, RATINGS, current
from games.rules.protocol import IllegalAction
from games.rules.registry import RULESETS, get
from games.tables.management.commands.selfplay import options
from games.tables.management.outside import OutsideBot

NAMED = re.compile(r"([\w.-]+)=(.+)")


class Command(BaseCommand):
    help = "Play a round robin of bots without a database, each deal from every seat, and print wins and ratings."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("bots", nargs="*", metavar="BOT", help=f"at least two of {', '.join(BOTS)}")
        parser.add_argument(
            "--bot", type=outside, action="append", default=[], metavar="[NAME=]COMMAND",
            help="a program that speaks the protocol of docs/bots.md; may be repeated",
        )  # fmt: skip
        parser.add_argument(
            "--time",
            type=int,
            default=1000,
            metavar="MS",
            help="of each turn of an outside bot, by the wall clock (1000)",
        )
        parser.add_argument("--rulesets", type=rulesets, default=["legends"], help="comma-separated (legends)")
        parser.add_argument("--players", type=numbers, default=[2], help="numbers of players, comma-separated (2)")
        parser.add_argument(
            "--options", type=options, action="append", metavar="JSON", help="may be repeated; default: the plain game"
        )
        parser.add_argument("--deals", type=int, default=10, help="each is played from every seat (10)")
        parser.add_argument("--series", help="any text; the same text gives the same deals. Default: a new one")
        parser.add_argument("--alone", default="", metavar="BOT", help="only games of this bot against each other one")
        parser.add_argument(
            "--pairs", type=pairs, default=[], metavar="A:B,…",
            help="only games of these pairs; with more than two players, A plays alone",
        )  # fmt: skip
        parser.add_argument(
            "--rate", action="store_true", help="write the ratings in plain games for two into games/bots/ratings.toml"
        )
        parser.add_argument("--budget", type=int, help="what a bot may examine per turn; by default its own budget")
        parser.add_argument("--processes", type=int, default=1, metavar="N")
        parser.add_argument(
            "--results",
            type=Path,
            metavar="FILE",
            help="add a JSON line per game; games that the file has are not repeated",
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        commands, series = dict(chosen["bot"]), chosen["series"] or secrets.token_hex(4)
        bots = list(dict.fromkeys([*map(current, chosen["bots"]), *commands]))
        if unknown := [bot for bot in bots if bot not in BOTS and bot not in commands]:
            raise CommandError(f"unknown bot {', '.join(unknown)}; choose from {', '.join(BOTS)}")
        if len(commands) < len(chosen["bot"]) or any(name in BOTS for name in commands):
            raise CommandError("Each --bot needs a name of its own, which none of our bots has.")
        if len(bots) < 2:
            raise CommandError("Name at least two bots.")
        if chosen["alone"] and chosen["alone"] not in bots:
            raise CommandError(f"--alone names {chosen['alone']}, which is not among the bots.")
        if absent := {bot for pair in chosen["pairs"] for bot in pair} - set(bots):
            raise CommandError(f"--pairs names {', '.join(sorted(absent))}, which is not among the bots")
        if chosen["rate"] and not ("medium" in bots and 2 in chosen["players"] and {} in (chosen["options"] or [{}])):
            raise CommandError("--rate needs medium, which has 1500, and games for two without options.")
        wanted: dict[Fixture, None] = {}
        for slug in chosen["rulesets"]:
            for players in chosen["players"]:
                for options_of in chosen["options"] or [{}]:
                    try:
                        get(slug).options(options_of, players)
                    except IllegalAction as refusal:
                        raise CommandError(f"{slug}, {players} players: {refusal}") from None
                    wanted |= dict.fromkeys(
                        arena.fixtures(
                            bots=bots, ruleset=slug, options=options_of, players=players, series=series,
                            deals=chosen["deals"], budget=chosen["budget"], alone=chosen["alone"],
                            pairs=chosen["pairs"],
                        )
                    )  # fmt: skip
        by_fixture = {result.fixture: result for result in stored(chosen["results"]) if result.fixture in wanted}
        unplayed = [fixture for fixture in wanted if fixture not in by_fixture]
        self.stdout.write(f"series {series}: {len(unplayed)} games to play, {found(by_fixture.values())}")
        with ExitStack() as stack:
            file = stack.enter_context(chosen["results"].open("ab")) if chosen["results"] else None
            play_fixture = partial(play, commands=commands, milliseconds=chosen["time"])
            if chosen["processes"] == 1:
                results: Iterable[Result] = map(play_fixture, unplayed)
            else:
                pool = ProcessPoolExecutor(chosen["processes"])
                stack.callback(pool.shutdown, cancel_futures=True)
                results = pool.map(play_fixture, unplayed)
            for result in results:
                by_fixture[result.fixture] = result
                if file:
                    file.write(msgspec.json.encode(result) + b"\n")
                    file.flush()
        for line in arena.report(list(by_fixture.values())):
            self.stdout.write(line)
        if chosen["rate"]:
            rate(list(by_fixture.values()))


def rate(results: Sequence[Result]) -> None:
    """Write the ratings of the levels in plain games for two, in which Medium has 1500.

    Levels that did not play keep theirs.
    """
    document = tomlkit.parse(RATINGS.read_text(encoding="utf-8"))
    for slug in dict.fromkeys(result.fixture.ruleset for result in results):
        plain = [result for result in results if result.fixture.ruleset == slug and result.fixture.options == "{}"]
        rated = arena.plackett_luce(arena.orders_of(result for result in plain if len(result.places) == 2))
        if "medium" in rated:
            shift = arena.MEAN - rated["medium"].rating
            measured = {name: 10 * round((bot.rating + shift) / 10) for name, bot in rated.items()}
            ratings = {**document.get(slug, {}), **measured}
            document[slug] = {bot.slug: ratings[bot.slug] for bot in LEVELS if bot.slug in ratings}
    RATINGS.write_text(tomlkit.dumps(document), encoding="utf-8")


def play(fixture: Fixture, commands: Mapping[str, str], milliseconds: int) -> Result:
    """Play one game, with a process of its own for each outside bot."""
    bots, ruleset, options_of = dict(BOTS), get(fixture.ruleset), msgspec.json.decode(fixture.options)
    with ExitStack() as stack:
        outsiders = {
            name: stack.enter_context(OutsideBot(commands[name], ruleset, options_of, milliseconds))
            for name in dict.fromkeys(fixture.bots)
            if name in commands
        }
        bots |= {name: Bot(name, name, bot.plan) for name, bot in outsiders.items()}
        result = arena.play(fixture, bots, lambda name: outsiders[name].spent if name in outsiders else process_time())
    faults = [outsiders[name].faults[seat] if name in outsiders else 0 for seat, name in enumerate(fixture.bots)]
    return msgspec.structs.replace(result, faults=tuple(faults))


def outside(text: str) -> tuple[str, str]:
    """Return the name and the command of an outside bot. Without a name it is the command."""
    match = NAMED.fullmatch(text)
    name, command = (match[1], match[2]) if match else (text, text)
    try:
        words = shlex.split(command)
    except ValueError as wrong:
        raise ArgumentTypeError(f"{command}: {wrong}") from None
    if not words:
        raise ArgumentTypeError("a command is missing")
    return name, command


def stored(file: Path | None) -> list[Result]:
    """Return the results in a file. A last line that was cut off is left out."""
    if not (file and file.exists()):
        return []
    *lines, rest = file.read_bytes().split(b"\n")
    if rest:  # the next result must begin on a line of its own
        file.write_bytes(b"".join(line + b"\n" for line in lines))
    try:
        return [msgspec.json.decode(line, type=Result) for line in lines]
    except msgspec.DecodeError as wrong:
        raise CommandError(f"{file} holds something other than results: {wrong}") from None


def found(results: Collection[Result]) -> str:
    """Return how many stored results count, and how many of them our present bots did not play."""
    old = sum(result.version != arena.version() for result in results)
    return f"{len(results)} found" + (f", {old} of them by another version of our bots or rules" if old else "")


def rulesets(text: str) -> list[str]:
    if unknown := set(text.split(",")) - set(RULESETS):
        raise ArgumentTypeError(f"unknown ruleset {', '.join(sorted(unknown))}; choose from {', '.join(RULESETS)}")
    return text.split(",")


def pairs(text: str) -> list[tuple[str, str]]:
    pairs_of_slugs = [tuple(map(current, pair.split(":"))) for pair in text.split(",")]
    if any(len(pair) != 2 for pair in pairs_of_slugs):
        raise ArgumentTypeError("pairs such as hard:medium, separated by commas")
    return [(first, second) for first, second in pairs_of_slugs]


def numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise ArgumentTypeError("numbers, separated by commas") from None
