"""Full games: points by game, totals and final places."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from games.errors import NotFound
from games.rules.full_game import Standing, ranked, standing
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.models import GAMES, FullGame, FullStatus, Game, Seat
from games.tables.selectors import rights
from games.tables.selectors.listed import DeskGame

BEHIND = gettext_noop("tie broken by {what}")
WON = gettext_noop("games won")


class Played(NamedTuple):
    """The points of a seat in one of the three games, in total and by source; None until that game is over."""

    points: int | None
    won: bool = False
    sources: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Row:
    """The row of a seat. `place` is None until the end; `tie_break` tells what decided a tie on points."""

    seat: int
    name: str
    games: list[Played]
    total: int
    place: int | None
    tie_break: str


@dataclass(frozen=True)
class FullGameView:
    """A full game. `games` have started, `current` is being played, `to_come` are the numbers of the rest."""

    full_game: FullGame
    games: list[Game]
    rows: list[Row]

    @property
    def rules(self) -> Ruleset:
        return get(self.full_game.ruleset)

    @property
    def current(self) -> Game | None:
        return next((game for game in self.games if not game.has_ended), None)

    @property
    def is_void(self) -> bool:
        return self.full_game.status == FullStatus.VOID

    @property
    def ended(self) -> list[tuple[Game, list[tuple[Row, Played]]]]:
        """The finished games, each with every seat's points."""
        ended = [(number, game) for number, game in enumerate(self.games) if game.is_finished]
        return [(game, [(row, row.games[number]) for row in self.rows]) for number, game in ended]

    @property
    def to_come(self) -> range:
        return range(len(self.games) + 1, GAMES + 1)

    @property
    def winners(self) -> list[str]:
        return [row.name for row in self.rows if row.place == 1]


@dataclass(frozen=True)
class Sums:
    """A running full game in short: the number of the current game, and each seat's points so far."""

    pk: int
    number: int
    seats: list[tuple[Seat, int]]


def full_game(*, pk: int, user: rights.Reader) -> FullGameView:
    """Return the full game, rows sorted by place once it is over. Raises `NotFound` if the user may not see it."""
    full = FullGame.objects.filter(pk=pk).first()
    if full is None:
        raise NotFound
    games = list(full.games.prefetch_related("seats").order_by("number"))
    if not any(rights.may_see(game=game, seats=list(game.seats.all()), user=user) for game in games):
        raise NotFound
    rows = [_row(full, line, games) for line in _lines(full, games)]
    return FullGameView(full, games, sorted(rows, key=lambda row: (row.place or 0, row.seat)))


def running(games: Iterable[DeskGame]) -> list[Sums]:
    """Return the full games that these running games belong to."""
    return [Sums(one.game.full_game.pk, one.game.number, _sums(one)) for one in games if one.game.full_game]


def _sums(one: DeskGame) -> list[tuple[Seat, int]]:
    full = one.game.full_game
    points = {line["seat"]: line["points"] for line in (full and full.standing) or ()}
    return [(seat, points.get(seat.number, 0)) for seat in one.seats]


def _lines(full: FullGame, games: Sequence[Game]) -> list[Standing]:
    ended = [list(game.seats.all()) for game in games if game.is_finished]
    return ranked([standing(number, [_result(seats, number) for seats in ended]) for number in range(full.players)])


def _result(seats: Iterable[Seat], number: int) -> tuple[int, int, int]:
    seat = next(seat for seat in seats if seat.number == number)
    return seat.total or 0, seat.place or 0, seat.left or 0


def _row(full: FullGame, line: Standing, games: Sequence[Game]) -> Row:
    has_ended = full.status == FullStatus.FINISHED
    mine = [next((seat for seat in game.seats.all() if seat.number == line.seat), None) for game in games]
    played = [_played(game, seat) if seat else Played(None) for game, seat in zip(games, mine, strict=True)]
    return Row(
        seat=line.seat,
        name=next((seat.name for seat in mine if seat), gettext("a free seat")),
        games=played + [Played(None)] * (GAMES - len(played)),
        total=line.points,
        place=line.place if has_ended else None,
        tie_break=_behind_by(full, line.tie_break) if has_ended and line.tie_break else "",
    )


def _played(game: Game, seat: Seat) -> Played:
    lines = game.result["seats"][seat.number]["lines"] if game.result else []
    return Played(seat.total, seat.place == 1, {line["source"]: line["points"] for line in lines})


def _behind_by(full: FullGame, tie_break: str) -> str:
    what = get(full.ruleset).left_name if tie_break == "left" else WON
    return gettext(BEHIND).format(what=gettext(what))
