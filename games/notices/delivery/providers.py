"""Delivery events from email providers, received through anymail's webhooks.

Events may arrive late, repeatedly and in any order. A repeated event changes nothing.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from accounts import services
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
    if not event.recipient:
        return
    at = event.timestamp or timezone.now()
    said = str(event.mta_response or event.description or event.reject_reason or "")[:LONGEST]
    facts: dict[str, Any] = {"address": event.recipient, "said": said, "at": at}
    mail = event.message_id or event.event_id or at.isoformat()
    failed = {"state": Fate.FAILED, "sent_at": None, "why": said}
    match event.event_type:
        case "bounced":
            user = services.mail_held_up(mail=mail, **facts) if is_for_now(event) else services.mail_bounced(**facts)
            _mark(user, event, **failed)
        case "deferred":
            services.mail_held_up(mail=mail, **facts)
        case "rejected":  # the provider refused to send it because of what it knows about the address
            match event.reject_reason:
                case "spam":
                    user = services.mail_complained(why=Stopped.COMPLAINED, **facts)
                case "unsubscribed":
                    user = services.mail_complained(why=Stopped.LEFT, **facts)
                case "bounced" | "invalid":
                    user = services.mail_bounced(**facts)
                case _:
                    user = services.mail_held_up(mail=mail, **facts)
            _mark(user, event, **failed)
        case "complained":  # it arrived and was reported as spam
            _mark(services.mail_complained(**facts), event, why=Why.COMPLAINED)
        case "unsubscribed":
            services.mail_complained(why=Stopped.LEFT, **facts)
        case "delivered":
            services.mail_arrived(address=event.recipient)


def is_for_now(event: "Event") -> bool:
    """Return whether a bounce was soft. Anymail does not tell soft bounces from hard ones."""
    return any(word in how.lower() for how in _says_how(event.esp_event) for word in FOR_NOW)


def _says_how(raw: Any) -> Iterator[str]:
    for name, value in raw.items() if isinstance(raw, Mapping) else ():
        if name in SAYS_HOW and isinstance(value, str):
            yield value
        yield from _says_how(value)


def _mark(user: User | None, event: "Event", **facts: object) -> None:
    """Update the notices of an email, found by its Message-ID."""
    if user is not None and event.message_id:
        name = f"<{event.message_id.strip('<>')}>"
        mails = Notice.objects.filter(user=user, channel=Channel.MAIL, message_id=name)
        mails.filter(state__in=[Fate.SENT, Fate.SENDING]).update(**facts)
