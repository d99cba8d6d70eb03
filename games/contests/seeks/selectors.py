"""A person's search, and how long similar searches took."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from games.contests.models import Rated, Seek, SeekState
from games.contests.seeks.services import kinds
from games.tables.selectors.options import short_name
from games.tables.selectors.rights import Reader, is_person

RECENT = timedelta(days=30)
LATEST = 200  # ended searches that are looked at
FEWEST = 5  # games found; with fewer we say nothing about the wait
SHOWN = timedelta(hours=1)  # for which a found game is shown


@dataclass(frozen=True)
class Wait:
    """How similar searches ended recently: how many there were, and how many found people.

    Half of those that found people took at most `median`.
    """

    searches: int
    successful: int
    median: timedelta


def current(reader: Reader) -> Seek | None:
    """Return the reader's waiting search."""
    return Seek.objects.filter(user=reader, state=SeekState.WAITING).first() if is_person(reader) else None


def latest(reader: Reader) -> Seek | None:
    """Return the reader's last search, whatever became of it."""
    if not is_person(reader):
        return None
    return Seek.objects.filter(user=reader).select_related("game", "user").order_by("-pk").first()


def wait(seek: Seek, now: datetime) -> Wait | None:
    """Return how long searches with a game, size and clock in common took in the last 30 days.

    None if fewer than `FEWEST` games were found. Searches that their players canceled say nothing and do not count.
    """
    own_kinds, successful, searches = set(kinds(seek.rulesets, seek.sizes, seek.clocks)), [], 0
    over = [SeekState.FOUND, SeekState.FILLED, SeekState.EXPIRED]
    ended = Seek.objects.filter(state__in=over, ended_at__gt=now - RECENT).exclude(user=seek.user_id)
    if seek.rated != Rated.EITHER:
        ended = ended.filter(Q(rated=seek.rated) | Q(rated=Rated.EITHER))
    for other in ended.order_by("-ended_at")[:LATEST]:
        if own_kinds & set(kinds(other.rulesets, other.sizes, other.clocks)):
            searches += 1
            if other.state == SeekState.FOUND:
                successful.append(other)
    if len({other.game_id for other in successful}) < FEWEST:
        return None
    waits = sorted(other.waited for other in successful)
    return Wait(searches, len(successful), waits[(len(waits) - 1) // 2])


def games_of(seek: Seek) -> list[str]:
    """Return the short names of the games that a search asks for."""
    return [short_name(slug) for slug in seek.rulesets]
