"""A player's desk: the games that wait for them first. A few queries, however many games are stored."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from games.models import Game, Seat
from games.models.game import Status
from games.selectors import rights
from games.selectors.table import waiting_for

FINISHED = 20  # finished games that a desk shows
MOST = 200  # games of one kind that it shows at all


@dataclass(frozen=True)
class DeskGame:
    """A game on a desk. `is_mine`: it waits for the desk's owner, until `deadline`; `waiting_for` names all seats."""

    game: Game
    seat: Seat
    seats: list[Seat]
    is_mine: bool
    deadline: datetime | None
    waiting_for: tuple[int, ...]

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.number != self.seat.number]


@dataclass(frozen=True)
class Desk:
    """`mine` wait for the player, the most urgent first; `others` for somebody else; `open` for players to join."""

    mine: list[DeskGame]
    others: list[DeskGame]
    open: list[DeskGame]
    finished: list[DeskGame]


def desk(*, user: rights.Reader) -> Desk:
    """All running and open games of the user, and the last finished ones."""
    if not rights.is_person(user):
        return Desk([], [], [], [])
    at_hand = list(seats_of(user).filter(game__status__in=[Status.OPEN, Status.RUNNING])[:MOST])
    done = list(seats_of(user).filter(game__status=Status.FINISHED).order_by(F("game__ended_at").desc())[:FINISHED])
    together = tables_of([seat.game_id for seat in at_hand + done])
    shown = [_desk_game(seat, together[seat.game_id]) for seat in at_hand]
    return Desk(
        mine=sorted((one for one in shown if one.is_mine), key=_urgency),
        others=sorted((one for one in shown if one.game.is_running and not one.is_mine), key=_urgency),
        open=[one for one in shown if one.game.is_open],
        finished=[_desk_game(seat, together[seat.game_id]) for seat in done],
    )


def count_waiting(user: rights.Reader) -> int:
    """How many games wait for the user."""
    return waiting(user).count() if rights.is_person(user) else 0


def next_waiting(*, user: rights.Reader, after: Game | None = None) -> Game | None:
    """The next game that waits for the user: the most urgent behind `after`, and from there round to the first."""
    if not rights.is_person(user):
        return None
    queue = [seat.game for seat in waiting(user).select_related("game")[:MOST]]
    ids = [game.pk for game in queue]
    start = ids.index(after.pk) + 1 if after and after.pk in ids else 0
    return next((game for game in queue[start:] + queue[:start] if after is None or game.pk != after.pk), None)


def waiting(user: rights.Reader) -> QuerySet[Seat]:
    """The user's seats that owe a decision, the most urgent first."""
    return Seat.objects.filter(user=user, owes=True).order_by("deadline", "pk")


def seats_of(user: rights.Reader) -> QuerySet[Seat]:
    return (
        Seat.objects.filter(user=user).select_related("game", "game__full_game").order_by(F("game__opened_at").desc())
    )


def tables_of(games: list[int]) -> dict[int, list[Seat]]:
    """The seats of these games, by game."""
    together: dict[int, list[Seat]] = {game: [] for game in games}
    for seat in Seat.objects.filter(game__in=games).order_by("game", "number"):
        together[seat.game_id].append(seat)
    return together


def _desk_game(seat: Seat, seats: list[Seat]) -> DeskGame:
    deadlines = [one.deadline for one in seats if one.deadline]
    return DeskGame(
        seat.game, seat, seats, seat.owes, max(deadlines, default=None), waiting_for(seat.game, seats)
    )  # fmt: skip


def _urgency(one: DeskGame) -> tuple[bool, datetime | None, int]:
    return one.deadline is None, one.deadline, one.game.pk
