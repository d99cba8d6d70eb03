"""The formats of tournaments, and the numbers of entrants that each takes. PURE."""

from collections.abc import Sequence

from games.contests.pairing import groups, round_robin
from games.rules.words import gettext_noop

SEATS = 512  # maximum entrants of a tournament
SWISS, ROUND_ROBIN, KNOCKOUT, GROUPS = "swiss", "round-robin", "knockout", "groups"
FORMATS = {
    SWISS: gettext_noop("Swiss: everyone plays every round, against players with similar results"),
    ROUND_ROBIN: gettext_noop("Round robin: everyone meets everyone else equally often"),
    KNOCKOUT: gettext_noop("Knockout: the best of each match advance, until the final"),
    GROUPS: gettext_noop("Groups and a final: a round robin in each group, then a final"),
}


def fields(format: str, players: int) -> Sequence[int]:
    """Return the numbers of entrants that the format takes with `players` per match, in order."""
    if format == ROUND_ROBIN:
        return round_robin.fields(players)
    if format == GROUPS:
        return groups.fields(players)
    return range(players, SEATS + 1)


def most(format: str, players: int, entrants: int) -> int:
    """Return how many of the entrants can take part; 0 if there are too few."""
    return max((number for number in fields(format, players) if number <= entrants), default=0)
