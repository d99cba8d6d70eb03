"""What becomes of seats when people take a name, turn out to be somebody else, or leave for good."""

from django.db.models import F, QuerySet

from accounts.models import User
from games.models import Game, Seat, Status


def rename_seats(*, user: User) -> None:
    show_change(Seat.objects.filter(user=user))
    Seat.objects.filter(user=user).update(name=user.username)


def move_seats(*, giver: User, taker: User) -> int:
    """The taker sits where the giver sat, save at tables where both do. Returns how many seats moved."""
    shared = Seat.objects.filter(user=taker).values("game")
    seats = Seat.objects.filter(user=giver).exclude(game__in=shared)
    show_change(seats)
    Game.objects.filter(opener=giver).update(opener=taker)
    return seats.update(user=taker, name=taker.username)


def leave_open_tables(*, user: User) -> None:
    """Seats at tables that have not begun are free again."""
    seats = Seat.objects.filter(user=user, game__status=Status.OPEN)
    show_change(seats)
    seats.delete()


def show_change(seats: QuerySet[Seat]) -> None:
    """Pages that show these tables are told to look again."""
    open_or_running = Game.objects.filter(seats__in=seats, status__in=[Status.OPEN, Status.RUNNING])
    Game.objects.filter(pk__in=open_or_running.values("pk")).update(version=F("version") + 1)
