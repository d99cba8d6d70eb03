"""What mails are called, so that mail programs know them for one and the same, and those of one game for one thread."""

from datetime import date
from urllib.parse import urlsplit

from django.conf import settings

from games.notices.models import Notice
from games.tables.models.game import Game


def host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def message_id(notice: Notice) -> str:
    """Stays the same however often the notice is tried. A digest shares one, given when its rows were written.

    The moment is in it because an entry of the same number comes once more after a backup has been put back: who has
    had a mail of that name would not be shown another one.
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
    """What every mail about a game answers to, so that mail programs show them as one conversation."""
    return f"<game.{game.public_id}@{host()}>"
