"""Emails as `.eml` files, for a machine that sends none. `/mail/` shows them."""

import email
import email.message
import email.policy
import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse
from django.utils import timezone

from empire import private

PACKING = {"subject", "mime-version", "content-type", "content-transfer-encoding"}


class FolderBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FILE_PATH)
        private.make_folder(folder)
        for message in email_messages:
            write(folder, message.message().as_bytes())
        return len(email_messages)


def write(folder: Path, content: bytes) -> None:
    """Write to a temporary file and rename it, so that nobody reads half an email."""
    name = f"{timezone.now():%Y%m%d-%H%M%S-%f}-{secrets.token_hex(3)}"
    draft = folder / f"{name}.part"
    private.write(draft, content)
    os.replace(draft, folder / f"{name}.eml")


@dataclass(frozen=True)
class StoredEmail:
    """An email in the folder."""

    name: str
    message: email.message.EmailMessage

    @property
    def at(self) -> datetime | None:
        """When it was written, with its time zone. Django writes “-0000”, which Python reads as a time without one."""
        written = self.message["date"].datetime if self.message["date"] else None
        return timezone.make_aware(written, UTC) if written and timezone.is_naive(written) else written

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers, without those about the encoding."""
        return [(name, str(value)) for name, value in self.message.items() if name.lower() not in PACKING]

    @property
    def text(self) -> str:
        return content(self.message.get_body(("plain",)))

    @property
    def html(self) -> str:
        """The HTML body, with embedded pictures linked to our own URLs."""
        return re.sub(r"""cid:([^"'\s>]+)""", self.part_url, content(self.message.get_body(("html",))))

    def part_url(self, match: re.Match[str]) -> str:
        return reverse("email_part", args=[self.name, match[1]])

    def part(self, cid: str) -> email.message.EmailMessage | None:
        return next((part for part in self.message.walk() if part.get("content-id", "").strip("<>") == cid), None)


def content(part: email.message.MIMEPart | None) -> str:
    return "" if part is None else str(part.get_content())


def newest(limit: int = 200) -> list[StoredEmail]:
    """Return the emails, newest first."""
    files = sorted(Path(settings.EMAIL_FILE_PATH).glob("*.eml"), reverse=True)[:limit]
    return [read(file) for file in files]


def sweep(before: datetime) -> None:
    """Delete emails that were written before this time."""
    for file in Path(settings.EMAIL_FILE_PATH).glob("*.eml"):
        if file.stat().st_mtime < before.timestamp():
            file.unlink(missing_ok=True)


def stored(name: str) -> StoredEmail:
    """Return the email with this name. Raises `FileNotFoundError`."""
    return read(Path(settings.EMAIL_FILE_PATH) / f"{name}.eml")


def read(file: Path) -> StoredEmail:
    return StoredEmail(file.stem, email.message_from_bytes(file.read_bytes(), policy=email.policy.default))
