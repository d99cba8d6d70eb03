"""Words that messages share, and the ids of emails."""

from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from games.notices.models import Notice
from games.tables.models.game import Game

Lead = tuple[str, str]  # a short title, and the sentence that says what to do


@dataclass(frozen=True)
class Offer:
    """A card that the reader can take, its price in words, and its ability and action in words.

    `card` is empty if it cannot be taken yet, else `url` is the link to take it.
    """

    name: str
    price: str
    gives: str
    card: str = ""
    url: str = ""


def enumerated(names: list[str], joined: str = "") -> str:
    """Join names, as in `Alice, Bob and Carol`, or with the template `joined`, which has `first` and `last`."""
    if len(names) < 2:
        return "".join(names)
    return (joined or _("{first} and {last}")).format(first=", ".join(names[:-1]), last=names[-1])


# Message-IDs


def host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def message_id(notice: Notice) -> str:
    """Return the Message-ID of the notice, which is the same for each attempt. The notices of a digest share one.

    It contains the time because after a restore from a backup the same entry number can occur again, and an email
    program would hide a second email with the same Message-ID.
    """
    if notice.message_id:
        return notice.message_id
    seat = notice.seat
    if seat is None:
        return f"<{notice.kind}.{notice.about}.{notice.user_id}@{host()}>"
    return f"<{notice.kind}.{seat.game.public_id}.{seat.number}.{notice.seq}.{notice.created_at:%y%m%d%H%M%S}@{host()}>"


def digest_id(user: int, day: date) -> str:
    return f"<digest.{user}.{day:%Y%m%d}@{host()}>"


def thread_id(game: Game) -> str:
    """Return the id that all emails about a game reply to, so that email programs show them as one conversation."""
    return f"<game.{game.public_id}@{host()}>"
