"""Blocking: a blocked player can no longer contact the person who blocked them.

Everything that one person can do to another looks for a block first, with `places.need_unblocked`, or for open tables
with `rights.is_shut_to`. Games that both already play and ladder challenges already made continue, and leagues and
tournaments still pair all their entrants.
"""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.errors import NotYours
from games.tables import hooks
from games.tables.models import Block, Friend, Game, Invitation, Seat, Status
from games.tables.selectors import rights
from games.tables.services import commit, handover, lobby, notify, replacement


@transaction.atomic
def block(*, user: User, blocked: User) -> list[Game]:
    """Block a player, cancel their requests to the user and remove them from the user's open tables.

    Rated public tables of the user where they are waiting are closed instead, and returned. They are no longer friends,
    in either direction. Requests between the two are withdrawn, and so are requests by anyone that the blocked player
    play at one of the user's tables.
    """
    if blocked == user:
        raise NotYours(gettext("You can’t block yourself."))
    if blocked.is_bot and blocked.bot_account.owner_id == user.pk:
        raise NotYours(gettext("This is your own bot, so you can’t block it."))
    # Locked first, as by those who join, so that a player who joins at this moment is refused or removed
    own_games = Seat.objects.filter(Q(user=user) | Q(owner=user)).values("game")
    asking = Seat.objects.filter(Q(asked=user, owner=blocked) | Q(asked=blocked, game__in=own_games))
    commit.lock_rows(Game.objects.filter(Q(opener=user, status=Status.OPEN) | Q(seats__in=asking)))
    Block.objects.get_or_create(user=user, blocked=blocked)
    Friend.objects.filter(Q(user=user, friend=blocked) | Q(user=blocked, friend=user)).delete()
    invited = Invitation.objects.filter(Q(user=user, by=blocked) | Q(user=blocked, by=user), game__status=Status.OPEN)
    for invitation in invited.select_related("game", "user"):
        notify.withdraw_invitations(invitation.game, invitation.user)
    invited.update(is_declined=True)
    closed = _turn_away(host=user, player=blocked)
    commit.refresh_pages_of(asking)
    for seat in asking:
        notify.withdraw_stand_in_request(seat)
        handover.end_request(seat, for_good=True)  # as if it had been declined
    for table in Game.objects.filter(opener=blocked, status=Status.OPEN, rematch_of__seats__owner=user):
        notify.withdraw_rematch_requests(table, [user.pk])
    replacement.withdraw_between(user, blocked)
    for hook in hooks.blocked:
        hook(user, blocked)
    return closed


def _turn_away(*, host: User, player: User) -> list[Game]:
    """Free the player's seats at the host's open tables, which are locked; close rated public ones and return them."""
    closed = list(rights.closed_by_block(host, player).order_by("pk"))
    for table in closed:
        lobby.close(table, exclude=host)
    waiting = Seat.objects.filter(game__opener=host, game__status=Status.OPEN, owner=player)
    commit.refresh_pages_of(waiting)
    waiting.delete()
    return closed


def about_closed(tables: list[Game]) -> str:
    """Return a sentence about the tables that a block has closed; an empty text if there are none."""
    words = ngettext(
        "The player was waiting at your rated public table, so we closed it. You can open another one.",
        "The player was waiting at %(n)d of your rated public tables, so we closed them. You can open others.",
        len(tables),
    )
    return words % {"n": len(tables)} if tables else ""


def unblock(*, user: User, name: str) -> None:
    """Unblock the player with this name, if blocked."""
    Block.objects.filter(user=user, blocked__in=User.with_name(name)).delete()


def carry_over(*, guest: User, user: User) -> list[Game]:
    """Carry a guest's blocks, in both directions, over to the account, and apply the account's to the guest's tables.

    Otherwise a player who was blocked, or removed by the host, could join as a guest and sign in afterwards. And a host
    who opened a table as a guest would play with people that their account has blocked. Returns the guest's tables that
    this closes. The caller has locked the guest's games.
    """
    for block_row in Block.objects.filter(Q(user=guest) | Q(blocked=guest)):
        pair = [user.pk if pk == guest.pk else pk for pk in (block_row.user_id, block_row.blocked_id)]
        if pair[0] != pair[1]:
            Block.objects.get_or_create(user_id=pair[0], blocked_id=pair[1])
    Invitation.objects.filter(game__opener=guest, user=user, was_removed=True).delete()  # it is their own table now
    hosts = Block.objects.filter(blocked=user).values("user")
    shut = Q(opener__in=hosts) | Q(seats__owner__in=hosts) | Q(rights.removed(user))
    unwelcome = Game.objects.filter(shut, status=Status.OPEN)
    seats = Seat.objects.filter(owner=guest, game__in=unwelcome.values("pk"))
    commit.refresh_pages_of(seats)
    seats.delete()
    waiting = Seat.objects.filter(game__opener=guest, game__status=Status.OPEN, owner__blocked_by__user=user)
    players = list(User.objects.filter(pk__in=waiting.values("owner")).order_by("pk"))
    return [table for player in players for table in _turn_away(host=guest, player=player)]
