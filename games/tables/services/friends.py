"""Friends and invitations by name.

A friend is only a name on a private list. An invitation is one notice, which the other person can decline: it gives
nobody a seat. People who have blocked someone get none from them.
"""

from collections.abc import Iterable
from datetime import timedelta
from itertools import islice

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation import newcomers
from accounts.moderation.services import need_account
from accounts.names import folded
from games.errors import NotFound, NotYours, TableError, TooOften
from games.tables.models import Friend, Game, Invitation, Seat, Status
from games.tables.selectors import friends as selector
from games.tables.selectors import rematches
from games.tables.services import notify
from games.tables.services.commit import lock_row
from games.tables.services.lobby import need_open

MOST_FRIENDS = 200
MOST_AT_A_TABLE = 20  # invitations to one table
MOST_AT_ONCE = 7
MOST_TYPED = 500  # names that are read: all friends can be checked, and others typed
MOST_TO_ONE = 5  # invitations by one person to another to tables that still wait
MOST_A_DAY = 10  # and in a day, so that closing tables and opening others does not make more


def find_reachable(*, user: User, name: str, refusal: str = "") -> User:
    """Return the player with this name. Raises `TableError`, with the same sentence whether or not the name exists.

    So nobody learns from it who has blocked them. `refusal` replaces the sentence about invitations.
    """
    if not selector.may_invite(user):
        raise NotYours(gettext("Guests can’t do this. Sign up first."))
    person = User.with_name(name[:40]).filter(pk__in=selector.reachable(user).values("pk")).first() if name else None
    if person is None:
        sentence = refusal or gettext("You can’t invite “%(name)s”. Check the spelling.")
        raise TableError(sentence % {"name": name[:40]})
    return person


@transaction.atomic
def befriend(*, user: User, name: str) -> User:
    """Put a player on the user's private list. Nobody is notified. Raises `TableError`."""
    friend = find_reachable(user=user, name=name)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two tabs share the limit
    if Friend.objects.filter(user=user).count() >= MOST_FRIENDS:
        raise TableError(gettext("Your list of friends is full. Remove someone first."))
    Friend.objects.get_or_create(user=user, friend=friend)
    return friend


def unfriend(*, user: User, name: str) -> None:
    """Take a player off the user's list, if they are on it."""
    Friend.objects.filter(user=user, friend__in=User.with_name(name[:40])).delete()


def names_in(texts: Iterable[str]) -> list[str]:
    """Return the names in what was typed and checked, which may be separated by commas, each once."""
    names = [name.strip() for name in islice((name for text in texts for name in text.split(",")), MOST_TYPED)]
    return list({folded(name): name for name in names if name}.values())


@transaction.atomic
def invite(*, game: Game | str, user: User, name: str) -> User:
    """Invite a player to a table that waits for players, as someone who sits there or opened it. Raises `GameError`.

    After the host has removed a player from the table, only the host can invite that player again. A form that is sent
    twice invites once.
    """
    need_account(user)
    game, now = lock_row(game), timezone.now()
    sits = Seat.objects.filter(game=game, user=user).exists()
    if not (sits or game.opener_id == user.pk) or game.duplicate_id:
        raise NotYours(gettext("Only players at this table can invite others."))
    need_open(game)
    invited = find_reachable(user=user, name=name)
    values = {"name": invited.username}
    if Seat.objects.filter(game=game, owner=invited).exists():
        raise TableError(gettext("%(name)s already has a seat at this table.") % values)
    before = Invitation.objects.filter(game=game, user=invited).first()
    if before is not None and not before.was_removed and before.by_id == user.pk and before.at > now - AGAIN:
        return invited
    comes_back = before is not None and before.was_removed and game.opener_id == user.pk
    is_asked = invited.pk in rematches.players_before(game).values()
    if not comes_back and (is_asked or before is not None):
        raise TableError(gettext("%(name)s has already been invited to this table.") % values)
    if Invitation.objects.filter(game=game).count() >= MOST_AT_A_TABLE:
        raise TableError(gettext("You can’t invite any more players to this table by name. Send the link instead."))
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two tabs share the limits
    # Declined ones count too, because nobody is told who declines
    sent = Invitation.objects.filter(user=invited, by=user)
    if sent.filter(game__status=Status.OPEN).exclude(game__seats__owner=invited).count() >= MOST_TO_ONE:
        words = ngettext(
            "You have invited %(name)s to a table that is still waiting for players. Start or close it first.",
            "You have invited %(name)s to %(n)d tables that are still waiting for players. Start or close one of "
            "them first.",
            MOST_TO_ONE,
        )
        raise TooOften(words % {**values, "n": MOST_TO_ONE}, int(timedelta(hours=1).total_seconds()))
    if sent.filter(at__gt=now - timedelta(days=1)).count() >= MOST_A_DAY:
        words = gettext("You can’t invite %(name)s again today. Send them the link instead, or wait a day.")
        raise TooOften(words % values, int(timedelta(days=1).total_seconds()))
    newcomers.need_few_invitations(user, Invitation.objects.filter(by=user).exclude(user=user))
    new = {"by": user, "at": now, "is_declined": False, "was_removed": False}
    Invitation.objects.update_or_create(game=game, user=invited, defaults=new)
    notify.tell_invited(game=game, user=invited, by=user, now=now)
    return invited


def decline(*, pk: int, user: User) -> None:
    """Decline an invitation. Nobody is notified. Raises `NotFound`."""
    invitation = Invitation.objects.filter(pk=pk, user=user).select_related("game").first()
    if invitation is None:
        raise NotFound
    Invitation.objects.filter(pk=pk).update(is_declined=True)
    notify.withdraw_invitations(invitation.game, user)
