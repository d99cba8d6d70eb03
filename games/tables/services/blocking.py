"""Blocking players. A blocked player can no longer contact the person who blocked them.

Everything that one person can do to another calls `need_unblocked` first. Games that both already play and ladder
challenges already made continue, and leagues and tournaments still pair all their entrants.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from games.errors import NotYours
from games.tables.models import Block, Game, Seat, Status
from games.tables.services import notify
from games.tables.services.people import show_change


def need_unblocked(user: User, *, by: Iterable[int | None], refusal: str) -> None:
    """Raise `NotYours` with the refusal if one of the people `by`, given by their keys, has blocked the user."""
    if Block.objects.filter(user__in=[pk for pk in by if pk], blocked=user).exists():
        raise NotYours(refusal)


def people_at(game: Game) -> set[int | None]:
    """Return the ids of the people at a table: its opener, and players and owners of its seats."""
    seats = Seat.objects.filter(game=game).values_list("user", "owner")
    return {game.opener_id, *(pk for seat in seats for pk in seat)}


@transaction.atomic
def block(*, user: User, blocked: User) -> None:
    """Block a player, cancel their requests to the user and remove them from the user's open tables."""
    if blocked == user:
        raise NotYours(gettext("You can’t block yourself."))
    Block.objects.get_or_create(user=user, blocked=blocked)
    waiting = Seat.objects.filter(game__opener=user, game__status=Status.OPEN, owner=blocked)
    show_change(waiting)
    waiting.delete()
    asking = Seat.objects.filter(asked=user, owner=blocked)
    show_change(asking)
    for seat in asking:
        notify.ask_no_more(seat)
    asking.update(asked=None, asked_until=None)


def unblock(*, user: User, name: str) -> None:
    """Unblock the player with this name, if blocked."""
    Block.objects.filter(user=user, blocked__in=User.with_name(name)).delete()


def carry_over(*, guest: User, user: User) -> None:
    """Carry a guest's blocks, in both directions, over to the account, and apply the account's to the guest's seats.

    Otherwise a blocked player could join as a guest and sign in afterwards.
    """
    for one in Block.objects.filter(Q(user=guest) | Q(blocked=guest)):
        pair = [user.pk if pk == guest.pk else pk for pk in (one.user_id, one.blocked_id)]
        if pair[0] != pair[1]:
            Block.objects.get_or_create(user_id=pair[0], blocked_id=pair[1])
    hosts = Block.objects.filter(blocked=user).values("user")
    unwelcome = Game.objects.filter(Q(opener__in=hosts) | Q(seats__owner__in=hosts), status=Status.OPEN)
    seats = Seat.objects.filter(owner=guest, game__in=unwelcome.values("pk"))
    show_change(seats)
    seats.delete()
