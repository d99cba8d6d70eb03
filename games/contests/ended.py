"""Contests, each a game or a full game: which of them are over."""

from django.db.models import Exists, OuterRef, Q

from games.contests.models import Score
from games.tables.models import FullStatus, Status

VOID = Q(game__status=Status.VOID) | Q(full_game__status=FullStatus.VOID)  # called off by the house


def over() -> Q:
    """Rows with a `game` and a `full_game` whose contest has its scores, or was called off."""
    full = Score.objects.filter(full_game=OuterRef("full_game"))
    single = Score.objects.filter(game=OuterRef("game"), full_game=None)
    return Q(Exists(full) | Exists(single)) | VOID
