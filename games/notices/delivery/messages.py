"""The words of a notice or a digest, in the reader's language and time zone. Channels only format them.

A message is built from the view of the reader's own seat and from nothing else, so it cannot leak hidden information.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.models import Theme, User, in_language_of
from empire.web.languages import display_name
from games.boards.png import WIDEST
from games.boards.sprites import jpeg
from games.boards.themes import Colour
from games.notices.delivery.families import MessageParts, parts_of
from games.notices.delivery.preferences import unsubscribe_url
from games.notices.kinds import OF_DECISIONS, Channel, How, Kind
from games.notices.models import Notice
from games.notices.outbox.words import Offer, enumerated
from games.rules import log
from games.rules.protocol import Event, View
from games.rules.words import SEPARATOR
from games.tables import hooks, keys
from games.tables.models import Entry, Game, Seat, Status
from games.tables.models.game import TableTerms
from games.tables.models.log import By
from games.tables.selectors import lines, position, rights
from games.tables.selectors.options import chosen
from games.tables.templatetags.clock import clock_sentence

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
WORDS = {  # title and lead of kinds about a seat whose words are the same for all games
    Kind.AWAY: (
        gettext_noop("A bot is playing for you"),
        gettext_noop("A bot is playing your seat until you return. Open the game to take your seat back."),
    )
}
BUTTONS = {  # their labels; the others are “Take your turn” or “View details”
    Kind.INVITED: gettext_noop("See the invitation"),
    Kind.ASKED: gettext_noop("Accept or decline"),
    Kind.AWAY: gettext_noop("Go to the game"),
    Kind.UNDO: gettext_noop("Agree or decline"),
    Kind.ENDED: gettext_noop("See the result"),
    Kind.FULL: gettext_noop("See the result"),
    Kind.REMATCH: gettext_noop("Go to the table"),
    Kind.CHALLENGE: gettext_noop("Accept or decline"),
    Kind.RUNG: gettext_noop("See the ladder"),
    Kind.APPROVAL: gettext_noop("Check the results"),
    Kind.REVIEW: gettext_noop("See the review"),
    Kind.DATA: gettext_noop("Download your data"),
}
OWN_TEMPLATES = {Kind.TURN, Kind.TIME, Kind.STARTED, Kind.ENDED, Kind.CLOSED}
ONCE_A_GAME = {*OF_DECISIONS, Kind.STARTED}  # of these, a digest has one for each game
PLACES = 5  # games and other subjects that a digest names in its lead
LONGEST_HEADING = 80  # letters of a lead that is the heading of an email
LATEST = 24  # entries listed in an email; the game page has the rest


@dataclass(frozen=True)
class NewsLine:
    """A log entry in sentences. `note` says if a bot, the clock or an order decided for the seat."""

    sentences: Sequence[str]
    note: str


@dataclass(frozen=True)
class Player:
    """How a seat is doing, in `words`. `place` is 0 until the game has ended."""

    name: str
    glyph: str
    colour: Colour
    is_me: bool
    words: str
    place: int


@dataclass(frozen=True)
class Message:
    """The content of a notice or a digest. An email shows everything, short messages (`channels/brief.py`) a part.

    `table` names the game and the other players; it is empty, and `game` is None, if the notice is not about a game.
    `news` is the title without them.
    `competition` names the league, tournament or the like in which it is played.
    `opens_seat`: anyone who has `url` can act for the seat. `lead` is the opening sentence, `since` what happened since
    the reader's last turn, `deadline` when an answer is due, `view` the board to draw, with the effects of `events`
    marked. `details` are sentences about the table that the reader is invited to; `unshared` are those of them that
    are not for channels that others read. `offers` are the cards the reader can take, `hand` is the reader's hand in
    lines of text, `players` is the state of each player, `mute_url` turns off notices about this game. URLs are
    absolute.

    A digest has its notices in `items`. Its title counts them, its lead names their games and other subjects, and its
    URL is that of the desk. It has no other fields than these and `opens_seat`.
    """

    notice: Notice
    reader: User
    title: str
    lead: str
    url: str
    game: Game | None = None
    table: str = ""
    news: str = ""
    competition: str = ""
    opens_seat: bool = False
    details: tuple[str, ...] = ()
    unshared: tuple[str, ...] = ()
    since: tuple[NewsLine, ...] = ()
    offers: tuple[Offer, ...] = ()
    offers_heading: str = ""
    hand: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    players: tuple[Player, ...] = ()
    players_heading: str = ""
    deadline: datetime | None = None
    next_url: str = ""
    mute_url: str = ""
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
    def settings_url(self) -> str:
        """Return the link to the notification settings."""
        return settings.SITE_URL + reverse("notice_settings")

    @property
    def has_result(self) -> bool:
        """Whether the message is about a finished game."""
        return self.game is not None and self.game.is_finished

    @property
    def template(self) -> str:
        if self.items:
            return "digest"
        return self.kind if self.game and self.kind in OWN_TEMPLATES else "notice"

    @property
    def act(self) -> str:
        """Return the label of the button that leads to `url`."""
        if self.deadline and self.kind not in BUTTONS:
            return _("Take your turn")
        if self.details:
            return _(BUTTONS[Kind.INVITED])
        if self.notice.about.startswith("step."):
            return _("Read and answer")
        return _(BUTTONS[Kind(self.kind)]) if self.kind in BUTTONS else _("View details")

    @property
    def has_long_lead(self) -> bool:
        """Whether the lead is too long for a heading."""
        return bool(self.news) and len(self.lead) > LONGEST_HEADING

    @property
    def theme(self) -> str:
        """Return the theme of the picture. Readers who follow their device get one picture, the light one."""
        return self.reader.look.replace(Theme.AUTO, Theme.LIGHT, 1)

    @property
    def paints(self) -> tuple[Colour, ...]:
        return tuple(player.colour for player in self.players)


@contextmanager
def reading_as(reader: User) -> Iterator[None]:
    """Use the reader's language and time zone within the block."""
    with in_language_of(reader), timezone.override(reader.zone):
        yield


def written(bundle: list[Notice]) -> Message:
    """Return the message for notices that are sent together."""
    return digest(bundle) if bundle[0].how == How.DIGEST else message(bundle[0])


def digest(bundle: list[Notice]) -> Message:
    """Return a message with the day's notices, most urgent first. Each game asks for a turn, and counts, only once."""
    once = {(notice.seat_id if notice.kind in ONCE_A_GAME else None) or notice.key: notice for notice in bundle}
    items = [message(notice) for notice in once.values()]
    items.sort(key=lambda item: (item.deadline is None, item.deadline.timestamp() if item.deadline else 0))
    # The games and other subjects, which even a shared channel may show
    subjects = list(dict.fromkeys(item.table or item.title for item in items))
    with reading_as(bundle[0].user):
        turns = len({item.notice.seat_id for item in items if item.deadline is not None})
        news = len(items) - turns
        counts = (
            ngettext("Your turn in {n} game", "Your turn in {n} games", turns).format(n=turns) if turns else "",
            ngettext("{n} update", "{n} updates", news).format(n=news) if news else "",
        )
        return Message(
            notice=bundle[0], reader=bundle[0].user, title=", ".join(filter(None, counts)),
            lead=_(SEPARATOR).join(subjects[:PLACES]) + ("…" if len(subjects) > PLACES else ""),
            url=settings.SITE_URL + reverse("desk"), items=tuple(items),
            opens_seat=any(item.opens_seat for item in items),
        )  # fmt: skip


def message(notice: Notice) -> Message:
    """Return the content of the notice as of now."""
    seat, reader = notice.seat, notice.user
    with reading_as(reader):
        if seat is None:
            details, unshared = table_details(notice)
            return Message(
                notice=notice, reader=reader, title=notice.title, lead=notice.lead, url=settings.SITE_URL + notice.url,
                details=details, unshared=unshared,
            )  # fmt: skip
        if notice.kind != Kind.CLOSED:
            return _about_game(notice, seat, reader)
        name, title, lead = short_name(seat.game), _("Table closed: {game}"), ""
        if seat.game.duplicate_id is None:
            lead = _("The table was closed before all seats were taken.")
        else:
            title = _("No seat in the duplicate: {game}")
            lead = _("Not enough players joined, so your table of the duplicate was closed.")
        return Message(
            notice=notice, reader=reader, game=seat.game, table=name, title=title.format(game=name), lead=lead,
            url=settings.SITE_URL + reverse("lobby"),
        )  # fmt: skip


def table_details(notice: Notice) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the `details` of the open table to which an invitation leads, and which of them are `unshared`."""
    if notice.kind not in (Kind.INVITED, Kind.REMATCH):
        return (), ()
    token = notice.url.rstrip("/").rpartition("/")[2]
    game = Game.objects.filter(invite_token=token, status=Status.OPEN).first()
    if game is None or rights.is_shut_to(game, notice.user):
        return (), ()
    names = list(Seat.objects.filter(game=game).order_by("number").values_list("name", flat=True))
    free = game.players - len(names)
    words = ngettext(
        "Players: {names}. {free} of {n} seats is free.", "Players: {names}. {free} of {n} seats are free.", free
    )
    details = [words.format(names=enumerated(names), free=free, n=game.players), clock_sentence(game.clock)]
    if game.full_game_id:
        details.append(_("You play three games, and the highest total wins."))
    if options := " · ".join(part.words for part in chosen(game)):
        details.append(_("Options: {options}").format(options=options))
    return tuple(details), () if game.listed else (details[0],)


def _about_game(notice: Notice, seat: Seat, reader: User) -> Message:
    # 1. The position as the reader's seat sees it
    game = seat.game
    family = parts_of(game.rules)
    prefetched: list[Seat] | None = getattr(game, "sitting", None)
    seats = list(Seat.objects.filter(game=game).order_by("number")) if prefetched is None else prefetched
    is_mine = seat.user_id == reader.pk  # a reader whose seat was taken over sees only what spectators may see
    state = position.current(game, seats, getattr(game, "snapshot", None))
    view = game.rules.view(state, seat.number if is_mine else None)
    # 2. The words: those stored in the notice, else those for all games, else the family's own
    if notice.title:
        news, lead = notice.title, notice.lead
    elif notice.kind in WORDS:
        news, lead = (_(words) for words in WORDS[Kind(notice.kind)])
    else:
        news, lead = family.lead(notice.kind, view, seat, seats)
        resigned = [display_name(other.name) for other in seats if other.has_given_up]
        if notice.kind == Kind.ENDED and resigned:
            lead += " " + _("A bot played for {players} after they resigned.").format(players=enumerated(resigned))
    table = table_name(game, seats, seat, reader)
    since, events = since_last_turn(game, seats, seat) if is_mine else ((), ())
    # 3. What the reader can do now: cards to take, with links for those that can be taken, or the next of a full game
    is_awaited = seat.owes and is_mine and not view.over
    # Others may read the channel of a webhook, and must not learn who still has to make a secret decision (R6)
    has_deadline = is_awaited and not (game.sealed and notice.channel == Channel.HOOK)
    heading, offers = family.offers(view) if is_awaited else ("", ())
    cards = [offer.card for offer in offers if offer.card]
    urls = dict(zip(cards, keys.card_urls(seat, cards), strict=True))
    following = None
    if notice.kind == Kind.ENDED and game.full_game_id:
        games = Seat.objects.filter(game__full_game=game.full_game_id, game__number=game.number + 1, user=reader)
        following = games.select_related("game", "user").first()
    names = tuple(display_name(other.name) for other in seats)
    return Message(
        notice=notice, reader=reader, game=game, table=table, news=news, opens_seat=is_mine,
        competition="".join(name_of(game) for name_of in hooks.competition_of),
        title=_("{news}: {table}").format(table=table, news=news), lead=lead,
        url=keys.url(seat) if is_mine else settings.SITE_URL + game.get_absolute_url(), since=since,
        offers=tuple(replace(offer, url=urls.get(offer.card, "")) for offer in offers), offers_heading=heading,
        hand=family.hand(view) if is_mine and not view.over else (), names=names, players=players(family, view, names),
        players_heading=_(family.now), deadline=seat.deadline if has_deadline else None,
        next_url=keys.url(following) if following else "", mute_url=keys.mute_url(seat) if is_awaited else "",
        view=view, events=events,
    )  # fmt: skip


def table_name(game: Game, seats: Sequence[Seat], seat: Seat, reader: User) -> str:
    """Return the game with the other players, and for a substitute also the player whose seat it is."""
    others = enumerated([other.name for other in seats if other.number != seat.number])
    if seat.is_away and seat.user_id == reader.pk:
        words = _("{game} for {owner}, with {players}")
        return words.format(game=short_name(game), owner=seat.name, players=others)
    return _("{game} with {players}").format(game=short_name(game), players=others)


def short_name(game: TableTerms) -> str:
    """Return the ruleset's name without its family, to keep subjects short."""
    return _(game.rules.name).rpartition(": ")[2]


def since_last_turn(game: Game, seats: list[Seat], seat: Seat) -> tuple[tuple[NewsLine, ...], tuple[Event, ...]]:
    """Return what happened since the player's last turn: in words, and the events that they may see and that count."""
    # 1. The entries since then. A sealed decision is not counted as a turn, because its result is news to the player
    latest: list[Entry] = getattr(game, "latest", [])  # the last few entries, prefetched for many games at once
    own = (
        row.seq for row in reversed(latest) if row.seat == seat.number and row.by == By.SEAT and is_public(game, row)
    )
    is_whole = bool(latest) and latest[0].seq == 0
    after = next(own, 0 if is_whole else None)
    if after is not None:
        rows = [row for row in latest if row.seq > after]
    else:
        turns = Entry.objects.filter(game=game, seat=seat.number, by=By.SEAT).order_by("-seq")[:LATEST]
        after = next((row.seq for row in turns if is_public(game, row)), 0)
        rows = list(Entry.objects.filter(game=game, seq__gt=after).order_by("-seq")[:LATEST])[::-1]
    # 2. In words, with a note if a bot, the clock or an order decided
    news, events = list[NewsLine](), list[Event]()
    counting = {row.seq for row in log.turns_that_count(rows) if row.seq}
    for line in lines.lines(game=game, seats=seats, seat=seat, entries=rows):
        note = ""
        if line.is_undone:
            note = _("This was undone.")
        elif line.by in NOTES and line.seat is not None:
            note = _(NOTES[line.by]).format(player=display_name(seats[line.seat].name))
        if line.sentences:
            news.append(NewsLine(line.sentences, note))
        if line.seq in counting:
            events += line.events
    return tuple(news), tuple(events)


def is_public(game: Game, row: Entry) -> bool:
    """Return whether the whole entry is public."""
    return all(game.rules.seen(event, None) is not None for event in position.facts(game.rules, row))


def players(family: MessageParts, view: View, names: Sequence[str]) -> tuple[Player, ...]:
    """Return how each player is doing, best first."""
    summaries = family.summaries(view, names)
    ranked = sorted(view.scoresheet.seats, key=lambda score: (score.place if view.over else 0, -score.total))
    return tuple(
        Player(
            name=names[score.seat], glyph=GLYPHS[family.paints[score.seat].shape], colour=family.paints[score.seat],
            is_me=score.seat == view.seat, words=summaries[score.seat], place=score.place if view.over else 0,
        )
        for score in ranked
    )  # fmt: skip


def board_jpeg(message: Message) -> bytes:
    """Return the position as the reader sees it, as JPEG in their theme; empty if there is nothing to draw yet."""
    if message.view is None or message.game is None:
        return b""
    draw = parts_of(message.game.rules).picture
    drawn = draw(message.view, message.names, message.events, message.theme, WIDEST)
    return jpeg(drawn) if drawn else b""
