"""Full games: points by game, totals and final places."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from empire.web.languages import display_name
from games.errors import NotFound
from games.rules.full_game import ranked, seat_total
from games.rules.protocol import Ruleset
from games.tables.models import GAMES, FullGame, FullStatus, Game, Seat
from games.tables.selectors import rights
from games.tables.selectors.listed import DeskGame
from games.tables.selectors.rematches import Rematch, offered

BEHIND = gettext_noop("tie broken by {what}")
WON = gettext_noop("games won")


class GamePoints(NamedTuple):
    """The points of a seat in one of the three games, in total and by source; None until that game is over."""

    points: int | None
    won: bool = False
    sources: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class SeatRow:
    """The row of a seat. `place` is None until the end; `tie_break` tells what decided a tie on points."""

    seat: int
    name: str
    games: list[GamePoints]
    total: int
    place: int | None
    tie_break: str


@dataclass(frozen=True)
class FullGameView:
    """A full game. `games` have started, `current` is being played, `to_come` are the numbers of the rest.

    `visible` are the numbers of the games that the reader may see. `hides_some`: later ones are private, and not shown.
    """

    full_game: FullGame
    games: list[Game]
    rows: list[SeatRow]
    visible: frozenset[int]
    hides_some: bool
    rematch: Rematch | None = None

    @property
    def rules(self) -> Ruleset:
        return self.full_game.rules

    @property
    def current(self) -> Game | None:
        return next((game for game in self.games if not game.has_ended), None)

    @property
    def is_void(self) -> bool:
        return self.full_game.status == FullStatus.VOID

    @property
    def ended(self) -> list[tuple[Game, list[tuple[SeatRow, GamePoints]]]]:
        """The finished games that the reader may see, each with every seat's points."""
        ended = [
            (index, game) for index, game in enumerate(self.games) if game.is_finished and game.number in self.visible
        ]
        return [(game, [(row, row.games[index]) for row in self.rows]) for index, game in ended]

    @property
    def to_come(self) -> range:
        return range(len(self.games) + 1, GAMES + 1)

    @property
    def winners(self) -> list[str]:
        return [row.name for row in self.rows if row.place == 1]


@dataclass(frozen=True)
class FullGameSums:
    """The points of each seat of a full game so far. `number` is that of its current game, `winners` have won it."""

    pk: int
    number: int
    seats: list[tuple[Seat, int]]
    winners: list[str]


def full_game(*, pk: int, user: rights.Reader) -> FullGameView:
    """Return the full game, rows sorted by place once it is over. Raises `NotFound` if the user may not see it."""
    full = FullGame.objects.filter(pk=pk).first()
    if full is None:
        raise NotFound
    games, visible = rights.known_games(full.pk, user)
    if not games or rights.is_shut_to(games[-1], user):
        raise NotFound
    hides_some = full.games.filter(number__gt=len(games)).exists()
    seats = [{seat.number: seat for seat in game.seats.all()} for game in games]
    ended = [seats_of_game for game, seats_of_game in zip(games, seats, strict=True) if game.is_finished]
    results = [
        [
            (seats_of_game[number].total or 0, seats_of_game[number].place or 0, seats_of_game[number].left or 0)
            for seats_of_game in ended
        ]
        for number in range(full.players)
    ]
    has_ended, rows = full.status == FullStatus.FINISHED and not hides_some, []
    for line in ranked([seat_total(number, results_of_seat) for number, results_of_seat in enumerate(results)]):
        played, name = [], ""
        for game, seats_of_game in zip(games, seats, strict=True):
            seat = seats_of_game.get(line.seat)
            if seat is None:
                played.append(GamePoints(None))
                continue
            name = display_name(seat.name)  # as in the latest game: the seat may have a new owner
            sources = game.result["seats"][line.seat]["lines"] if game.result else []
            points = {source["source"]: source["points"] for source in sources}
            played.append(GamePoints(seat.total, seat.place == 1, points))
        tie_break = ""
        if has_ended and line.tie_break:
            decided_by = full.rules.left_name if line.tie_break == "left" else WON
            tie_break = gettext(BEHIND).format(what=gettext(decided_by))
        played += [GamePoints(None)] * (GAMES - len(played))
        place = line.place if has_ended else None
        rows.append(SeatRow(line.seat, name or gettext("a free seat"), played, line.points, place, tie_break))
    last = games[-1]
    rematch = offered(last, rights.own_seat(user, list(last.seats.all())))
    rows.sort(key=lambda row: (row.place or 0, row.seat))
    return FullGameView(full, games, rows, visible, hides_some, rematch)


def sums(games: Iterable[DeskGame]) -> list[FullGameSums]:
    """Return the full games that these games belong to, running or finished. Of each, its latest game comes first."""
    latest: dict[int, DeskGame] = {}
    for one in games:
        if one.game.full_game_id is not None:
            latest.setdefault(one.game.full_game_id, one)
    full_games = FullGame.objects.in_bulk(latest) if latest else {}
    shown = []
    for pk, one in latest.items():
        full, has_ended = full_games[pk], one.game.has_ended
        if has_ended and full.status != FullStatus.FINISHED:
            continue
        lines = {line["seat"]: line for line in full.ranking or ()}
        if lines and len(lines[0]["games"]) > one.game.number:  # later games are private, see `rights.known_games`
            continue
        seats = [(seat, lines[seat.number]["points"] if lines else 0) for seat in one.seats]
        winners = [seat.name for seat in one.seats if has_ended and lines[seat.number]["place"] == 1]
        shown.append(FullGameSums(pk, one.game.number, seats, list(map(display_name, winners))))
    return shown
