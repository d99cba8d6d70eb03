"""Which contests are over. A contest is a single game or a full game."""

from django.db.models import Exists, OuterRef, Q

from games.contests.models import Score
from games.tables.models import FullStatus, Status

VOID = Q(game__status=Status.VOID) | Q(full_game__status=FullStatus.VOID)  # called off by staff


def over() -> Q:
    """Return a query for rows with a `game` and a `full_game` whose contest has its scores, or was called off."""
    full = Score.objects.filter(full_game=OuterRef("full_game"))
    single = Score.objects.filter(game=OuterRef("game"), full_game=None)
    return Q(Exists(full) | Exists(single)) | VOID
