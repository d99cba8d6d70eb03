"""Emails as their readers receive them: parsed from the bytes that are sent."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

from django.core import mail

from games.notices import outlets
from games.notices.delivery import deliver
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.notices.outbox import outbox
from games.tables.models import Game, Seat
from tests.cast import only, state_of, submit


def send_due() -> int:
    """Send all due notices on every channel, as the tasks of the channels do. Return the number of messages sent."""
    return sum(deliver.sweep_channel(channel) for channel in outlets.all_outlets())


def received(name: str) -> list[EmailMessage]:
    sent = [message for message in mail.outbox if message.to == [f"{name.lower()}@example.org"]]
    return [message_from_bytes(message.message().as_bytes(), policy=policy.default) for message in sent]


def only_email(name: str) -> EmailMessage:
    (email,) = received(name)
    return email


def subjects(name: str) -> list[str]:
    return [email["Subject"] for email in received(name)]


def text_of(email: EmailMessage) -> str:
    return email.get_body(("plain",)).get_content()


def html_of(email: EmailMessage) -> str:
    return email.get_body(("html",)).get_content()


def pictures_of(email: EmailMessage) -> list[EmailMessage]:
    return [part for part in email.walk() if part.get_content_maintype() == "image"]


def link_of(email: EmailMessage) -> str:
    """Return the path that opens the reader's seat."""
    match = re.search(r"http://testserver(/games/\w+/enter/[\w:-]+/)", text_of(email))
    assert match
    return match[1]


def take(game: Game, seat: int, card: int = 0) -> None:
    """Take the nth card that the seat can afford, and end the turn without using its action."""
    submit(game, seat, *only(game, seat, game.rules.text(game.rules.legal(state_of(game), seat)[card])))


def deliver_alone(pk: int) -> bool:
    """Send a notice that is due, without others that are due too. Return whether a message was sent."""
    bundle = deliver.claim(pk)
    return bool(bundle) and deliver.hand_over(deliver.prepare([bundle])) > 0


def email_notice(seat: Seat, kind: Kind, seq: int = 0) -> Notice:
    """Return the email notice to the seat's player, creating it if necessary."""
    return outbox.tell(kind=kind, seat=seat, seq=seq)[0]


def notice(kind: str, name: str, game: Game) -> Notice:
    """Return the player's latest notice of this kind."""
    return Notice.objects.filter(kind=kind, seat__name=name, seat__game=game).latest("seq")
