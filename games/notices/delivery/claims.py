"""Leases on notices. A claim lasts for LEASE, and only its holder may record what happened to the notice.

A claim is a conditional update that increments `attempts`; the attempt number proves that the claim is still held.
Notices that are sent as one message are claimed together, as a parcel. Several parcels can be claimed at once, to be
sent one after the other.
"""

import time
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Prefetch, QuerySet, prefetch_related_objects
from django.utils import timezone

from accounts.models import User
from empire import metrics
from games.clocks.zones import local_date
from games.notices import outlets as channels
from games.notices.kinds import How
from games.notices.models import OPEN, Fate, Notice, Why
from games.notices.outbox import names, times
from games.tables.models import Entry, Seat

LEASE = timedelta(minutes=5)  # well above the time-outs of one hand-over
PATIENCE = timedelta(minutes=4)  # to wait for a lost database after a hand-over; shorter than the lease
ONE_LOOK = 0.5  # seconds
AT_HAND = 8  # of the last entries of a game, prefetched for many games at once
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, *[60] * 23))  # a day in all

Parcel = list[Notice]


def due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(state__in=OPEN, due_at__lte=now)


def claim(pk: int) -> Parcel:
    """Claim the notice. Return an empty parcel if it is not due, is held or already claimed, or its channel rests."""
    now = timezone.now()
    notice = _due(now).filter(pk=pk).first()
    if notice is None or channels.rests(notice.channel):
        return []
    wait = times.held(notice, now)
    if wait:
        _hold(notice, *wait)
        return []
    return _claim_digest(notice, now) if notice.how == How.DIGEST else _take([notice], names.message_id(notice), now)


def claim_with_others(pk: int) -> list[Parcel]:
    """Claim the notice together with untried ones of its channel, as many as go together.

    Returns an empty list as `claim` does. If more are due than go together, the notice itself may have to wait.
    """
    first = due(timezone.now()).filter(pk=pk).only("channel", "how", "attempts").first()
    if first is None:
        return []
    together = channels.outlet(first.channel).together
    if together > 1 and not first.attempts and first.how != How.DIGEST:
        return _claim_fresh(first.channel, together)
    parcel = claim(pk)
    return [parcel] if parcel else []


def _claim_fresh(channel: str, most: int) -> list[Parcel]:
    """Claim the untried notices that have been due longest, skipping those that another worker is claiming."""
    if channels.rests(channel):
        return []
    found, taken = _taken_fresh(channel, most, timezone.now())
    if found and not taken:  # all were held, or other workers were faster
        return _claim_fresh(channel, most)
    _read_ahead(taken)
    return [[notice] for notice in taken]


def _taken_fresh(channel: str, most: int, now: datetime) -> tuple[list[Notice], list[Notice]]:
    """Return the notices found and those claimed: with row locks if the database has them, else one by one."""
    fresh = _due(now).filter(channel=channel, attempts=0).exclude(how=How.DIGEST).order_by("due_at")
    if not connection.features.has_select_for_update_skip_locked:
        found = list(fresh[:most])
        return found, [notice for notice in _free(found, now) if _take([notice], names.message_id(notice), now)]
    with transaction.atomic():
        found = list(fresh.select_for_update(of=("self",), skip_locked=True)[:most])
        taken = _free(found, now)
        first = {"state": Fate.SENDING, "claimed_at": now, "due_at": now + LEASE, "attempts": 1}
        Notice.objects.filter(pk__in=[notice.pk for notice in taken]).update(**first)
    for notice in taken:
        notice.attempts, notice.message_id = 1, names.message_id(notice)
    return found, taken


def _free(found: list[Notice], now: datetime) -> list[Notice]:
    """Return the notices that can go now, and hold the others."""
    waits = [(notice, times.held(notice, now)) for notice in found]
    for notice, wait in waits:
        if wait:
            _hold(notice, *wait)
    return [notice for notice, wait in waits if not wait]


def _read_ahead(notices: list[Notice]) -> None:
    """Prefetch what messages about games need, for all of them at once."""
    seats = Prefetch("seats", Seat.objects.order_by("number"), to_attr="sitting")
    entries = Prefetch("entries", Entry.objects.filter(seq__gt=F("game__seq") - AT_HAND), to_attr="latest")
    prefetch_related_objects([notice.seat.game for notice in notices if notice.seat], seats, entries)


def release(parcels: list[Parcel]) -> None:
    """Return parcels that were not tried to the queue, as if they had never been claimed."""
    for parcel in parcels:
        as_before = {"attempts": F("attempts") - 1, "claimed_at": None, "due_at": parcel[0].due_at}
        _mine(parcel).update(state=Fate.QUEUED, **as_before)


def _due(now: datetime) -> QuerySet[Notice]:
    return due(now).select_related("user", "seat__game__snapshot", "seat__user")


def _hold(notice: Notice, until: datetime, why: Why) -> None:
    """Postpone the notice; while paused, drop it if it is for information only."""
    untouched = Notice.objects.filter(pk=notice.pk, state=notice.state, attempts=notice.attempts, due_at=notice.due_at)
    if why == Why.PAUSED and notice.kind in times.NEWS:
        untouched.update(state=Fate.DROPPED, why=why)
    else:
        untouched.update(state=Fate.QUEUED, why=why, planned_at=until, due_at=until, **_renamed(notice, until))


def _renamed(notice: Notice, at: datetime) -> dict[str, str]:
    """Return the new Message-ID of a postponed digest. One that may already have arrived keeps its own."""
    if notice.how != How.DIGEST or notice.claimed_at:
        return {}
    return {"message_id": names.digest_id(notice.user_id, local_date(notice.user.zone, at))}


@transaction.atomic
def _claim_digest(notice: Notice, now: datetime) -> Parcel:
    """Claim the notice with all others of its digest. A notice that came too late for it moves to the next digest.

    The lock on the user's row keeps workers from claiming the same digest at once.
    """
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
    """Claim the parcel, or return an empty one if another worker was faster."""
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
    """Repair times written before the system clock was set back: leases, and notices to be sent right away."""
    ahead = now + LEASE
    leases = Notice.objects.filter(state=Fate.SENDING, claimed_at__gt=ahead)
    leases.update(claimed_at=now, due_at=ahead)  # a worker that still holds it may finish
    at_once = Notice.objects.filter(state=Fate.QUEUED, how=How.NOW, created_at__gt=ahead)
    at_once.filter(wanted_at=F("created_at")).update(due_at=now)


def renewed(parcels: list[Parcel]) -> list[Parcel]:
    """Renew the leases and return the parcels whose lease had not expired, as it may for a suspended worker."""
    if not parcels:  # none of the messages is still true
        return []
    whole = [notice for parcel in parcels for notice in parcel]
    return parcels if _renew(whole) else [parcel for parcel in parcels if _renew(parcel)]


def _renew(parcel: Parcel) -> bool:
    now = timezone.now()
    return _mine(parcel).filter(due_at__gt=now).update(due_at=now + LEASE) == len(parcel)


def end(parcel: Parcel, fate: Fate, why: str = "") -> bool:
    """Record the outcome. Return whether the claim still held."""
    sent_at = timezone.now() if fate == Fate.SENT else None
    ended = _mine(parcel).update(state=fate, why=why, sent_at=sent_at, message_id=parcel[0].message_id)
    metrics.notices.labels(parcel[0].channel, fate).inc(ended)
    return ended > 0


def end_surely(parcel: Parcel, fate: Fate) -> bool:
    """Record the outcome of a message that was handed over, waiting if the database is away."""
    stops = time.monotonic() + PATIENCE.total_seconds()
    while True:
        try:
            return end(parcel, fate)
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or time.monotonic() > stops:
                raise
            connection.close()  # so that the next attempt opens a new one
            time.sleep(ONE_LOOK)


def put_back(parcel: Parcel, reason: str, after: timedelta = timedelta()) -> None:
    """Schedule another attempt, at the earliest after `after`, or give up after a day."""
    attempts = max(notice.attempts for notice in parcel)
    if attempts > len(BACK_OFF):
        end(parcel, Fate.FAILED, reason)
    else:
        wait = max(BACK_OFF[attempts - 1], after)
        waiting = _mine(parcel).update(state=Fate.QUEUED, why=reason, due_at=timezone.now() + wait)
        metrics.notices.labels(parcel[0].channel, "again").inc(waiting)


def _mine(parcel: Parcel) -> QuerySet[Notice]:
    """Return the notices of the parcel that our claim still holds."""
    attempts = max(notice.attempts for notice in parcel)
    return Notice.objects.filter(pk__in=[one.pk for one in parcel], state=Fate.SENDING, attempts=attempts)
