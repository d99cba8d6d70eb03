"""Single elimination for tables of two and more. PURE: numbers in, a bracket out.

Of a table `goes_on(players)` go on, until the last table. The bracket is laid out for as many seeds as fill it, and
those that are missing leave their seats empty: the best seeds have byes, and at most one table of the first round is
short of players.
"""

from collections.abc import Sequence

import msgspec


class Seed(msgspec.Struct, frozen=True, tag=True):
    """A seat of the first round: the entrant with this number, the best is 0."""

    number: int


class Placed(msgspec.Struct, frozen=True, tag=True):
    """A seat of a later round: who came in `place`, from 1, at a table, from 0, of the round before."""

    table: int
    place: int


Slot = Seed | Placed
Tables = tuple[tuple[int, ...], ...]


class Bracket(msgspec.Struct, frozen=True):
    """Rounds of tables of slots. At a table of no more than `goes_on` slots nobody plays: those are byes."""

    goes_on: int
    rounds: tuple[tuple[tuple[Slot, ...], ...], ...]

    def tables(self, number: int, went_on: Sequence[Sequence[int]] = ()) -> Tables:
        """Who sits where in round `number`, from 0. `went_on`: by table of the round before, in order of place."""
        raise NotImplementedError

    def is_bye(self, number: int, table: int) -> bool:
        return len(self.rounds[number][table]) <= self.goes_on


def goes_on(players: int) -> int:
    """How many of a table of `players` go on: two of four, else one."""
    raise NotImplementedError


def bracket(entrants: int, players: int) -> Bracket:
    """The bracket of so many seeds. Raises `IllegalAction` where they do not fill a table."""
    raise NotImplementedError


def in_order(table: Sequence[int], places: Sequence[int]) -> list[int]:
    """The seeds of a table by place; of those who share one, the better seed first."""
    raise NotImplementedError


def final_places(entrants: int, rounds: Sequence[Sequence[Sequence[int]]], goes_on: int) -> list[int]:
    """The place of each seed in the tournament. `rounds`: by round and table, the seeds in order of place."""
    raise NotImplementedError
