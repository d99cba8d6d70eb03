"""Mails as files, one `.eml` each, for a machine that sends none; `/mail/` shows them."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class FolderBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(parents=True, exist_ok=True)
        for mail in email_messages:
            write(folder, mail.message().as_bytes())
        return len(email_messages)


def write(folder: Path, content: bytes) -> None:
    """Under its name only when it is whole, so that nobody reads half a mail."""
    name = f"{timezone.now():%Y%m%d-%H%M%S-%f}-{secrets.token_hex(3)}"
    draft = folder / f"{name}.part"
    draft.write_bytes(content)
    os.replace(draft, folder / f"{name}.eml")
