"""Delivery problems of an email address: a value, and pure functions that update it after each event."""

from datetime import datetime
from typing import Any

import msgspec
from django.db import models
from django.utils.translation import gettext_lazy as _

MOST_BOUNCES = 3  # undelivered emails in a row
LONGEST_REPLY = 200  # characters of a mail server's reply


class StopReason(models.TextChoices):
    """The reason why email to an address was stopped."""

    BOUNCED = "bounced", _("our emails bounced")
    OFTEN = "often", _("three emails in a row could not be delivered")
    COMPLAINED = "complained", _("our emails were reported as spam")
    LEFT = "left", _("you unsubscribed through your email provider")


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """Delivery problems of `address`.

    `bounces` are the ids of emails that bounced since the last delivery. Once `stopped_at` is set, no email is sent;
    `said` is the mail server's reason. Events before `mended_at` no longer count.
    """

    address: str = ""
    bounces: tuple[str, ...] = ()
    stopped_at: datetime | None = None
    why: str = ""
    said: str = ""
    mended_at: datetime | None = None

    @classmethod
    def of(cls, kept: dict[str, Any], address: str) -> "Trouble":
        """Return the stored value, or a blank one if it is about another address."""
        trouble = msgspec.convert(kept, cls)
        return trouble if address and trouble.address.lower() == address.lower() else cls(address)

    @property
    def reason(self) -> str:
        return str(StopReason(self.why).label) if self.why in StopReason.values else ""


def kept(trouble: Trouble) -> dict[str, Any]:
    """Return the value as stored in a row."""
    return msgspec.to_builtins(trouble)


def stopped(trouble: Trouble, why: StopReason, reply: str, at: datetime) -> Trouble:
    """Stop email, unless it is stopped already."""
    if trouble.stopped_at or _is_over(trouble, at):
        return trouble
    return msgspec.structs.replace(trouble, stopped_at=at, why=why.value, said=reply[:LONGEST_REPLY])


def bounced(trouble: Trouble, message_id: str, reply: str, at: datetime) -> Trouble:
    """Count an undelivered email. Repeated events about the same email count once."""
    if message_id in trouble.bounces or _is_over(trouble, at):
        return trouble
    more = msgspec.structs.replace(trouble, bounces=(*trouble.bounces, message_id)[-MOST_BOUNCES:])
    return stopped(more, StopReason.OFTEN, reply, at) if len(more.bounces) == MOST_BOUNCES else more


def arrived(trouble: Trouble) -> Trouble:
    """Reset the count of bounces after a delivery. Email that is stopped stays stopped."""
    return trouble if trouble.stopped_at else msgspec.structs.replace(trouble, bounces=())


def mended(trouble: Trouble, at: datetime) -> Trouble:
    """Clear the problems after the reader says that the address works again."""
    return Trouble(trouble.address, mended_at=at)


def _is_over(trouble: Trouble, at: datetime) -> bool:
    return trouble.mended_at is not None and at <= trouble.mended_at
