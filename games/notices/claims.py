"""Who is at a notice: a claim holds for LEASE, and only whoever holds it may write down what became of the notice.

It is a conditional update, and with each `attempts` goes up: the number of the attempt proves that it is still one's
own. What is sent together is claimed together, as a parcel.
"""

import time
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.kinds import How
from accounts.models import User
from empire import metrics
from games.clocks.zones import local_date
from games.notices import channels, names, times
from games.notices.models import OPEN, Fate, Notice, Why

LEASE = timedelta(minutes=5)  # well above what time-outs let one hand-over take
PATIENCE = timedelta(minutes=4)  # with a database that is away when a message has been handed over; within the lease
ONE_LOOK = 0.5  # seconds
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, *[60] * 23))  # a day in all

Parcel = list[Notice]


def due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(state__in=OPEN, due_at__lte=now)


def claim(pk: int) -> Parcel:
    """Take the notice up. Empty when it is not due, has to wait, another worker was quicker, or its channel rests."""
    now = timezone.now()
    notice = _due(now).filter(pk=pk).first()
    if notice is None or channels.rests(notice.channel):
        return []
    wait = times.held(notice, now)
    if wait:
        _hold(notice, *wait)
        return []
    return _claim_digest(notice, now) if notice.how == How.DIGEST else _take([notice], names.message_id(notice), now)


def _due(now: datetime) -> QuerySet[Notice]:
    return due(now).select_related("user", "seat__game", "seat__user")


def _hold(notice: Notice, until: datetime, why: Why) -> None:
    """Let it wait; news that nothing is asked for do not outlast a pause."""
    untouched = Notice.objects.filter(pk=notice.pk, state=notice.state, attempts=notice.attempts, due_at=notice.due_at)
    if why == Why.PAUSED and notice.kind in times.NEWS:
        untouched.update(state=Fate.DROPPED, why=why)
    else:
        untouched.update(state=Fate.QUEUED, why=why, planned_at=until, due_at=until, **_renamed(notice, until))


def _renamed(notice: Notice, at: datetime) -> dict[str, str]:
    """A digest that nobody has tried to send takes the name of its new day; one that may have arrived keeps its own."""
    if notice.how != How.DIGEST or notice.claimed_at:
        return {}
    return {"message_id": names.digest_id(notice.user_id, local_date(notice.user.zone, at))}


@transaction.atomic
def _claim_digest(notice: Notice, now: datetime) -> Parcel:
    """All that is due with it. Whoever's turn it is to look does so alone; what comes too late waits for the next."""
    User.objects.select_for_update(no_key=True).get(pk=notice.user_id)
    together = {"user": notice.user_id, "channel": notice.channel, "target": notice.target}
    named = Notice.objects.filter(**together, message_id=notice.message_id)
    has_begun = named.filter(claimed_at__isnull=False).exists()
    parcel = list(_due(now).filter(pk__in=named.values("pk"), claimed_at__isnull=not has_begun).order_by("pk"))
    if has_begun and not notice.claimed_at:
        at = times.next_digest(notice.user, now)
        untouched = named.filter(pk=notice.pk, state=Fate.QUEUED, claimed_at=None)
        untouched.update(planned_at=at, due_at=at, **_renamed(notice, at))
        return []
    return _take(parcel, notice.message_id, now)


def _take(parcel: Parcel, message_id: str, now: datetime) -> Parcel:
    """The parcel, if nobody was quicker."""
    if not parcel:
        return []
    attempts = {notice.attempts for notice in parcel}
    untouched = due(now).filter(pk__in=[notice.pk for notice in parcel], attempts__in=attempts)
    for notice in parcel:
        notice.attempts, notice.message_id = max(attempts) + 1, message_id
    taken = untouched.update(
        state=Fate.SENDING, claimed_at=now, due_at=now + LEASE, attempts=max(attempts) + 1, message_id=message_id
    )
    return parcel if taken == len(parcel) else []


def set_right(now: datetime) -> None:
    """Put right what was written by a clock that has been set back since: leases, and what was to go out at once."""
    ahead = now + LEASE
    leases = Notice.objects.filter(state=Fate.SENDING, claimed_at__gt=ahead)
    leases.update(claimed_at=now, due_at=ahead)  # whoever is still at it may end
    at_once = Notice.objects.filter(state=Fate.QUEUED, how=How.NOW, created_at__gt=ahead)
    at_once.filter(wanted_at=F("created_at")).update(due_at=now)


def renew(parcel: Parcel) -> bool:
    """Whether the lease had not run out, as it does for a worker that was asleep; from now it runs anew."""
    now = timezone.now()
    return _mine(parcel).filter(due_at__gt=now).update(due_at=now + LEASE) == len(parcel)


def end(parcel: Parcel, fate: Fate, why: str = "") -> bool:
    """Write down what became of it."""
    sent_at = timezone.now() if fate == Fate.SENT else None
    ended = _mine(parcel).update(state=fate, why=why, sent_at=sent_at)
    metrics.notices.labels(parcel[0].channel, fate).inc(ended)
    return ended > 0


def end_surely(parcel: Parcel, fate: Fate) -> bool:
    """The same for what is out of our hands: a database that goes away at that moment is waited for."""
    stops = time.monotonic() + PATIENCE.total_seconds()
    while True:
        try:
            return end(parcel, fate)
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or time.monotonic() > stops:
                raise
            connection.close()  # what is broken is not used again
            time.sleep(ONE_LOOK)


def put_back(parcel: Parcel, reason: str, after: timedelta = timedelta()) -> None:
    """Try again later, not before the time `after`, or give up after a day."""
    attempts = max(notice.attempts for notice in parcel)
    if attempts > len(BACK_OFF):
        end(parcel, Fate.FAILED, reason)
    else:
        wait = max(BACK_OFF[attempts - 1], after)
        waiting = _mine(parcel).update(state=Fate.QUEUED, why=reason, due_at=timezone.now() + wait)
        metrics.notices.labels(parcel[0].channel, "again").inc(waiting)


def _mine(parcel: Parcel) -> QuerySet[Notice]:
    """What of the parcel our claim still holds."""
    attempts = max(notice.attempts for notice in parcel)
    return Notice.objects.filter(pk__in=[one.pk for one in parcel], state=Fate.SENDING, attempts=attempts)
