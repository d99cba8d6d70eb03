"""Games in lists: a line on the desk, the seats of many games, and the games that wait for a player."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.tables.models import Game, Seat
from games.tables.selectors import rights

MOST = 200  # most games of one kind in a list


@dataclass(frozen=True)
class DeskGame:
    """A game on a desk. `is_mine`: it waits for the desk's owner until `deadline`; `waiting_for` lists all such seats.

    `seat` is the seat that the owner `plays`, else the owner's seat that someone else plays. `is_asked`: the owner has
    to answer an undo request.
    """

    game: Game
    seat: Seat
    seats: list[Seat]
    is_mine: bool
    deadline: datetime | None
    waiting_for: tuple[int, ...]
    plays: bool = True
    is_asked: bool = False

    @property
    def stands_in(self) -> bool:
        """Whether the desk's owner plays the seat for someone else."""
        return self.plays and self.seat.is_away

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.number != self.seat.number]


def count_waiting(user: rights.Reader) -> int:
    """Count the games that wait for the user."""
    return waiting(user).count() if rights.is_person(user) else 0


def queue(user: rights.Reader) -> list[Game]:
    """Return the games that wait for the user, the most urgent first, at most `MOST`, with only their ids loaded."""
    if not rights.is_person(user):
        return []
    return [seat.game for seat in waiting(user).select_related("game").only("game__public_id")[:MOST]]


def next_waiting(queue: list[Game], after: Game | None = None) -> Game | None:
    """Return the game that follows `after` in the queue, wrapping around at the end."""
    ids = [game.pk for game in queue]
    start = ids.index(after.pk) + 1 if after and after.pk in ids else 0
    return next((game for game in queue[start:] + queue[:start] if after is None or game.pk != after.pk), None)


def waiting(user: rights.Reader) -> QuerySet[Seat]:
    """Return the user's seats that owe a decision, the most urgent first."""
    return Seat.objects.filter(user=user, owes=True).order_by("deadline", "pk")


def tables_of(games: list[int]) -> dict[int, list[Seat]]:
    """Return the seats of these games, by game id."""
    together: dict[int, list[Seat]] = {game: [] for game in games}
    for seat in Seat.objects.filter(game__in=games).order_by("game", "number"):
        together[seat.game_id].append(seat)
    return together
