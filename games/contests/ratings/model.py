"""How strong a player is, from the places of contests. PURE: ratings and places in, ratings out.

Plackett-Luce by Weng and Lin (openskill): a strength `mu` and how unsure it still is, `sigma`, both on a scale on which
newcomers are 25 ± 25/3. People see them on a scale of their own, where newcomers are 1500 ± 167.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ZERO, UNIT = 1000, 20  # what is shown for a strength of 0, and for each step of 1
SETTLED = 5.5  # a sigma, reached by some ten contests; the order of players is right to about 0.8 to 0.9 then

RECENT = timedelta(days=30)  # in which contests of the same two players are repeats of each other
SHARED_OPEN, SHARED_PRIVATE = 0.5, 1.0  # deviations of what two players' contests have in common; chance in one is 1


def full_share(*_of_a_side: object) -> float:
    """How much a contest settles: all that Weng and Lin allow (their gamma is 1), which orders as well and sooner."""
    return 1.0


MODEL = PlackettLuce(gamma=full_share)


class Rating(msgspec.Struct, frozen=True):
    """A strength `mu` with its standard deviation `sigma`; without arguments, a newcomer's."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def shown(self) -> int:
        """What people see; 1500 for a newcomer."""
        return round(ZERO + UNIT * self.mu)

    @property
    def doubt(self) -> int:
        """The standard deviation on the same scale."""
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
    after = [Rating(side[0].mu, side[0].sigma) for side in rated]
    return [_part(*each) for each in zip(ratings, after, weights, strict=True)]


def _part(before: Rating, after: Rating, share: float) -> Rating:
    """The rating if the contest counts for that share: its likelihood, a Gaussian, to the power of the share.

    Precisions, and means times precisions, of Gaussians add up when these are multiplied, so both go that share of
    their way.
    """
    if share == 1:
        return after
    old, new = before.sigma**-2, after.sigma**-2
    precision = old + share * (new - old)
    mean = (before.mu * old + share * (after.mu * new - before.mu * old)) / precision
    return Rating(mean, precision**-0.5)


def weight(met: int, *, is_open: bool) -> float:
    """Return how much a contest tells of two players who have met so often within `RECENT` already.

    A first contest at a table that anybody could join is 1. Repeats tell less, because the contests of a pair have
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
    """How likely the first beats the second, from 0 to 1."""
    return float(MODEL.predict_win(_sides([mine, other]))[0])


def _sides(ratings: Sequence[Rating]) -> list[list[PlackettLuceRating]]:
    return [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings]
