"""What outside bots and their owners are shown: the bot's games, its seat in one of them, and bots for a free seat."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from accounts.models import BotAccount, User
from accounts.moderation.services import may_have_tables
from games.bots.outside import seat_document
from games.errors import Illegal, NotFound, NotYours, Over
from games.rules.protocol import IllegalAction
from games.tables.models import Block, Draft, Game, Invitation, Seat, Status
from games.tables.selectors import position, rights
from games.tables.selectors.rights import Reader
from games.tables.selectors.table import HEAD_DIGITS, laid_out

MOST_OFFERED = 20  # names on the page of a table


def games_of(bot: User) -> QuerySet[Seat]:
    """Return the bot's seats at tables that wait for players, and in games that it still plays."""
    seats = Seat.objects.filter(user=bot, game__status__in=[Status.OPEN, Status.RUNNING])
    return seats.select_related("game").order_by("-game")


def lost_seats(bot: User) -> QuerySet[Seat]:
    """Return the bot's seats that one of our bots plays because it was late, and that it can take back."""
    lost = Seat.objects.filter(owner=bot, user=None, has_given_up=False, game__status=Status.RUNNING)
    return lost.select_related("game").order_by("-game")


def offered(*, game: Game, user: Reader) -> list[BotAccount]:
    """Return bots that the user may seat at this table: their own first, then as its opener the public ones.

    Bots of others are left out if there is a block, or if moderators keep their owner from new tables, but the user's
    own are not, so that nobody learns of it.
    """
    if not (isinstance(user, User) and game.admits_bots and game.is_open) or user.is_guest:
        return []
    is_host = game.opener_id == user.pk
    if not is_host and rights.why_removed(game, user):
        return []
    may_seat = Q(owner=user) | Q(is_public=True) if is_host else Q(owner=user)
    removed = Invitation.objects.filter(game=game, was_removed=True).values("user")
    barred = Q(pk=None) if is_host else Q(user__in=removed)
    candidates = BotAccount.objects.filter(may_seat, digest__isnull=False, user__is_active=True, owner__is_active=True)
    owners_here = Seat.objects.filter(game=game, owner__isnull=False).values("owner")
    people = Q(user__in=owners_here) | Q(user=game.opener_id) | Q(user__bot_accounts__user__in=owners_here)
    unwelcome = Block.objects.filter(people).values("blocked")
    offered_bots = (
        candidates.exclude(user__in=owners_here)
        .exclude(barred)
        .exclude(owner__blocks__blocked=user)
        .exclude(~Q(owner=user), Q(user__in=unwelcome) | Q(owner__in=unwelcome))
        .select_related("user", "owner")
        .order_by("-token_used_at")[:MOST_OFFERED]
    )
    allowed_bots = [bot for bot in offered_bots if bot.owner_id == user.pk or may_have_tables(bot.owner)]
    return sorted(allowed_bots, key=lambda bot: bot.owner_id != user.pk)


def seat_view(*, public_id: str, bot: User, laid: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a bot gets to know of its seat, after the steps in `laid`, which are tried and not stored.

    Raises `GameError`: `NotFound` for every game in which it has no seat, whether there is such a game or not.
    """
    seat = Seat.objects.select_related("game__snapshot").filter(user=bot, game__public_id=public_id).first()
    if seat is None:
        raise NotFound
    game, seats = seat.game, list(Seat.objects.filter(game=seat.game_id).select_related("owner").order_by("number"))
    if game.seq < 0:
        raise Over(gettext("The game has not started."))
    is_mine = game.is_running and (seat.owes or game.sealed)
    if laid and not is_mine:
        raise NotYours(gettext("It’s not your turn."))
    state = position.current(game, seats, getattr(game, "snapshot", None))
    sealed = Draft.objects.filter(seat=seat, sealed=True, seq=game.seq).first() if game.sealed else None
    if sealed and not laid and (after := laid_out(game.rules, state, seat.number, sealed.actions)):
        state = after.state  # what it has decided in secret, which it may still change
    try:
        document = seat_document(game.rules, game.options, state, seat.number, laid)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    return {
        **document,
        "game": game.public_id,
        "seq": game.seq,
        "head": game.head[:HEAD_DIGITS],
        "status": game.status,
        "is_my_turn": game.is_running and seat.owes,
        "deadline": position.stamp(seat.deadline) if seat.deadline else None,
        "players": [
            {"name": seat_row.name, "is_bot": bool(seat_row.own_bot or (seat_row.owner and seat_row.owner.is_bot))}
            for seat_row in seats
        ],
    }
