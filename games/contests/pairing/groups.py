"""Groups, each a round robin, and a final match. PURE: numbers in, groups of numbers and finalists out."""

from collections.abc import Sequence
from fractions import Fraction

from games.contests.pairing import round_robin
from games.contests.pairing.crosstable import StandingsLine
from games.contests.pairing.protocol import Format, Pairing, Progress
from games.contests.pairing.round_robin import listed, sizes
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

FEWEST = 2  # groups
USUAL = 6  # entrants per group


def fields(players: int) -> list[int]:
    """Return the numbers of entrants for this format: the winner of each group must have a seat in the final."""
    return sorted({entrants for number in range(FEWEST, players + 1) for entrants in _fields(number, players)})


def _fields(number: int, players: int) -> range:
    return range(number * min(sizes(players)), number * max(sizes(players)) + 1)


def groups(entrants: int, players: int) -> list[list[int]]:
    """Deal the seeds, 0 the best, into groups. Raises `IllegalAction` for an unsuitable number.

    If possible, all groups send the same number of finalists and have about six entrants.
    """
    numbers = [number for number in range(FEWEST, players + 1) if entrants in _fields(number, players)]
    if not numbers:
        sentence = gettext_noop("With {players} players per game, groups with a final need {fields} players.")
        raise IllegalAction(sentence, players=players, fields=listed(fields(players)))
    number = min(numbers, key=lambda number: (players % number > 0, abs(entrants / number - USUAL)))
    return snake(range(entrants), number)


def snake(seeds: Sequence[int], number: int) -> list[list[int]]:
    """Deal the seeds into groups of about equal strength, back and forth."""
    dealt: list[list[int]] = [[] for _group in range(number)]
    for n, seed in enumerate(seeds):
        lap, group = divmod(n, number)
        dealt[number - 1 - group if lap % 2 else group].append(seed)
    return dealt


def finalists(ranked: Sequence[Sequence[StandingsLine]], players: int) -> list[int]:
    """Return the finalists, best first: equally many of each group, then the best of those who follow.

    `ranked`: the lines of each group, best first. Lines of different groups compare by share, then wins, then game
    points.
    """

    def merit(line: StandingsLine) -> tuple[Fraction, Fraction, Fraction]:
        return line.share, Fraction(line.wins, max(line.played, 1)), Fraction(line.score, max(line.total_score, 1))

    by_place = (sorted(lines, key=merit, reverse=True) for lines in zip(*ranked, strict=False))
    return [line.entrant for lines in by_place for line in lines][:players]


def rounds(entrants: int, players: int) -> int:
    """Return the number of rounds, including the final."""
    return 1 + max(round_robin.rounds(len(group), players) for group in groups(entrants, players))


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    """Return the minimum number of matches of an entrant, without the final, and the maximum with it."""
    by_group = [round_robin.matches_each(len(group), players) for group in groups(entrants, players)]
    return min(by_group), max(by_group) + 1


def pair(pool: Progress) -> Pairing:
    return pool.paired([pool.remaining_at(pool.entrants)], pool.entrants) if pool.is_final else round_robin.pair(pool)


FORMAT = Format(
    slug="groups", word=gettext_noop("groups and a final"),
    sentence=gettext_noop("Groups and a final: a round robin in each group, then a final"),
    fields=fields, pools=groups, rounds=rounds, matches=matches, pair=pair, finalists=finalists,
)  # fmt: skip
