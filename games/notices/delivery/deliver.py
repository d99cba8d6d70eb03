"""Sending the notices in the outbox. Several workers may run at once, be killed, or be started twice.

Right before a message is handed over, the claim is renewed and each notice checked again, so a turn taken in the
meantime still cancels it. A worker killed before that has sent nothing, and the sweep sends the notice when the lease
expires. If it is killed between the server's acceptance and our note of it, nobody can know (RFC 1047). We then hand
the email over again with the same Message-ID, which lets mailboxes drop the duplicate: a second copy costs a glance, a
lost one costs a turn.

Notices that are due at the same time are claimed, checked and written together and go over one connection, at a third
of the cost. Each message is still handed over and recorded individually, and a check is valid for BLINK seconds.
"""

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from django.utils import timezone

from games.notices import outlets as channels
from games.notices.delivery import claims, truth
from games.notices.delivery.claims import Parcel
from games.notices.delivery.digest import written
from games.notices.models import Fate
from games.notices.outlets import Down, Gone, Line, Refused, TryAgain

logger = logging.getLogger(__name__)

ROUND = 500  # notices per channel in one sweep
LONGEST_ROUND = 50  # seconds; the next sweep continues
BLINK = 0.2  # seconds
_writing = Lock()
Result = TypeVar("Result")


class Letter(NamedTuple):
    """A parcel, and its message in the form that the channel's line sends."""

    parcel: Parcel
    ready: Any


def sweep() -> int:
    """Send all due notices on every channel. Return the number of messages sent."""
    return sum(sweep_channel(channel) for channel in channels.outlets())


def sweep_channel(channel: str) -> int:
    """Send the due notices of one channel: reminders, retries, and those whose queue message was lost."""
    sent, began = 0, time.monotonic()
    waiting = claims.due(timezone.now()).filter(channel=channel).order_by("due_at")
    for pk in waiting.values_list("pk", flat=True)[:ROUND]:
        if channels.rests(channel) or time.monotonic() - began > LONGEST_ROUND:
            break
        sent += deliver_with_others(pk)
    return sent


def deliver(pk: int) -> bool:
    """Send the notice if it is due, unclaimed and still true. Return whether a message was sent."""
    parcel = claims.claim(pk)
    return bool(parcel) and _send(parcel)


def deliver_with_others(pk: int) -> int:
    """Send the notice together with others that are due. Return the number of messages sent.

    The threads of a process take turns claiming and writing, so notices that become due meanwhile go with the next.
    """
    sent, is_left = 0, True
    while is_left:
        with _writing:
            parcels = claims.claim_with_others(pk)
            letters = _letters(parcels)
        sent += _post(letters)
        is_left = bool(parcels) and all(pk != notice.pk for parcel in parcels for notice in parcel)
    return sent


def _send(parcel: Parcel) -> bool:
    return _post(_letters([parcel])) > 0


# What is written


def _letters(parcels: list[Parcel]) -> list[Letter]:
    return [letter for parcel in parcels if (letter := _tried(parcel, partial(_letter, parcel)))]


def _letter(parcel: Parcel) -> Letter | None:
    """Write the parcel's message, or return None if no notice in it is still true."""
    true = _kept(parcel, {notice.pk: truth.at_the_table(notice) for notice in parcel})
    outlet = channels.outlet(parcel[0].channel)
    return Letter(true, outlet.ready(true[0], written(true))) if true else None


def _kept(parcel: Parcel, reasons: Mapping[int, str]) -> Parcel:
    """Drop the notices that have a reason not to be sent, and return the others."""
    for notice in parcel:
        if why := reasons[notice.pk]:
            claims.end([notice], Fate.DROPPED, why)
    return [notice for notice in parcel if not reasons[notice.pk]]


# What is handed over


def _post(letters: list[Letter]) -> int:
    """Hand the letters over one after the other. Return how many were accepted."""
    if not letters:
        return 0
    channel, sent, looked_at = letters[0].parcel[0].channel, 0, -BLINK
    with closing(channels.outlet(channel).line()) as line:
        while letters:
            first, *others = letters
            if not _tried(first.parcel, partial(_is_open, line)):
                letters = _unless_silent(channel, others)
            elif time.monotonic() - looked_at < BLINK:
                is_sent = _tried(first.parcel, partial(_hand_over, line, first))
                letters = others if is_sent else _unless_silent(channel, others)
                sent += bool(is_sent)
            else:
                looked_at = time.monotonic()
                letters = _tried(_all_of(letters), partial(_true_ones, letters)) or []
    if sent:
        channels.works(channel)
    return sent


def _all_of(letters: list[Letter]) -> Parcel:
    return [notice for letter in letters for notice in letter.parcel]


def _is_open(line: Line) -> bool:
    line.open()
    return True


def _true_ones(letters: list[Letter]) -> list[Letter]:
    """Return the letters that are still true and whose claim still holds."""
    notices = _all_of(letters)
    reasons = dict(zip((notice.pk for notice in notices), truth.reasons(notices), strict=True))
    kept = [(letter, _kept(letter.parcel, reasons)) for letter in letters]
    whole = [letter if letter.parcel == parcel else _letter(parcel) for letter, parcel in kept if parcel]
    ours = claims.renewed([letter.parcel for letter in whole if letter])
    return [letter for letter in whole if letter and letter.parcel in ours]


def _hand_over(line: Line, letter: Letter) -> bool:
    line.hand_over(letter.ready)
    return claims.end_surely(letter.parcel, Fate.SENT)


def _unless_silent(channel: str, letters: list[Letter]) -> list[Letter]:
    """Return the letters, or release them and return none if the channel is down."""
    if letters and channels.rests(channel):
        claims.release([letter.parcel for letter in letters])
        return []
    return letters


# What goes wrong


def _tried(parcel: Parcel, act: Callable[[], Result]) -> Result | None:
    """Run `act`; on failure record it on the parcel's notices and return None."""
    try:
        return act()
    except Gone as gone:
        claims.end(parcel, Fate.FAILED, gone.reason)
        channels.outlet(parcel[0].channel).take_off(parcel[0], gone.reason)
    except Refused as refused:
        claims.end(parcel, Fate.FAILED, refused.reason)
    except TryAgain as trouble:
        _try_again(parcel, trouble)
    except Exception as error:  # a bug must neither stop the sweep nor lose the notice
        logger.exception("Notice %s could not be written", parcel[0].pk)
        claims.put_back(parcel, f"{type(error).__name__}: {error}")
    return None


def _try_again(parcel: Parcel, trouble: TryAgain) -> None:
    if isinstance(trouble, Down):
        channels.falls_silent(parcel[0].channel, trouble.reason)
    logger.warning("Notice %s was not sent: %s", parcel[0].pk, trouble.reason)
    claims.put_back(parcel, trouble.reason, trouble.after)
