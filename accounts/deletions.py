"""The list of deleted accounts, which a restore applies again. It tells nothing about them but a digest and a time.

The table has the list of the database in use. A file outside of it, `DELETIONS_LIST`, has the same lines and is only
ever added to, so that it still knows the deletions after the last backup when the database is lost. A backup is
accompanied by a copy of the list next to it. The file also has what `accounts.barred` keeps, until that expires.
"""

import fcntl
import hashlib
import logging
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import barred
from accounts.models import Deletion, User

logger = logging.getLogger(__name__)

NAME = "deletions.txt"  # of the copy next to a backup
LINE = re.compile(r"(\S+) ([0-9a-f]{64}|-)")  # a deletion, or the moment up to which the list is complete


def digest(pk: int, joined: datetime) -> str:
    """Return the digest by which the list names an account.

    It covers the moment of joining, because the number of an account can be used again after a restore. No key goes
    into it: the list must still match after SECRET_KEY has changed.
    """
    return hashlib.sha256(f"{pk} {joined.timestamp():.6f}".encode()).hexdigest()


def note(user: User) -> None:
    """Put an account that is being deleted on the list, and in the file after the commit."""
    Deletion.objects.get_or_create(digest=digest(user.pk, user.date_joined), defaults={"at": timezone.now()})
    transaction.on_commit(write, robust=True)


def write() -> None:
    """Add what the file lacks. If it cannot be written, that is logged, and the nightly task tries again."""
    try:
        add(settings.DELETIONS_LIST)
    except OSError as problem:
        logger.error("Cannot write the list of deleted accounts to %s: %s", settings.DELETIONS_LIST, problem)


def add(path: Path) -> None:
    """Create the file if it is missing, and add the lines that it lacks and the time. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "r+", encoding="ascii", errors="replace") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        content = file.read()
        in_file = {line[2] for line in LINE.finditer(content)}
        lines = [
            f"{row.at.isoformat()} {row.digest}\n"
            for row in Deletion.objects.order_by("at")
            if row.digest not in in_file
        ]
        lines += barred.lines(content)
        is_cut_off = content and not content.endswith("\n")
        file.write("\n" * bool(is_cut_off) + "".join(lines) + f"{timezone.now().isoformat()} -\n")
        file.flush()
        os.fsync(file.fileno())
        barred.overwrite(path, content)


def read(paths: Iterable[Path]) -> tuple[dict[str, datetime], datetime]:
    """Return the deletions of these files, by digest, and the moment up to which they are complete.

    A line that was cut off when its machine failed is skipped. Raises `OSError`, and `ValueError` for another file.
    """
    deletions, until = dict[str, datetime](), datetime.min.replace(tzinfo=UTC)
    for path in paths:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
        parts = [match for line in lines if (match := LINE.fullmatch(line))]
        if not parts:
            raise ValueError(f"{path} is not a list of deleted accounts.")
        for part in parts:
            at = datetime.fromisoformat(part[1])
            until = max(until, at)
            if part[2] != "-":
                deletions[part[2]] = at
    return deletions, until


def save(deletions: dict[str, datetime]) -> None:
    """Add the deletions to the table, so that the next backup has them."""
    rows = [Deletion(digest=digest, at=at) for digest, at in deletions.items()]
    Deletion.objects.bulk_create(rows, ignore_conflicts=True, batch_size=1000)


def restored() -> list[User]:
    """Return the accounts on the list that a restore has brought back. Bots come after their owners."""
    listed = set(Deletion.objects.values_list("digest", flat=True))
    if not listed:
        return []
    accounts = User.objects.order_by("is_bot", "pk").values_list("pk", "date_joined").iterator()
    back = [pk for pk, joined in accounts if digest(pk, joined) in listed]
    return list(User.objects.filter(pk__in=back).order_by("is_bot", "pk"))
