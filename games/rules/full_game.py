"""The ranking of a full game, from plain numbers."""

from collections.abc import Sequence
from typing import NamedTuple

TIE_BREAKS = ("won", "left")


class SeatTotal(NamedTuple):
    """A seat after its games: points by game and in total, games won, what was left over.

    Places count 1, 1, 3. `tie_break` names what placed it after the next seat above with the same points.
    """

    seat: int
    games: tuple[int, ...]
    points: int
    won: int
    left: int
    place: int = 0
    tie_break: str | None = None

    @property
    def key(self) -> tuple[int, int, int]:
        return self.points, self.won, self.left


def seat_total(seat: int, games: Sequence[tuple[int, int, int]]) -> SeatTotal:
    """Add up a seat's games, each given as points, place and what was left. A shared first place is a win (R61)."""
    points = tuple(total for total, _place, _left in games)
    won = sum(place == 1 for _total, place, _left in games)
    return SeatTotal(seat, points, sum(points), won, sum(left for _total, _place, left in games))


def ranked(totals: Sequence[SeatTotal]) -> list[SeatTotal]:
    """Return the totals with places: by points, then games won, then what was left, then shared (R24)."""
    placed = []
    for total in totals:
        ahead = [other for other in totals if other.key > total.key]
        above = min(ahead, key=lambda other: other.key, default=None)
        decided = None
        if above is not None and above.points == total.points:
            decided = next(name for name in TIE_BREAKS if getattr(above, name) != getattr(total, name))
        placed.append(total._replace(place=len(ahead) + 1, tie_break=decided))
    return placed
