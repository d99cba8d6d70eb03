"""A notice's way from the outbox to the channel, in five steps: claim, check, write, hand over, record.

Several workers may run at once, be killed, or be started twice. A claim lasts for LEASE, and only its holder may record
what happened. It is a conditional update that increments `attempts`: the number proves that the claim is still held.

Right before a message is handed over, the claim is renewed and each notice checked again, so a turn taken in the
meantime still cancels it. A worker killed before that has sent nothing, and the sweep sends the notice when the lease
expires. If it is killed between the server's acceptance and our note of it, nobody can know (RFC 1047). We then hand
the email over again with the same Message-ID, which lets mailboxes drop the duplicate: a second copy costs a glance, a
lost one costs a turn.

Notices that are due at the same time are claimed, checked and written together and go over one connection, which costs
a third less. Each message is still handed over and recorded individually, and a check is valid for CHECK_LASTS seconds.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from empire.observability import metrics
from empire.prepared import Prepared, PreparedChange
from games.clocks.zones import local_date
from games.notices import outlets
from games.notices.delivery.messages import written
from games.notices.kinds import NEWS, OF_DECISIONS, Channel, How, Kind
from games.notices.models import OPEN, Notice, NoticeReason, NoticeState
from games.notices.outbox import times, words
from games.notices.outlets import Down, Gone, Refused, TryAgain
from games.rules import log
from games.tables.models import Entry, Handover, Seat
from games.tables.selectors import position
from games.tables.selectors.table import awaits_answer

logger = logging.getLogger(__name__)

SWEPT = 500  # notices per channel in one sweep
LONGEST_SWEEP = 50  # seconds; the next sweep continues
LEASE = timedelta(minutes=5)  # well above the time-outs of one hand-over
PATIENCE = timedelta(minutes=4)  # to wait for a lost database after a hand-over; shorter than the lease
RETRY_EVERY = 0.5  # seconds
CHECK_LASTS = 0.2  # seconds
AT_HAND = 8  # of the last entries of a game, prefetched for many games at once
CHECKED = (  # of notices, users, seats and games: the columns that checks read
    "kind", "channel", "target", "seq",
    "user__is_active", "user__notice_settings", "user__email", "user__email_trouble",
    "seat__game", "seat__number", "seat__user", "seat__owes", "seat__mute", "seat__muted_by",
    "seat__game__seq", "seat__game__status", "seat__game__sealed",
)  # fmt: skip
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, *[60] * 23))  # a day in all

_writing = Lock()
Bundle = list[Notice]  # sent as one message: one notice, or those of a digest


class WrittenMessage(NamedTuple):
    """A bundle, and its message in the form that the channel's connection sends."""

    bundle: Bundle
    ready: Any


def sweep_channel(channel: str) -> int:
    """Send the due notices of one channel: reminders, retries, and those whose queue message was lost."""
    sent, began = 0, time.monotonic()
    waiting = due(timezone.now()).filter(channel=channel).order_by("due_at")
    for pk in waiting.values_list("pk", flat=True)[:SWEPT]:
        if outlets.is_paused(channel) or time.monotonic() - began > LONGEST_SWEEP:
            break
        sent += deliver_with_others(pk)
    return sent


def deliver_due(channel: str) -> int:
    """Send the due notices of the channel that nobody has tried yet, except digests, which are left to the sweep.

    Return the number of messages sent. Notices that become due meanwhile have a task of their own.
    """
    sent, is_left = 0, True
    while is_left and not outlets.is_paused(channel):
        with _writing:
            count, bundles = claim_untried(channel)
            prepared = prepare(bundles)
        sent += hand_over(prepared)
        is_left = count == outlets.outlet(channel).together
    return sent


def deliver_with_others(pk: int) -> int:
    """Send the notice together with others that are due. Return the number of messages sent.

    The threads of a process take turns claiming and writing, so notices that become due meanwhile go with the next.
    """
    sent, is_left = 0, True
    while is_left:
        with _writing:
            bundles = claim_with_others(pk)
            prepared = prepare(bundles)
        sent += hand_over(prepared)
        is_left = bool(bundles) and all(pk != notice.pk for bundle in bundles for notice in bundle)
    return sent


# 1. Claim


def due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(state__in=OPEN, due_at__lte=now)


def _due(now: datetime) -> QuerySet[Notice]:
    """Return the due notices with what their checks and messages need."""
    return due(now).select_related("user", "seat__game__snapshot")


def claim(pk: int) -> Bundle:
    """Claim the notice, or a digest's notices. Returns an empty bundle if that is not possible now.

    It is not if the notice is not yet due, is held back or has been claimed, or if its channel is paused.
    """
    now = timezone.now()
    notice = next(iter(WHOLE(pk, now)), None)
    if notice is None or outlets.is_paused(notice.channel) or _held_back(notice, now):
        return []
    if notice.how != How.DIGEST:
        return _take([notice], words.message_id(notice), now)
    with transaction.atomic():
        # The lock on the user's row keeps workers from claiming the same digest at once
        User.objects.select_for_update(no_key=True).get(pk=notice.user_id)
        of_same_digest = {"user": notice.user_id, "channel": notice.channel, "target": notice.target}
        of_digest = Notice.objects.filter(**of_same_digest, message_id=notice.message_id)
        has_begun = of_digest.filter(claimed_at__isnull=False).exists()
        bundle = list(_due(now).filter(pk__in=of_digest.values("pk"), claimed_at__isnull=not has_begun).order_by("pk"))
        if not has_begun or notice.claimed_at:
            return _take(bundle, notice.message_id, now)
        # A notice that came too late for its digest moves to the next one
        at = times.next_digest(notice.user, now)
        untouched = of_digest.filter(pk=notice.pk, state=NoticeState.QUEUED, claimed_at=None)
        untouched.update(planned_at=at, due_at=at, **_new_digest_id(notice, at))
        return []


def claim_with_others(pk: int) -> list[Bundle]:
    """Claim the notice together with untried ones of its channel, those due longest first, as many as go together.

    Returns an empty list as `claim` does. If more are due than go together, the notice itself may have to wait.
    """
    for first in FIRST(pk, timezone.now()):
        if outlets.outlet(first.channel).together == 1 or first.attempts or first.how == How.DIGEST:
            bundle = claim(pk)
            return [bundle] if bundle else []
        while not outlets.is_paused(first.channel):
            count, bundles = claim_untried(first.channel)
            if bundles or not count:
                return bundles  # else all that were found were held, or other workers were faster
    return []


def claim_untried(channel: str) -> tuple[int, list[Bundle]]:
    """Claim due notices of the channel that nobody has tried yet, those due longest first, as many as go together.

    Digests are left out. Returns how many were found, and those that could be claimed.
    """
    # Claim with row locks if the database has them, else one by one
    now, has_locks = timezone.now(), connection.features.has_select_for_update_skip_locked
    with transaction.atomic() if has_locks else nullcontext():
        untried = _untried(outlets.outlet(channel).together)(channel, now)
        claimed = [notice for notice in untried if not _held_back(notice, now)]
        for notice in claimed if has_locks else ():
            notice.attempts, notice.message_id = 1, words.message_id(notice)
        if has_locks and claimed:
            CLAIM([notice.pk for notice in claimed], now, now + LEASE)
    if not has_locks:
        claimed = [notice for notice in claimed if _take([notice], words.message_id(notice), now)]
    return len(untried), [[notice] for notice in claimed]


@cache
def _untried(most: int) -> Prepared[Notice]:
    """Return the query of `claim_untried`."""

    def query(channel: str, now: datetime) -> QuerySet[Notice]:
        fresh = _due(now).filter(channel=channel, attempts=0).exclude(how=How.DIGEST).order_by("due_at")
        if connection.features.has_select_for_update_skip_locked:
            fresh = fresh.select_for_update(of=("self",), skip_locked=True)
        return fresh[:most]

    return Prepared(query)


def _take(bundle: Bundle, message_id: str, now: datetime) -> Bundle:
    """Claim the bundle, or return an empty one if another worker was faster."""
    if not bundle:
        return []
    attempts = sorted({notice.attempts for notice in bundle})
    for notice in bundle:
        notice.attempts, notice.message_id = attempts[-1] + 1, message_id
    pks = [notice.pk for notice in bundle]
    count = TAKE(attempts, attempts[-1] + 1, pks, now, now + LEASE, message_id)
    return bundle if count == len(bundle) else []


def _held_back(notice: Notice, now: datetime) -> bool:
    """Postpone a notice that has to wait, or drop it if it is only news and all are paused. Return whether it was."""
    wait = times.held(notice, now)
    if wait is None:
        return False
    until, why = wait
    untouched = Notice.objects.filter(pk=notice.pk, state=notice.state, attempts=notice.attempts, due_at=notice.due_at)
    if why == NoticeReason.PAUSED and notice.kind in NEWS:
        untouched.update(state=NoticeState.DROPPED, why=why)
    else:
        untouched.update(
            state=NoticeState.QUEUED, why=why, planned_at=until, due_at=until, **_new_digest_id(notice, until)
        )
    return True


def _new_digest_id(notice: Notice, at: datetime) -> dict[str, str]:
    """Return the new Message-ID of a postponed digest. One that may already have arrived keeps its own."""
    if notice.how != How.DIGEST or notice.claimed_at:
        return {}
    return {"message_id": words.digest_id(notice.user_id, local_date(notice.user.zone, at))}


def correct_times(now: datetime) -> None:
    """Correct times written before the system clock was set back: leases, and notices to be sent right away."""
    ahead = now + LEASE
    leases = Notice.objects.filter(state=NoticeState.SENDING, claimed_at__gt=ahead)
    leases.update(claimed_at=now, due_at=ahead)  # a worker that still holds it may finish
    at_once = Notice.objects.filter(state=NoticeState.QUEUED, how=How.NOW, created_at__gt=ahead)
    at_once.filter(wanted_at=F("created_at")).update(due_at=now)


# 2. Check whether it is still true: before it is written, and again right before it is handed over


def reasons(notices: Sequence[Notice]) -> list[str]:
    """Return for each of these notices of one channel a `NoticeReason` if it should not be sent, else an empty text.

    Reads their current state.
    """
    rows = {notice.pk: notice for notice in CURRENT([notice.pk for notice in notices])} if notices else {}
    current = [rows[notice.pk] for notice in notices if notice.pk in rows]
    unreachable = outlets.outlet(notices[0].channel).reasons(current) if current else []
    reason_by_pk = {}
    for notice, unreached in zip(current, unreachable, strict=True):
        user = notice.user
        is_wanted = user.is_active and user.how(Kind(notice.kind), Channel(notice.channel)) != How.OFF
        reason_by_pk[notice.pk] = (unreached or why_obsolete(notice)) if is_wanted else NoticeReason.UNWANTED
    return [reason_by_pk.get(notice.pk, NoticeReason.LEFT) for notice in notices]


def why_obsolete(notice: Notice) -> str:
    """Return a `NoticeReason` if the state of the game makes the notice obsolete.

    Uses the objects loaded with the notice.
    """
    seat, seq = notice.seat, notice.seq
    if seat is None:
        return ""
    if notice.kind == Kind.AWAY:  # it tells the reader that a bot has their seat
        return "" if seat.user_id is None else NoticeReason.SETTLED
    if notice.kind == Kind.ENDED and seat.owner_id == notice.user_id:  # also if someone else plays for them
        return ""
    if seat.user_id != notice.user_id:
        return NoticeReason.LEFT
    if seat.is_muted_for(notice.user_id, Kind(notice.kind)):
        return NoticeReason.MUTED
    if notice.channel == Channel.HOOK and notice.kind in OF_DECISIONS and seat.game.sealed:
        return "" if is_known_to_be_asked(seat, seq) else NoticeReason.TAKEN
    match notice.kind:
        case Kind.TURN:
            return "" if position.still_owes(seat, seq) else NoticeReason.TAKEN
        case Kind.TIME:  # until the next entry, with which new reminders are written
            return "" if seat.owes and seat.game.is_running and seat.game.seq == seq else NoticeReason.TAKEN
        case Kind.STARTED:  # until the player has moved, and so knows about the game, or it was canceled
            has_moved = Entry.objects.filter(game=seat.game, seat=seat.number, seq__gt=seq).exists()
            return NoticeReason.TAKEN if has_moved or seat.game.is_void else ""
        case Kind.UNDO:
            return "" if awaits_answer(seat, seq) else NoticeReason.SETTLED
    return ""


def is_known_to_be_asked(seat: Seat, seq: int) -> bool:
    """Return whether everyone knows that the seat was asked for its secret decision after entry `seq`.

    This stays true when it has decided: others may read the channel of a webhook, and silence would tell them so (R6).
    For the same reason it is false for those who are asked later, after interventions or with a seat that they took
    over, because nobody asks them if the seat has decided.
    """
    since = Entry.objects.filter(game=seat.game_id, seq__gte=seq).order_by("-seq")
    last = next((entry for entry in since if not log.intervention(entry)), None)  # all were asked after it
    return last is not None and last.seq == seq and not Handover.objects.filter(seat=seat, at__gt=last.at).exists()


# 3. Write


def prepare(bundles: list[Bundle]) -> list[WrittenMessage]:
    """Write the messages of the bundles. Those no longer true are dropped, those that fail are put back."""
    still_true, prepared = list[Bundle](), list[WrittenMessage]()
    for bundle in bundles:
        with _failure_recorded(bundle):
            still_true.append(_without_obsolete(bundle, {notice.pk: why_obsolete(notice) for notice in bundle}))
    _read_games([notice for bundle in still_true for notice in bundle])
    for bundle in filter(None, still_true):
        with _failure_recorded(bundle):
            prepared.append(_written(bundle))
    return prepared


def _written(bundle: Bundle) -> WrittenMessage:
    return WrittenMessage(bundle, outlets.outlet(bundle[0].channel).ready(bundle[0], written(bundle)))


def _read_games(notices: Sequence[Notice]) -> None:
    """Read what messages about games need, for all of them at once: their seats and last entries."""
    seats = [notice.seat for notice in notices if notice.seat]
    games = sorted({seat.game_id for seat in seats})
    sitting, latest = defaultdict[int, list[Seat]](list), defaultdict[int, list[Entry]](list)
    if games:
        for seat_row in SEATS(games):
            sitting[seat_row.game_id].append(seat_row)
        for entry in LATEST(games):
            latest[entry.game_id].append(entry)
    for notice in notices:
        if seat := notice.seat:
            vars(seat.game).update(sitting=sitting[seat.game_id], latest=latest[seat.game_id])
            if seat.user_id == notice.user_id:
                seat.user = notice.user


def _without_obsolete(bundle: Bundle, reasons: Mapping[int, str]) -> Bundle:
    """Drop the notices that have a reason not to be sent, and return the others."""
    for notice in bundle:
        if why := reasons[notice.pk]:
            end([notice], NoticeState.DROPPED, why)
    return [notice for notice in bundle if not reasons[notice.pk]]


# 4. Hand over


def hand_over(prepared: list[WrittenMessage]) -> int:
    """Hand the messages over one after the other. Return how many were accepted."""
    if not prepared:
        return 0
    channel, sent, checked_at = prepared[0].bundle[0].channel, 0, -CHECK_LASTS
    with closing(outlets.outlet(channel).connection()) as to_channel:
        while prepared:
            first, *others = prepared
            is_open = is_sent = False
            with _failure_recorded(first.bundle):
                to_channel.open()
                is_open = True
            # Check all that are left once more, unless that was done a moment ago
            if is_open and time.monotonic() - checked_at >= CHECK_LASTS:
                checked_at, checked = time.monotonic(), list[WrittenMessage]()
                with _failure_recorded([notice for message in prepared for notice in message.bundle]):
                    checked = _still_true(prepared)
                prepared = checked
                continue
            # Send the first
            if is_open:
                with _failure_recorded(first.bundle):
                    to_channel.hand_over(first.ready)
                    is_sent = _end_sent(first.bundle)
            sent += is_sent
            prepared = others
            # If the channel is down, release the others, as if they had never been claimed
            if others and not is_sent and outlets.is_paused(channel):
                for message in others:
                    as_before = {"attempts": F("attempts") - 1, "claimed_at": None, "due_at": message.bundle[0].due_at}
                    _ours(message.bundle).update(state=NoticeState.QUEUED, **as_before)
                break
    if sent:
        outlets.end_outage(channel)
    return sent


def _still_true(prepared: list[WrittenMessage]) -> list[WrittenMessage]:
    """Return the messages that are still true and whose claim still holds, with their leases renewed."""
    notices = [notice for message in prepared for notice in message.bundle]
    reason_by_pk = dict(zip((notice.pk for notice in notices), reasons(notices), strict=True))
    kept = [(message, _without_obsolete(message.bundle, reason_by_pk)) for message in prepared]
    whole = list[WrittenMessage]()
    for message, bundle in kept:
        if bundle:  # a digest from which something was dropped is written again
            whole.append(message if message.bundle == bundle else _written(bundle))
    # A lease may have expired while this worker was suspended; then the bundles are renewed one by one
    if _renew([notice for message in whole for notice in message.bundle]):
        return whole
    return [message for message in whole if _renew(message.bundle)]


def _renew(bundle: Bundle) -> bool:
    if not bundle:
        return False
    now = timezone.now()
    return RENEW(*_claim_of(bundle), now, now + LEASE) == len(bundle)


# 5. Record


def _end_sent(bundle: Bundle) -> bool:
    """Record that the message was sent, waiting if the database is away. Return whether the claim still held."""
    stops = time.monotonic() + PATIENCE.total_seconds()
    while True:
        try:
            return end(bundle, NoticeState.SENT)
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or time.monotonic() > stops:
                raise
            connection.close()  # so that the next attempt opens a new one
            time.sleep(RETRY_EVERY)


@contextmanager
def _failure_recorded(bundle: Bundle) -> Iterator[None]:
    """Run the block. If it fails, record that on the bundle's notices, and continue after the block."""
    try:
        yield
    except Gone as gone:
        end(bundle, NoticeState.FAILED, gone.reason)
        outlets.outlet(bundle[0].channel).take_off(bundle[0], gone.reason)
    except Refused as refused:
        end(bundle, NoticeState.FAILED, refused.reason)
    except TryAgain as trouble:
        if isinstance(trouble, Down):
            outlets.record_outage(bundle[0].channel, trouble.reason)
        logger.warning("Notice %s was not sent: %s", bundle[0].pk, trouble.reason)
        _put_back(bundle, trouble.reason, trouble.after)
    except Exception as error:  # a bug must neither stop the sweep nor lose the notice
        logger.exception("Notice %s could not be written", bundle[0].pk)
        _put_back(bundle, f"{type(error).__name__}: {error}")


def end(bundle: Bundle, state: NoticeState, why: str = "") -> bool:
    """Record the outcome. Return whether the claim still held."""
    sent_at = timezone.now() if state == NoticeState.SENT else None
    ended = END(*_claim_of(bundle), state, why, sent_at, bundle[0].message_id)
    metrics.notices.labels(bundle[0].channel, state).inc(ended)
    return ended > 0


def _put_back(bundle: Bundle, reason: str, after: timedelta = timedelta()) -> None:
    """Schedule another attempt, at the earliest after `after`, or give up after a day."""
    attempts = max(notice.attempts for notice in bundle)
    if attempts > len(BACK_OFF):
        end(bundle, NoticeState.FAILED, reason)
    else:
        wait = max(BACK_OFF[attempts - 1], after)
        waiting = _ours(bundle).update(state=NoticeState.QUEUED, why=reason, due_at=timezone.now() + wait)
        metrics.notices.labels(bundle[0].channel, "again").inc(waiting)


def _ours(bundle: Bundle) -> QuerySet[Notice]:
    """Return the notices of the bundle that our claim still holds."""
    return _claimed(*_claim_of(bundle))


def _claim_of(bundle: Bundle) -> tuple[int, list[int]]:
    """Return the number of attempts that proves our claim, and the keys of the bundle's notices."""
    return max(notice.attempts for notice in bundle), [notice.pk for notice in bundle]


def _claimed(attempts: int, pks: Sequence[int]) -> QuerySet[Notice]:
    return Notice.objects.filter(pk__in=pks, state=NoticeState.SENDING, attempts=attempts)


# The SQL of each batch, which is written once

FIRST = Prepared(lambda pk, now: due(now).filter(pk=pk).only("channel", "how", "attempts"))
WHOLE = Prepared(lambda pk, now: _due(now).filter(pk=pk))
SEATS = Prepared(lambda games: Seat.objects.filter(game__in=games).order_by("number"))
LATEST = Prepared(lambda games: Entry.objects.filter(game__in=games, seq__gt=F("game__seq") - AT_HAND).order_by("seq"))
CURRENT = Prepared(lambda pks: Notice.objects.filter(pk__in=pks).select_related("user", "seat__game").only(*CHECKED))
CLAIM = PreparedChange(
    lambda pks, now, until: (
        Notice.objects.filter(pk__in=pks),
        {"state": NoticeState.SENDING, "claimed_at": now, "due_at": until, "attempts": 1},
    )
)
TAKE = PreparedChange(
    lambda attempts, attempt, pks, now, until, message_id: (
        due(now).filter(pk__in=pks, attempts__in=attempts),
        {
            "state": NoticeState.SENDING, "claimed_at": now, "due_at": until, "attempts": attempt,
            "message_id": message_id,
        },
    )
)  # fmt: skip
RENEW = PreparedChange(
    lambda attempts, pks, now, until: (_claimed(attempts, pks).filter(due_at__gt=now), {"due_at": until})
)
END = PreparedChange(
    lambda attempts, pks, state, why, sent_at, message_id: (
        _claimed(attempts, pks), {"state": state, "why": why, "sent_at": sent_at, "message_id": message_id}
    )
)  # fmt: skip
