"""Email: a message as text and HTML, with the board picture embedded. Nothing is loaded from remote hosts."""

import hashlib
import re
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from functools import cache
from typing import Any

import css_inline
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart, get_connection
from django.template.loader import render_to_string
from django.utils import timezone

from accounts import bounces
from accounts.models import User
from games.notices.delivery.channels.replies import Meaning, meaning
from games.notices.delivery.messages import Message, board_png, reading_as
from games.notices.models import Notice, Why
from games.notices.outbox import names
from games.notices.outlets import Down, Gone, Line, Outlet, TryAgain, Unsent

PICTURE = "board"
LATE = timedelta(seconds=2)
PICTURE_WIDTH = 480  # pixels; sharp on a phone, some 200 kilobytes
ONE_MAIL = (smtplib.SMTPSenderRefused, smtplib.SMTPDataError)  # the server works but refused this email for now


class MailLine(Line):
    """A connection to the mail server. It is closed after a refused email, so that the next one reconnects."""

    def __init__(self) -> None:
        self.connection = get_connection()

    def open(self) -> None:
        with in_our_words():
            self.connection.open()

    def hand_over(self, mail: EmailMultiAlternatives) -> None:
        try:
            with in_our_words():
                self.connection.send_messages([mail])
        except Unsent:
            self.close()
            raise

    def close(self) -> None:
        with suppress(OSError):
            self.connection.close()


class Post(Outlet):
    """The email channel. Emails go to the person's address once they have confirmed it."""

    together = 10

    def targets(self, user: User) -> Sequence[int]:
        return [0] if user.email and user.is_active else []

    def reasons(self, notices: Sequence[Notice]) -> list[str]:
        of_theirs = EmailAddress.objects.filter(user__in={notice.user_id for notice in notices}, verified=True)
        confirmed = {(user, address.lower()) for user, address in of_theirs.values_list("user", "email")}
        return [_why_not(notice.user, confirmed) for notice in notices]

    def ready(self, notice: Notice, message: Message) -> "Mail":
        return compose(message)

    def line(self) -> Line:
        return MailLine()

    def take_off(self, notice: Notice, reason: str) -> None:
        code, _blank, words = reason.partition(" ")
        now, address = timezone.now(), notice.user.email
        if meaning(int(code), words) == Meaning.DEAD:
            bounces.mail_bounced(address=address, said=reason, at=now)
        else:
            bounces.mail_held_up(address=address, mail=names.message_id(notice), said=reason, at=now)


def _why_not(user: User, confirmed: set[tuple[int, str]]) -> str:
    if user.is_mail_stopped:
        return Why.STOPPED
    return "" if (user.pk, user.email.lower()) in confirmed else Why.UNCONFIRMED


@contextmanager
def in_our_words() -> Iterator[None]:
    """Translate SMTP and socket errors within the block into subclasses of `Unsent`."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as refusal:
        raise not_there(refusal) from refusal
    except OSError as error:  # all that smtplib and sockets raise
        raise (TryAgain if isinstance(error, ONE_MAIL) else Down)(f"{type(error).__name__}: {error}") from error


def not_there(refusal: smtplib.SMTPRecipientsRefused) -> Unsent:
    """Return the exception for a refused recipient: refused for good or for now. Emails have one recipient."""
    ((code, said),) = refusal.recipients.values()
    words = said.decode(errors="replace")
    found = meaning(code, words)
    return (TryAgain if found in (Meaning.LATER, Meaning.OURS) else Gone)(f"{code} {words}")


class Mail(EmailMultiAlternatives):
    """An email with reproducible bytes: its MIME boundaries derive from the Message-ID instead of random numbers."""

    mixed_subtype = "related"

    def message(self) -> SafeMIMEMultipart:  # type: ignore[override]
        whole: SafeMIMEMultipart = super().message()  # type: ignore[assignment]
        name = hashlib.sha256(self.extra_headers["Message-ID"].encode()).hexdigest()[:24]
        dividable = [part for part in whole.walk() if isinstance(part, MIMEMultipart)]
        for number, part in enumerate(dividable):
            part.set_boundary(f"=={number}.{name}==")
        return whole


def compose(message: Message) -> Mail:
    with reading_as(message.reader):
        picture = b"" if is_late(message.notice) else board_png(message, PICTURE_WIDTH)
        context = {"message": message, "site": settings.SITE_NAME, "home": settings.SITE_URL}
        context["picture"] = PICTURE if picture else ""
        subject, text, html = (_render(message.template, part, context) for part in ("subject.txt", "txt", "html"))
    mail = Mail(subject=" ".join(subject.split()), body=airy(text), to=[message.reader.email], headers=headers(message))
    mail.attach_alternative(inliner().inline(html), "text/html")
    if picture:
        mail.attach(_inline(picture))
    return mail


def is_late(notice: Notice) -> bool:
    """Return whether the notice should have gone out right away but had to wait, so that many are waiting.

    Late emails leave out the picture, which costs more than the rest of the email: speed matters more then.
    """
    was_due_at_once = notice.attempts <= 1 and notice.planned_at <= notice.created_at
    return was_due_at_once and timezone.now() - notice.created_at > LATE


def _render(kind: str, part: str, context: dict[str, Any]) -> str:
    return render_to_string(f"notices/emails/{kind}.{part}", context)


def airy(text: str) -> str:
    """Collapse the blank lines that templates leave behind into one between paragraphs."""
    return re.sub(r"\n\s*\n", "\n\n", text.strip()) + "\n"


@cache
def inliner() -> css_inline.CSSInliner:
    """Return an inliner that moves CSS rules into the elements but keeps media queries in the head."""
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def headers(message: Message) -> dict[str, str]:
    thread = names.thread_id(message.game) if message.game else ""
    return {
        "Message-ID": names.message_id(message.notice),
        **({"In-Reply-To": thread, "References": thread} if thread else {}),
        "List-Unsubscribe": f"<{message.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-ID": f"{settings.SITE_NAME} <games.{names.host()}>",
        "Auto-Submitted": "auto-generated",
    }


def _inline(picture: bytes) -> MIMEImage:
    image = MIMEImage(picture, "png")
    image.add_header("Content-ID", f"<{PICTURE}>")
    image.add_header("Content-Disposition", "inline", filename=f"{PICTURE}.png")
    return image
