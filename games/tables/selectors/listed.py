"""Games in lists: on the desk with their latest news, in the queue of a player, and in the lobby."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Case, F, QuerySet, When
from django.utils.translation import gettext

from accounts.moderation import newcomers
from empire.prepared import Prepared
from empire.web.languages import display_name
from games.errors import NotFound
from games.tables.models import Entry, Game, Seat, Status
from games.tables.selectors import rights
from games.tables.selectors.lines import sentences

LISTED = 200  # most games of one kind in a list
UNLISTED = (  # columns of seats, half of the work of loading them
    "bank", "time_left", "since", "kept", "kept_at", "time_outs", "left_by", "looked_at", "mute", "muted_by",
    "read_upto", "orders", "born", "joined", "commitment", "who", "bot_owner",
)  # fmt: skip
SEARCHED = 500  # of the latest games, for those of one ruleset
MOST_OPEN = 50  # tables in the lobby


@dataclass(frozen=True)
class DeskGame:
    """A game on a desk. `is_mine`: it waits for the desk's owner until `deadline`; `waiting_for` lists all such seats.

    `seat` is the one that the owner `plays`, else owns. `is_asked`: the owner has to answer an undo request.
    `competition` is the name of the one that it is played in, if any.
    """

    game: Game
    seat: Seat
    seats: list[Seat]
    is_mine: bool
    deadline: datetime | None
    waiting_for: tuple[int, ...]
    plays: bool = True
    is_asked: bool = False
    competition: str = ""

    @property
    def stands_in(self) -> bool:
        """Whether the desk's owner plays the seat for someone else."""
        return self.plays and self.seat.is_away

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.number != self.seat.number]


# Games in which a user's seat owes a decision, without lessons, which have no deadline
QUEUE = Prepared(
    lambda user: (
        Game.objects.filter(seats__user=user, seats__owes=True, seats__deadline__isnull=False)
        .order_by("seats__deadline", "seats__pk")
        .only("public_id")[:LISTED]
    )
)


def queue(user: rights.Reader) -> list[Game]:
    """Return the games that wait for the user, the most urgent first, at most `LISTED`, with only their ids loaded."""
    return QUEUE(user.pk) if rights.is_person(user) else []


def next_waiting(queue: list[Game], after: Game | None = None) -> Game | None:
    """Return the game that follows `after` in the queue, wrapping around at the end."""
    ids = [game.pk for game in queue]
    start = ids.index(after.pk) + 1 if after and after.pk in ids else 0
    return next((game for game in queue[start:] + queue[:start] if after is None or game.pk != after.pk), None)


SEATS = Prepared(
    lambda games: Seat.objects.filter(game__in=games).defer(*UNLISTED).order_by("game", "number"),
)
LAST_ENTRIES = Prepared(lambda games: Entry.objects.filter(game__in=games, seq=F("game__seq")).order_by())


def seats_by_game(games: list[int]) -> dict[int, list[Seat]]:
    """Return the seats of these games, by game id, without the columns that no list shows."""
    by_game: dict[int, list[Seat]] = {game: [] for game in games}
    for seat in SEATS(games) if games else ():
        by_game[seat.game_id].append(seat)
    return by_game


class LatestEntry(NamedTuple):
    """The time of a game's last entry, and its first sentence as the reader may know it."""

    at: datetime
    sentence: str


def latest(games: Iterable[DeskGame]) -> dict[int, LatestEntry]:
    """Return the last entry of each game, by game id."""
    desk = {desk_game.game.pk: desk_game for desk_game in games}
    entries = {}
    for entry in LAST_ENTRIES(list(desk)) if desk else ():
        desk_game, sentence = desk[entry.game_id], gettext("The game has started.")
        if entry.seq > 0:
            own_seat = desk_game.seat if desk_game.plays else None
            lines = sentences(game=desk_game.game, seats=desk_game.seats, seat=own_seat, entry=entry)
            sentence = next(iter(lines), "")
        entries[entry.game_id] = LatestEntry(entry.at, sentence)
    return entries


# The lobby


@dataclass(frozen=True)
class OpenTable:
    """A table and its players; `seat` is the reader's own, if any."""

    game: Game
    seats: list[Seat]
    seat: Seat | None

    @property
    def free(self) -> int:
        return self.game.players - len(self.seats)

    @property
    def names(self) -> list[str]:
        return [display_name(seat.name) for seat in self.seats]


# The newest of the open tables that the host has not removed a user from; one more than the lobby shows
NEWEST_OPEN = Prepared(lambda user: _open().exclude(rights.removed(user)).order_by("-opened_at")[: MOST_OPEN + 1])


def open_tables(*, user: rights.Reader, ruleset: str = "") -> list[OpenTable]:
    """Return listed tables with a free seat, of one ruleset or all, the newest first.

    If there are too many, those of guests and new accounts are left out first, because anyone can be many of them.
    """
    is_usual = not ruleset and not rights.is_blocked(user)
    games = NEWEST_OPEN(user.pk if rights.is_person(user) else 0) if is_usual else []
    if not is_usual or len(games) > MOST_OPEN:
        rows = _open_to(user)
        rows = rows.filter(ruleset=ruleset) if ruleset else rows
        is_of_newcomer = Case(When(newcomers.are_new("opener__"), then=1), default=0)
        games = list(rows.order_by(is_of_newcomer, "-opened_at")[:MOST_OPEN])
        games.sort(key=lambda game: game.opened_at, reverse=True)
    by_game = seats_by_game([game.pk for game in games])
    return [OpenTable(game, by_game[game.pk], rights.seat_of(user, by_game[game.pk])) for game in games]


def count_open_tables(user: rights.Reader) -> int:
    """Return how many tables `open_tables` lists."""
    return _open_to(user)[:MOST_OPEN].count()


def _open_to(user: rights.Reader) -> QuerySet[Game]:
    rows = _open()
    if rights.is_person(user):
        rows = rows.exclude(rights.removed(user))
    return rows.exclude(rights.shut_to(user)) if rights.is_blocked(user) else rows


def _open() -> QuerySet[Game]:
    return Game.objects.filter(status=Status.OPEN, listed=True, rematch_of=None)  # rematches keep their seats


def invited(*, token: str, user: rights.Reader) -> OpenTable | None:
    """Return the table of an invitation, or None if it was closed. Raises `NotFound`."""
    game = Game.objects.filter(invite_token=token, duplicate=None).first()
    if game is None:
        raise NotFound
    if game.status == Status.CLOSED or rights.is_shut_to(game, user):
        return None
    seats = list(game.seats.select_related("user").order_by("number"))
    return OpenTable(game, seats, rights.seat_of(user, seats))


def running_games(*, ruleset: str = "") -> list[Game]:
    """Return listed running games, of one ruleset or all, the latest first."""
    return _latest_listed(Status.RUNNING, ruleset)


def ended_games(*, ruleset: str = "") -> list[Game]:
    """Return listed finished games, of one ruleset or all, the latest first."""
    return _latest_listed(Status.FINISHED, ruleset)


def _listed(status: Status) -> QuerySet[Game]:
    return Game.objects.filter(status=status, listed=True).order_by("-pk").defer("result")


MOST_LATEST = {Status.RUNNING: 12, Status.FINISHED: 6}
LATEST = {status: Prepared(lambda status=status: _listed(status)[: MOST_LATEST[status]]) for status in MOST_LATEST}


def _latest_listed(status: Status, ruleset: str) -> list[Game]:
    """Return the latest games. Those of one ruleset are only looked for among the last `SEARCHED`."""
    if not ruleset:
        return LATEST[status]()
    searched = list(_listed(status).values_list("pk", flat=True)[:SEARCHED])
    return list(_listed(status).filter(pk__in=searched, ruleset=ruleset)[: MOST_LATEST[status]])
