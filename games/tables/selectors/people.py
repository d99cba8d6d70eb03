"""Queries for pages about people and their games."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.clocks.vacations import still
from games.tables.models import Seat
from games.tables.models.absence import Vacation
from games.tables.models.game import Status
from games.tables.selectors.rights import Reader


def seats_of(user: Reader) -> QuerySet[Seat]:
    """Return the seats that the user owns or plays."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user))


def concerning(user: Reader) -> QuerySet[Seat]:
    """Return the seats that the user owns, plays or was asked to play."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user) | Q(asked=user))


def ever_sat(user: User, seats: Q) -> QuerySet[Seat]:
    """Return those of the seats that the person owns, owned at the start, plays, or played for someone."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user) | Q(first_owner=user) | Q(handovers__to=user), seats)


def seated() -> Exists:
    """Return a condition on users: has ever had a seat."""
    return Exists(seats_of(OuterRef("pk")))


def has_games(user: User) -> bool:
    return seats_of(user).exists()


def is_new_to(reader: Reader, ruleset: str) -> bool:
    """Return whether the reader has never finished a game with this ruleset."""
    if not isinstance(reader, User):
        return True
    return not Seat.objects.filter(owner=reader, game__ruleset=ruleset, game__status=Status.FINISHED).exists()


def away(users: Iterable[User | None], now: datetime) -> set[int]:
    """Return the ids of users who are on vacation now, without a query if nobody announced one."""
    announced = [user.pk for user in users if user and user.away_until and user.away_until > now]
    if not announced:
        return set()
    rows = Vacation.objects.filter(user__in=announced)
    return {row.user_id for row in rows if still(row.plain).begins <= now < still(row.plain).ends}
