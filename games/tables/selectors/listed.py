"""Games in lists: one line of a desk, the seats of many games, and the queue of games that wait for a player."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.tables.models import Game, Seat
from games.tables.selectors import rights

MOST = 200  # games of one kind that a list shows


@dataclass(frozen=True)
class DeskGame:
    """A game on a desk. `is_mine`: it waits for the desk's owner, until `deadline`; `waiting_for` names all seats.

    `seat` is the one that the desk's owner `plays`, else the one that another, or a bot, plays for them. `is_asked`:
    somebody wants a turn back and waits for their answer.
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
        """Whether the desk's owner plays it for somebody else."""
        return self.plays and self.seat.is_away

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.number != self.seat.number]


def count_waiting(user: rights.Reader) -> int:
    """How many games wait for the user."""
    return waiting(user).count() if rights.is_person(user) else 0


def queue(user: rights.Reader) -> list[Game]:
    """The games that wait for the user, the most urgent first, `MOST` at most. No more is read than leads to them."""
    if not rights.is_person(user):
        return []
    return [seat.game for seat in waiting(user).select_related("game").only("game__public_id")[:MOST]]


def next_waiting(queue: list[Game], after: Game | None = None) -> Game | None:
    """The first of the queue behind `after`, and from its end round to its beginning."""
    ids = [game.pk for game in queue]
    start = ids.index(after.pk) + 1 if after and after.pk in ids else 0
    return next((game for game in queue[start:] + queue[:start] if after is None or game.pk != after.pk), None)


def waiting(user: rights.Reader) -> QuerySet[Seat]:
    """The user's seats that owe a decision, the most urgent first."""
    return Seat.objects.filter(user=user, owes=True).order_by("deadline", "pk")


def tables_of(games: list[int]) -> dict[int, list[Seat]]:
    """The seats of these games, by game."""
    together: dict[int, list[Seat]] = {game: [] for game in games}
    for seat in Seat.objects.filter(game__in=games).order_by("game", "number"):
        together[seat.game_id].append(seat)
    return together
