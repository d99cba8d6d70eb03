"""What the pages about people ask about their games."""

from django.db.models import Exists, OuterRef

from accounts.models import User
from games.models import Seat


def seated() -> Exists:
    """A condition on users: somebody who sits, or sat, at a table."""
    return Exists(Seat.objects.filter(user=OuterRef("pk")))


def has_games(user: User) -> bool:
    return Seat.objects.filter(user=user).exists()
