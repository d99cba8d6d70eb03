"""Email: a message as text and HTML, with the board picture embedded. Nothing is loaded from remote hosts.

Providers report delivery events through anymail's webhooks. They may arrive late, repeatedly and in any order; a
repeated event changes nothing.
"""

import base64
import hashlib
import re
import smtplib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

import css_inline
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart, get_connection
from django.template.loader import render_to_string
from django.utils import timezone

from accounts import services
from accounts.models import User
from accounts.trouble import LONGEST_REPLY, StopReason
from empire.prepared import Prepared
from games.notices.delivery.messages import Message, board_jpeg, reading_as
from games.notices.kinds import Channel
from games.notices.models import Notice, NoticeReason, NoticeState
from games.notices.outbox.words import host, message_id, thread_id
from games.notices.outlets import Connection, Down, Gone, Outlet, TryAgain, Unsent

CONFIRMED = Prepared(lambda users: EmailAddress.objects.filter(user__in=users, verified=True).only("user", "email"))
PICTURE = "board"
LATE = timedelta(seconds=10)
OURS = (530, 535, 538)  # codes: the server wants us to sign in
FULL = (452, 552)
FINER = re.compile(r"\b[245]\.(\d{1,3})\.(\d{1,3})\b")
ABOUT_US = re.compile(r"relay|authenticat", re.IGNORECASE)
ONE_EMAIL = (smtplib.SMTPSenderRefused, smtplib.SMTPDataError)  # the server works but refused this email for now


class SmtpConnection(Connection):
    """An SMTP connection. It is closed after a refused email, so that the next one reconnects."""

    def __init__(self) -> None:
        self.backend = get_connection()

    def open(self) -> None:
        with in_our_words():
            self.backend.open()

    def hand_over(self, email: EmailMultiAlternatives) -> None:
        try:
            with in_our_words():
                self.backend.send_messages([email])
        except Unsent:
            self.close()
            raise

    def close(self) -> None:
        with suppress(OSError):
            self.backend.close()


class Email(Outlet):
    """The email channel. Emails go to the person's address once they have confirmed it."""

    together = 10

    def targets(self, users: Collection[User]) -> Mapping[int, Sequence[int]]:
        return {user.pk: [0] for user in users if user.email and user.is_active}

    def reasons(self, notices: Sequence[Notice]) -> list[str]:
        addresses = CONFIRMED(sorted({notice.user_id for notice in notices}))
        confirmed = {(address.user_id, address.email.lower()) for address in addresses}
        reasons = []
        for user in (notice.user for notice in notices):
            is_confirmed = (user.pk, user.email.lower()) in confirmed
            reasons.append(
                NoticeReason.STOPPED if user.is_email_stopped else "" if is_confirmed else NoticeReason.UNCONFIRMED
            )
        return reasons

    def ready(self, notice: Notice, message: Message) -> "ReproducibleEmail":
        return compose(message)

    def connection(self) -> Connection:
        return SmtpConnection()

    def take_off(self, notice: Notice, reason: str) -> None:
        code, _blank, words = reason.partition(" ")
        now, address = timezone.now(), notice.user.email
        if meaning(int(code), words) == Meaning.DEAD:
            services.email_bounced(address=address, reply=reason, at=now)
        else:
            services.email_held_up(address=address, message_id=message_id(notice), reply=reason, at=now)


# What the server replies


class Meaning(Enum):
    """The meaning of an SMTP reply that refuses a recipient."""

    LATER = "the server will take it later, as with greylisting"
    OURS = "it is about us, who may not send there now: nothing is wrong with the address"
    HELD_UP = "the mailbox takes no email now: it is full, or does not want this one"
    DEAD = "there is no such mailbox"


def meaning(code: int, words: str) -> Meaning:
    """Read the basic code and the enhanced code of RFC 3463 in `words`, if any."""
    if code < 500:
        return Meaning.LATER
    finer = FINER.search(words)
    subject, detail = (finer[1], finer[2]) if finer else ("", "")
    if code in OURS or subject == "7" or ABOUT_US.search(words):
        return Meaning.OURS
    if code in FULL or subject not in ("", "1", "2") or (subject, detail) in (("2", "2"), ("2", "3")):
        return Meaning.HELD_UP
    return Meaning.DEAD


@contextmanager
def in_our_words() -> Iterator[None]:
    """Translate SMTP and socket errors within the block into subclasses of `Unsent`."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as refusal:
        ((code, reply),) = refusal.recipients.values()  # emails have one recipient
        words = reply.decode(errors="replace")
        is_for_now = meaning(code, words) in (Meaning.LATER, Meaning.OURS)
        raise (TryAgain if is_for_now else Gone)(f"{code} {words}") from refusal
    except OSError as error:  # all that smtplib and sockets raise
        raise (TryAgain if isinstance(error, ONE_EMAIL) else Down)(f"{type(error).__name__}: {error}") from error


# The email itself


class MimeTree(SafeMIMEMultipart):
    """A MIME message that writes its pictures in one piece.

    The generator of the standard library makes a call for each line of base64, which takes a millisecond a picture.
    """

    def as_bytes(self, unixfrom: bool = False, linesep: str = "\n") -> bytes:  # type: ignore[override]
        pictures = [part for part in self.walk() if part.get_content_maintype() == "image"]
        encoded = [str(part.get_payload()) for part in pictures]
        marks = [f"picture-{number}-of-{self.get_boundary()}" for number in range(len(pictures))]
        try:
            for part, mark in zip(pictures, marks, strict=True):
                part.set_payload(mark)
            written: bytes = super().as_bytes(unixfrom, linesep)
        finally:
            for part, lines in zip(pictures, encoded, strict=True):
                part.set_payload(lines)
        for mark, lines in zip(marks, encoded, strict=True):
            written = written.replace(mark.encode(), lines.replace("\n", linesep).encode())
        return written


class ReproducibleEmail(EmailMultiAlternatives):
    """An email with reproducible bytes: its MIME boundaries derive from the Message-ID instead of random numbers."""

    mixed_subtype = "related"

    def message(self) -> SafeMIMEMultipart:  # type: ignore[override]
        built: SafeMIMEMultipart = super().message()  # type: ignore[assignment]
        tree = MimeTree(built.get_content_subtype(), _subparts=built.get_payload(), encoding=self.encoding)
        for name, value in built.items():
            if name not in tree:  # with the method of the base class, because Django's refuses headers folded already
                MIMEMultipart.__setitem__(tree, name, value)
        digest = hashlib.sha256(self.extra_headers["Message-ID"].encode()).hexdigest()[:24]
        dividable = [part for part in tree.walk() if isinstance(part, MIMEMultipart)]
        for number, part in enumerate(dividable):
            part.set_boundary(f"=={number}.{digest}==")
        return tree


def compose(message: Message) -> ReproducibleEmail:
    """Return the email of a message, with the board picture unless it is late."""
    with reading_as(message.reader):
        picture = b"" if is_late(message.notice) else board_jpeg(message)
        context = {"message": message, "site": settings.SITE_NAME, "home": settings.SITE_URL}
        context["picture"] = PICTURE if picture else ""
        subject, text, html = (
            render_to_string(f"notices/emails/{message.template}.{part}", context)
            for part in ("subject.txt", "txt", "html")
        )
    # Collapse the blank lines that templates leave behind into one between paragraphs
    body = re.sub(r"\n\s*\n", "\n\n", text.strip()) + "\n"
    headers = {
        "Message-ID": message_id(message.notice),
        "List-Unsubscribe": f"<{message.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-ID": f"{settings.SITE_NAME} <games.{host()}>",
        "Auto-Submitted": "auto-generated",
    }
    if message.game:
        headers["In-Reply-To"] = headers["References"] = thread_id(message.game)
    email = ReproducibleEmail(subject=" ".join(subject.split()), body=body, to=[message.reader.email], headers=headers)
    email.attach_alternative(inliner().inline(html), "text/html")
    if picture:
        image = MIMEImage(b"", "jpeg")
        image.set_payload(base64.encodebytes(picture).decode("ascii"))  # MIMEImage would read the picture as text first
        image.add_header("Content-ID", f"<{PICTURE}>")
        image.add_header("Content-Disposition", "inline", filename=f"{PICTURE}.jpg")
        email.attach(image)
    return email


def is_late(notice: Notice) -> bool:
    """Return whether the notice should have gone out right away but had to wait, so that many are waiting.

    Late emails leave out the picture, which is half the cost of an email. That only happens under overload, when
    speed matters more.
    """
    was_due_at_once = notice.attempts <= 1 and notice.planned_at <= notice.created_at
    return was_due_at_once and timezone.now() - notice.created_at > LATE


@cache
def inliner() -> css_inline.CSSInliner:
    """Return an inliner that moves CSS rules into the elements but keeps media queries in the head."""
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


# Delivery events, told by providers

if TYPE_CHECKING:  # it may not be installed
    from anymail.signals import AnymailTrackingEvent as Event

SAYS_HOW = ("Type", "type", "event", "bounceType", "severity")  # keys for the type of bounce
FOR_NOW = ("soft", "transient", "undetermined", "temporary")


def record_event(sender: object, event: "Event", esp_name: str, **more: object) -> None:
    """Handle an event of `anymail.signals.tracking`. Events about unknown addresses are ignored."""
    if not event.recipient:
        return
    at = event.timestamp or timezone.now()
    reply = str(event.mta_response or event.description or event.reject_reason or "")[:LONGEST_REPLY]
    facts: dict[str, Any] = {"address": event.recipient, "reply": reply, "at": at}
    name = event.message_id or event.event_id or at.isoformat()
    failed = {"state": NoticeState.FAILED, "sent_at": None, "why": reply}
    match event.event_type:
        case "bounced":
            user = (
                services.email_held_up(message_id=name, **facts)
                if is_for_now(event)
                else services.email_bounced(**facts)
            )
            _mark(user, event, **failed)
        case "deferred":
            services.email_held_up(message_id=name, **facts)
        case "rejected":  # the provider refused to send it because of what it knows about the address
            match event.reject_reason:
                case "spam":
                    user = services.email_complained(why=StopReason.COMPLAINED, **facts)
                case "unsubscribed":
                    user = services.email_complained(why=StopReason.LEFT, **facts)
                case "bounced" | "invalid":
                    user = services.email_bounced(**facts)
                case _:
                    user = services.email_held_up(message_id=name, **facts)
            _mark(user, event, **failed)
        case "complained":  # it arrived and was reported as spam
            _mark(services.email_complained(**facts), event, why=NoticeReason.COMPLAINED)
        case "unsubscribed":
            services.email_complained(why=StopReason.LEFT, **facts)
        case "delivered":
            services.email_arrived(address=event.recipient)


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
        notices = Notice.objects.filter(user=user, channel=Channel.EMAIL, message_id=name)
        notices.filter(state__in=[NoticeState.SENT, NoticeState.SENDING]).update(**facts)
