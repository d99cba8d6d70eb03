"""How strong a player is, from the places of contests. PURE: ratings and places in, ratings out.

Plackett-Luce by Weng and Lin (openskill): a strength `mu` and how unsure it still is, `sigma`, both on a scale on which
newcomers are 25 ± 25/3. People see them on a scale of their own, where newcomers are 1500 ± 167.
"""

from collections.abc import Sequence

import msgspec
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ZERO, UNIT = 1000, 20  # what is shown for a strength of 0, and for each step of 1
SETTLED = 5.5  # a sigma, reached by some ten contests; the order of players is right to about 0.8 to 0.9 then


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


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a contest of at least two, in which 1 was the first place and equal places were shared."""
    if len(ratings) != len(places) or len(ratings) < 2:
        raise ValueError("A contest has a place for each rating, and at least two of them.")
    rated = MODEL.rate(_sides(ratings), ranks=[float(place) for place in places])
    return [Rating(side[0].mu, side[0].sigma) for side in rated]


def chance(mine: Rating, other: Rating) -> float:
    """How likely the first beats the second, from 0 to 1."""
    return float(MODEL.predict_win(_sides([mine, other]))[0])


def _sides(ratings: Sequence[Rating]) -> list[list[PlackettLuceRating]]:
    return [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings]
