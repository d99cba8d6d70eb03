"""A notice in words, in the language and by the clock of its reader; channels only lay it out.

It is made from the view of the reader's own seat and from nothing else, so it cannot tell what the seat may not know.
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
LATEST = 24  # entries that a mail tells of; who was away for longer reads on at the table


@dataclass(frozen=True)
class Happening:
    """An entry of the log in sentences; `note` says when somebody else decided for the seat."""

    sentences: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Player:
    """A seat as it stands, in `words`. `place` is 0 until the game has ended."""

    name: str
    glyph: str
    colour: Colour
    is_me: bool
    words: str
    place: int


@dataclass(frozen=True)
class Message:
    """What the reader is told: `title` and `lead` alone, as a push would show it, or with all the rest, as a mail does.

    `table` names the game and the others there; empty, like `game`, for what is not about a table. `is_open`: who holds
    `url` acts for the seat. `lead` is the sentence to begin with, `since` what happened since the reader's last turn,
    `deadline` until when an answer is awaited, `view` the board to draw, with what `events` did marked. `offers` are
    what can be taken, `hand` are the reader's cards in lines of words, `players` how everybody stands. A digest has
    `items` instead of all these. Addresses are absolute.
    """

    notice: Notice
    reader: User
    title: str
    lead: str
    url: str
    game: Game | None = None
    table: str = ""
    is_open: bool = False
    since: tuple[Happening, ...] = ()
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
        """Where the reader says that they want no more of this kind over this channel."""
        kinds = sorted({Kind(item.kind) for item in self.items or [self]})
        return unsubscribe_url(self.reader, kinds, Channel(self.notice.channel), How(self.notice.how))

    @property
    def wishes(self) -> str:
        """Where the reader chooses what to hear, and when."""
        return settings.SITE_URL + reverse("wishes")

    @property
    def has_result(self) -> bool:
        """Whether it is about a game that has ended with one."""
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
    """Words and times as the reader has them."""
    with translation.override(settings.LANGUAGE_CODE), timezone.override(reader.zone):
        yield


def message(notice: Notice) -> Message:
    """What the notice says as things stand now."""
    with reading_as(notice.user):
        if notice.seat is None:
            return _told(notice)
        write = _closed if notice.kind == Kind.CLOSED else _table
        return write(notice, notice.seat, notice.user)


def _told(notice: Notice) -> Message:
    """A message that is about no seat of its reader."""
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
    """A message about a game that has begun."""
    game = seat.game
    seats = sitting(game)
    is_mine = seat.user_id == reader.pk  # whose seat is in other hands is told what a watcher may know
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
    """What can be taken now, with the links to take it."""
    cards = [one.card for one in offers if one.card]
    urls = dict(zip(cards, keys.card_urls(seat, cards), strict=True))
    return tuple(replace(one, url=urls.get(one.card, "")) for one in offers)


def lead_words(notice: Notice, family: Family, view: View, seat: Seat, seats: list[Seat]) -> Lead:
    """The words that came with the notice, else those for all games, else the family's own."""
    if notice.title:
        return notice.title, notice.lead
    if notice.kind in SAID:
        what, lead = SAID[Kind(notice.kind)]
        return _(what), _(lead)
    return family.lead(notice.kind, view, seat, seats)


def table_name(game: Game, seats: list[Seat], me: Seat) -> str:
    """The game and the others at the table."""
    others = [seat.name for seat in seats if seat.number != me.number]
    return _("{game} with {players}").format(game=short_name(game), players=enumerated(others))


def short_name(game: Game) -> str:
    """The ruleset without the name of its family, which subjects have no room for."""
    return game.rules.name.rpartition(": ")[2]


def sitting(game: Game) -> list[Seat]:
    """The seats, which may have been read already for many games at once."""
    read: list[Seat] | None = getattr(game, "sitting", None)
    return list(Seat.objects.filter(game=game).order_by("number")) if read is None else read


def news(game: Game, seats: list[Seat], seat: Seat) -> tuple[tuple[Happening, ...], tuple[Event, ...]]:
    """What happened since the reader's own last turn: in words, and but for the set-up as events known to them."""
    rows = since_last_turn(game, seat)
    said = lines.lines(game=game, seats=seats, seat=seat, rows=rows)
    told = tuple(Happening(line.sentences, _note(line, seats)) for line in said if line.sentences)
    stands = {row.seq for row in log.standing(rows) if row.seq}
    return told, tuple(event for line in said if line.seq in stands for event in line.events)


def since_last_turn(game: Game, seat: Seat) -> list[Entry]:
    """The entries behind the last turn that the seat's player took. What came of a sealed decision is news."""
    latest: list[Entry] = getattr(game, "latest", [])  # read for many games at once, as far as they reach
    after = next((row.seq for row in reversed(latest) if is_own_turn(game, seat, row)), None)
    if after is not None:
        return [row for row in latest if row.seq > after]
    own = Entry.objects.filter(game=game, seat=seat.number, by=By.SEAT).order_by("-seq")[:LATEST]
    after = next((row.seq for row in own if is_open(game, row)), 0)
    return list(Entry.objects.filter(game=game, seq__gt=after).order_by("-seq")[:LATEST])[::-1]


def is_own_turn(game: Game, seat: Seat, row: Entry) -> bool:
    return row.seat == seat.number and row.by == By.SEAT and is_open(game, row)


def is_open(game: Game, row: Entry) -> bool:
    """Whether everybody may know all of the entry."""
    return all(game.rules.seen(event, None) is not None for event in log.facts(game.rules, position.plain(row)))


def _note(line: lines.Line, seats: list[Seat]) -> str:
    if line.taken_back:
        return _("This was undone.")
    if line.by not in NOTES or line.seat is None:
        return ""
    return _(NOTES[line.by]).format(player=seats[line.seat].name)


def players(family: Family, view: View, names: Sequence[str]) -> tuple[Player, ...]:
    """Everybody as they stand, the best first."""
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
    """Where a game has ended, the table of the next one of its full game, when there is one."""
    if notice.kind != Kind.ENDED or not game.full_game_id:
        return ""
    following = Seat.objects.filter(
        game__full_game=game.full_game_id, game__number=game.number + 1, user=notice.user
    ).select_related("game", "user")
    seat = following.first()
    return keys.url(seat) if seat else ""
