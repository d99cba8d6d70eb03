"""Rematches: the table where the players of a finished game play again, and the seats that it keeps for them."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.notices.outbox.words import enumerated
from games.tables import hooks
from games.tables.models import Block, FullStatus, Game, Invitation, Seat, Status
from games.tables.selectors import rights


def last_of(game: Game) -> Game:
    """Return the game to which a rematch refers: this one, or the last game of its full game so far."""
    if game.full_game_id is None:
        return game
    return Game.objects.select_related("full_game").filter(full_game=game.full_game_id).latest("number")


def rematch_of(game: Game) -> Game | None:
    """Return the rematch of a finished game, unless its table was closed or the rematch canceled."""
    rematches = Game.objects.filter(rematch_of=game).exclude(status__in=[Status.CLOSED, Status.VOID])
    return rematches.select_related("opener").first()


def moved_on(number: int, players: int) -> int:
    """Return the number of a seat in the rematch: the second player becomes the first, and the first the last."""
    return (number - 1) % players


def players_before(game: Game) -> dict[int, int]:
    """Return the ids of the last game's players, without bots, by their seat in its rematch; none at other tables.

    They are read from the last game, so that seats follow guests who sign in, and are free after deleted accounts.
    """
    if game.rematch_of_id is None:
        return {}
    people = Seat.objects.filter(game=game.rematch_of_id, owner__is_bot=False)
    before = people.values_list("number", "owner")
    return {moved_on(number, game.players): owner for number, owner in before if owner}


def kept_seats(game: Game) -> dict[int, int]:
    """Return the ids of the players that seats of a rematch are kept for, by seat.

    None is kept for players who have declined, or who were blocked by the player who asked.
    """
    before = players_before(game)
    if not before:
        return {}
    declined = set(Invitation.objects.filter(game=game, is_declined=True).values_list("user", flat=True))
    declined |= set(
        Block.objects.filter(user=game.opener_id, blocked__in=before.values()).values_list("blocked", flat=True)
    )
    return {number: owner for number, owner in before.items() if owner not in declined}


def names_asked(game: Game) -> dict[int, str]:
    """Return the names of the players that free seats of a rematch are kept for, by seat."""
    taken = set(Seat.objects.filter(game=game).values_list("number", flat=True))
    kept = {number: owner for number, owner in kept_seats(game).items() if number not in taken}
    names = User.objects.in_bulk(kept.values()) if kept else {}
    return {number: names[owner].username for number, owner in sorted(kept.items())}


def names_declined(game: Game) -> list[str]:
    """Return the names of the last game's players who have declined the rematch."""
    if game.rematch_of_id is None:
        return []
    before = players_before(game).values()
    declined = Invitation.objects.filter(game=game, is_declined=True, was_removed=False, user__in=before)
    rows = declined.exclude(user__own_seats__game=game)
    return list(rows.order_by("user__username").values_list("user__username", flat=True))


def unanswered(user: rights.Reader) -> QuerySet[Game]:
    """Return open tables of rematches that the user was asked to join and has not answered."""
    if not rights.is_person(user):
        return Game.objects.none()
    open_tables = Game.objects.filter(status=Status.OPEN, rematch_of__isnull=False, rematch_of__seats__owner=user)
    unwelcome = Q(opener=None) | Q(opener__in=Block.objects.filter(user=user).values("blocked"))
    declined = Q(pk__in=Invitation.objects.filter(user=user, is_declined=True).values("game"))
    joinable = open_tables.exclude(Q(seats__owner=user) | unwelcome | declined | rights.shut_to(user))
    return joinable.select_related("opener", "rematch_of").order_by("-opened_at")


def withdrawn(token: str, user: rights.Reader) -> Game | None:
    """Return the finished game of the user whose rematch had this invitation, if its table was closed."""
    if not rights.is_person(user):
        return None
    rematches = Game.objects.filter(invite_token=token, rematch_of__seats__owner=user)
    rematch = rematches.select_related("rematch_of").first()
    is_closed = rematch is not None and (rematch.status == Status.CLOSED or rights.is_shut_to(rematch, user))
    return rematch.rematch_of if rematch and is_closed else None


@dataclass(frozen=True)
class Rematch:
    """The choices that a player of a finished game has about its rematch, and `words` that say how it stands.

    Without a `table` they can ask for one. Else they can go there if they are `joined`, or answer if they `may_join`,
    also after they `have_declined`. `may_watch`: it has begun without them.
    """

    table: Game | None = None
    words: str = ""
    is_joined: bool = False
    may_join: bool = False
    has_declined: bool = False
    may_watch: bool = False
    may_ask: bool = False


def offered(game: Game, user_seat: Seat | None) -> Rematch | None:
    """Return the rematch of a finished game; None for spectators and lessons, and before the end of a full game.

    None also for those who no longer had a seat in the last game of a full game.
    """
    if user_seat is None or user_seat.owner_id is None or not game.is_finished or game.lesson:
        return None
    if game.full_game and game.full_game.status != FullStatus.FINISHED:
        return None
    last, me = last_of(game), user_seat.owner_id
    if last.pk != game.pk and not Seat.objects.filter(game=last, owner=me).exists():
        return None
    rematch = rematch_of(last)
    if rematch is None or (rematch.is_open and rematch.opener is None):  # an account that was deleted has asked
        is_match = any(hook(game) for hook in hooks.is_of_competition)
        return Rematch(words=_("The rematch won’t count for the competition.") if is_match else "", may_ask=True)
    taken = set(Seat.objects.filter(game=rematch).values_list("owner", flat=True))
    if me in taken:
        sentences = [
            _("{names} declined.").format(names=name) for name in [enumerated(names_declined(rematch))] if name
        ]
        if rematch.is_open and (waiting := names_asked(rematch)):
            sentences.append(_("Waiting for {names} to answer.").format(names=enumerated(list(waiting.values()))))
        return Rematch(rematch, " ".join(sentences), is_joined=True)
    is_shut = user_seat.owner is not None and rights.is_shut_to(rematch, user_seat.owner)
    if is_shut or not rematch.is_open or Seat.objects.filter(game=rematch).count() >= rematch.players:
        return Rematch(rematch, _("The rematch has started without you."), may_watch=rematch.listed and not is_shut)
    if Block.objects.filter(user=me, blocked=rematch.opener).exists():
        return Rematch(rematch, _("You have blocked the player who asked for a rematch. Open a new table instead."))
    if removed := rights.why_removed(rematch, user_seat.owner):
        return Rematch(rematch, removed)
    if Invitation.objects.filter(game=rematch, user=me, is_declined=True).exists():
        words = _("You declined the rematch. While a seat is free, you can still join.")
        return Rematch(rematch, words, may_join=True, has_declined=True)
    host = rematch.opener.username if rematch.opener else ""
    return Rematch(rematch, _("{name} asked for a rematch.").format(name=host), may_join=True)
