"""Delivery events from email providers, received through anymail's webhooks.

Events may arrive late, repeatedly and in any order. A repeated event changes nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from accounts import bounces
from accounts.models import User
from accounts.trouble import LONGEST
from accounts.trouble import Why as Stopped
from games.notices.kinds import Channel
from games.notices.models import Fate, Notice, Why

if TYPE_CHECKING:  # it may not be installed
    from anymail.signals import AnymailTrackingEvent as Event

SAYS_HOW = ("Type", "type", "event", "bounceType", "severity")  # keys for the type of bounce
FOR_NOW = ("soft", "transient", "undetermined", "temporary")


def hear(sender: object, event: "Event", esp_name: str, **more: object) -> None:
    """Handle an event of `anymail.signals.tracking`. Events about unknown addresses are ignored."""
    act = _ACTS.get(event.event_type)
    if act is not None and event.recipient:
        act(event)


def is_for_now(event: "Event") -> bool:
    """Return whether a bounce was soft. Anymail does not tell soft bounces from hard ones."""
    return any(word in how.lower() for how in _says_how(event.esp_event) for word in FOR_NOW)


def _says_how(raw: Any) -> Iterator[str]:
    for name, value in raw.items() if isinstance(raw, Mapping) else ():
        if name in SAYS_HOW and isinstance(value, str):
            yield value
        yield from _says_how(value)


def _bounced(event: "Event") -> None:
    user = _held_up(event) if is_for_now(event) else bounces.mail_bounced(**_facts(event))
    _mark(user, event, state=Fate.FAILED, sent_at=None, why=_said(event))


def _held_up(event: "Event") -> User | None:
    mail = event.message_id or event.event_id or _at(event).isoformat()
    return bounces.mail_held_up(mail=mail, **_facts(event))


def _rejected(event: "Event") -> None:
    """Handle an email that the provider refused to send because of what it knows about the address."""
    if event.reject_reason in ("spam", "unsubscribed"):
        user = bounces.mail_complained(why=_WANTS_NONE[event.reject_reason], **_facts(event))
    else:
        is_dead = event.reject_reason in ("bounced", "invalid")
        user = bounces.mail_bounced(**_facts(event)) if is_dead else _held_up(event)
    _mark(user, event, state=Fate.FAILED, sent_at=None, why=_said(event))


def _complained(event: "Event") -> None:
    """Handle an email that arrived and was reported as spam."""
    _mark(bounces.mail_complained(**_facts(event)), event, why=Why.COMPLAINED)


def _unsubscribed(event: "Event") -> None:
    bounces.mail_complained(why=Stopped.LEFT, **_facts(event))


def _delivered(event: "Event") -> None:
    bounces.mail_arrived(address=event.recipient)


_WANTS_NONE = {"spam": Stopped.COMPLAINED, "unsubscribed": Stopped.LEFT}
_ACTS: dict[str, Callable[["Event"], object]] = {
    "bounced": _bounced,
    "deferred": _held_up,
    "rejected": _rejected,
    "complained": _complained,
    "unsubscribed": _unsubscribed,
    "delivered": _delivered,
}


def _facts(event: "Event") -> dict[str, Any]:
    return {"address": event.recipient, "said": _said(event), "at": _at(event)}


def _at(event: "Event") -> datetime:
    return event.timestamp or timezone.now()


def _said(event: "Event") -> str:
    return str(event.mta_response or event.description or event.reject_reason or "")[:LONGEST]


def _mark(user: User | None, event: "Event", **facts: object) -> None:
    """Update the notices of an email, found by its Message-ID."""
    if user is not None and event.message_id:
        name = f"<{event.message_id.strip('<>')}>"
        mails = Notice.objects.filter(user=user, channel=Channel.MAIL, message_id=name)
        mails.filter(state__in=[Fate.SENT, Fate.SENDING]).update(**facts)
