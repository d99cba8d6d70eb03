"""What the pages about people ask about their games."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.tables.models import Seat
from games.tables.models.game import Status
from games.tables.selectors.rights import Reader


def seats_of(user: Reader) -> QuerySet[Seat]:
    """The seats that are the user's, whoever plays them, and those of others that the user plays."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user))


def concerning(user: Reader) -> QuerySet[Seat]:
    """The same seats, and those that the user has been asked to play."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user) | Q(asked=user))


def ever_sat(user: User, seats: Q) -> QuerySet[Seat]:
    """Return those of these seats that the person owns, owned at first, plays, or played for somebody."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user) | Q(first_owner=user) | Q(handovers__to=user), seats)


def seated() -> Exists:
    """A condition on users: somebody who sits, or sat, at a table."""
    return Exists(seats_of(OuterRef("pk")))


def has_games(user: User) -> bool:
    return seats_of(user).exists()


def is_new_to(reader: Reader, ruleset: str) -> bool:
    """Whether it is a game that the reader has never finished."""
    if not isinstance(reader, User):
        return True
    return not Seat.objects.filter(owner=reader, game__ruleset=ruleset, game__status=Status.FINISHED).exists()
