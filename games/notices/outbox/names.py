"""Message-IDs of emails, which let email programs drop duplicates and thread the emails of a game."""

from datetime import date
from urllib.parse import urlsplit

from django.conf import settings

from games.notices.models import Notice
from games.tables.models.game import Game


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
