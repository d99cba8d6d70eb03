"""Sends what the outbox holds. Any number of workers may be at it, be killed, or be told twice.

Right before a message is handed over the claim is renewed and each notice looked at once more, so a turn taken
meanwhile still stops it. Killed before that, a worker has sent nothing, and the sweep sends it when the lease is over.
Killed in the fraction of a second between the server's acceptance and our writing it down, nobody can know: SMTP has no
answer to that (RFC 1047). We then do as every mail server does and hand it over again, under the same Message-ID, by
which mailboxes know it for one and the same mail: hearing twice costs a glance, not hearing costs a turn.

What is due at the same time is claimed, looked at and written together and goes over one line, which costs a third.
Each message is still handed over and noted by itself, and a look holds for a BLINK.
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

ROUND = 500  # notices that one sweep of a channel looks at
LONGEST_ROUND = 50  # seconds: the next sweep goes on
BLINK = 0.2  # seconds
_writing = Lock()
Result = TypeVar("Result")


class Letter(NamedTuple):
    """A parcel, and its message as a line takes it."""

    parcel: Parcel
    ready: Any


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
        sent += deliver_with_others(pk)
    return sent


def deliver(pk: int) -> bool:
    """Send the notice if it is due, nobody else is at it, and it is still true. Whether a message went out."""
    parcel = claims.claim(pk)
    return bool(parcel) and _send(parcel)


def deliver_with_others(pk: int) -> int:
    """The same, and others that are due go with it. Counts the messages that went out.

    Threads of a process claim and write in turns: what becomes due meanwhile goes with the next.
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
    """None for what was overtaken before it was claimed; what is overtaken now is seen before it is handed over."""
    true = _kept(parcel, {notice.pk: truth.at_the_table(notice) for notice in parcel})
    outlet = channels.outlet(parcel[0].channel)
    return Letter(true, outlet.ready(true[0], written(true))) if true else None


def _kept(parcel: Parcel, reasons: Mapping[int, str]) -> Parcel:
    """Those of the parcel that nothing speaks against; the others are dropped, with the reason."""
    for notice in parcel:
        if why := reasons[notice.pk]:
            claims.end([notice], Fate.DROPPED, why)
    return [notice for notice in parcel if not reasons[notice.pk]]


# What is handed over


def _post(letters: list[Letter]) -> int:
    """Hand them over one behind the other. Counts those that were taken."""
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
    """Those that are still true, and whose claim still holds."""
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
    """What can still go over the channel; where nobody answers it is left for others to try."""
    if letters and channels.rests(channel):
        claims.release([letter.parcel for letter in letters])
        return []
    return letters


# What goes wrong


def _tried(parcel: Parcel, act: Callable[[], Result]) -> Result | None:
    """What it comes to; where it goes wrong nothing, and what becomes of the parcel is written down."""
    try:
        return act()
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
    return None


def _try_again(parcel: Parcel, trouble: TryAgain) -> None:
    if isinstance(trouble, Down):
        channels.falls_silent(parcel[0].channel, trouble.reason)
    logger.warning("Notice %s was not sent: %s", parcel[0].pk, trouble.reason)
    claims.put_back(parcel, trouble.reason, trouble.after)
