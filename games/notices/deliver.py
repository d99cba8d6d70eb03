"""Sends what the outbox holds. Any number of workers may be at it, be killed, or be told twice.

Right before a message is handed over the claim is renewed and each notice looked at once more, so a turn taken
meanwhile still stops it. Killed before that, a worker has sent nothing, and the sweep sends it when the lease is over.
Killed in the fraction of a second between the server's acceptance and our writing it down, nobody can know: SMTP has no
answer to that (RFC 1047). We then do as every mail server does and hand it over again, under the same Message-ID, by
which mailboxes know it for one and the same mail: hearing twice costs a glance, not hearing costs a turn.
"""

import logging
import time

from django.utils import timezone

from games.notices import channels, claims
from games.notices.channels import Down, Gone, Refused, TryAgain
from games.notices.claims import Parcel
from games.notices.digest import written
from games.notices.models import Fate
from games.notices.truth import why_not

logger = logging.getLogger(__name__)

ROUND = 500  # notices that one sweep of a channel looks at
LONGEST_ROUND = 50  # seconds: the next sweep goes on


def sweep() -> int:
    """Send what is due and nobody has sent, over every channel. Counts the messages sent."""
    return sum(sweep_channel(channel) for channel in channels.outlets())


def sweep_channel(channel: str) -> int:
    """The same over one: reminders, second attempts, bells that were lost."""
    sent, began = 0, time.monotonic()
    waiting = claims.due(timezone.now()).filter(channel=channel).order_by("due_at")
    for pk in waiting.values_list("pk", flat=True)[:ROUND]:
        if channels.rests(channel) or time.monotonic() - began > LONGEST_ROUND:
            break
        sent += deliver(pk)
    return sent


def deliver(pk: int) -> bool:
    """Send the notice if it is due, nobody else is at it, and it is still true. Whether a message went out."""
    parcel = claims.claim(pk)
    if not parcel:
        return False
    try:
        return _send(parcel)
    except Gone as gone:
        claims.end(parcel, Fate.FAILED, gone.reason)
        channels.outlet(parcel[0].channel).take_off(parcel[0], gone.reason)
    except Refused as refused:
        claims.end(parcel, Fate.FAILED, refused.reason)
    except TryAgain as trouble:
        _try_again(parcel, trouble)
    except Exception as error:  # a fault of ours must neither stop the sweep nor lose the notice
        logger.exception("Notice %s could not be written", parcel[0].pk)
        claims.put_back(parcel, f"{type(error).__name__}: {error}")
    return False


def _send(parcel: Parcel) -> bool:
    outlet = channels.outlet(parcel[0].channel)
    while parcel := true_ones(parcel):
        with outlet.ready(parcel[0], written(parcel)) as hand_over:
            if len(true_ones(parcel)) < len(parcel):
                continue
            if not claims.renew(parcel):
                return False
            hand_over()
            is_noted = claims.end_surely(parcel, Fate.SENT)
            channels.works(parcel[0].channel)
            return is_noted
    return False


def true_ones(parcel: Parcel) -> Parcel:
    """Those of the parcel that should still be sent; the others are dropped, with the reason."""
    reasons = [(notice, why_not(notice)) for notice in parcel]
    for notice, why in reasons:
        if why:
            claims.end([notice], Fate.DROPPED, why)
    return [notice for notice, why in reasons if not why]


def _try_again(parcel: Parcel, trouble: TryAgain) -> None:
    if isinstance(trouble, Down):
        channels.falls_silent(parcel[0].channel, trouble.reason)
    logger.warning("Notice %s was not sent: %s", parcel[0].pk, trouble.reason)
    claims.put_back(parcel, trouble.reason, trouble.after)
