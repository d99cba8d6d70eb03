"""Swiss rounds: neighbours in the standing meet, and nobody meets again while that can be avoided. PURE."""

from collections.abc import Sequence

import msgspec

from games.leagues.pairing.round_robin import Round


class Standing(msgspec.Struct, frozen=True):
    """An entrant before a round: whom they met, as often as they did, how many byes they had, how often each seat."""

    entrant: int
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round, the leaders' first and each in the order of its seats, and who sits out."""

    tables: Round
    byes: tuple[int, ...]


def rounds_for(entrants: int, players: int) -> int:
    """How many rounds are usual."""
    raise NotImplementedError


def pair(field: Sequence[Standing], players: int, round: int) -> Pairing:
    """Pair round `round`, from 1, of the field in the order of its standing, the best (in round 1: the seeds) first.

    Raises `IllegalAction` where the field does not fill a table.
    """
    raise NotImplementedError
