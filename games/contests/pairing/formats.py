"""The formats of tournaments, and the numbers of entrants that each takes. PURE."""

from collections.abc import Sequence

from games.contests.pairing import arena, groups, knockout, round_robin, swiss, teams

KINDS = {
    kind.slug: kind
    for kind in (swiss.FORMAT, round_robin.FORMAT, knockout.FORMAT, groups.FORMAT, arena.FORMAT, teams.FORMAT)
}
FORMATS = {slug: kind.sentence for slug, kind in KINDS.items()}
SWISS = swiss.FORMAT.slug
TEAMS = teams.FORMAT.slug


def fields(format: str, players: int) -> Sequence[int]:
    """Return the numbers of entrants that the format takes with `players` per match, in order."""
    return KINDS[format].fields(players)


def most(format: str, players: int, entrants: int) -> int:
    """Return how many of the entrants can take part; 0 if there are too few."""
    return max((number for number in fields(format, players) if number <= entrants), default=0)
