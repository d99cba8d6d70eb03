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
    """Return the groups with as few forbidden pairs as single exchanges reach.

    The lower of the two changes places with someone of the nearest rank in the nearest other group, so that the
    strength of the groups stays nearly the same.
    """
    made = [list(group) for group in groups]
    for group in made:
        for place in range(len(group) - 1, 0, -1):
            if _conflicts(group[place], group[:place], pairs):
                _exchange(made, group, place, pairs)
    return made


def _exchange(made: list[list[int]], group: list[int], place: int, pairs: Pairs) -> None:
    here, mover = made.index(group), group[place]
    stay = group[:place] + group[place + 1 :]
    places = [(n, at) for n, other in enumerate(made) if n != here for at in range(len(other))]
    for n, at in sorted(places, key=lambda position: (abs(position[1] - place), abs(position[0] - here), position)):
        other, comer = made[n], made[n][at]
        rest = other[:at] + other[at + 1 :]
        after = _conflicts(comer, stay, pairs) + _conflicts(mover, rest, pairs)
        if after < _conflicts(mover, stay, pairs) + _conflicts(comer, rest, pairs):
            group[place], other[at] = comer, mover
            return


def _conflicts(entrant: int, others: Sequence[int], pairs: Pairs) -> int:
    return sum(frozenset((entrant, other)) in pairs for other in others)


def among(pairs: Pairs, numbers: Mapping[int, int]) -> set[frozenset[int]]:
    """Return the pairs in which both users have a number, as pairs of these numbers."""
    return {frozenset(numbers[user] for user in pair) for pair in pairs if pair <= numbers.keys()}
