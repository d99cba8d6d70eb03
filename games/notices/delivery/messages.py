"""The words of a notice, in the reader's language and time zone. Channels only format them.

A message is built from the view of the reader's own seat and from nothing else, so it cannot leak hidden information.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.boards.themes import Colour
from games.notices.delivery.families import FAMILIES, Family
from games.notices.delivery.unsubscribe import unsubscribe_url
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice
from games.notices.outbox.words import Lead, Offer, enumerated
from games.rules import log
from games.rules.protocol import Event, View
from games.tables import keys
from games.tables.models import Entry, Game, Seat
from games.tables.models.log import By
from games.tables.selectors import lines, position

GLYPHS = {
    "circle": "●", "square": "■", "diamond": "◆", "triangle": "▲", "star": "★", "hexagon": "⬢", "heart": "♥",
    "drop": "◗",
}  # fmt: skip
NOTES: dict[str, str] = {
    By.ORDERS: gettext_noop("A standing order answered for {player}."),
    By.CLOCK: gettext_noop("{player} ran out of time, so a bot decided."),
    By.LATE: gettext_noop("{player} ran out of time, so the default action was taken."),
    By.STAND_IN: gettext_noop("A bot is playing for {player}."),
}
SAID = {
    Kind.AWAY: (
        gettext_noop("A bot is playing for you"),
        gettext_noop("A bot is playing your seat until you return. Open the game to take your seat back."),
    ),
}
OWN_TEMPLATES = {Kind.TURN, Kind.TIME, Kind.STARTED, Kind.ENDED, Kind.CLOSED}
LATEST = 24  # entries listed in an email; the game page has the rest


@dataclass(frozen=True)
class LogLine:
    """A log entry in sentences. `note` says if a bot, the clock or an order decided for the seat."""

    sentences: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Player:
    """A seat's current standing, in `words`. `place` is 0 until the game has ended."""

    name: str
    glyph: str
    colour: Colour
    is_me: bool
    words: str
    place: int


@dataclass(frozen=True)
class Message:
    """The content of a notice. Push shows only `title` and `lead`; an email shows everything.

    `table` names the game and the other players; it is empty, and `game` is None, if the notice is not about a game.
    `is_open`: anyone who has `url` can act for the seat. `lead` is the opening sentence, `since` what happened since
    the reader's last turn, `deadline` when an answer is due, `view` the board to draw, with the effects of `events`
    marked. `offers` are the cards the reader can take, `hand` is the reader's hand in lines of text, `players` is the
    current standing of each player. A digest has `items` instead of all these. URLs are absolute.
    """

    notice: Notice
    reader: User
    title: str
    lead: str
    url: str
    game: Game | None = None
    table: str = ""
    is_open: bool = False
    since: tuple[LogLine, ...] = ()
    offers: tuple[Offer, ...] = ()
    offers_heading: str = ""
    hand: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    players: tuple[Player, ...] = ()
    players_heading: str = ""
    deadline: datetime | None = None
    next_url: str = ""
    view: View | None = None
    events: tuple[Event, ...] = ()
    items: tuple["Message", ...] = ()

    @property
    def kind(self) -> str:
        return self.notice.kind

    @cached_property
    def unsubscribe(self) -> str:
        """Return the link that unsubscribes the reader from this kind of notice on this channel."""
        kinds = sorted({Kind(item.kind) for item in self.items or [self]})
        return unsubscribe_url(self.reader, kinds, Channel(self.notice.channel), How(self.notice.how))

    @property
    def wishes(self) -> str:
        """Return the link to the notification settings."""
        return settings.SITE_URL + reverse("wishes")

    @property
    def has_result(self) -> bool:
        """Whether the message is about a finished game."""
        return self.game is not None and self.game.is_finished

    @property
    def template(self) -> str:
        if self.items:
            return "digest"
        return self.kind if self.kind in OWN_TEMPLATES else "told"

    @property
    def paints(self) -> tuple[Colour, ...]:
        return tuple(player.colour for player in self.players)


@contextmanager
def reading_as(reader: User) -> Iterator[None]:
    """Use the reader's language and time zone within the block."""
    with translation.override(settings.LANGUAGE_CODE), timezone.override(reader.zone):
        yield


def message(notice: Notice) -> Message:
    """Return the content of the notice as of now."""
    with reading_as(notice.user):
        if notice.seat is None:
            return _told(notice)
        write = _closed if notice.kind == Kind.CLOSED else _table
        return write(notice, notice.seat, notice.user)


def _told(notice: Notice) -> Message:
    """Return a message that is not about a seat of its reader."""
    return Message(
        notice=notice, reader=notice.user, title=notice.title, lead=notice.lead, url=settings.SITE_URL + notice.url,
    )  # fmt: skip


def _closed(notice: Notice, seat: Seat, reader: User) -> Message:
    game = seat.game
    return Message(
        notice=notice, reader=reader, game=game,
        table=short_name(game), title=_("Table closed: {game}").format(game=short_name(game)),
        lead=_("Nobody else joined in time, so the table closed."),
        url=settings.SITE_URL + reverse("lobby"),
    )  # fmt: skip


def _table(notice: Notice, seat: Seat, reader: User) -> Message:
    """Return a message about a game that has started."""
    game = seat.game
    seats = sitting(game)
    is_mine = seat.user_id == reader.pk  # a reader whose seat was taken over sees only what spectators may see
    state = position.current(game, seats, getattr(game, "snapshot", None))
    view = game.rules.view(state, seat.number if is_mine else None)
    since, events = news(game, seats, seat) if is_mine else ((), ())
    family, names = FAMILIES[game.rules.family], tuple(one.name for one in seats)
    table, (what, lead) = table_name(game, seats, seat), lead_words(notice, family, view, seat, seats)
    awaited = seat.owes and is_mine and not view.over
    heading, offers = family.offers(view) if awaited else ("", ())
    return Message(
        notice=notice, reader=reader, game=game, table=table, is_open=is_mine,
        title=_("{news}: {table}").format(table=table, news=what), lead=lead,
        url=keys.url(seat) if is_mine else settings.SITE_URL + game.get_absolute_url(),
        since=since, offers=linked(seat, offers), offers_heading=heading,
        hand=family.hand(view) if is_mine and not view.over else (), names=names, players=players(family, view, names),
        players_heading=_(family.now), deadline=seat.deadline if awaited else None, next_url=next_url(notice, game),
        view=view, events=events,
    )  # fmt: skip


def linked(seat: Seat, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Return the offers with links for those that can be taken now."""
    cards = [one.card for one in offers if one.card]
    urls = dict(zip(cards, keys.card_urls(seat, cards), strict=True))
    return tuple(replace(one, url=urls.get(one.card, "")) for one in offers)


def lead_words(notice: Notice, family: Family, view: View, seat: Seat, seats: list[Seat]) -> Lead:
    """Return the words stored in the notice, else those for all games, else the family's own."""
    if notice.title:
        return notice.title, notice.lead
    if notice.kind in SAID:
        what, lead = SAID[Kind(notice.kind)]
        return _(what), _(lead)
    return family.lead(notice.kind, view, seat, seats)


def table_name(game: Game, seats: list[Seat], me: Seat) -> str:
    """Return the name of the game and its other players."""
    others = [seat.name for seat in seats if seat.number != me.number]
    return _("{game} with {players}").format(game=short_name(game), players=enumerated(others))


def short_name(game: Game) -> str:
    """Return the ruleset's name without its family, to keep subjects short."""
    return game.rules.name.rpartition(": ")[2]


def sitting(game: Game) -> list[Seat]:
    """Return the game's seats, from the prefetched list if there is one."""
    read: list[Seat] | None = getattr(game, "sitting", None)
    return list(Seat.objects.filter(game=game).order_by("number")) if read is None else read


def news(game: Game, seats: list[Seat], seat: Seat) -> tuple[tuple[LogLine, ...], tuple[Event, ...]]:
    """Return what happened since the reader's last turn, in words and as events that the seat may see.

    The events leave out the set-up and turns that were undone.
    """
    rows = since_last_turn(game, seat)
    said = lines.lines(game=game, seats=seats, seat=seat, rows=rows)
    told = tuple(LogLine(line.sentences, _note(line, seats)) for line in said if line.sentences)
    stands = {row.seq for row in log.standing(rows) if row.seq}
    return told, tuple(event for line in said if line.seq in stands for event in line.events)


def since_last_turn(game: Game, seat: Seat) -> list[Entry]:
    """Return the entries after the last turn of the seat's player, leaving sealed decisions out of account.

    A sealed decision is not counted as a turn, because its result is news to the player.
    """
    latest: list[Entry] = getattr(game, "latest", [])  # the last few entries, prefetched for many games at once
    after = next((row.seq for row in reversed(latest) if is_own_turn(game, seat, row)), None)
    if after is not None:
        return [row for row in latest if row.seq > after]
    own = Entry.objects.filter(game=game, seat=seat.number, by=By.SEAT).order_by("-seq")[:LATEST]
    after = next((row.seq for row in own if is_open(game, row)), 0)
    return list(Entry.objects.filter(game=game, seq__gt=after).order_by("-seq")[:LATEST])[::-1]


def is_own_turn(game: Game, seat: Seat, row: Entry) -> bool:
    return row.seat == seat.number and row.by == By.SEAT and is_open(game, row)


def is_open(game: Game, row: Entry) -> bool:
    """Return whether the whole entry is public."""
    return all(game.rules.seen(event, None) is not None for event in log.facts(game.rules, position.plain(row)))


def _note(line: lines.Line, seats: list[Seat]) -> str:
    if line.taken_back:
        return _("This was undone.")
    if line.by not in NOTES or line.seat is None:
        return ""
    return _(NOTES[line.by]).format(player=seats[line.seat].name)


def players(family: Family, view: View, names: Sequence[str]) -> tuple[Player, ...]:
    """Return the current standing of each player, best first."""
    standing = family.standing(view, names)
    ranked = sorted(view.scoresheet.seats, key=lambda score: (score.place if view.over else 0, -score.total))
    return tuple(
        Player(
            name=names[score.seat],
            glyph=GLYPHS[family.paints[score.seat].shape],
            colour=family.paints[score.seat],
            is_me=score.seat == view.seat,
            words=standing[score.seat],
            place=score.place if view.over else 0,
        )
        for score in ranked
    )


def next_url(notice: Notice, game: Game) -> str:
    """Return the link to the next game of the full game if this game has ended and there is one, else an empty text."""
    if notice.kind != Kind.ENDED or not game.full_game_id:
        return ""
    following = Seat.objects.filter(
        game__full_game=game.full_game_id, game__number=game.number + 1, user=notice.user
    ).select_related("game", "user")
    seat = following.first()
    return keys.url(seat) if seat else ""
