"""After a backup has been put back: the site stands as it stood then, and people live now.

Each step can be cut off and done again. Nobody may play meanwhile.
"""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from empire.models import Heartbeat, Trouble
from games.contests.models import Challenge
from games.contests.models.ladder import Outcome
from games.notices.models import OPEN, Fate, Notice, Outage, Why
from games.rules import house
from games.tables.models import Game, Seat, Status
from games.tables.services import interventions as intervene

logger = logging.getLogger(__name__)

HOUR = timedelta(hours=1)


def drop_notices(*, taken_at: datetime) -> int:
    """What waited then and is due now has long been said, or is not news any more. Returns how many are dropped."""
    waited = Notice.objects.filter(state__in=OPEN, created_at__lte=taken_at)
    due = waited.filter(Q(due_at__lte=timezone.now()) | Q(state=Fate.SENDING))
    return due.update(state=Fate.DROPPED, why=Why.RESTORED)


def awaited() -> QuerySet[Game]:
    """The games in which a person's clock runs; while decisions are sealed nobody may know whose."""
    owing = Seat.objects.filter(owes=True, user__isnull=False, game__status=Status.RUNNING)
    return Game.objects.filter(Q(pk__in=owing.values("game")) | Q(status=Status.RUNNING, sealed=True)).order_by("pk")


def give_time_back(*, taken_at: datetime, besides: Iterable[Game] = ()) -> Iterator[Game]:
    """The games whose players have the time again that has passed since then, as an entry that they read."""
    words = gettext("The site was restored to its state of {moment} UTC. Anything after that is lost.")
    reason = words.format(moment=date_format(taken_at, "j F Y, H:i"))
    for pk in list(awaited().exclude(pk__in=[game.pk for game in besides]).values_list("pk", flat=True)):
        game = Game.objects.get(pk=pk)
        if _give(game, taken_at, reason):
            yield game


def _give(game: Game, taken_at: datetime, reason: str) -> bool:
    """Once for one reason."""
    last = intervene.decided_behind(game, game.seq - 1)
    if isinstance(last, house.TimeGiven) and last.reason == reason:
        return False
    try:
        intervene.give_time(game=game, seat=None, hours=hours(taken_at), reason=reason, expected_seq=game.seq, by=None)
    except Exception:  # one broken table must not keep the others waiting
        logger.exception("The table %s could not be given time.", game)
        return False
    return True


def hours(taken_at: datetime) -> int:
    """What has passed, rounded up."""
    return min(max(ceil((timezone.now() - taken_at) / HOUR), 1), house.MOST_HOURS)


@transaction.atomic
def go_on(*, taken_at: datetime) -> None:
    """The end of it: answers to challenges have longer too, and what was amiss was so then."""
    lost = timedelta(hours=hours(taken_at))
    Challenge.objects.filter(state=Outcome.OPEN).update(answer_by=F("answer_by") + lost)
    for model in (Outage, Trouble, Heartbeat):
        model.objects.all().delete()
