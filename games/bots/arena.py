"""The arena: a round robin of bots, and figures of its games with intervals. It reads no clock: callers pass one.

For two players each pair of bots meets. For more, one bot of the pair plays alone against copies of the other. Every
deal is played once from each seat: the seats are turned, and the same seed deals the same decks to all of these games.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, groupby, permutations, product
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean, median
from typing import Any

import msgspec

from games.bots.bot import Bot
from games.bots.registry import RATINGS
from games.bots.selfplay import Table, seed_of
from games.estimates import NINETY_FIVE, inverse, wilson
from games.rules.registry import get

ELO = 400 / log(10)  # points of a rating for a strength of 1: 400 points are odds of ten to one
MEAN = 1500  # of the ratings in one table
STEPS = 50  # of Newton's method, which takes about six
GAMES = Path(__file__).parents[1]
DECIDING = "bots", "rules"  # the folders of `games` whose code and data decide what our bots play

Order = tuple[str, ...]  # bots in the order in which they finished


class Fixture(msgspec.Struct, frozen=True):
    """A game of the arena. `options` are JSON with sorted keys, `bots` the slugs by seat.

    Without a `budget`, each bot has its own.
    """

    series: str
    ruleset: str
    options: str
    deal: int
    bots: tuple[str, ...]
    budget: int | None

    @property
    def seed(self) -> bytes:
        """Return the secret seed of the deal, the same from every seat."""
        place = f"{self.series}/{self.ruleset}/{self.options}/{len(self.bots)}"
        return seed_of(f"arena/{place}", self.deal)


class Result(msgspec.Struct, frozen=True):
    """A played fixture: place and points by seat, and for each seat the seconds that its turns took.

    For our bots that is processor time, for an outside bot the time that we waited. `faults` counts, by seat, the turns
    that an outside bot failed to give. `version` is that of our bots; results of old files have none.
    """

    fixture: Fixture
    places: tuple[int, ...]
    points: tuple[int, ...]
    seconds: tuple[tuple[float, ...], ...]
    faults: tuple[int, ...] = ()
    version: str = ""

    @property
    def shares(self) -> list[float]:
        """The share of the win by seat: 1 for a sole winner, equal parts if several share the first place."""
        share = 1 / self.places.count(1)
        return [share if place == 1 else 0.0 for place in self.places]


@cache
def version() -> str:
    """Return a digest of the code, the weights and the rules of our bots, which changes whenever one of them does."""
    digest = hashlib.sha256()
    for file in sorted(file for folder in DECIDING for file in (GAMES / folder).rglob("*.*")):
        if file.suffix in {".py", ".toml", ".json"} and file != RATINGS:  # the arena itself writes the ratings
            digest.update(f"{file.relative_to(GAMES)} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def fixtures(
    *, bots: Sequence[str], ruleset: str, options: Mapping[str, Any], players: int, series: str, deals: int,
    budget: int | None = None, alone: str = "", pairs: Collection[tuple[str, str]] = (),
) -> Iterator[Fixture]:  # fmt: skip
    """Yield the games of a round robin, deal by deal.

    With `alone`, only those of that bot against each other one; with `pairs`, only those of these pairs, and with more
    than two players the first bot of a pair plays alone.
    """
    text = msgspec.json.encode(options, order="sorted").decode()
    lineups = []
    for first, second in combinations(bots, 2):
        both = ((first, second),) if players == 2 else ((first, second), (second, first))
        lineups += [
            (a, *[b] * (players - 1)) for a, b in both
            if (not alone or alone == a or (players == 2 and alone == b))
            and (not pairs or (a, b) in pairs or (players == 2 and (b, a) in pairs))
        ]  # fmt: skip
    for deal, lineup, turned in product(range(deals), lineups, range(players)):
        yield Fixture(series, ruleset, text, deal, lineup[turned:] + lineup[:turned], budget)


def play(fixture: Fixture, bots: Mapping[str, Bot], clock: Callable[[str], float]) -> Result:
    """Play one game. `clock` returns the seconds that the bot with this slug has used so far."""
    ruleset, names = get(fixture.ruleset), fixture.bots
    table = Table(ruleset, msgspec.json.decode(fixture.options), [bots[name] for name in names], fixture.seed)
    seconds: list[list[float]] = [[] for _name in names]
    for seat, spent in table.timed(fixture.budget, lambda seat: clock(names[seat])):
        seconds[seat].append(round(spent, 6))
    sheet = ruleset.score(table.state).seats
    return Result(
        fixture, tuple(line.place for line in sheet), tuple(line.total for line in sheet), tuple(map(tuple, seconds)),
        version=version(),
    )  # fmt: skip


# Figures


class Rated(msgspec.Struct, frozen=True):
    """A rating on the Elo scale, and half the width of its 95% interval relative to the mean of the table."""

    rating: float
    doubt: float


def plackett_luce(orders: Mapping[Order, float]) -> dict[str, Rated]:
    """Return the most likely strengths, by the model of Plackett and Luce, of bots that finished in these orders.

    `orders` counts how often each order occurred. So that a bot that won or lost every game has a finite rating, every
    two bots are taken to have tied one more game. Intervals come from the curvature of the likelihood, as if games on
    the same deal were independent.
    """
    names = sorted({name for order in orders for name in order})
    index, size = {name: i for i, name in enumerate(names)}, len(names)
    weighed = [([index[name] for name in order], weight) for order, weight in orders.items()]
    weighed += [([i, j], 0.5) for i, j in permutations(range(size), 2)]
    strengths = [0.0] * size
    for _step in range(STEPS):
        # 1. The slope and the curvature of the likelihood. It only fixes differences, so the mean is held at 0.
        slope = [-sum(strengths)] * size
        bend = [[1.0] * size for _name in names]
        for order, weight in weighed:
            for first in range(len(order) - 1):
                left = order[first:]
                total = sum(exp(strengths[i]) for i in left)
                chosen = Counter(left)
                shares = {i: count * exp(strengths[i]) / total for i, count in chosen.items()}
                slope[left[0]] += weight
                for i, share in shares.items():
                    slope[i] -= weight * share
                    bend[i][i] += weight * share
                    for j, other in shares.items():
                        bend[i][j] -= weight * share * other
        # 2. One step of Newton's method, of at most 1 for each strength
        covariance = inverse(bend)
        moves = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in covariance]
        strengths = [strength + max(-1.0, min(1.0, move)) for strength, move in zip(strengths, moves, strict=True)]
        if max(map(abs, moves), default=0) < 1e-9:
            break
    variances = [max(0.0, covariance[i][i] - size**-2) for i in range(size)]
    return {
        name: Rated(MEAN + ELO * strengths[i], NINETY_FIVE * ELO * sqrt(variances[i])) for i, name in enumerate(names)
    }


def orders_of(results: Iterable[Result]) -> dict[Order, float]:
    """Return how often each order of finishing occurred. Shared places count as each order in equal parts."""
    counts: dict[Order, float] = defaultdict(float)
    for result in results:
        by_place = sorted(zip(result.places, result.fixture.bots, strict=True))
        groups = [[bot for _place, bot in group] for _place, group in groupby(by_place, key=lambda one: one[0])]
        ways = list(product(*(list(permutations(group)) for group in groups)))
        for way in ways:
            counts[tuple(bot for group in way for bot in group)] += 1 / len(ways)
    return dict(counts)


def report(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of the tables: for each ruleset, options and number of players, the pairings and the ratings."""

    def place(result: Result) -> tuple[str, str, int]:
        return result.fixture.ruleset, result.fixture.options, len(result.fixture.bots)

    for (ruleset, options, players), group in groupby(sorted(results, key=place), key=place):
        games = list(group)
        yield f"{ruleset} {options}, {players} players, {len(games)} games; {1 / players:.0%} of wins would be even"
        # 1. Pairings: the share of wins and the points of the bot that plays alone
        pairings: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for game in games:
            counts = Counter(game.fixture.bots)
            one, two = sorted(counts, key=lambda bot: (counts[bot], bot))
            for bot, other in [(one, two), (two, one)][: 2 if players == 2 else 1]:
                seat = game.fixture.bots.index(bot)
                lead = game.points[seat] - fmean(game.points[i] for i in range(players) if i != seat)
                pairings[bot, other].append((game.shares[seat], lead))
        for (bot, other), figures in sorted(pairings.items()):
            share = fmean(won for won, _lead in figures)
            low, high = wilson(share, len(figures))
            against = other if players == 2 else f"{players - 1} {other}"
            yield (
                f"  {bot} against {against}: {share:.1%} of wins ({low:.1%} to {high:.1%}) in {len(figures)} games,"
                f" {fmean(lead for _won, lead in figures):+.2f} points"
            )
        # 2. Ratings, points and times of each bot
        seconds: dict[str, list[float]] = defaultdict(list)
        points: dict[str, list[int]] = defaultdict(list)
        faults: Counter[str] = Counter()
        for game in games:
            for bot, total, spent, failed in zip(
                game.fixture.bots, game.points, game.seconds, game.faults or [0] * players, strict=True
            ):
                seconds[bot] += spent
                points[bot].append(total)
                faults[bot] += failed
        ratings = plackett_luce(orders_of(games))
        for bot, rated in sorted(ratings.items(), key=lambda one: -one[1].rating):
            times = seconds[bot] or [0.0]
            yield (
                f"  {bot}: rating {rated.rating:.0f} ± {rated.doubt:.0f}, {fmean(points[bot]):.2f} points,"
                f" {1000 * median(times):.1f} ms a turn, at most {1000 * max(times):.1f} ms"
                + (f", {faults[bot]} turns failed" if faults[bot] else "")
            )
