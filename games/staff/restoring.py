"""Steps after restoring a backup, which adapt its old state to the present.

Each step can be interrupted and repeated. Nobody may play meanwhile.
"""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts import deletions
from accounts.models import DataExport, User
from accounts.services import delete_account
from empire import dates
from empire.models import Heartbeat, Trouble
from games.contests.models import Challenge, Post
from games.contests.models.ladder import Outcome
from games.notices.models import OPEN, Notice, NoticeReason, NoticeState, Outage
from games.rules import staff
from games.tables.models import Game, Seat, Status
from games.tables.services import interventions as intervene

logger = logging.getLogger(__name__)

HOUR = timedelta(hours=1)


def drop_notices(*, taken_at: datetime) -> int:
    """Drop notices that were due before now, and posts to webhooks: they were sent or are outdated. Count notices."""
    waited = Notice.objects.filter(state__in=OPEN, created_at__lte=taken_at)
    due = waited.filter(Q(due_at__lte=timezone.now()) | Q(state=NoticeState.SENDING))
    Post.objects.filter(state__in=OPEN, written_at__lte=taken_at).update(
        state=NoticeState.DROPPED, why=NoticeReason.RESTORED
    )
    return due.update(state=NoticeState.DROPPED, why=NoticeReason.RESTORED)


def delete_again(listed: dict[str, datetime]) -> tuple[int, int]:
    """Delete the accounts that were deleted after the backup, and all archives of personal data.

    Return how many accounts were deleted, and how many could not be. A link that was used once could be used again if
    the archives stayed.
    """
    DataExport.objects.all().delete()
    deletions.save(listed)
    deleted = failed = 0
    for user in deletions.restored():
        if not User.objects.filter(pk=user.pk).exists():
            continue  # a bot that went with its owner
        try:
            delete_account(user)
        except Exception:
            logger.exception("Cannot delete account %s again.", user.pk)
            failed += 1
        else:
            deleted += 1
    return deleted, failed


def awaited() -> QuerySet[Game]:
    """Return games in which a person's clock runs, and all with sealed decisions, so as not to reveal whose."""
    clocks = Seat.objects.filter(owes=True, user__isnull=False, game__status=Status.RUNNING)
    owing = clocks.filter(game__lesson="")  # lessons have no clock
    return Game.objects.filter(Q(pk__in=owing.values("game")) | Q(status=Status.RUNNING, sealed=True)).order_by("pk")


def give_time_back(*, taken_at: datetime, exclude: Iterable[Game] = ()) -> Iterator[Game]:
    """Give players the time back that has passed since the backup, as a log entry. Yield the games."""
    words = gettext("The site was restored to its state of {moment} UTC. Anything after that is lost.")
    reason = words.format(moment=dates.localized(taken_at, "j F Y, H:i"))
    for pk in list(awaited().exclude(pk__in=[game.pk for game in exclude]).values_list("pk", flat=True)):
        game = Game.objects.get(pk=pk)
        last = intervene.intervention_after(game, game.seq - 1)
        if isinstance(last, staff.TimeGiven) and last.reason == reason:
            continue  # it was given before the restore was interrupted
        time = hours(taken_at)
        try:
            intervene.give_time(game=game, seat=None, hours=time, reason=reason, expected_seq=game.seq, by=None)
        except Exception:  # one broken game must not stop the others
            logger.exception("Cannot give time back to game %s.", game)
        else:
            yield game


def hours(taken_at: datetime) -> int:
    """Return the hours since the backup, rounded up, within the limits of an intervention."""
    return min(max(ceil((timezone.now() - taken_at) / HOUR), 1), staff.MOST_HOURS)


@transaction.atomic
def finish(*, taken_at: datetime) -> None:
    """Finish the restore: extend open ladder challenges and clear old troubles and heartbeats."""
    lost = timedelta(hours=hours(taken_at))
    Challenge.objects.filter(state=Outcome.OPEN).update(answer_by=F("answer_by") + lost)
    for model in (Outage, Trouble, Heartbeat):
        model.objects.all().delete()
