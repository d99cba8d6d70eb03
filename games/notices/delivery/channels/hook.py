"""Webhooks: messages as JSON for Discord, Slack or the player's own program.

A channel may be shared, so a message contains only what all players may see, mentions nobody, and its link gives no
access. Posts are signed following Standard Webhooks and carry an id that identifies duplicates (docs/webhooks.md).
"""

import hashlib
import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from functools import partial
from html import escape
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, pgettext

from accounts.models import User
from games.notices.delivery.channels import outgoing
from games.notices.delivery.channels.brief import Brief, shared
from games.notices.delivery.channels.outgoing import Answer, hand_over
from games.notices.delivery.messages import Message
from games.notices.models import LONGEST_FAILURE, Format, Hook, Notice, NoticeReason, Webhook
from games.notices.outlets import Outlet, Refused, Targets, Unsent

TEAL = 0x14555E  # the color of the sea on our pages
A_DAY = timedelta(hours=23)  # when the last attempt of a notice is made
MARKUP = re.compile(r"([\\*_~`|>\[\]()#:@<-])")
HOOKS = Targets(partial(Hook.objects.filter, off_because=""))


class Webhooks(Outlet):
    """The webhook channel. A webhook that is gone or fails for a day is turned off, and its owner can read why."""

    def targets(self, users: Collection[User]) -> Mapping[int, Sequence[int]]:
        return HOOKS.by_user(users)

    def why_not(self, notice: Notice) -> str:
        return "" if _target(notice).exists() else NoticeReason.GONE

    def send(self, notice: Notice, message: Message) -> None:
        hook = _target(notice).first()
        if hook is None:
            raise Refused(NoticeReason.GONE)
        deliver(hook, shared(message), f"webhooks of {notice.user_id}")

    def take_off(self, notice: Notice, reason: str) -> None:
        _target(notice).update(off_because=reason[:LONGEST_FAILURE])


def _target(notice: Notice) -> QuerySet[Hook]:
    return Hook.objects.filter(pk=notice.target, user=notice.user_id, off_because="")


def deliver(hook: Webhook, brief: Brief, owner: str, **more: Any) -> None:
    """Post a message and record on the webhook how it went. Raises `Unsent`. For `owner` see `outgoing.hand_over`.

    A webhook that has accepted nothing for a day is turned off.
    """
    outgoing.need_quick(owner)
    rows = type(hook)._default_manager.filter(pk=hook.pk)
    try:
        hand_over(hook.url, lambda: post(hook, brief, **more), owner=owner)
    except Unsent as trouble:
        since = hook.failing_since or timezone.now()
        off_because = ""
        if timezone.now() - since >= A_DAY:
            off_because = gettext("every message failed for a day. %(why)s") % {"why": trouble.reason}
        rows.update(
            failing_since=since, failure=trouble.reason[:LONGEST_FAILURE], off_because=off_because[:LONGEST_FAILURE]
        )
        raise
    rows.update(failure="", failing_since=None, used_at=timezone.now())


def post(hook: Webhook, brief: Brief, **more: Any) -> Answer:
    """Post the message and return the response. Raises `NotTaken`. Only programs get the fields of `more`."""
    written = FORMATS[hook.format](brief) | (more if hook.is_plain else {})
    body = json.dumps(written, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", **signature(hook, brief.key, body)}
    return outgoing.post(hook.url, body, headers)


def signature(hook: Webhook, key: str, body: bytes) -> dict[str, str]:
    """Return the signature headers: HMAC-SHA256 over `id.time.body` (standardwebhooks.com)."""
    id_, at = hashlib.sha256(key.encode()).hexdigest()[:32], str(int(timezone.now().timestamp()))
    secret = b64decode(hook.secret.partition("_")[2])
    digest = hmac.digest(secret, b".".join((id_.encode(), at.encode(), body)), "sha256")
    return {"Webhook-Id": id_, "Webhook-Timestamp": at, "Webhook-Signature": f"v1,{b64encode(digest).decode()}"}


def discord(brief: Brief) -> dict[str, Any]:
    button = pgettext("button", "Open")
    return {
        "content": _escaped(brief.title),
        "embeds": [{"title": button, "url": brief.url, "description": _escaped(brief.text), "color": TEAL}],
        "allowed_mentions": {"parse": []},
    }


def _escaped(text: str) -> str:
    """Escape Discord's markup."""
    return MARKUP.sub(r"\\\1", text)


def slack(brief: Brief) -> dict[str, Any]:
    link = f"<{brief.url}|{pgettext('button', 'Open')}>"
    words = f"{brief.title}\n{brief.text}"
    return {
        "text": f"{escape(words, quote=False)}\n{link}",
        "blocks": [
            {"type": "section", "text": {"type": "plain_text", "text": words, "emoji": False}},
            {"type": "section", "text": {"type": "mrkdwn", "text": link, "verbatim": True}},
        ],
        "unfurl_links": False,
    }


def plain(brief: Brief) -> dict[str, Any]:
    return {"kind": brief.kind, "title": brief.title, "text": brief.text, "url": brief.url, "game": brief.topic}


FORMATS: dict[str, Callable[[Brief], dict[str, Any]]] = {
    Format.DISCORD: discord,
    Format.SLACK: slack,
    Format.JSON: plain,
}
