"""Training the weights of the stronger levels by self-play, by an evolution strategy (sep-CMA-ES, Ros and Hansen 2008).

A generation is a few variations of the weights, each of which plays the same deals as the quick player of `rollout`,
from each seat, alone against Medium's weights or against the weights trained so far. The best variations decide where
the weights move and how far the next ones lie apart. The same random numbers give the same weights.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import exp, log, sqrt
from statistics import fmean
from typing import NamedTuple

from games.bots.eight_minute import rollout
from games.bots.eight_minute.evaluation import MEDIUM, TRAINED, Weights
from games.rules.eight_minute.events import FirstNamed
from games.rules.eight_minute.evolve import evolve
from games.rules.eight_minute.state import State
from games.rules.fairness import Quick
from games.rules.play import begin
from games.rules.protocol import Ruleset, SeatInfo
from games.rules.registry import get

PAIRS = 7  # of variations in a generation; the second of a pair lies opposite the first
BEST = 5  # variations that decide where the weights move
GAMES = 80  # that a variation plays in its generation
FILE = TRAINED  # of the weights
GENERATIONS = 80
SPREAD = 0.2  # of the first variations, in logarithms of the weights
CHECKED = 300  # deals for two on which the weights are checked at the end, none of those trained with
A_WIN = 16.0  # points of lead for which a win counts
START = MEDIUM._replace(deny=0.2)  # weights are varied by factors, so none is zero
GOODS = {"take_base": 0.45, "take_more": 0.06}  # the last weights, which matter only where there are goods


class Progress(NamedTuple):
    """The weights after a generation, and the average lead in points of its variations."""

    generation: int
    weights: Weights
    lead: float


def train(
    ruleset: Ruleset, players: int, generations: int, gauss: Callable[[float, float], float]
) -> Iterator[Progress]:
    """Yield the weights after each generation, for games without options.

    `gauss` returns normally distributed numbers, given their mean and standard deviation.
    """
    start = START._replace(**GOODS) if opening(ruleset.slug, players, 0).rules.goods else START
    size = sum(map(bool, start))
    shares = [log(BEST + 0.5) - log(rank) for rank in range(1, BEST + 1)]
    shares = [share / sum(shares) for share in shares]
    mass = 1 / sum(share * share for share in shares)
    # How fast the spread, its path and the variances change, as the authors recommend
    path_rate, spread_rate = (mass + 2) / (size + mass + 5), 4 / (size + 4)
    rate = min(1.0, (size + 2) / 3 * 2 / ((size + 1.3) ** 2 + mass))
    usual = sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size * size))
    mean, variances, spread = [0.0] * size, [1.0] * size, SPREAD
    path, way = [0.0] * size, [0.0] * size
    for generation in range(generations):
        deals = [(generation + 1) * CHECKED + deal for deal in range(GAMES // players)]
        # 1. Vary the weights, and play
        tried = []
        for _pair in range(PAIRS):
            step = [gauss(0, 1) for _ in mean]
            for direction in (step, [-part for part in step]):
                at = [m + spread * sqrt(v) * part for m, v, part in zip(mean, variances, direction, strict=True)]
                results = [
                    against(ruleset, players, deal, varied(start, at), MEDIUM if deal % 2 else varied(start, mean))
                    for deal in deals
                ]
                lead, won = map(fmean, zip(*results, strict=True))
                tried.append((lead + A_WIN * won, direction, at, lead))
        tried.sort(reverse=True)
        best = tried[:BEST]
        # 2. Move to the average of the best, and adapt the spread and the variances
        step = [sum(s * trial[1][i] for s, trial in zip(shares, best, strict=True)) for i in range(size)]
        mean = [sum(s * trial[2][i] for s, trial in zip(shares, best, strict=True)) for i in range(size)]
        path = [
            (1 - path_rate) * p + sqrt(path_rate * (2 - path_rate) * mass) * s for p, s in zip(path, step, strict=True)
        ]
        way = [
            (1 - spread_rate) * w + sqrt(spread_rate * (2 - spread_rate) * mass * v) * s
            for w, v, s in zip(way, variances, step, strict=True)
        ]
        variances = [
            (1 - rate) * v
            + rate / mass * way[i] ** 2
            + rate * (1 - 1 / mass) * v * sum(s * trial[1][i] ** 2 for s, trial in zip(shares, best, strict=True))
            for i, v in enumerate(variances)
        ]
        length = sqrt(sum(p * p for p in path))
        spread *= exp(min(0.3, path_rate / (1 + path_rate) * (length / usual - 1)))
        yield Progress(generation + 1, varied(start, mean), fmean(trial[3] for trial in tried))


def varied(weights: Weights, by: list[float]) -> Weights:
    """Return the weights multiplied by factors, which are given as logarithms, with four digits; the last may be 0."""
    return Weights(*[float(f"{weight * exp(factor):.4g}") for weight, factor in zip(weights, by, strict=False)])


def checked(ruleset: Ruleset, players: int, weights: Weights, deals: int) -> tuple[float, float]:
    """Return the average lead of these weights over Medium's in points, and their share of the wins."""
    results = [against(ruleset, players, deal, weights, MEDIUM) for deal in range(deals)]
    return fmean(lead for lead, _won in results), fmean(won for _lead, won in results)


def against(ruleset: Ruleset, players: int, deal: int, mine: Weights, theirs: Weights) -> tuple[float, float]:
    """Return the average lead and share of the wins of the first weights over all seats of a deal."""
    results = []
    for seat in range(players):
        state = opening(ruleset.slug, players, deal).copy()
        rollout.play_out(state, Quick(deal), weights=[mine if player == seat else theirs for player in range(players)])
        results.append(rollout.results(state)[seat])
    return fmean(lead for lead, _won in results), fmean(won for _lead, won in results)


@lru_cache(maxsize=2 * CHECKED)
def opening(slug: str, players: int, deal: int) -> State:
    """Return the first turn of a deal, with the deck in order. There are no bids."""
    ruleset = get(slug)
    state: State = begin(ruleset, ruleset.options({}, players), [SeatInfo(bot=True)] * players, Quick(deal))[0]
    evolve(state, FirstNamed(0, 0))
    rollout.shuffle(state, Quick(deal))
    return state
