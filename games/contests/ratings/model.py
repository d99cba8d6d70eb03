"""The rating model: estimates strength from the places of contests. PURE: ratings and places in, ratings out.

A strength has a mean `mu` and a standard deviation `sigma`, on a scale where newcomers are 25 ± 25/3. People see them
on another scale, where newcomers are 1500 ± 167. A contest is a set of pairs; the probability that a player finishes
ahead of another is a logistic function of the difference of their strengths (Bradley and Terry).
"""

from collections.abc import Sequence
from datetime import timedelta
from math import exp, pi, sqrt

import msgspec

from games.estimates import inverse

ZERO, UNIT = 1000, 20  # the shown rating for a strength of 0, and the step for a strength of 1
MU, SIGMA = 25.0, 25 / 3  # of a newcomer
SETTLED = 5.5  # a sigma that takes about ten contests; the order of players is then right to about 0.8 to 0.9

# Tuned by log-loss on the training series of both generators, see docs/fairness.md
SCALE = 10.5  # of the logistic function, for a single game
DRIFT = 0.5  # deviation by which a strength changes from one contest to the next
ABSENCE = 0.25  # deviation by which it changes in a day
FULL_GAME = 2.4  # single games that a full game is worth: measured by the evaluation, not tuned
STEPS = 6  # of Newton's method, after which nothing moves any more
SLIPS = 0.05  # share of results that say nothing: a coin would have decided them as well

RECENT = timedelta(days=30)  # how long contests of the same two players count as repeats of each other
SHARED_OPEN, SHARED_PRIVATE = 0.5, 1.0  # deviations of what contests of a pair have in common; chance in one is 1


class Rating(msgspec.Struct, frozen=True):
    """A strength `mu` with its standard deviation `sigma`; by default those of a newcomer."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        """Return the rating that people see; 1500 for a newcomer."""
        return round(ZERO + UNIT * self.mu)

    @property
    def doubt(self) -> int:
        """Return the standard deviation on the same scale."""
        return round(UNIT * self.sigma)

    @property
    def is_provisional(self) -> bool:
        return self.sigma > SETTLED


def faded(rating: Rating, days: float) -> Rating:
    """Return the rating after days without a contest: nobody is less certain than a newcomer."""
    if days <= 0 or rating.sigma >= SIGMA:
        return rating
    return Rating(rating.mu, min(SIGMA, sqrt(rating.sigma**2 + ABSENCE**2 * days)))


def settled_for(rating: Rating) -> float:
    """Return for how many days the rating stays reliable without another contest."""
    return max(0.0, (SETTLED**2 - rating.sigma**2) / ABSENCE**2)


def information(games: int) -> float:
    """Return how many single games a contest of so many games is worth."""
    return FULL_GAME if games > 1 else 1.0


def rate(
    ratings: Sequence[Rating], places: Sequence[int], weights: Sequence[float] | None = None, *, games: int = 1
) -> list[Rating]:
    """Return the ratings after a contest of at least two, in which 1 was the first place and equal places were shared.

    `weights` say how much the contest tells of each of them, 1 where they are missing; see `weight`. `games` is 3 for a
    full game.
    """
    count = len(ratings)
    weights = weights or [1.0] * count
    if not count == len(places) == len(weights) or count < 2:
        raise ValueError("A contest has a place for each rating, and at least two of them.")

    # 1. The strength may have changed since the last contest, or since the last part of one.
    priors = [
        Rating(rating.mu, min(SIGMA, sqrt(rating.sigma**2 + part * DRIFT**2)))
        for rating, part in zip(ratings, weights, strict=True)
    ]

    # 2. The strengths at which results and priors together are most likely, by Newton's method. The pairs of a contest
    # repeat each other, so together they count as much as the order of its players by Plackett and Luce.
    scale = SCALE / sqrt(information(games))
    share = 4 * sum(1 - 1 / size for size in range(2, count + 1)) / (count * (count - 1))
    won = [
        [0.5 + 0.5 * ((places[j] > places[i]) - (places[j] < places[i])) for j in range(count)] for i in range(count)
    ]
    strengths = [prior.mu for prior in priors]
    for _step in range(STEPS):
        slopes = [(prior.mu - strength) / prior.sigma**2 for prior, strength in zip(priors, strengths, strict=True)]
        bends = [[0.0] * count for _row in range(count)]
        for i in range(count):
            bends[i][i] += priors[i].sigma ** -2
        for i in range(count):
            for j in range(i + 1, count):
                expected = 1 / (1 + exp((strengths[j] - strengths[i]) / scale))
                slope = share * (won[i][j] - expected) / scale
                bend = share * expected * (1 - expected) / scale**2
                slopes[i] += slope
                slopes[j] -= slope
                bends[i][i] += bend
                bends[j][j] += bend
                bends[i][j] -= bend
                bends[j][i] -= bend
        covariance = inverse(bends)
        for i in range(count):
            move = sum(covariance[i][j] * slopes[j] for j in range(count))
            strengths[i] += max(-scale, min(scale, move))

    # 3. The Gaussian at these strengths, with the share of the contest
    rated = []
    for i, (before, part) in enumerate(zip(priors, weights, strict=True)):
        after = Rating(strengths[i], sqrt(covariance[i][i]))
        if part != 1:
            # The contest's likelihood, a Gaussian, counts to the power of the share. When Gaussians are multiplied,
            # precisions add up, and so do means times precisions. So both move by that share.
            old, new = before.sigma**-2, after.sigma**-2
            precision = old + part * (new - old)
            mean = (before.mu * old + part * (after.mu * new - before.mu * old)) / precision
            after = Rating(mean, precision**-0.5)
        rated.append(after)
    return rated


def weight(met: int, *, listed: bool) -> float:
    """Return how much a contest tells of two players who have met so often within `RECENT` already.

    A first contest at a table that anyone could join is 1. Repeats tell less, because the contests of a pair have
    something in common that says nothing about others: how their styles meet, the same evening, or an agreement. The
    difference between two players seen in contest k is strength + s + e(k): e is the chance of one contest, of which
    the model assumes a deviation (beta) that is the unit here; s is what the pair's contests share, with a deviation
    of `SHARED_OPEN`, or `SHARED_PRIVATE` where they chose each other unseen. The mean of n contests has the variance
    s² + 1/n about the strength, so n contests hold the information I(n) = n / (1 + n s²), and one more adds
    I(n + 1) - I(n). However often two players meet, that adds up to 1/s²: five first contests at open tables, and one
    and a quarter at private ones.
    """
    shared = SHARED_OPEN if listed else SHARED_PRIVATE
    return (_information(met + 1, shared) - _information(met, shared)) / _information(1, SHARED_OPEN)


def _information(contests: int, shared: float) -> float:
    return contests / (1 + contests * shared**2)


def chance(rating: Rating, other: Rating, *, games: int = 1) -> float:
    """Return the probability that the first player finishes ahead of the second, unless they tie."""
    scale = SCALE / sqrt(information(games))
    # The mean of a logistic function over a Gaussian (MacKay): doubt brings it closer to one half.
    spread = scale * sqrt(1 + pi / 8 * (rating.sigma**2 + other.sigma**2 + 2 * DRIFT**2) / scale**2)
    return SLIPS / 2 + (1 - SLIPS) / (1 + exp((other.mu - rating.mu) / spread))
