"""Email addresses of accounts that were suspended or closed when they were deleted. New accounts can't confirm them.

Only a keyed hash of the mailbox is kept, until the suspension would have ended, or for `KEEP_CLOSED_ADDRESSES` after a
closed account was deleted. Sign-up looks the same as with any other address: only the emails to the address differ, so
that nobody learns about the addresses of others. The list of deleted accounts (`accounts.deletions`) has the hashes
too, for a restore; those that have expired are overwritten there.
"""

import os
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from allauth.account.models import EmailAddress
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.timezone import localtime
from django.utils.translation import gettext

from accounts.models import AddressChange, BarredAddress, User
from empire import dates
from empire.web.limits import mailbox

LINE = re.compile(r"(\S+) barred ([0-9a-f]{64})")  # until when, and the hash


def digest(email: str) -> str:
    """Return the keyed hash of an address, the same for all spellings that lead to one mailbox."""
    return salted_hmac("accounts.barred", mailbox(email), algorithm="sha256").hexdigest()


def note(user: User) -> None:
    """Keep the hashes of the addresses of an account that is being deleted, if it is suspended or closed."""
    if not user.is_suspended:
        return
    now = timezone.now()
    ends = [end for end in (user.suspended_until,) if end]
    if user.is_closed:
        ends.append(now + timedelta(days=settings.KEEP_CLOSED_ADDRESSES))
    # Only addresses that were proven to be the person's, also if they have to be confirmed again
    addresses = {*EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)}
    addresses |= {*AddressChange.objects.filter(user=user, is_undone=False).values_list("old", flat=True)}
    addresses |= {user.email} if user.is_proven else set()
    save({digest(email): max(ends) for email in addresses - {""}})


def save(ends: dict[str, datetime]) -> None:
    """Add hashes with their ends, of which the latest counts, unless they have expired."""
    now = timezone.now()
    for hashed, end in ends.items():
        if end > now and not BarredAddress.objects.filter(digest=hashed, until__gte=end).exists():
            BarredAddress.objects.update_or_create(digest=hashed, defaults={"until": end})


def until(email: str) -> datetime | None:
    """Return until when the address can't be used for an account, None if it can."""
    row = BarredAddress.objects.filter(digest=digest(email), until__gt=timezone.now()).first()
    return row.until if row else None


def words(email: str, end: datetime) -> str:
    """Return what the reader of a barred address is told."""
    sentence = gettext(
        "Moderators suspended or closed an account with {email} before it was deleted, so nobody can use this "
        "address for an account until {date}. If you think this is wrong, write to {contact}."
    )
    contact = settings.OPERATOR_CONTACT.removeprefix("mailto:")
    return sentence.format(email=email, date=dates.localized(localtime(end), "j F Y"), contact=contact)


def lift(email: str) -> bool:
    """Let the address be used again. Return whether it was barred."""
    return BarredAddress.objects.filter(digest=digest(email)).delete()[0] > 0


def sweep() -> None:
    """Delete the hashes that have expired."""
    BarredAddress.objects.filter(until__lte=timezone.now()).delete()


# In the list of deleted accounts


def lines(content: str) -> list[str]:
    """Return the lines that this content of the list lacks."""
    listed = set(LINE.findall(content))
    rows = [(row.until.isoformat(), row.digest) for row in BarredAddress.objects.order_by("until")]
    return [f"{end} barred {hashed}\n" for end, hashed in rows if (end, hashed) not in listed]


def overwrite(path: Path, content: str) -> None:
    """Overwrite the expired hashes in the list. No other byte changes, so a crash can damage no other line."""
    now = timezone.now()
    expired = [match for match in LINE.finditer(content) if datetime.fromisoformat(match[1]) <= now]
    if expired:
        with path.open("r+b") as file:
            for match in expired:
                file.seek(match.start(2))
                file.write(b"-" * len(match[2]))
            file.flush()
            os.fsync(file.fileno())


def read(paths: Iterable[Path]) -> dict[str, datetime]:
    """Return the hashes in these lists with their ends. Raises `OSError`."""
    ends = dict[str, datetime]()
    for path in paths:
        for line in path.read_text(encoding="ascii", errors="replace").splitlines():
            if match := LINE.fullmatch(line):
                end = datetime.fromisoformat(match[1])
                ends[match[2]] = max(end, ends.get(match[2], end))
    return ends
