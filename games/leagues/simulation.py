"""What a league can expect: a thousand seasons of one division, with players who drop out. PURE."""

import random

import msgspec

from games.leagues.declaration import Terms


class Forecast(msgspec.Struct, frozen=True):
    """`days` until the last meeting of a season has ended, at the median and of 95 in 100 (`most_days`), and the share
    of seasons that go `over` the weeks declared. `meetings` and `games` that a player has; the shares of meetings that
    are `annulled` and that a bot plays in. How fair it is: how often the strongest of a division comes first, how often
    one of its best `promoted` + 1 goes up, and the rank correlation of strength and place (`order`).

    Shares are from 0 to 1.
    """

    seasons: int
    days: int
    most_days: int
    over: float
    meetings: int
    games: int
    annulled: float
    by_bot: float
    strongest_wins: float
    best_promoted: float
    order: float


def simulate(terms: Terms, decisions: int, rng: random.Random, seasons: int = 1000, drop_out: float = 0.08) -> Forecast:
    """Play the seasons. `decisions`: how often one player is waited for in one game; `drop_out`: how likely each is."""
    raise NotImplementedError
