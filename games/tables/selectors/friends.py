"""Friends, invitations by name, and the search for a player.

The search shows only what is public, names, to people with an account. It finds no guests, no bots, and nobody
who has blocked the reader or was blocked by them.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.names import skeleton
from games.tables.models import Block, Friend, Game, Invitation, Status
from games.tables.selectors import rights

SHORTEST_SEARCH = 2  # letters to search for, as typed and as compared: “m” looks like “rn”
A_PAGE = 20
MOST_PAGES = 5  # people who look for a friend type more letters


def may_invite(reader: rights.Reader) -> bool:
    """Return whether the reader may search, keep friends and invite by name: guests may not."""
    return isinstance(reader, User) and not reader.is_guest


def reachable(reader: User) -> QuerySet[User]:
    """Return the account holders that the reader may find and invite."""
    blocks = Block.objects.filter(Q(user=reader, blocked=OuterRef("pk")) | Q(user=OuterRef("pk"), blocked=reader))
    return User.objects.filter(~Exists(blocks), is_active=True, is_guest=False, is_bot=False).exclude(pk=reader.pk)


def friends(reader: rights.Reader) -> list[User]:
    """Return the reader's friends by name, without those who have blocked them."""
    if not may_invite(reader):
        return []
    rows = Friend.objects.filter(user=reader)
    return list(reachable(reader).filter(pk__in=rows.values("friend")).order_by("folded"))


def search(reader: User, name: str, page: int = 1) -> tuple[Sequence[User], bool]:
    """Return a page of players whose names begin like `name`, as names are compared, and whether there are more."""
    start, letters = skeleton(name[:40]), [letter for letter in name if letter.isalnum()]
    if min(len(start), len(letters)) < SHORTEST_SEARCH or not 1 <= page <= MOST_PAGES:
        return [], False
    own_rows = Friend.objects.filter(user=reader, friend=OuterRef("pk"))
    people = reachable(reader).filter(skeleton__startswith=start).annotate(is_friend=Exists(own_rows))
    first = (page - 1) * A_PAGE
    matches = list(people.order_by("skeleton")[first : first + A_PAGE + 1])
    return matches[:A_PAGE], len(matches) > A_PAGE and page < MOST_PAGES


def invitations(user: rights.Reader) -> QuerySet[Invitation]:
    """Return the person's invitations to tables that still wait for players, and where nobody has blocked them."""
    if not rights.is_person(user):
        return Invitation.objects.none()
    shut = Game.objects.filter(rights.shut_to(user), status=Status.OPEN)
    waiting = Invitation.objects.filter(user=user, is_declined=False, game__status=Status.OPEN)
    return waiting.exclude(Q(game__seats__owner=user) | Q(game__in=shut)).select_related("game", "by").order_by("pk")
