"""The interface of tournament formats: the numbers of entrants they take, their rounds and their pairings. PURE.

A format reads the `Progress` of a pool and returns the `Pairing` of the next round. The rest (sign-up, matches,
notices, standings, pages) is the same for all formats. They are listed in `formats.py`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from games.contests.pairing import apart
from games.contests.pairing.crosstable import Result, StandingsLine

SEATS = 512  # maximum entrants of a tournament

Table = tuple[int, ...]  # entrants in seat order
Round = tuple[Table, ...]  # nobody is at two of its tables


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round, and the entrants with a bye. Tables of fewer than two are not played."""

    tables: Round = ()
    byes: Table = ()

    def without(self, forbidden: Collection[frozenset[int]]) -> "Pairing":
        """Return the pairing without the tables at which two meet who must not. Everyone at such a table has a bye."""
        left_out = [table for table in self.tables if apart.meets(table, forbidden)]
        kept = tuple(table for table in self.tables if table not in left_out)
        return Pairing(kept, (*self.byes, *(entrant for table in left_out for entrant in table))) if left_out else self


class Played(msgspec.Struct, frozen=True):
    """A match so far. If it does not count, because it was annulled, its places and scores are 0."""

    round: int
    counts: bool
    result: Result


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """A pool before or after a `round`, numbered from 1. `players` is the usual number per match.

    `entrants` are ids, by seed; `playing` are those who have not dropped out, and `byes` says how many each had.
    `sizes`: the numbers of players with which a match can be played. `previous_orders`, for brackets: the seeds, from
    0, by table of the previous round, in the order of places. `is_final`: this is the pool of the final. `forbidden`:
    pairs of entrants who must not meet.
    """

    entrants: Table
    playing: frozenset[int]
    byes: Mapping[int, int]
    matches: Sequence[Played]
    tie_breaks: Sequence[str]
    players: int
    sizes: frozenset[int]
    round: int
    previous_orders: Sequence[Sequence[int]] = ()
    is_final: bool = False
    forbidden: frozenset[frozenset[int]] = frozenset()

    def remaining_at(self, table: Iterable[int]) -> Table:
        """Return the entrants at a table who have not dropped out; none if they are too few to play."""
        remaining = tuple(entrant for entrant in table if entrant in self.playing)
        return remaining if len(remaining) in self.sizes else ()

    def paired(self, tables: Sequence[Table], among: Iterable[int]) -> Pairing:
        """Return the pairing of these tables, with byes for all others of `among` who have not dropped out."""
        seated = {entrant for table in tables for entrant in table}
        return Pairing(
            tuple(tables), tuple(entrant for entrant in among if entrant in self.playing and entrant not in seated)
        )


def from_full_table(players: int) -> Sequence[int]:
    return range(players, SEATS + 1)


def one_pool(entrants: int, players: int) -> list[list[int]]:
    return [list(range(entrants))]


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format, described for people by a `sentence` and a `word`, both to be translated.

    By default, everyone plays all rounds in one pool, and the standings decide.
    """

    slug: str
    word: str
    sentence: str
    # The number of rounds, from the numbers of entrants and of players per match, unless the organizer chooses it
    rounds: Callable[[int, int], int]
    # The minimum and maximum of an entrant, from the numbers of entrants, players per match and rounds
    matches: Callable[[int, int, int], tuple[int, int]]
    # The next round of a pool
    pair: Callable[[Progress], Pairing]
    # The numbers of entrants that it takes, in order, from the number of players per match
    fields: Callable[[int], Sequence[int]] = from_full_table
    # The seeds of each pool at the start, from the numbers of entrants and of players per match
    pools: Callable[[int, int], list[list[int]]] = one_pool
    # A single elimination with the bracket of `knockout.py`
    has_bracket: bool = False
    # Entrants ask for their matches, see `arena.py`
    is_arena: bool = False
    # The entrants of the final, best first, from the lines of each pool and the number of players per match. They play
    # the last round in a pool of their own
    finalists: Callable[[Sequence[Sequence[StandingsLine]], int], list[int]] | None = None
