"""Words that messages share, words that are written later in their reader's language, and the ids of emails."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from empire.web.languages import display_name
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
    names = [display_name(name) for name in names]
    if len(names) < 2:
        return "".join(names)
    return (joined or _("{first} and {last}")).format(first=", ".join(names[:-1]), last=names[-1])


# Words for readers of several languages


class Words:
    """A text that is written when `str` asks for it, in the language of that moment. Its values may be such texts too.

    A notice is caused by someone who may have another language; `outbox` asks in that of its reader.
    """

    def __init__(self, write: Callable[[], str]) -> None:
        self._write = write

    def __str__(self) -> str:
        return self._write()

    def format(self, **values: object) -> "Words":
        return Words(lambda: str(self).format(**values))

    def __mod__(self, values: dict[str, object]) -> "Words":
        return Words(lambda: str(self) % values)


def later(write: Callable[..., str], *args: Any, **kwargs: Any) -> Words:
    """Return the words of a function that translates, to be written in their reader's language."""
    return Words(lambda: write(*args, **kwargs))


def gettext_later(text: str) -> Words:
    """Translate the text later. Import it as `_`, so that it is extracted."""
    return later(translation.gettext, text)


def ngettext_later(singular: str, plural: str, n: int) -> Words:
    """Translate a text with a number later. Import it as `ngettext`, so that it is extracted."""
    return later(translation.ngettext, singular, plural, n)


def in_site_language(words: Words | str) -> str:
    """Write the words in the site's language, in which everyone's records are kept."""
    with translation.override(settings.LANGUAGE_CODE):
        return str(words)


def joined(*sentences: object) -> Words:
    """Join the sentences that are not empty."""
    return Words(lambda: " ".join(text for text in map(str, sentences) if text))


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
