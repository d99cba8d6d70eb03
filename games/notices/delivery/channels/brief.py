"""Short messages with a plain link, for a phone screen or for a channel that other people read.

Links in emails let their holder act for the seat. Short messages pass through other hands, so their link does not.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from empire import dates
from games.notices.delivery.messages import Message, reading_as, short_name
from games.notices.kinds import OF_DECISIONS, Kind
from games.tables.models import FullGame, Game
from games.tables.models.game import TableTerms

KEPT_FOR = timedelta(days=3)  # for how long push services keep a message for a device that is off
LEAST_KEPT_FOR = timedelta(minutes=1)
LINES = 20  # of a digest; the desk lists them all
TEST_KEPT = timedelta(minutes=10)
# Shared channels cannot use the family's own words, which may reveal the reader's hand.
SHARED = {
    Kind.TURN: gettext_noop("{player}, it’s your turn: {table}"),
    Kind.TIME: gettext_noop("{player}, your time is running out: {table}"),
    Kind.STARTED: gettext_noop("The game has started: {table}"),
}
WITHOUT_WORDS = gettext_noop("{player}, there is a message for you")
# Strangers must not learn who plays in a private game, or how it ends.
OF_PRIVATE_GAME = {
    **SHARED,
    Kind.INVITED: gettext_noop("{player}, you are invited: {table}"),
    Kind.ENDED: gettext_noop("The game has ended: {table}"),
    Kind.FULL: gettext_noop("The game has ended: {table}"),
}
PRIVATE_GAME = gettext_noop("{game} (private)")
# How to find the game of a notice that is not about a seat, by what its `about` begins with
OF_NOTICE = {
    "game": "pk", "review": "pk", "seat": "seats", "replacement": "seats__replacements", "invitation": "pk",
    "removed": "pk", "rematch": "rematch_of", "answer": "pk",
}  # fmt: skip


@dataclass(frozen=True)
class Brief:
    """A short message.

    `key` is the same for all attempts. `topic` is the game's id, if any. `until`: for how long it is of interest.
    """

    key: str
    kind: str
    title: str
    text: str
    url: str
    topic: str
    until: timedelta
    is_urgent: bool = False


def private(message: Message) -> Brief:
    """Return the short message for a channel that only the reader sees."""
    titles = [private(item).title for item in message.items[:LINES]]
    text = "\n".join(titles) or " ".join([message.lead, *message.details])
    return _brief(message, message.title, text)


def shared(message: Message) -> Brief:
    """Return the short message for a shared channel, with nothing that other players may not see."""
    if message.items:
        return _brief(message, message.title, "\n".join(shared(item).title for item in message.items[:LINES]))
    if message.kind == Kind.MODERATION:  # neither who is suspended nor why
        with reading_as(message.reader):
            return _brief(message, gettext(WITHOUT_WORDS).format(player=message.reader.username), "")
    text = ""
    if message.kind in (Kind.INVITED, Kind.REMATCH):  # the address of an invitation lets anyone join
        details = tuple(detail for detail in message.details if detail not in message.unshared)
        message, text = replace(message, details=details, url=settings.SITE_URL + reverse("desk")), " ".join(details)
    game = message.game or _game_of(message)
    # Not about a seat. Of notices about seats, the one that a table has closed names nobody
    is_about_game = message.game is None and message.notice.about.partition(".")[0] in OF_NOTICE
    with reading_as(message.reader):
        if game is None and is_about_game:  # it is gone
            words, table = WITHOUT_WORDS, ""
        elif game is not None and not game.listed and (is_about_game or message.kind != Kind.CLOSED):
            words = OF_PRIVATE_GAME.get(Kind(message.kind), WITHOUT_WORDS)
            table = gettext(PRIVATE_GAME).format(game=short_name(game))
        elif message.kind in SHARED and message.table:
            words, table = SHARED[Kind(message.kind)], message.table
        else:
            return private(message)
        title = gettext(words).format(player=message.reader.username, table=table)
        if message.deadline is not None:
            at = dates.localized(timezone.localtime(message.deadline), "l j F, H:i")
            text = gettext("Deadline: {time} ({zone}).").format(time=at, zone=message.reader.time_zone)
        return _brief(message, title, text)


def _game_of(message: Message) -> TableTerms | None:
    """Return the game, or the full game, of a notice that is about one but not about a seat."""
    subject, _dot, rest = message.notice.about.partition(".")
    if message.notice.seat_id is not None or subject not in OF_NOTICE:
        return None
    games = FullGame.objects if message.kind == Kind.FULL else Game.objects
    return games.filter(**{OF_NOTICE[subject]: rest.partition(".")[0]}).first()


def _brief(message: Message, title: str, text: str) -> Brief:
    game = message.game
    left = message.deadline - timezone.now() if message.deadline else KEPT_FOR
    return Brief(
        key=message.notice.message_id if message.items else message.notice.key, kind=message.kind, title=title,
        text=text, url=settings.SITE_URL + game.get_absolute_url() if game and message.opens_seat else message.url,
        topic=game.public_id if game else "", until=min(max(left, LEAST_KEPT_FOR), KEPT_FOR),
        is_urgent=message.kind in OF_DECISIONS,
    )  # fmt: skip


def trial() -> Brief:
    """Return the test message."""
    return Brief(
        key=f"trial.{secrets.token_hex(8)}", kind="test",
        title=gettext("Test from %(site)s") % {"site": settings.SITE_NAME},
        text=gettext("If you can read this, your notifications will arrive here."),
        url=settings.SITE_URL + reverse("home"), topic="", until=TEST_KEPT,
    )  # fmt: skip
