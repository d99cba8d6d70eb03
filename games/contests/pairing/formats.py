"""The formats of tournaments: what they are called, and how many entrants each takes. PURE."""

from collections.abc import Sequence

from games.contests.pairing import groups, round_robin
from games.rules.words import gettext_noop

SEATS = 512  # entrants of a tournament, at most
SWISS, ROUND_ROBIN, KNOCKOUT, GROUPS = "swiss", "round-robin", "knockout", "groups"
FORMATS = {
    SWISS: gettext_noop("Swiss: everybody plays every round, against those who stand next to them"),
    ROUND_ROBIN: gettext_noop("Round robin: everybody meets everybody equally often"),
    KNOCKOUT: gettext_noop("Knockout: the best of each table go on, until the last table"),
    GROUPS: gettext_noop("Groups, each a round robin, and a final"),
}


def fields(format: str, players: int) -> Sequence[int]:
    """The numbers of entrants that the format takes at tables of `players`, in order."""
    if format == ROUND_ROBIN:
        return round_robin.fields(players)
    if format == GROUPS:
        return groups.fields(players)
    return range(players, SEATS + 1)


def most(format: str, players: int, entrants: int) -> int:
    """How many of so many can take part; 0 where they are too few."""
    return max((number for number in fields(format, players) if number <= entrants), default=0)
