"""Groups, each a round robin, and one final table. PURE: numbers in, groups of numbers and finalists out."""

from collections.abc import Sequence

from games.leagues.crosstable import Line


def fields(players: int) -> range:
    """How many entrants this format takes at tables of `players`."""
    raise NotImplementedError


def groups(entrants: int, players: int) -> list[list[int]]:
    """The seeds, 0 the best, dealt into groups by snake. Raises `IllegalAction` for a field of the wrong size."""
    raise NotImplementedError


def finalists(ranked: Sequence[Sequence[Line]], players: int) -> list[int]:
    """Who plays the final: as many of each group, and the best of those who come next. `ranked`: by group."""
    raise NotImplementedError
