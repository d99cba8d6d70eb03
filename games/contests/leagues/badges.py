"""Badges of a season: for the first three places, for promotion, and for having played everything on time."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef

from games.contests.models import Appearance, Badge, Entrant, Fate, Honour, MatchState, Season

PLACES = {1: Honour.WINNER, 2: Honour.SECOND, 3: Honour.THIRD}
ROWS = 2000


def award(season: Season, entrants: Iterable[Entrant], now: datetime) -> None:
    """Award badges to entrants with places and fates. Badges that exist already are kept."""
    negligent = _negligent(season)
    Badge.objects.bulk_create(
        (
            Badge(user=one.user, honour=honour, season=season, tier=one.pool.tier, at=now)
            for one in entrants
            if one.pool is not None
            for honour in honours(one, one.pool.tier, is_steadfast=one.pk not in negligent)
        ),
        batch_size=ROWS,
        ignore_conflicts=True,
    )


def honours(entrant: Entrant, tier: int, *, is_steadfast: bool) -> Iterator[Honour]:
    if entrant.user_id is None or entrant.left_at is not None or not entrant.played:
        return
    if entrant.place in PLACES and entrant.fate != Fate.DOWN:
        yield Honour.CHAMPION if (tier, entrant.place) == (1, 1) else PLACES[entrant.place]
    if entrant.fate == Fate.UP:
        yield Honour.PROMOTED
    if is_steadfast:
        yield Honour.STEADFAST


def _negligent(season: Season) -> set[int]:
    """Return entrants for whom a bot decided, or with a match annulled although nobody in it had dropped out."""
    appearances = Appearance.objects.filter(match__pool__season=season)
    gone = Appearance.objects.filter(match=OuterRef("match"), entrant__left_at__isnull=False)
    late = appearances.filter(late__gt=0)
    unplayed = appearances.filter(~Exists(gone), match__state=MatchState.ANNULLED)
    return {*late.values_list("entrant", flat=True), *unplayed.values_list("entrant", flat=True)}
