"""Who plays in which tier and division of a season, and who goes up and down at its end. PURE.

Tier 1 has one division, each tier below `spread` times as many as the one above, as far as players last.
"""

from collections.abc import Sequence

import msgspec

from games.leagues.declaration import Terms


class Candidate(msgspec.Struct, frozen=True):
    """Somebody who is signed up. `tier` and `place` are where they stood in the last season that they played, 0 for
    newcomers. `is_back`: they sat out since. `waking`: the minute of the UTC day at which the middle of their day lies.
    """

    rating: int
    tier: int = 0
    place: int = 0
    is_promoted: bool = False
    is_relegated: bool = False
    is_back: bool = False
    waking: int | None = None


class Moves(msgspec.Struct, frozen=True):
    """Who goes up a tier, and who down."""

    up: tuple[int, ...] = ()
    down: tuple[int, ...] = ()


def divisions(players: Sequence[Candidate], terms: Terms) -> list[list[list[int]]]:
    """Tiers of divisions of players, by their numbers in `players`. Whoever is in none has to wait: there is no
    way to divide so many.
    """
    raise NotImplementedError


def outcome(ranked: Sequence[Sequence[int]], terms: Terms, *, tier: int, below: int) -> Moves:
    """Who of a tier's divisions, each given in the order of its places, goes up and who down.

    `below`: how many divisions the tier below has; 0 where this is the last one.
    """
    raise NotImplementedError
