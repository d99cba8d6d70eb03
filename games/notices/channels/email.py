"""Mail: a message as text, as HTML and with the board as a picture inside; nothing in it is fetched from anywhere."""

import hashlib
import re
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import css_inline
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string

from games.models import Game
from games.notices.messages import Message, reading_as
from games.notices.models import Notice
from games.notices.picture import board_png

PICTURE = "board"
PICTURE_WIDTH = 480  # pixels; sharp on a phone, some 200 kilobytes


class Mail(EmailMultiAlternatives):
    """The same message gives the same bytes every time: its parts are divided by the Message-ID, not by chance."""

    mixed_subtype = "related"

    def message(self) -> SafeMIMEMultipart:  # type: ignore[override]
        whole: SafeMIMEMultipart = super().message()  # type: ignore[assignment]
        name = hashlib.sha256(self.extra_headers["Message-ID"].encode()).hexdigest()[:24]
        dividable = [part for part in whole.walk() if isinstance(part, MIMEMultipart)]
        for number, part in enumerate(dividable):
            part.set_boundary(f"=={number}.{name}==")
        return whole


def connection() -> BaseEmailBackend:
    return get_connection()


def host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def message_id(notice: Notice) -> str:
    """Stays the same however often the notice is tried."""
    seat = notice.seat
    return f"<{notice.kind}.{seat.game.public_id}.{seat.number}.{notice.seq}@{host()}>"


def thread_id(game: Game) -> str:
    """What every mail about a game answers to, so that mail programs show them as one conversation."""
    return f"<game.{game.public_id}@{host()}>"


def compose(message: Message) -> Mail:
    with reading_as(message.reader):
        picture = board_png(message, PICTURE_WIDTH)
        context = {"message": message, "site": settings.SITE_NAME, "home": settings.SITE_URL}
        context["picture"] = PICTURE if picture else ""
        subject, text, html = (_render(message.kind, part, context) for part in ("subject.txt", "txt", "html"))
    mail = Mail(subject=" ".join(subject.split()), body=airy(text), to=[message.reader.email], headers=headers(message))
    mail.attach_alternative(inliner().inline(html), "text/html")
    if picture:
        mail.attach(_inline(picture))
    return mail


def _render(kind: str, part: str, context: dict[str, Any]) -> str:
    return render_to_string(f"emails/{kind}.{part}", context)


def airy(text: str) -> str:
    """No more than one empty line between paragraphs, whatever templates leave behind."""
    return re.sub(r"\n\s*\n", "\n\n", text.strip()) + "\n"


@cache
def inliner() -> css_inline.CSSInliner:
    """Rules go into the elements, as mail programs want them; those for dark screens and small ones stay at the top."""
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def headers(message: Message) -> dict[str, str]:
    thread = thread_id(message.game)
    return {
        "Message-ID": message_id(message.notice),
        "In-Reply-To": thread,
        "References": thread,
        "List-Unsubscribe": f"<{message.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-ID": f"{settings.SITE_NAME} <games.{host()}>",
        "Auto-Submitted": "auto-generated",
    }


def _inline(picture: bytes) -> MIMEImage:
    image = MIMEImage(picture, "png")
    image.add_header("Content-ID", f"<{PICTURE}>")
    image.add_header("Content-Disposition", "inline", filename=f"{PICTURE}.png")
    return image
