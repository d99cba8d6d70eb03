"""Chat at a table: messages, private notes and blocks."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext_lazy

from accounts.models import User
from accounts.moderation import newcomers
from accounts.moderation.services import need_chat
from games.errors import GameError, NotYours, TooOften
from games.rules.words import legible
from games.tables.models import Block, Game, Message, Note, Seat, Status
from games.tables.models.chat import LONGEST_MESSAGE, LONGEST_NOTE, PHRASES
from games.tables.selectors import chat as selector
from games.tables.selectors import rights
from games.tables.services import blocking, reports

AT_MOST, WITHIN = 10, timedelta(minutes=1)  # messages by one person at one table
AGAIN = timedelta(hours=1)  # for how long the same words from the same page are the same message


def say(
    *,
    public_id: str,
    user: User,
    text: str = "",
    to: int | None = None,
    reader: str = "",
    phrase: str = "",
    after: int | None = None,
    room: str = "",
) -> Message:
    """Send a message to the room, or to one player if the rules allow private messages (K62). Raises `GameError`.

    `reader` is the name of the player of that seat, if the page showed one: nobody else gets the message.

    With `phrase`, the key of one of PHRASES, everyone reads that phrase in their own language instead of a text.
    `after` is the id of the last message on the page from which it is sent. If the author has said the same since then,
    the form was sent twice, for example because the first answer was lost: this returns that message. `room` is the one
    that the page showed, by default the author's at the start. If the author has gained or lost a seat since, and so
    is in the other room, the message is refused.
    """
    game, seats = rights.visible(public_id=public_id, user=user)
    need_chat(user)
    seat = rights.seat_of(user, seats)
    message_text = PHRASES.get(phrase, "") if phrase else legible(text)
    _need_not_closed(game)
    if seat is None and user.is_guest:
        raise NotYours(gettext("Guests can’t chat as spectators. Sign up to chat."))
    if not message_text:
        raise GameError(gettext("Your message is empty. Write something first."))
    _need_short(message_text, LONGEST_MESSAGE)
    if not phrase and selector.has_phrases_only(game, user):
        raise NotYours(gettext("At public tables, players under 16 can only send quick phrases."))
    if not phrase:
        newcomers.need_no_link(user, message_text)
    with transaction.atomic():
        # The game first, as in turns, which lock players when they notify them: so neither waits for the other
        locked_game = Game.objects.select_for_update().only("status", "last_messages").get(pk=game.pk)
        _need_not_closed(locked_game)
        seats, shown_room = rights.seats_at(game), room or selector.room(seat)
        seat = rights.seat_of(user, seats)
        if selector.room(seat) != shown_room:
            if seat is None:
                raise NotYours(gettext("You no longer play this seat, so your message was not sent."))
            raise NotYours(gettext("You now play at this table, so your message to the spectators was not sent."))
        recipient = None
        if to is not None:  # a private message reaches the person who plays that seat now
            if seat is None or not selector.may_whisper(game):
                raise NotYours(gettext("There are no private messages at this table. Write to everyone instead."))
            recipient = next((other.user for other in seats if other.number == to != seat.number), None)
            if recipient is None or recipient.is_bot:
                raise GameError(gettext("Nobody is playing that seat. Write to everyone instead."))
            if reader and reader != recipient.username:
                raise GameError(
                    gettext(
                        "Someone else plays that seat now, so your message was not sent. Choose who should read it."
                    )
                )
            if Block.objects.filter(user=recipient, blocked=user).exists():
                recipient = None  # nobody ever gets it, and its author is not told (B4)
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two tabs share the limit
        own_messages, now = Message.objects.filter(game=game, author=user), timezone.now()
        if after is not None:
            repeated = own_messages.filter(seat=seat.number if seat else None, to=to, text=message_text, phrase=phrase)
            if sent := repeated.filter(pk__gt=after, at__gt=now - AGAIN).first():
                return sent
        if own_messages.filter(at__gt=now - WITHIN).count() >= AT_MOST:
            raise TooOften(gettext("You are sending messages too fast. Wait a moment and try again."), WITHIN.seconds)
        limit = ngettext_lazy(
            "New accounts can send %(n)d message a day. You can write again tomorrow.",
            "New accounts can send %(n)d messages a day. You can write again tomorrow.",
            "n",
        )
        newcomers.need_few(user, Message.objects.filter(author=user), "at", settings.NEW_ACCOUNT_MESSAGES, limit)
        message = Message.objects.create(
            game=game, author=user, name=user.username, seat=seat.number if seat else None, to=to,
            recipient=recipient, text=message_text, phrase=phrase, at=now,
        )  # fmt: skip
        rooms = [selector.room(seat)]
        if seat is not None and to is not None:
            rooms = [str(seat.number), *([str(to)] if recipient else [])]
        locked_game.last_messages |= {room: max(message.pk, locked_game.last_messages.get(room, 0)) for room in rooms}
        locked_game.save(update_fields=["last_messages"])
        return message


def _need_not_closed(game: Game) -> None:
    if game.status == Status.CLOSED:
        raise GameError(gettext("This table is closed, so nobody can write here anymore."))


def mark_read(*, seat: Seat, upto: int) -> None:
    """Mark messages up to this id as read by the seat's player."""
    if seat.read_upto < upto:
        Seat.objects.filter(pk=seat.pk, read_upto__lt=upto).update(read_upto=upto)


def write_note(*, public_id: str, user: User, text: str) -> Note:
    """Save the user's private note about the game."""
    game, _seats = rights.visible(public_id=public_id, user=user)
    _need_short(text, LONGEST_NOTE)
    return Note.objects.update_or_create(game=game, user=user, defaults={"text": text.strip()})[0]


def block(*, message: int, user: User) -> list[Game]:
    """Block the author of a message. Return the tables that this closes. Raises `NotYours`."""
    author = reports.readable_message(message, user)[0].author
    if author is None or author == user:
        raise NotYours(gettext("You can’t block the author of this message."))
    return blocking.block(user=user, blocked=author)


def _need_short(text: str, longest: int) -> None:
    if len(text) > longest:
        raise GameError(gettext("Your text is too long. Use at most %(n)d characters.") % {"n": longest})
