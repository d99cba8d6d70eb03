"""The rating model: estimates strength from the places of contests. PURE: ratings and places in, ratings out.

Plackett-Luce by Weng and Lin (openskill): a strength `mu` and its uncertainty `sigma`, on a scale where newcomers are
25 ± 25/3. People see them on another scale, where newcomers are 1500 ± 167.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ZERO, UNIT = 1000, 20  # the shown rating for a strength of 0, and the step for a strength of 1
SETTLED = 5.5  # a sigma that takes about ten contests; the order of players is then right to about 0.8 to 0.9

RECENT = timedelta(days=30)  # how long contests of the same two players count as repeats of each other
SHARED_OPEN, SHARED_PRIVATE = 0.5, 1.0  # deviations of what contests of a pair have in common; chance in one is 1


def full_share(*_of_a_side: object) -> float:
    """Return how much of the change a contest makes: all that Weng and Lin allow (their gamma is 1).

    It orders players as well as smaller steps, and sooner.
    """
    return 1.0


MODEL = PlackettLuce(gamma=full_share)


class Rating(msgspec.Struct, frozen=True):
    """A strength `mu` with its standard deviation `sigma`; by default those of a newcomer."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

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


def rate(ratings: Sequence[Rating], places: Sequence[int], weights: Sequence[float] | None = None) -> list[Rating]:
    """Return the ratings after a contest of at least two, in which 1 was the first place and equal places were shared.

    `weights` say how much the contest tells of each of them, 1 where they are missing; see `weight`.
    """
    weights = weights or [1.0] * len(ratings)
    if not len(ratings) == len(places) == len(weights) or len(ratings) < 2:
        raise ValueError("A contest has a place for each rating, and at least two of them.")
    rated = MODEL.rate(_sides(ratings), ranks=[float(place) for place in places])
    found = []
    for before, [side], share in zip(ratings, rated, weights, strict=True):
        after = Rating(side.mu, side.sigma)
        if share != 1:
            # The contest's likelihood, a Gaussian, counts to the power of the share. When Gaussians are multiplied,
            # precisions add up, and so do means times precisions. So both move by that share.
            old, new = before.sigma**-2, after.sigma**-2
            precision = old + share * (new - old)
            mean = (before.mu * old + share * (after.mu * new - before.mu * old)) / precision
            after = Rating(mean, precision**-0.5)
        found.append(after)
    return found


def weight(met: int, *, is_open: bool) -> float:
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
    shared = SHARED_OPEN if is_open else SHARED_PRIVATE
    return (_information(met + 1, shared) - _information(met, shared)) / _information(1, SHARED_OPEN)


def _information(contests: int, shared: float) -> float:
    return contests / (1 + contests * shared**2)


def chance(mine: Rating, other: Rating) -> float:
    """Return the probability that the first player beats the second."""
    return float(MODEL.predict_win(_sides([mine, other]))[0])


def _sides(ratings: Sequence[Rating]) -> list[list[PlackettLuceRating]]:
    return [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings]
