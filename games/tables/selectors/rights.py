"""Rights to see a game, and queries for people's seats.

A listed game is public; a private one is for players, invited people and asked stand-ins.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from empire.prepared import Prepared
from games.clocks.vacations import pause
from games.errors import NotFound
from games.tables.models import Block, FullGame, Game, Invitation, Seat
from games.tables.models.absence import Vacation
from games.tables.models.game import Status
from games.tables.models.log import UndoRequest
from games.tables.selectors.position import take_snapshot, with_snapshot

GUESTS_BY_LINK = gettext_lazy("Guests need the invitation link to join this table. Sign up, or choose another table.")
AWAY_FOR = timedelta(days=1)  # after which a player who waits at a rated public table can be removed

Reader = Any  # a user, signed in or not, or nobody

JOINED = {**with_snapshot(), "undo_request_seq": F("undo_request__seq")}
BY_NAME = Prepared(lambda public_id: Game.objects.filter(public_id=public_id).annotate(**JOINED))
BY_KEY = Prepared(lambda pk: Game.objects.filter(pk=pk).annotate(**JOINED))
SEATS = Prepared(lambda game: Seat.objects.filter(game=game).order_by("number"))
PLAYERS = Prepared(lambda game: User.objects.filter(seats__game=game))
BLOCKS = Prepared(lambda user: Block.objects.filter(blocked=user)[:1])


def find(game: int | str) -> tuple[Game, list[Seat]]:
    """Return a game by its key or public id, with its related rows, and its seats. Raises `NotFound`."""
    rows = BY_NAME(game) if isinstance(game, str) else BY_KEY(game)
    if not rows:
        raise NotFound
    (row,) = rows
    snapshot = take_snapshot(row, row.pk)
    has_undo_request = vars(row).pop("undo_request_seq") is not None
    undo_request = UndoRequest.objects.filter(game=row).first() if has_undo_request else None
    full_game = None if row.full_game_id is None else FullGame.objects.filter(pk=row.full_game_id).first()
    for name, related in (("snapshot", snapshot), ("undo_request", undo_request), ("full_game", full_game)):
        row._state.fields_cache[name] = related  # None too: assigning it would not keep it from being read again
    return row, seats_at(row)


def seats_at(game: Game) -> list[Seat]:
    """Return the seats of a game in order, with their players."""
    seats, players = SEATS(game.pk), {user.pk: user for user in PLAYERS(game.pk)}
    for seat in seats:
        if seat.user_id is None or seat.user_id in players:
            seat.user = players[seat.user_id] if seat.user_id else None
    return seats


def visible(*, public_id: str, user: Reader, invite: str = "") -> tuple[Game, list[Seat]]:
    """Return a game and its seats. Raises `NotFound`, also if the reader may not see it."""
    game, seats = find(public_id)
    if not may_see(game=game, seats=seats, user=user, invite=invite) or is_shut_to(game, user):
        raise NotFound
    return game, seats


def is_shut_to(game: Game, user: Reader) -> bool:
    """Return whether the table waits for players and someone there has blocked the reader, see `shut_to`."""
    return game.is_open and is_blocked(user) and Game.objects.filter(shut_to(user), pk=game.pk).exists()


def is_blocked(user: Reader) -> bool:
    """Return whether anyone has blocked the reader: nearly nobody is, and `shut_to` takes Django long to write."""
    return is_person(user) and bool(BLOCKS(user.pk))


def shut_to(user: User) -> Q:
    """Select tables where the opener, a player or the owner of a bot has blocked the user, who is not there themselves.

    While such a table waits for players, it looks to the user as if it had been closed (B4). The tables of a duplicate
    stay open to them, because seats are drawn at its start.
    """
    blockers = Block.objects.filter(blocked=user).values("user")
    seat_of_blocker = Q(user__in=blockers) | Q(owner__in=blockers) | Q(user__bot_account__owner__in=blockers)
    own_games = Q(opener=user) | Q(pk__in=Seat.objects.filter(Q(user=user) | Q(owner=user)).values("game"))
    by_someone_there = Q(opener__in=blockers) | Q(pk__in=Seat.objects.filter(seat_of_blocker).values("game"))
    return by_someone_there & ~own_games & Q(duplicate=None)


def removed(user: Reader) -> Exists:
    """Return a condition on open tables: the host has removed the user, and has not invited them since."""
    return Exists(Invitation.objects.filter(game=OuterRef("pk"), user=user, was_removed=True))


def why_removed(game: Game, user: Reader) -> str:
    """Return a sentence for a user who was removed by the host of this open table; an empty text for all others."""
    if not (game.is_open and is_person(user) and Game.objects.filter(removed(user), pk=game.pk).exists()):
        return ""
    host, values = game.opener, {"name": game.opener.username if game.opener else ""}
    may_return = not user.is_guest and not (host is not None and host.is_guest)  # guests invite nobody by name
    if game.rematch_of_id:  # the pages of the last game say so, too
        if may_return:
            return gettext("%(name)s has removed you from the rematch. You can join again if they invite you.") % values
        return gettext("%(name)s has removed you from the rematch. Open a new table instead.") % values
    if not may_return:
        return gettext("%(name)s has removed you from this table. Choose another one.") % values
    return gettext("%(name)s has removed you from this table. You can join again if they invite you.") % values


def keeps_guests_out(game: Game, user: Reader) -> bool:
    """Return whether the user needs the link to join this public table, as a guest or a visitor who would become one.

    They do once the host has removed someone, who could come back as another guest.
    """
    is_account = isinstance(user, User) and not user.is_guest
    removals = Invitation.objects.filter(game=game, was_removed=True, user__is_bot=False)
    return game.listed and not is_account and removals.exists()


def may_remove(game: Game, seat: Seat, now: datetime) -> bool:
    """Return whether the host may remove the person of this seat.

    Hosts of rated public tables must not choose their opponents, so they can remove only players who have not looked at
    the table for `AWAY_FOR`.
    """
    return not (game.listed and game.rated) or (seat.looked_at or game.opened_at) < now - AWAY_FOR


def closed_by_block(host: User, player: User | OuterRef) -> QuerySet[Game]:
    """Return the host's tables that a block of the player closes, because it must not be a way around `may_remove`.

    Tables with bots of others stay open: hosts may remove bots at any time.
    """
    rated = Game.objects.filter(opener=host, status=Status.OPEN, listed=True, rated=True)
    return rated.filter(seats__owner=player, seats__owner__is_bot=False)


def may_see(*, game: Game, seats: list[Seat], user: Reader, invite: str = "") -> bool:
    if is_person(user):
        people: set[int | None] = {game.opener_id} if belongs_to_opener(game) else set()
        # People asked to stand in may not know the deal of a duplicate in advance, nor all cards of a finished game
        hides_from_asked = game.is_withheld or game.has_ended
        for seat in seats:
            people |= {seat.user_id, seat.owner_id, None if hides_from_asked else seat.asked_id}
        if user.pk in people:
            return True
    return game.status != Status.CLOSED and (game.listed or (invite == game.invite_token and not game.is_withheld))


def belongs_to_opener(game: Game) -> bool:
    """Return whether the person who opened the table may see it without a seat: before its start, and an imported game.

    Later the opener is a player like the others, who do not see a private game anymore once someone has replaced them.
    """
    return game.started_at is None or game.imported


def known_games(full_game: int, user: Reader) -> tuple[list[Game], frozenset[int]]:
    """Return the games of a full game up to the last that the reader may see, and the numbers of those they may see.

    People who were replaced, or stood in, may not see later games that are private. Those who came later may not see
    the first games, but need their points to play.
    """
    games = list(Game.objects.filter(full_game=full_game).prefetch_related("seats").order_by("number"))
    seen = frozenset(game.number for game in games if may_see(game=game, seats=list(game.seats.all()), user=user))
    return games[: max(seen, default=0)], seen


def is_person(user: Reader) -> bool:
    return bool(user is not None and user.is_authenticated)


def seat_of(user: Reader, seats: list[Seat]) -> Seat | None:
    """Return the seat that the reader plays, if any. An owner whose seat someone else plays is a spectator."""
    if not is_person(user):
        return None
    return next((seat for seat in seats if seat.user_id == user.pk), None)


def played_seat(*, public_id: str, user: Reader) -> Seat | None:
    """Return the seat that the reader plays, with only the columns needed for an action."""
    if not is_person(user):
        return None
    seats = Seat.objects.filter(game__public_id=public_id, user=user).select_related("game")
    return seats.only(
        "number", "owes", "seen_seq", "looked_at", "game__public_id", "game__seq", "game__head", "game__status"
    ).first()


def own_seat(user: Reader, seats: list[Seat]) -> Seat | None:
    """Return the seat that the reader owns, even if someone else plays it."""
    return next((seat for seat in seats if seat.owner_id == user.pk), None) if is_person(user) else None


def asked_seat(user: Reader, seats: list[Seat]) -> Seat | None:
    """Return the seat that the reader was asked to play for its owner."""
    return next((seat for seat in seats if seat.asked_id == user.pk), None) if is_person(user) else None


# People and their games


def seats_of(user: Reader) -> QuerySet[Seat]:
    """Return the seats that the user owns or plays."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user))


def concerning(user: Reader) -> QuerySet[Seat]:
    """Return the seats that the user owns, plays or was asked to play."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user) | Q(asked=user))


def ever_sat(user: User, seats: Q) -> QuerySet[Seat]:
    """Return those of the seats that the person owns, owned at the start, plays, or played for someone."""
    return Seat.objects.filter(Q(user=user) | Q(owner=user) | Q(first_owner=user) | Q(handovers__to=user), seats)


def seated() -> Exists:
    """Return a condition on users: has ever had a seat, other than in a lesson."""
    return Exists(seats_of(OuterRef("pk")).filter(game__lesson=""))


def has_games(user: User) -> bool:
    """Return whether the user has ever had a seat, other than in a lesson."""
    return seats_of(user).filter(game__lesson="").exists()


def is_new_to(reader: Reader, ruleset: str) -> bool:
    """Return whether the reader has never finished a game with this ruleset."""
    if not isinstance(reader, User):
        return True
    ended = Seat.objects.filter(owner=reader, game__ruleset=ruleset, game__status=Status.FINISHED)
    return not ended.filter(game__lesson="").exists()


def away(users: Iterable[User | None], now: datetime) -> set[int]:
    """Return the ids of users who are on vacation now, without a query if nobody announced one."""
    announced = [user.pk for user in users if user and user.away_until and user.away_until > now]
    if not announced:
        return set()
    pauses = [(vacation.user_id, pause(vacation.plain)) for vacation in Vacation.objects.filter(user__in=announced)]
    return {user for user, interval in pauses if interval.begins <= now < interval.ends}
