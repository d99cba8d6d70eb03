"""Who may see a game: all a listed one; a private one its players, who is asked to be one, who holds the invitation."""

from typing import Any

from games.errors import NotFound
from games.tables.models import Game, Seat
from games.tables.models.game import Status

Reader = Any  # a user, signed in or not, or nobody


def find(*, public_id: str) -> tuple[Game, list[Seat]]:
    """A game, read together with what belongs to it, and its seats. Raises `NotFound`."""
    game = Game.objects.select_related("snapshot", "full_game", "take_back").filter(public_id=public_id).first()
    if game is None:
        raise NotFound
    return game, list(Seat.objects.filter(game=game).select_related("user").order_by("number"))


def visible(*, public_id: str, user: Reader, invite: str = "") -> tuple[Game, list[Seat]]:
    """A game and its seats, for a reader who may see it. Raises `NotFound`, for strangers of private games too."""
    game, seats = find(public_id=public_id)
    if not may_see(game=game, seats=seats, user=user, invite=invite):
        raise NotFound
    return game, seats


def may_see(*, game: Game, seats: list[Seat], user: Reader, invite: str = "") -> bool:
    if is_person(user) and (game.opener_id == user.pk or any(_concerns(user, game, seat) for seat in seats)):
        return True
    return game.status != Status.CLOSED and (game.listed or (invite == game.invite_token and not game.is_withheld))


def _concerns(user: Reader, game: Game, seat: Seat) -> bool:
    """Whether somebody plays the seat, owns it, or has been asked to play it where one may know the deal before."""
    return user.pk in (seat.user_id, seat.owner_id, None if game.is_withheld else seat.asked_id)


def is_person(user: Reader) -> bool:
    return bool(user is not None and user.is_authenticated)


def seat_of(user: Reader, seats: list[Seat]) -> Seat | None:
    """The seat that the reader plays, if there is one among these. Whose seat another plays is a watcher meanwhile."""
    if not is_person(user):
        return None
    return next((seat for seat in seats if seat.user_id == user.pk), None)


def played_seat(*, public_id: str, user: Reader) -> Seat | None:
    """The seat that the reader plays there, and of its game what tells where that stands: all that actions go by."""
    if not is_person(user):
        return None
    mine = Seat.objects.filter(game__public_id=public_id, user=user).select_related("game")
    return mine.only("number", "game__public_id", "game__seq", "game__head").first()


def own_seat(user: Reader, seats: list[Seat]) -> Seat | None:
    """The seat that is the reader's, whoever plays it."""
    return next((seat for seat in seats if seat.owner_id == user.pk), None) if is_person(user) else None


def asked_seat(user: Reader, seats: list[Seat]) -> Seat | None:
    """The seat that the reader has been asked to play for its owner."""
    return next((seat for seat in seats if seat.asked_id == user.pk), None) if is_person(user) else None
