"""Sends what the outbox holds. Any number of workers may be at it, be killed, or be told twice.

A worker claims a notice by a conditional update that holds for LEASE, and with every claim `attempts` goes up: the
number of the attempt is what proves that a claim is still one's own. Right before the mail is handed to the mail server
the claim is renewed and the notice looked at once more, so a turn taken meanwhile still stops it.

Killed before that, a worker has sent nothing, and the sweep sends it when the lease is over. Killed in the fraction of
a second between the server's acceptance and our writing it down, nobody can know: SMTP has no answer to that (RFC
1047). We then do as every mail server does and hand it over again, under the same Message-ID, by which mailboxes know
it for one and the same mail: hearing twice costs a glance, not hearing costs a turn.
"""

import logging
import smtplib
from collections.abc import Callable
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

from games.models.game import Seat
from games.notices import messages
from games.notices.channels import email
from games.notices.models import OPEN, Fate, Kind, Notice, Why

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)  # well above what EMAIL_TIMEOUT lets one mail take
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, *[60] * 23))  # a day in all
ROUND = 200  # notices that one sweep sends
MAIL_IS_DOWN = "notices.mail-is-down"
PAUSE = 50  # seconds in which nobody knocks at a mail server that did not answer; sweeps, a minute apart, do
ONE_MAIL = (smtplib.SMTPSenderRefused, smtplib.SMTPDataError)  # the server is well, it does not want this mail now


def sweep() -> int:
    """Send what is due and nobody has sent: reminders, second attempts, bells that were lost. Counts the mails sent."""
    sent = 0
    for pk in due(timezone.now()).order_by("due_at").values_list("pk", flat=True)[:ROUND]:
        sent += deliver(pk)
    return sent


def due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(state__in=OPEN, due_at__lte=now)


def deliver(pk: int) -> bool:
    """Send the notice if it is due, nobody else is at it, and it is still true. Whether a mail went out."""
    if cache.get(MAIL_IS_DOWN):
        return False
    notice = claim(pk)
    if notice is None:
        return False
    try:
        return _send(notice)
    except smtplib.SMTPRecipientsRefused as refusal:
        _refused(notice, refusal)
    except OSError as error:  # all that smtplib and sockets raise
        if not isinstance(error, ONE_MAIL):
            cache.set(MAIL_IS_DOWN, True, PAUSE)
        logger.warning("Notice %s was not sent: %r", notice.pk, error)
        _put_back(notice, error)
    except Exception as error:  # a fault of ours must neither stop the sweep nor lose the notice
        logger.exception("Notice %s could not be written", notice.pk)
        _put_back(notice, error)
    return False


def claim(pk: int) -> Notice | None:
    """Take the notice up. Null when it is not due, or another worker was quicker."""
    now = timezone.now()
    notice = due(now).filter(pk=pk).select_related("seat__game", "seat__user").first()
    if notice is None:
        return None
    untouched = due(now).filter(pk=pk, attempts=notice.attempts)
    notice.attempts += 1
    taken = untouched.update(
        state=Fate.SENDING,
        claimed_at=now,
        due_at=now + LEASE,
        attempts=notice.attempts,
        message_id=email.message_id(notice),
    )
    return notice if taken else None


def _send(notice: Notice) -> bool:
    why = why_not(notice)
    if why:
        _end(notice, Fate.DROPPED, why)
        return False
    mail = email.compose(messages.message(notice))
    with email.connection() as connection:
        why = why_not(notice)
        if why:
            _end(notice, Fate.DROPPED, why)
            return False
        if not _renew(notice):
            return False
        connection.send_messages([mail])
        return _end(notice, Fate.SENT)


def why_not(notice: Notice) -> str:
    """Why the notice should not be sent, as things stand now; empty when it should."""
    seat = Seat.objects.select_related("game", "user").get(pk=notice.seat_id)
    if seat.user is None:
        return Why.LEFT
    if not seat.user.wants_mail(notice.kind):
        return Why.UNWANTED
    if not seat.user.has_confirmed_address:
        return Why.UNCONFIRMED
    return _STILL_TRUE.get(notice.kind, _always)(seat, notice.seq)


def _always(seat: Seat, seq: int) -> str:
    return ""


def _owes(seat: Seat, seq: int) -> str:
    """The seat still owes the decision that it owed after entry `seq`."""
    return "" if seat.owes and seat.game.is_running and seat.game.seq == seq else Why.TAKEN


_STILL_TRUE: dict[str, Callable[[Seat, int], str]] = {Kind.TURN: _owes, Kind.TIME: _owes}


def _mine(notice: Notice) -> QuerySet[Notice]:
    """The notice, as long as our claim on it holds."""
    return Notice.objects.filter(pk=notice.pk, state=Fate.SENDING, attempts=notice.attempts)


def _renew(notice: Notice) -> bool:
    """Whether the lease had not run out, as it does for a worker that was asleep; from now it runs anew."""
    now = timezone.now()
    return _mine(notice).filter(due_at__gt=now).update(due_at=now + LEASE) == 1


def _end(notice: Notice, fate: Fate, why: str = "") -> bool:
    """Write down what became of it."""
    sent_at = timezone.now() if fate == Fate.SENT else None
    return _mine(notice).update(state=fate, why=why, sent_at=sent_at) == 1


def _refused(notice: Notice, refusal: smtplib.SMTPRecipientsRefused) -> None:
    """The mail server does not want the address: for good (5xx), or, as with greylisting, for now."""
    answers = refusal.recipients.values()
    if all(code >= 500 for code, _words in answers):
        _end(notice, Fate.FAILED, "; ".join(f"{code} {words.decode(errors='replace')}" for code, words in answers))
    else:
        _put_back(notice, refusal)


def _put_back(notice: Notice, error: Exception) -> None:
    """Try again later, or give up after a day."""
    reason = f"{type(error).__name__}: {error}"
    if notice.attempts > len(BACK_OFF):
        _end(notice, Fate.FAILED, reason)
    else:
        _mine(notice).update(state=Fate.QUEUED, why=reason, due_at=timezone.now() + BACK_OFF[notice.attempts - 1])
