"""What became of mails to somebody's address, as mail servers tell us: a value, and what each word makes of it."""

from datetime import datetime
from typing import Any

import msgspec
from django.db import models
from django.utils.translation import gettext_lazy as _

MOST_BOUNCES = 3  # mails in a row that did not arrive
LONGEST = 200  # characters of what a mail server said


class Why(models.TextChoices):
    """Why email to an address was stopped."""

    BOUNCED = "bounced", _("our emails bounced")
    OFTEN = "often", _("three emails in a row could not be delivered")
    COMPLAINED = "complained", _("our emails were reported as spam")
    LEFT = "left", _("you unsubscribed through your email provider")


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known about mails to `address`.

    `bounces` names the mails that did not arrive since the last one that did. Once `stopped_at` is set, none are sent;
    `said` is what the mail server gave as the reason. What happened before `mended_at` is over.
    """

    address: str = ""
    bounces: tuple[str, ...] = ()
    stopped_at: datetime | None = None
    why: str = ""
    said: str = ""
    mended_at: datetime | None = None

    @classmethod
    def of(cls, kept: dict[str, Any], address: str) -> "Trouble":
        """What is known about this address; nothing when what was kept is about another one."""
        known = msgspec.convert(kept, cls)
        return known if address and known.address.lower() == address.lower() else cls(address)

    @property
    def reason(self) -> str:
        return str(Why(self.why).label) if self.why in Why.values else ""


def kept(trouble: Trouble) -> dict[str, Any]:
    """As a row keeps it."""
    return msgspec.to_builtins(trouble)


def stopped(trouble: Trouble, why: Why, said: str, at: datetime) -> Trouble:
    """No more mails. What was heard before stands."""
    if trouble.stopped_at or _is_over(trouble, at):
        return trouble
    return msgspec.structs.replace(trouble, stopped_at=at, why=why.value, said=said[:LONGEST])


def bounced(trouble: Trouble, mail: str, said: str, at: datetime) -> Trouble:
    """One mail did not arrive, for now; the same one counts once."""
    if mail in trouble.bounces or _is_over(trouble, at):
        return trouble
    more = msgspec.structs.replace(trouble, bounces=(*trouble.bounces, mail)[-MOST_BOUNCES:])
    return stopped(more, Why.OFTEN, said, at) if len(more.bounces) == MOST_BOUNCES else more


def arrived(trouble: Trouble) -> Trouble:
    """A mail did arrive, so what bounces were counted are not in a row. What has been stopped stays so."""
    return trouble if trouble.stopped_at else msgspec.structs.replace(trouble, bounces=())


def mended(trouble: Trouble, at: datetime) -> Trouble:
    """Their reader says that all is well again."""
    return Trouble(trouble.address, mended_at=at)


def _is_over(trouble: Trouble, at: datetime) -> bool:
    return trouble.mended_at is not None and at <= trouble.mended_at
