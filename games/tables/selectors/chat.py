"""The chat of a table, for one reader."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from empire.web.languages import display_name
from games.tables.models import Block, Game, Message, Note, Seat, Status
from games.tables.selectors import rights

RECENT = 100  # messages shown on a page


@dataclass(frozen=True)
class ChatMessage:
    """A message. `to` names the recipient of a private one; `is_new` means unread."""

    pk: int
    at: datetime
    name: str
    seat: int | None
    to: str
    text: str
    is_own: bool
    is_new: bool


@dataclass(frozen=True)
class Chat:
    """A chat room for its reader; players and spectators have separate rooms.

    `has_phrases_only`: the reader is under 16 and the chat public. `recipients` lists the players that the reader
    can message privately: seat and name as the form sends them, and the name. `last` is the id of the newest message.
    """

    game: Game
    seat: Seat | None
    lines: tuple[ChatMessage, ...]
    reader_is_person: bool
    may_write: bool
    has_phrases_only: bool
    recipients: tuple[tuple[str, str], ...]
    blocked: tuple[str, ...]
    note: str
    last: int

    @property
    def new(self) -> int:
        return sum(line.is_new for line in self.lines)

    @property
    def room(self) -> str:
        return room(self.seat)


PLAYERS, SPECTATORS = "players", "spectators"


def room(seat: Seat | None) -> str:
    """Return the name of the room where everyone reads what this seat, or a spectator, writes."""
    return SPECTATORS if seat is None else PLAYERS


def rooms(seat: Seat | None) -> list[str]:
    """Return the rooms that the reader follows; private messages to and from a seat are in one named by its number."""
    return [room(seat), *([] if seat is None else [str(seat.number)])]


def chat(*, public_id: str, user: rights.Reader, after: int = 0) -> Chat:
    """Return the chat, or its messages after the one with the id `after`, oldest first. Raises `NotFound`."""
    game, seats = rights.visible(public_id=public_id, user=user)
    seat, is_person = rights.seat_of(user, seats), rights.is_person(user)
    visible = messages(game=game, seat=seat, reader=user).filter(pk__gt=after)
    blocked: tuple[str, ...] = ()
    note = None
    if is_person:
        blocks = Block.objects.filter(user=user)
        visible = visible.exclude(author__in=blocks.values("blocked"))
        blocked = tuple(blocks.order_by("blocked__username").values_list("blocked__username", flat=True))
        note = Note.objects.filter(game=game, user=user).first()
    names = {other.number: display_name(other.name) for other in seats}
    lines = []
    for message in list(visible.order_by("-id")[:RECENT])[::-1]:
        to = names.get(message.to, "") if message.to is not None else ""
        is_own = is_person and message.author_id == user.pk
        is_new = seat is not None and not is_own and message.pk > seat.read_upto
        name, text = display_name(message.name), message.words
        lines.append(ChatMessage(message.pk, message.at, name, message.seat, to, text, is_own, is_new))
    others = [other for other in seats if other.pk != seat.pk] if seat and may_whisper(game) else []
    players = [(other.number, other.user.username) for other in others if other.user and not other.user.is_bot]
    return Chat(
        game=game,
        seat=seat,
        lines=tuple(lines),
        reader_is_person=is_person,
        may_write=game.status != Status.CLOSED and is_person and (seat is not None or not user.is_guest),
        has_phrases_only=has_phrases_only(game, user),
        recipients=tuple((f"{number}:{name}", name) for number, name in players),
        blocked=blocked,
        note=note.text if note else "",
        last=lines[-1].pk if lines else after,
    )


def messages(*, game: Game, seat: Seat | None, reader: rights.Reader) -> QuerySet[Message]:
    """Return the messages in the players' or spectators' room, and the private ones that the reader has sent or got.

    People whose seat someone else plays keep theirs, so that they can report them (S3). At public tables, players under
    16 read phrases only, and what they wrote themselves.
    """
    everything = Message.objects.filter(game=game)
    if has_phrases_only(game, reader):
        everything = everything.filter(~Q(phrase="") | Q(author=reader))
    if seat is None and not rights.is_person(reader):
        return everything.filter(seat=None)
    if seat is None:
        own = Q(author=reader.pk) | Q(recipient=reader.pk)
        return everything.filter(Q(seat=None) | own & Q(to__isnull=False))
    return everything.filter(seat__isnull=False).filter(Q(to=None) | Q(recipient=seat.user_id) | Q(author=seat.user_id))


def has_phrases_only(game: Game, reader: rights.Reader) -> bool:
    """Return whether the chat of this table is public and off for this reader, who is under 16."""
    return bool(game.listed and rights.is_person(reader) and reader.is_under_16)


def reportable(game: Game, seats: list[Seat], user: User) -> list[tuple[int, str, User]]:
    """Return the people whose play the user may report: the number and name of their seat, and who plays it now."""
    if game.started_at is None or game.lesson:
        return []
    played = [(seat.number, seat.name, seat.user or seat.owner) for seat in seats]
    return [(seat, name, player) for seat, name, player in played if player not in (None, user) and not player.is_bot]


def unread_count(*, game: Game, seat: Seat | None) -> int:
    """Count unread messages by others, without a query if there can be none.

    Private messages between others make no difference, also to how long this takes.
    """
    if (
        seat is None
        or max((game.last_messages.get(room_name, 0) for room_name in rooms(seat)), default=0) <= seat.read_upto
    ):
        return 0
    new = messages(game=game, seat=seat, reader=seat.user).filter(pk__gt=seat.read_upto)
    others = [author for author in new.values_list("author", flat=True) if author != seat.user_id]
    blocked = set(Block.objects.filter(user=seat.user_id).values_list("blocked", flat=True)) if others else ()
    return sum(author not in blocked for author in others)


def may_whisper(game: Game) -> bool:
    """Return whether the rules allow private messages (K62)."""
    return game.rules.lets_whisper(game.rules.options(game.options, game.players))
