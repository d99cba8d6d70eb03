"""Outside bots at tables: who may seat them, and how many games they play.

Their games change nobody's rating (`start.begin`), they stand in for nobody, and they never meet other people together
with their owner (`places.need_place`).
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import BotAccount, User
from accounts.moderation.services import may_have_tables, need_tables
from games.errors import NotFound, NotYours, TableError
from games.tables.models import Game, Invitation, Seat
from games.tables.selectors import rematches, rights
from games.tables.selectors.outside import games_of
from games.tables.services import places
from games.tables.services.commit import lock_row
from games.tables.services.deadlines import need_reliable
from games.tables.services.lobby import (
    ALL_TAKEN,
    begin_when_full,
    need_open,
    need_rating,
    refresh_pages,
    remember_removal,
)
from games.tables.services.places import need_place

MOST_WITH_ONE = 3  # games of a public bot at tables of the same person, so that nobody takes all its time


@transaction.atomic
def seat_bot(*, game: Game | str, user: User, name: str) -> Game:
    """Give the last free seat to the outside bot with this name. Raises `GameError`.

    The opener may seat their own bots and public ones, others their own. The game starts if no other seat is free. A
    bot that has a seat there keeps it.
    """
    game = lock_row(game)
    seats = list(Seat.objects.filter(game=game))
    is_host, is_here = game.opener_id == user.pk, any(user.pk in (other.user_id, other.owner_id) for other in seats)
    if not (game.listed or is_host or is_here) or rights.is_shut_to(game, user):
        raise NotFound
    if _seats_of(game, name).exists():
        return game
    need_open(game)
    if not game.admits_bots:
        raise TableError(gettext("This table doesn’t admit outside bots. Choose another one or open your own."))
    if len(seats) >= game.players:
        raise TableError(str(ALL_TAKEN))
    # 1. Find the bot. Its row is locked, so that two tables don't take its last free game at the same time.
    bot = BotAccount.objects.select_for_update().filter(user__in=User.with_name(name[:40])).first()
    unknown = gettext("You can’t seat “%(name)s”. Check the spelling.") % {"name": name[:40]}
    if bot is None or not (bot.owner_id == user.pk or (bot.is_public and is_host)):
        raise TableError(unknown)
    values = {"name": bot.user.username}
    if not is_host and (refusal := rights.why_removed(game, user)):
        raise NotYours(refusal)
    if not is_host and rights.why_removed(game, bot.user):
        raise NotYours(gettext("The host has removed %(name)s from this table. Only they can add it again.") % values)
    need_tables(user)
    if user.is_guest:
        raise NotYours(gettext("Guests can’t seat bots of other players. Sign up first."))
    if bot.digest is None or not may_have_tables(bot.owner) or not (bot.user.is_active and bot.owner.is_active):
        raise TableError(gettext("%(name)s has no token, so it can’t play. Choose another bot.") % values)
    running = games_of(bot.user)
    if bot.owner_id != user.pk and running.filter(game__opener=user).count() >= MOST_WITH_ONE:
        sentence = gettext("You already have %(n)d games with %(name)s. Finish one of them first.")
        raise TableError(sentence % {**values, "n": MOST_WITH_ONE})
    if running.count() >= bot.most_games:
        raise TableError(gettext("%(name)s already plays as many games as its owner allows.") % values)
    # 2. Check what joining a table checks, for the bot and for its owner
    need_place(game, bot.user)
    need_reliable(game, bot.user)
    need_rating(game, bot.user)
    # Blocks come last, and read as if there were no such bot (B4)
    people_here = places.people_at(game)
    kept_apart = any(places.is_blocked(account, by=people_here - {account.pk}) for account in (bot.user, bot.owner))
    if kept_apart or places.is_blocked(user, by=[bot.owner_id]):
        raise TableError(unknown)
    # 3. Seat it, if possible where no seat is kept for a player of the last game
    free = set(range(game.players)) - {seat.number for seat in seats}
    number = max(free - set(rematches.kept_seats(game)) or free)
    Seat.objects.create(game=game, number=number, user=bot.user, owner=bot.user, name=bot.user.username)
    Invitation.objects.filter(game=game, user=bot.user, was_removed=True).delete()
    refresh_pages(game)
    begin_when_full(
        game, starter=next((other for other in seats if other.user_id == user.pk), None), now=timezone.now()
    )
    return game


@transaction.atomic
def remove_bot(*, game: Game | str, user: User, name: str) -> Game:
    """Take an outside bot away from a table that has not started, as its owner or as the opener.

    If the opener removes someone else's, only the opener can add it again. Removing it again has no effect for the
    opener. Raises `NotFound` for others who own no bot there, as for a table that does not exist.
    """
    game = lock_row(game)
    bots, seats = BotAccount.objects.filter(user__in=User.with_name(name[:40])), _seats_of(game, name)
    if game.opener_id != user.pk and not (seats.exists() and bots.filter(owner=user).exists()):
        raise NotFound
    need_open(game)
    if not bots.exists():
        raise NotYours(gettext("You can’t remove that bot."))
    for seat in seats.select_related("user"):
        if seat.user is not None and not bots.filter(owner=user).exists():
            remember_removal(game=game, user=seat.user, by=user, now=timezone.now())
        seat.delete()
        refresh_pages(game)
    return game


def _seats_of(game: Game, name: str) -> QuerySet[Seat]:
    """Return the seat of the outside bot with this name, if it has one."""
    return Seat.objects.filter(game=game, owner__is_bot=True, owner__in=User.with_name(name[:40]))
