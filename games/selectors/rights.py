"""Who may see a game: everybody a listed one; a private one its players and who holds the invitation."""

from typing import Any

from games.models import Game, Seat
from games.models.game import Status
from games.services.errors import NotFound

Reader = Any  # a user, signed in or not, or nobody


def find(*, public_id: str) -> tuple[Game, list[Seat]]:
    """A game, read together with its snapshot, and its seats. Raises `NotFound`."""
    game = Game.objects.select_related("snapshot", "full_game").filter(public_id=public_id).first()
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
    if seat_of(user, seats) or (is_person(user) and game.opener_id == user.pk):
        return True
    return game.status != Status.CLOSED and (game.listed or invite == game.invite_token)


def is_person(user: Reader) -> bool:
    return bool(user is not None and user.is_authenticated)


def seat_of(user: Reader, seats: list[Seat]) -> Seat | None:
    """The reader's seat, if there is one among these."""
    if not is_person(user):
        return None
    return next((seat for seat in seats if seat.user_id == user.pk), None)
