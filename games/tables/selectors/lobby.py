"""Tables that wait for players."""

from dataclasses import dataclass

from games.errors import NotFound
from games.tables.models import Game, Seat
from games.tables.models.game import Status
from games.tables.selectors import rights
from games.tables.selectors.listed import tables_of

MOST = 50


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
        return [seat.name for seat in self.seats]


def open_tables(*, user: rights.Reader) -> list[OpenTable]:
    """Return listed tables with a free seat, the newest first."""
    games = list(Game.objects.filter(status=Status.OPEN, listed=True).order_by("-opened_at")[:MOST])
    together = tables_of([game.pk for game in games])
    return [_open_table(game, together[game.pk], user) for game in games]


def invited(*, token: str, user: rights.Reader) -> OpenTable:
    """Return the table of an invitation, unless it was closed. Raises `NotFound`."""
    game = Game.objects.filter(invite_token=token, duplicate=None).exclude(status=Status.CLOSED).first()
    if game is None:
        raise NotFound
    return _open_table(game, list(game.seats.select_related("user").order_by("number")), user)


def running_games(*, limit: int = 12) -> list[Game]:
    """Return listed running games, the latest first."""
    return list(Game.objects.filter(status=Status.RUNNING, listed=True).order_by("-pk")[:limit])


def _open_table(game: Game, seats: list[Seat], user: rights.Reader) -> OpenTable:
    return OpenTable(game, seats, rights.seat_of(user, seats))
