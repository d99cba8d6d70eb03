"""What becomes of seats when people take a name, turn out to be somebody else, or leave for good."""

from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from games.leagues.models import Entrant, Score
from games.models import Game, Message, Note, Notice, Seat, Status
from games.selectors.people import seats_of
from games.services import timing


def rename_seats(*, user: User) -> None:
    show_change(Seat.objects.filter(owner=user))
    Seat.objects.filter(owner=user).update(name=user.username)
    Message.objects.filter(author=user).update(name=user.username)
    Score.objects.filter(user=user).update(name=user.username)
    Entrant.objects.filter(user=user).update(name=user.username)


def move_seats(*, giver: User, taker: User) -> int:
    """The taker sits where the giver, a guest, sat, save at tables where both do. Returns how many seats moved."""
    seats = Seat.objects.filter(owner=giver).exclude(game__in=seats_of(taker).values("game"))
    show_change(seats)
    Game.objects.filter(opener=giver).update(opener=taker)
    Message.objects.filter(author=giver).update(author=taker, name=taker.username)
    Message.objects.filter(hearer=giver).update(hearer=taker)
    Note.objects.filter(user=giver).exclude(game__in=Note.objects.filter(user=taker).values("game")).update(user=taker)
    scores = Score.objects.filter(user=giver).exclude(game__in=Score.objects.filter(user=taker).values("game"))
    scores.update(user=taker, name=taker.username)
    taken = list(seats.values_list("pk", flat=True))
    Notice.objects.filter(user=giver, seat__in=taken).update(user=taker)
    moved = list(Seat.objects.filter(pk__in=taken).select_related("user", "owner", "game").order_by("pk"))
    for seat in moved:  # what is spent stays spent, and the clocks run on by the nights of the taker
        timing.settle(seat, seat.game.pace, timezone.now())
        seat.owner, seat.name = taker, taker.username
        seat.user = taker if seat.user_id == giver.pk else seat.user
        timing.run_on(seat, seat.game.pace)
    return Seat.objects.bulk_update(moved, ["owner", "user", "name", *timing.CLOCK])


def leave_open_tables(*, user: User) -> None:
    """Seats at tables that have not begun are free again."""
    seats = Seat.objects.filter(user=user, game__status=Status.OPEN)
    show_change(seats)
    seats.delete()


def show_change(seats: QuerySet[Seat]) -> None:
    """Pages that show these tables are told to look again."""
    open_or_running = Game.objects.filter(seats__in=seats, status__in=[Status.OPEN, Status.RUNNING])
    Game.objects.filter(pk__in=open_or_running.values("pk")).update(version=F("version") + 1)
