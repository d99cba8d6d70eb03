"""Rematches: the table where the players of a finished game play again, and the seats that it keeps for them."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.models import User
from games.tables.models import Block, FullStatus, Game, Seat, Status
from games.tables.selectors import rights


def last_of(game: Game) -> Game:
    """Return the game by which a rematch is found: the game itself, or the last one of its full game so far."""
    if game.full_game_id is None:
        return game
    return Game.objects.select_related("full_game").filter(full_game=game.full_game_id).latest("number")


def rematch_of(game: Game) -> Game | None:
    """Return the rematch of a finished game, unless its table was closed."""
    return Game.objects.filter(rematch_of=game).exclude(status=Status.CLOSED).first()


def moved_on(number: int, players: int) -> int:
    """Return the number of a seat in the rematch: the second player becomes the first, and the first the last."""
    return (number - 1) % players


def kept_seats(game: Game) -> dict[int, int]:
    """Return the ids of the players that seats of a rematch are kept for, by seat; none at other tables.

    They are read from the last game, so that seats follow guests who sign in, and are free after deleted accounts.
    """
    if game.rematch_of_id is None:
        return {}
    before = Seat.objects.filter(game=game.rematch_of_id, owner__isnull=False).values_list("number", "owner")
    return {moved_on(number, game.players): owner for number, owner in before if owner}


def names_asked(game: Game) -> dict[int, str]:
    """Return the names of the players that free seats of a rematch are kept for, by seat."""
    taken = set(Seat.objects.filter(game=game).values_list("number", flat=True))
    kept = {number: owner for number, owner in kept_seats(game).items() if number not in taken}
    names = User.objects.in_bulk(kept.values()) if kept else {}
    return {number: names[owner].username for number, owner in sorted(kept.items())}


def asked(user: rights.Reader) -> QuerySet[Game]:
    """Return open tables of rematches that the user was asked to join and has not joined."""
    open_tables = Game.objects.filter(status=Status.OPEN, rematch_of__isnull=False, rematch_of__seats__owner=user)
    unwelcome = Q(opener=None) | Q(opener__in=Block.objects.filter(user=user).values("blocked"))
    return open_tables.exclude(Q(seats__owner=user) | unwelcome).select_related("opener").order_by("-opened_at")


@dataclass(frozen=True)
class Rematch:
    """What a reader of a finished game can do: ask for a rematch, join the one of `host`, or go to `table`."""

    table: Game | None
    host: str = ""
    is_joined: bool = False

    @property
    def can_join(self) -> bool:
        return self.table is not None and self.table.is_open and not self.is_joined


def offered(game: Game, user_seat: Seat | None) -> Rematch | None:
    """Return the rematch of a finished game for the owner of a seat.

    None for spectators, before the end of a full game, and for lessons.
    """
    if user_seat is None or user_seat.owner_id is None or not game.is_finished or game.lesson:
        return None
    if game.full_game and game.full_game.status != FullStatus.FINISHED:
        return None
    found = rematch_of(last_of(game))
    if found is None:
        return Rematch(None)
    joined = Seat.objects.filter(game=found, owner=user_seat.owner_id).exists()
    if not (joined or found.is_open or found.listed):
        return None
    return Rematch(found, found.opener.username if found.opener else "", joined)
