"""Forbidden pairings: people who must not meet, such as members of one household. PURE.

They get different divisions or groups, or distant places in a bracket, where an exchange allows it. Otherwise their
matches are left out, except where a bracket or a final brings them together (C16).
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

Pairs = Collection[frozenset[int]]


def meets(table: Sequence[int], pairs: Pairs) -> bool:
    """Return whether two at the table must not meet."""
    return bool(pairs) and any(frozenset(pair) in pairs for pair in combinations(table, 2))


def exchanged(groups: Sequence[Sequence[int]], pairs: Pairs) -> list[list[int]]:
    """Return the groups with fewer forbidden pairs in them, after exchanges of two entrants.

    The lower entrant of a pair changes places with someone of the nearest rank in the nearest other group, so that the
    strength of the groups stays nearly the same.
    """
    exchanged_groups = [list(group) for group in groups]
    for group in exchanged_groups:
        for place in range(len(group) - 1, 0, -1):
            if _conflicts(group[place], group[:place], pairs):
                _exchange(exchanged_groups, group, place, pairs)
    return exchanged_groups


def _exchange(groups: list[list[int]], group: list[int], place: int, pairs: Pairs) -> None:
    """Exchange the entrant at this place of the group with the nearest one of another group for fewer conflicts."""
    number, leaving = groups.index(group), group[place]
    staying = group[:place] + group[place + 1 :]
    positions = [(n, at) for n, other in enumerate(groups) if n != number for at in range(len(other))]
    positions.sort(key=lambda position: (abs(position[1] - place), abs(position[0] - number), position))
    for n, at in positions:
        other, joining = groups[n], groups[n][at]
        others = other[:at] + other[at + 1 :]
        conflicts = _conflicts(joining, staying, pairs) + _conflicts(leaving, others, pairs)
        if conflicts < _conflicts(leaving, staying, pairs) + _conflicts(joining, others, pairs):
            group[place], other[at] = joining, leaving
            return


def _conflicts(entrant: int, others: Sequence[int], pairs: Pairs) -> int:
    """Return how many of the others the entrant must not meet."""
    return sum(frozenset((entrant, other)) in pairs for other in others)


def among(pairs: Pairs, numbers: Mapping[int, int]) -> set[frozenset[int]]:
    """Return the pairs in which both users have a number, as pairs of these numbers."""
    return {frozenset(numbers[user] for user in pair) for pair in pairs if pair <= numbers.keys()}
