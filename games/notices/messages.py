"""A notice in words, in the language and by the clock of its reader; channels only lay it out.

It is made from the view of the reader's own seat and from nothing else, so it cannot tell what the seat may not know.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.services import unsubscribe_url
from games.boards.faces import Face, face
from games.boards.themes import Colour, colours
from games.models import Entry, Game, Seat
from games.models.log import By
from games.notices import keys
from games.notices.models import Kind, Notice
from games.rules import log
from games.rules.empire.edition import edition
from games.rules.empire.state import BID, FIRST, TURN
from games.rules.empire.view import OfferView, View
from games.selectors import lines, position
from games.selectors.table import regions_of

GLYPHS = {"circle": "●", "square": "■", "diamond": "◆", "triangle": "▲"}
LATEST = 24  # entries that a mail tells of; who was away for longer reads on at the table


@dataclass(frozen=True)
class Happening:
    """An entry of the log in sentences; `note` says when somebody else decided for the seat."""

    sentences: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Offer:
    """A card that the reader can take, and its price in words."""

    face: Face
    price: str

    @property
    def gives(self) -> str:
        """What it gives for good, and what it lets its taker do."""
        action = f" {self.face.joined_words} ".join(part.words for part in self.face.parts)
        return "; ".join([*(ability.words for ability in self.face.abilities), action])


@dataclass(frozen=True)
class Player:
    """A seat as it stands. `place` is 0 until the game has ended."""

    name: str
    glyph: str
    colour: Colour
    is_me: bool
    total: int
    place: int


@dataclass(frozen=True)
class Message:
    """What the reader is told: `title` alone, as a push would show it, or with all the rest, as a mail does.

    `table` names the game and the others there, `lead` is the sentence to begin with. `since` is what happened since
    the reader's last turn, `deadline` until when an answer is awaited, `view` and `changed` the board to draw.
    Addresses are absolute.
    """

    notice: Notice
    reader: User
    game: Game
    table: str
    title: str
    lead: str
    url: str
    unsubscribe: str
    since: tuple[Happening, ...] = ()
    offers: tuple[Offer, ...] = ()
    players: tuple[Player, ...] = ()
    deadline: datetime | None = None
    next_url: str = ""
    view: View | None = None
    changed: frozenset[str] = frozenset()

    @property
    def kind(self) -> str:
        return self.notice.kind

    @property
    def is_choosing(self) -> bool:
        """Whether the reader takes a card now, and does not only bid for the first turn."""
        return self.view is not None and self.view.phase == TURN

    @property
    def paints(self) -> tuple[Colour, ...]:
        return tuple(player.colour for player in self.players)


@contextmanager
def reading_as(reader: User) -> Iterator[None]:
    """Words and times as the reader has them."""
    with translation.override(settings.LANGUAGE_CODE), timezone.override(reader.zone):
        yield


def message(notice: Notice) -> Message:
    """What the notice says as things stand now. Only for notices of seats where somebody sits."""
    seat, reader = notice.seat, notice.seat.user
    assert reader is not None
    with reading_as(reader):
        write = _closed if notice.kind == Kind.CLOSED else _table
        return write(notice, seat, reader)


def _closed(notice: Notice, seat: Seat, reader: User) -> Message:
    game = seat.game
    return Message(
        notice=notice, reader=reader, game=game, unsubscribe=unsubscribe_url(reader, notice.kind),
        table=short_name(game), title=_("The table closed: {game}").format(game=short_name(game)),
        lead=_("Nobody else sat down, so the table has closed by itself."),
        url=settings.SITE_URL + reverse("lobby"),
    )  # fmt: skip


def _table(notice: Notice, seat: Seat, reader: User) -> Message:
    """A message about a game that has begun."""
    game = seat.game
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    view = game.rules.view(position.current(game, seats, getattr(game, "snapshot", None)), seat.number)
    since, changed = news(game, seats, seat)
    table, (what, lead) = table_name(game, seats, seat), _WORDS[notice.kind](view, seat, seats)
    awaited = seat.owes and not view.over
    return Message(
        notice=notice, reader=reader, game=game, unsubscribe=unsubscribe_url(reader, notice.kind),
        table=table, title=_("{news}: {table}").format(table=table, news=what), lead=lead,
        url=keys.url(seat), since=since, offers=offers(view) if awaited else (), players=players(view, seats),
        deadline=seat.deadline if awaited else None, next_url=next_url(game, reader), view=view, changed=changed,
    )  # fmt: skip


def table_name(game: Game, seats: list[Seat], me: Seat) -> str:
    """The game and the others at the table."""
    others = [seat.name for seat in seats if seat.number != me.number]
    return _("{game} with {players}").format(game=short_name(game), players=enumerated(others))


def short_name(game: Game) -> str:
    """The ruleset without the name of its family, which subjects have no room for."""
    return game.rules.name.rpartition(": ")[2]


def enumerated(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return _("{first} and {last}").format(first=", ".join(names[:-1]), last=names[-1])


def _turn(view: View, seat: Seat, seats: list[Seat]) -> tuple[str, str]:
    if view.phase == BID:
        return _("Your bid"), _bid(view, seat)
    if view.phase == FIRST:
        return _("You won the bid"), _("You won the bid: say who starts.")
    coins = view.players[seat.number].coins
    lead = ngettext("It is your turn. You have {n} coin.", "It is your turn. You have {n} coins.", coins)
    return _("Your turn"), lead.format(n=coins)


def _bid(view: View, seat: Seat) -> str:
    coins = view.players[seat.number].coins
    words = ngettext(
        "Your bid is awaited. You have {n} coin, and your bid stays secret until all are in.",
        "Your bid is awaited. You have {n} coins, and your bid stays secret until all are in.",
        coins,
    )
    return words.format(n=coins)


def _time(view: View, seat: Seat, seats: list[Seat]) -> tuple[str, str]:
    what = _("Your bid is still awaited") if view.phase == BID else _("It is still your turn")
    return _("Your time is running out"), _("{what}. When time is up, a bot decides for you.").format(what=what)


def _started(view: View, seat: Seat, seats: list[Seat]) -> tuple[str, str]:
    lead = _("Everybody is here: the game begins.")
    return _("The game begins"), f"{lead} {_bid(view, seat)}" if seat.owes and view.phase == BID else lead


def _ended(view: View, seat: Seat, seats: list[Seat]) -> tuple[str, str]:
    sheet = view.scoresheet
    points = sheet.seats[sheet.winners[0]].total
    if sheet.winners == (seat.number,):
        return _("You won"), ngettext("You won with {n} point.", "You won with {n} points.", points).format(n=points)
    winners = enumerated([seats[number].name for number in sheet.winners])
    return _("The game ended"), _result(winners, len(sheet.winners), points)


def _result(winners: str, count: int, points: int) -> str:
    if count > 1:
        return _("{players} share the win with {n} points.").format(players=winners, n=points)
    return ngettext("{player} won with {n} point.", "{player} won with {n} points.", points).format(
        player=winners, n=points
    )


# what is new, for the subject, and the sentence to begin with
_WORDS: dict[str, Callable[[View, Seat, list[Seat]], tuple[str, str]]] = {
    Kind.TURN: _turn,
    Kind.TIME: _time,
    Kind.STARTED: _started,
    Kind.ENDED: _ended,
}


def news(game: Game, seats: list[Seat], seat: Seat) -> tuple[tuple[Happening, ...], frozenset[str]]:
    """What happened since the reader's own last turn, and the regions that it changed."""
    rows = list(Entry.objects.filter(game=game, seq__gt=last_turn(game, seat)).order_by("-seq")[:LATEST])[::-1]
    said = lines.lines(game=game, seats=seats, seat=seat, rows=rows)
    told = tuple(Happening(line.sentences, _note(line, seats)) for line in said if line.sentences)
    return told, regions_of(rows)


def last_turn(game: Game, seat: Seat) -> int:
    """The entry of the last turn that the seat's player took; 0 for none. What came of a sealed decision is news."""
    own = Entry.objects.filter(game=game, seat=seat.number, by=By.SEAT).order_by("-seq")
    return next((row.seq for row in own[:LATEST] if is_open(game, row)), 0)


def is_open(game: Game, row: Entry) -> bool:
    """Whether everybody may know all of the entry."""
    return all(game.rules.seen(event, None) is not None for event in log.facts(game.rules, position.plain(row)))


def _note(line: lines.Line, seats: list[Seat]) -> str:
    if line.by != By.CLOCK or line.seat is None:
        return ""
    return _("Time was up, so a bot decided for {player}.").format(player=seats[line.seat].name)


def offers(view: View) -> tuple[Offer, ...]:
    """The cards that the reader can pay for."""
    cards = edition(view.ruleset).cards
    return tuple(Offer(face(cards[offer.card], _), price(offer)) for offer in view.row if offer.affordable)


def price(offer: OfferView) -> str:
    if offer.price == 0:
        return _("for nothing")
    return ngettext("for {n} coin", "for {n} coins", offer.price).format(n=offer.price)


def players(view: View, seats: list[Seat]) -> tuple[Player, ...]:
    """Everybody and their points, the best first."""
    paints = colours(len(seats))
    found = [
        Player(
            name=seats[score.seat].name,
            glyph=GLYPHS[paints[score.seat].shape],
            colour=paints[score.seat],
            is_me=score.seat == view.seat,
            total=score.total,
            place=score.place if view.over else 0,
        )
        for score in view.scoresheet.seats
    ]
    return tuple(sorted(found, key=lambda player: (player.place, -player.total)))


def next_url(game: Game, reader: User) -> str:
    """The table of the next game of a full game, when there is one."""
    following = Seat.objects.filter(
        game__full_game=game.full_game_id, game__number=game.number + 1, user=reader
    ).select_related("game", "user")
    seat = following.first() if game.full_game_id else None
    return keys.url(seat) if seat else ""
