"""Places at tables: who may take a seat, who has seen the deal of a duplicate, and blocks between people.

Every way into a seat calls `need_place`, and then `remember` to record that a person plays it.
"""

from collections.abc import Iterable, Sequence

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts.bots import owners
from accounts.models import User
from accounts.moderation.services import may_have_tables
from games.errors import GameError, NotYours
from games.tables import hooks
from games.tables.models import Block, Duplicate, Game, Handover, Seat, SeenDeal, Status

ADDRESS = "address:"  # prefix of the hash of an email address in `SeenDeal.who`


def need_place(game: Game, person: User, seat: Seat | None = None, *, unavailable: str = "") -> None:
    """Refuse a person who may not take the seat, or without `seat` any free seat. Raises `GameError`.

    If `unavailable` is given, it replaces refusals that would tell others what moderators have decided or read, or who
    has deleted an account. These come last, so that the sentence is also that of people who can't be asked. The caller
    has locked the game's row, or that of its duplicate.
    """
    _need_no_other_seat(game, person, seat, unavailable)
    if not may_have_tables(person):
        refusal = gettext("%(name)s can’t take a seat right now. Ask someone else.") % {"name": person.username}
        raise GameError(unavailable or refusal)


def _need_no_other_seat(game: Game, person: User, seat: Seat | None, unavailable: str) -> None:
    """Refuse a person who plays, or has played, another seat of the game. For `unavailable` see `need_place`.

    A person may only ever play one seat of a game, because another seat has shown them its secrets. In a duplicate this
    holds for all its tables.
    """
    values = {"name": person.username}
    if person.is_bot and (seat is not None or not game.admits_bots):
        raise GameError(gettext("Outside bots can’t take this seat."))
    if Seat.objects.filter(Q(user=person) | Q(owner=person), game=game).exists():
        raise GameError(gettext("%(name)s already plays at this table.") % values)
    if any(hook(game, person) for hook in hooks.is_banned):
        raise GameError(gettext("%(name)s is banned from this competition. Ask someone else.") % values)
    if any(known_seat != seat for known_seat in seats_known_to(person).filter(game=game)):
        raise GameError(gettext("%(name)s has played another seat in this game. Ask someone else.") % values)
    if game.admits_bots:
        _need_separate(game, person, unavailable)
    if game.duplicate_id is None:
        return
    # Locked so that two tables cannot seat the person at the same time
    duplicate = Duplicate.objects.select_for_update().get(pk=game.duplicate_id)
    if person.is_guest:
        raise GameError(gettext("Guests can’t play duplicates. Sign up, then join."))
    if duplicate.ended_at is not None:
        return
    # Refuse a person who plays at another table of the duplicate, or has seen cards of its deal from another seat. In a
    # full game the seat is the same in all its games.
    others = Seat.objects.filter(Q(user=person) | Q(owner=person), game__duplicate=duplicate)
    if seat is not None:
        is_same = Q(number=seat.number, game__full_game=game.full_game_id, game__full_game__isnull=False)
        others = others.exclude(Q(pk=seat.pk) | is_same)
    if others.exists():
        raise GameError(gettext("%(name)s already plays this deal at another table.") % values)
    seen = SeenDeal.objects.filter(duplicate=duplicate, who__in=[str(person.pk), *_addresses(person)])
    for deal in seen.select_related("seat__game"):
        if not (seat and deal.seat and deal.seat.number == seat.number and _is_same_contest(deal.seat.game, game)):
            is_secret = deal.seat is None or deal.who.startswith(ADDRESS)  # a moderator, or someone's new account
            refusal = gettext("%(name)s has already seen cards from this deal.") % values
            raise GameError((is_secret and unavailable) or refusal)


def _need_separate(game: Game, person: User, unavailable: str) -> None:
    """Refuse to seat two accounts of one player, of which one is a bot, together with someone else.

    Both would see each other's secrets. A player and their own bots may play alone, or against bots of the site. For
    `unavailable` see `need_place`: nobody else learns whose a bot was that is no longer there.
    """
    if _is_mixed(_accounts(game.pk) | {person.pk}):
        raise GameError(gettext("A player and their own bot can’t both play in a game with other people."))
    if _is_mixed(_accounts(game.pk) | {person.pk}, _former_bots(game.pk)):
        refusal = gettext("%(name)s can’t play here. Ask someone else.") % {"name": person.username}
        raise GameError(unavailable or refusal)


def _accounts(game: int) -> set[int]:
    """Return the ids of the players and owners of the seats."""
    return {pk for pair in Seat.objects.filter(game=game).values_list("user", "owner") for pk in pair if pk}


def _former_bots(game: int) -> list[int]:
    """Return the ids of the owners of outside bots that began the game and no longer play, one for each bot.

    They may have seen the secrets of those seats, even if the bot has been deleted since.
    """
    former = Seat.objects.filter(game=game, bot_owner__isnull=False).exclude(owner__is_bot=True)
    return list(former.values_list("bot_owner", flat=True))


def _is_mixed(accounts: set[int], former_bots: Sequence[int] = ()) -> bool:
    """Return whether two of the accounts belong to one player, and another one to someone else.

    `former_bots` are the owners of further accounts, which are bots.
    """
    bots = owners(accounts)
    players = {*(bots.get(pk, pk) for pk in accounts), *former_bots}
    return 1 < len(players) < len(accounts) + len(former_bots)


def with_own_bots(giver: User, taker: User) -> list[int]:
    """Return the games of the giver in which the taker would sit together with their own bot and other people."""
    unfinished = Seat.objects.filter(game__admits_bots=True, game__status__in=[Status.OPEN, Status.RUNNING])
    games = unfinished.filter(owner=giver).values_list("game", flat=True)
    return [game for game in games if _is_mixed(_accounts(game) - {giver.pk} | {taker.pk}, _former_bots(game))]


def _is_same_contest(game: Game, other: Game) -> bool:
    return game.full_game_id == other.full_game_id if other.full_game_id else game.pk == other.pk


def seats_known_to(person: User) -> QuerySet[Seat]:
    """Return every seat that a person plays, owns, started a game in, or was ever given."""
    handed = Handover.objects.filter(to=person).values("seat")
    return Seat.objects.filter(Q(user=person) | Q(owner=person) | Q(who=str(person.pk)) | Q(pk__in=handed))


# Who has seen a deal


def remember(seats: Iterable[Seat]) -> None:
    """Record that the players of these seats have seen the deal, if it is that of a running duplicate."""
    now = timezone.now()
    SeenDeal.objects.bulk_create(
        [
            SeenDeal(duplicate_id=seat.game.duplicate_id, who=str(seat.user_id), seat=seat, at=now)
            for seat in seats
            if seat.user_id and seat.game.duplicate_id and seat.game.is_withheld
        ],
        ignore_conflicts=True,  # owners who come back are already recorded
    )


def remember_reader(game: Game, user: User) -> bool:
    """Record that someone reads the chat of a running duplicate, which may tell of the cards. Return whether it is one.

    They can no longer play its deal.
    """
    if not (game.duplicate_id and game.is_withheld and game.started_at):
        return False
    SeenDeal.objects.get_or_create(
        duplicate_id=game.duplicate_id, who=str(user.pk), defaults={"seat": None, "at": timezone.now()}
    )
    return True


def remember_as(*, known_as: User, person: User) -> None:
    """Copy the deals seen by one account to another account of the same person."""
    _copy(known_as, [str(person.pk)])


def remember_addresses(user: User) -> None:
    """Keep, for the running duplicates that an account has seen, a keyed hash of its confirmed email addresses.

    The account is about to be deleted. A new one with such an address is kept out too. `forget_addresses` removes them.
    """
    _copy(user, _addresses(user, verified=True))


def forget_addresses(duplicate: Duplicate) -> None:
    SeenDeal.objects.filter(duplicate=duplicate, who__startswith=ADDRESS).delete()


def _copy(user: User, names: Iterable[str]) -> None:
    seen_deals = list(SeenDeal.objects.filter(who=str(user.pk), duplicate__ended_at=None))
    SeenDeal.objects.bulk_create(
        [
            SeenDeal(duplicate_id=deal.duplicate_id, who=name, seat_id=deal.seat_id, at=deal.at)
            for deal in seen_deals
            for name in names
        ],
        ignore_conflicts=True,
    )


def _addresses(user: User, **only: bool) -> list[str]:
    addresses = EmailAddress.objects.filter(user=user, **only).values_list("email", flat=True)
    return [ADDRESS + salted_hmac(__name__, email.lower(), algorithm="sha256").hexdigest() for email in addresses]


def is_blocked(user: User, *, by: Iterable[int | None]) -> bool:
    """Return whether one of the people `by`, given by their keys, has blocked the user."""
    return Block.objects.filter(user__in=[pk for pk in by if pk], blocked=user).exists()


def need_unblocked(user: User, *, by: Iterable[int | None], refusal: str) -> None:
    """Raise `NotYours` with the refusal if one of the people `by`, given by their keys, has blocked the user."""
    if is_blocked(user, by=by):
        raise NotYours(refusal)


def people_at(game: Game) -> set[int | None]:
    """Return the ids of the people at a table: players and owners of its seats, and owners of its bots.

    The opener has a seat, unless someone has replaced them.
    """
    seats = Seat.objects.filter(game=game).values_list("user", "owner")
    people: set[int | None] = {pk for seat in seats for pk in seat}
    return people | set(owners({pk for pk in people if pk}).values()) if game.admits_bots else people
