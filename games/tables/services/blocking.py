"""Blocking a player: from then on that player can cause nothing for the person who blocked them.

Everything that one person can do to another asks `need_unblocked` first. What has begun continues: games that both
already play, ladder challenges already made, and contests of leagues and tournaments, which pair all their entrants.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from games.errors import NotYours
from games.tables.models import Block, Game, Seat, Status
from games.tables.services import notify as telling
from games.tables.services.people import show_change


def need_unblocked(user: User, *, by: Iterable[int | None], refusal: str) -> None:
    """Raise `NotYours` with the refusal if one of the people `by`, given by their keys, has blocked the user."""
    if Block.objects.filter(user__in=[pk for pk in by if pk], blocked=user).exists():
        raise NotYours(refusal)


def people_at(game: Game) -> set[int | None]:
    """The keys of those who would have to put up with a newcomer: who opened the table, and who has a seat there."""
    seats = Seat.objects.filter(game=game).values_list("user", "owner")
    return {game.opener_id, *(pk for seat in seats for pk in seat)}


@transaction.atomic
def block(*, user: User, blocked: User) -> None:
    """Block somebody. What they have asked of the user, or wait for at a table of the user's, ends with it."""
    if blocked == user:
        raise NotYours(gettext("You can’t block yourself."))
    Block.objects.get_or_create(user=user, blocked=blocked)
    waiting = Seat.objects.filter(game__opener=user, game__status=Status.OPEN, owner=blocked)
    show_change(waiting)
    waiting.delete()
    asking = Seat.objects.filter(asked=user, owner=blocked)
    show_change(asking)
    for seat in asking:
        telling.ask_no_more(seat)
    asking.update(asked=None, asked_until=None)


def unblock(*, user: User, name: str) -> None:
    """Let somebody of that name do again what everybody can. Somebody who is not blocked stays so."""
    Block.objects.filter(user=user, blocked__in=User.with_name(name)).delete()


def carry_over(*, guest: User, user: User) -> None:
    """Blocks by the guest and of the guest hold for the account too; and those of the account for the guest's seats.

    Otherwise a blocked player could sit down as a guest and sign in afterwards.
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
