"""Chat at a table: messages, private notes, blocks and reports."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.errors import GameError, NotFound, NotYours, TooOften
from games.tables.models import Game, Message, Note, Report, ReportReason, Seat, Status
from games.tables.models.chat import LONGEST_MESSAGE, LONGEST_NOTE, PHRASES
from games.tables.selectors import chat as selector
from games.tables.selectors import rights
from games.tables.services import people

AT_MOST, WITHIN = 10, timedelta(minutes=1)  # messages by one person at one table


def say(*, public_id: str, user: User, text: str = "", to: int | None = None, phrase: str = "") -> Message:
    """Send a message to the room, or to one player if the rules allow private messages (K62). Raises `GameError`.

    With `phrase`, the key of one of PHRASES, everyone reads that phrase in their own language instead of a text.
    """
    game, seats = rights.visible(public_id=public_id, user=user)
    seat = rights.seat_of(user, seats)
    said = PHRASES.get(phrase, "") if phrase else text.strip()
    if game.status == Status.CLOSED:
        raise GameError(gettext("This table is closed."))
    if seat is None and user.is_guest:
        raise NotYours(gettext("Guests can’t chat as spectators. Sign up to chat."))
    if not said:
        raise GameError(gettext("Your message is empty. Write something first."))
    _need_short(said, LONGEST_MESSAGE)
    hearer = None
    if to is not None:  # a private message reaches the person who plays that seat now
        if seat is None or not selector.may_whisper(game):
            raise NotYours(gettext("There are no private messages at this table. Write to everyone instead."))
        hearer = next((other.user for other in seats if other.number == to != seat.number), None)
        if hearer is None:
            raise GameError(gettext("Nobody is playing that seat. Write to everyone instead."))
        refusal = gettext("You can’t send private messages to %(name)s. Write to everyone instead.")
        people.need_unblocked(user, by=[hearer.pk], refusal=refusal % {"name": hearer.username})
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # so that two tabs share the limit
        if Message.objects.filter(game=game, author=user, at__gt=timezone.now() - WITHIN).count() >= AT_MOST:
            raise TooOften(gettext("You are sending messages too fast. Wait a moment and try again."), WITHIN.seconds)
        message = Message.objects.create(
            game=game, author=user, name=user.username, seat=seat.number if seat else None, to=to,
            hearer=hearer, text=said, phrase=phrase, at=timezone.now(),
        )  # fmt: skip
        row = Game.objects.select_for_update().only("last_said", "talk").get(pk=game.pk)
        heard_in = [selector.room(seat)] if seat is None or to is None else [str(seat.number), str(to)]
        row.talk |= {room: max(message.pk, row.talk.get(room, 0)) for room in heard_in}
        if seat:
            row.last_said = max(message.pk, row.last_said)
        row.save(update_fields=["last_said", "talk"])
        return message


def hear(*, seat: Seat, upto: int) -> None:
    """Mark messages up to this id as read by the seat's player."""
    if seat.heard < upto:
        Seat.objects.filter(pk=seat.pk, heard__lt=upto).update(heard=upto)


def write_note(*, public_id: str, user: User, text: str) -> Note:
    """Save the user's private note about the game."""
    game, _seats = rights.visible(public_id=public_id, user=user)
    _need_short(text, LONGEST_NOTE)
    return Note.objects.update_or_create(game=game, user=user, defaults={"text": text.strip()})[0]


def block(*, message: int, user: User) -> None:
    author = _heard(message, user).author
    if author is None or author == user:
        raise NotYours(gettext("You can’t block the author of this message."))
    people.block(user=user, blocked=author)


def report(*, message: int, user: User, reason: str = "") -> None:
    """Report a message, or how its author plays, to staff. Reporting twice counts once."""
    found = _heard(message, user)
    if found.author == user:
        raise NotYours(gettext("You can’t report your own message."))
    why = reason if reason in ReportReason.values else ReportReason.MESSAGE
    about = {"game": found.game, "player": found.author, "at": timezone.now(), "reason": why}
    Report.objects.get_or_create(message=found, reporter=user, defaults=about)


def report_player(*, public_id: str, user: User, seat: int, reason: str) -> Report:
    """Report how someone plays in a game to staff, without a message. The same report twice counts once."""
    game, seats = rights.visible(public_id=public_id, user=user)
    player = next((one for number, _name, one in selector.reportable(game, seats, user) if number == seat), None)
    if player is None or reason not in ReportReason.values or reason == ReportReason.MESSAGE:
        raise GameError(gettext("Choose a player and a reason."))
    about = {"game": game, "player": player, "message": None, "reporter": user, "reason": reason}
    return Report.objects.get_or_create(**about, defaults={"at": timezone.now()})[0]


def _heard(pk: int, user: User) -> Message:
    """Return a message that the user may read. Raises `NotFound`."""
    found = Message.objects.select_related("game", "author").filter(pk=pk).first()
    if found is None:
        raise NotFound
    game, seats = rights.visible(public_id=found.game.public_id, user=user)
    if not selector.messages(game=game, seat=rights.seat_of(user, seats)).filter(pk=pk).exists():
        raise NotFound
    return found


def _need_short(text: str, longest: int) -> None:
    if len(text) > longest:
        raise GameError(gettext("Your text is too long. Use at most %(n)d characters.") % {"n": longest})
