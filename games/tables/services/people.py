"""Update seats when people change their name, merge accounts or delete their account."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import ngettext

from accounts.hooks import Moved
from accounts.models import User
from accounts.names import is_common, without
from accounts.services import delete_account
from games.errors import Over
from games.notices.models import Notice
from games.rules.record import FORMER_PLAYER
from games.tables.models import (
    Draft,
    Entry,
    Game,
    Invitation,
    Message,
    Note,
    Replacement,
    Seat,
    SeatName,
    SeatReview,
    SeenDeal,
    Status,
)
from games.tables.selectors import rights
from games.tables.selectors.rights import seated
from games.tables.services import blocking, commit, deadlines, handover, lessons, places, reports

logger = logging.getLogger(__name__)

MOST_GUESTS = 1000  # who played, deleted in one night


def rename_seats(user: User) -> None:
    lock_games_of(user)
    commit.refresh_pages_of(Seat.objects.filter(owner=user))
    Seat.objects.filter(owner=user).update(name=user.username)
    Message.objects.filter(author=user).update(name=user.username)


def merge(guest: User, user: User) -> Moved:
    """Move a guest's seats to the account that the guest signed in to."""
    lock_games_of(guest)
    closed = blocking.carry_over(guest=guest, user=user)
    return move_seats(giver=guest, taker=user)._replace(closed=len(closed))


@transaction.atomic
def move_seats(*, giver: User, taker: User) -> Moved:
    """Move the seats of the giver, a guest, to the taker. Nobody gets a second seat in a game, full game or duplicate.

    Where the taker already has a seat, the giver's becomes free if the game has not started, a bot plays it to the end
    if the game is running, and it keeps the guest's name if the game is over.
    """
    # A learner has one unfinished lesson of each game: the taker's own continues
    for slug in list(lessons.begun(taker).values_list("lesson", flat=True)):
        lessons.skip(user=giver, slug=slug)
    lock_games_of(giver)
    # 1. Find the giver's seats in games, full games or duplicates where the taker has or had another seat. A seat that
    #    the taker plays for the giver is the same.
    other_seats = places.seats_known_to(taker).exclude(owner=giver)
    full_games = other_seats.filter(game__full_game__isnull=False).values("game__full_game")
    duplicates = other_seats.filter(game__duplicate__isnull=False).values("game__duplicate")
    seen = SeenDeal.objects.filter(who=str(taker.pk)).values("duplicate")
    shared_games = Q(game__in=other_seats.values("game")) | Q(game__full_game__in=full_games)
    shared_games |= Q(game__duplicate__in=duplicates) | Q(game__duplicate__in=seen)
    # Nor do people sit together with their own bot and others
    shared_games |= Q(game__in=places.with_own_bots(giver, taker))
    second_seats = list(Seat.objects.filter(shared_games, owner=giver).select_related("game").order_by("game"))
    seats = Seat.objects.filter(owner=giver).exclude(pk__in=[seat.pk for seat in second_seats])
    commit.refresh_pages_of(seats)
    # 2. Leave or resign those
    given_up = 0
    for seat in second_seats:
        if seat.game.is_open:
            commit.refresh_pages_of(Seat.objects.filter(pk=seat.pk))
            seat.delete()
            given_up += 1
        elif seat.game.is_running and not seat.has_given_up and seat.owner:
            handover.resign(seat=seat, user=seat.owner)
            given_up += 1
    # 3. Move the rest, with what belongs to a person and not to a seat
    places.remember_as(known_as=giver, person=taker)
    Game.objects.filter(opener=giver).update(opener=taker)
    elsewhere = ~Q(game__in=[seat.game_id for seat in second_seats])
    Message.objects.filter(elsewhere, author=giver).update(author=taker, name=taker.username)
    Message.objects.filter(elsewhere, recipient=giver).update(recipient=taker)
    noted = Note.objects.filter(user=taker).values("game")
    Note.objects.filter(elsewhere, user=giver).exclude(game__in=noted).update(user=taker)
    reports.move_reports(giver=giver, taker=taker, moved=elsewhere)
    moved_pks = list(seats.values_list("pk", flat=True))
    Notice.objects.filter(user=giver, seat__in=moved_pks).update(user=taker)
    answered = Invitation.objects.filter(user=taker).values("game")
    declined = Invitation.objects.filter(user=giver, is_declined=True).exclude(game__in=answered)  # rematches
    declined.update(user=taker, by=taker)
    Invitation.objects.filter(by=giver, was_removed=True).update(by=taker)
    SeatName.objects.filter(user=giver, seat__in=moved_pks).update(user=taker)
    SeatReview.objects.filter(user=giver, review__game__seats__in=moved_pks).update(user=taker)
    Seat.objects.filter(pk__in=moved_pks, first_owner=giver).update(first_owner=taker)
    Seat.objects.filter(pk__in=moved_pks, asked=taker).update(asked=None, asked_until=None)
    Seat.objects.filter(pk__in=moved_pks, user=taker).update(back_at=None)
    # 4. The time spent is deducted; then the clocks follow the taker's nights
    moved = list(Seat.objects.filter(pk__in=moved_pks).select_related("user", "owner", "game").order_by("pk"))
    for seat in moved:
        deadlines.subtract_spent(seat, seat.game.parsed_clock, timezone.now())
        seat.owner, seat.name = taker, taker.username
        seat.user = taker if seat.user_id == giver.pk else seat.user
        deadlines.recalculate(seat, seat.game.parsed_clock)
    return Moved(Seat.objects.bulk_update(moved, ["owner", "user", "name", *deadlines.CLOCK]), given_up)


def before_deletion(user: User) -> None:
    """Free the seats of an account about to be deleted, at tables that have not started, and its name elsewhere.

    Bots play its running games to the end. The deals it has seen remain recorded while they are being played, by a
    hash of its email addresses.
    """
    lock_what_is_theirs(user)
    places.remember_addresses(user)
    for slug in list(lessons.begun(user).values_list("lesson", flat=True)):
        lessons.skip(user=user, slug=slug)
    seats = Seat.objects.filter(user=user, game__status=Status.OPEN)
    commit.refresh_pages_of(seats)
    seats.delete()
    leave_running_games(user)
    reports.remove_from_reports(user)
    # Others keep what the site told them and what staff did at their tables, without the name
    _replace_in_texts(user, names_of(user, common=True), FORMER_PLAYER)
    commit.refresh_pages_of(rights.ever_sat(user, Q()))


def replace_old_name(user: User, before: str) -> None:
    """Replace a name that moderators have replaced in what the site told others, and in what staff did."""
    _replace_in_texts(user, [before], user.username)


def _replace_in_texts(user: User, names: Sequence[str], instead: str) -> None:
    own_games = rights.ever_sat(user, Q()).values("game")
    people_met = Seat.objects.filter(game__in=own_games).values("owner")
    invited = Invitation.objects.filter(by=user).values("user")
    notices = Notice.objects.filter(Q(user__in=people_met) | Q(user__in=invited))
    keep = longer_names(names, user)
    told = [name for name in names if not is_common(name)]
    replace_name(told, notices, "title", "lead", instead=instead, keep=keep)
    tables = [str(pk) for pk in own_games.values_list("game", flat=True)]
    of_games = ContentType.objects.get_for_model(Game)
    entries = LogEntry.objects.filter(content_type=of_games, object_id__in=tables)
    replace_name(names, entries, "change_message", instead=instead, keep=keep)


def lock_what_is_theirs(user: User) -> None:
    """Lock what deleting the account changes and others may be changing now, in the order of everyone else.

    First come the requests that the person play a seat: one that they have just accepted is then among their games.
    """
    list(Replacement.objects.select_for_update().filter(user=user).order_by("pk"))
    lock_games_of(user, *User.objects.filter(bot_account__owner=user))  # their bots are deleted, too


def lock_games_of(*people: User) -> None:
    """Lock the open and running games in which these people have seats, and all that they have opened."""
    is_there = Q(seats__owner__in=people) | Q(seats__user__in=people)
    is_unfinished = Q(status__in=[Status.OPEN, Status.RUNNING])
    commit.lock_rows(Game.objects.filter(is_there & is_unfinished | Q(opener__in=people)))


def leave_running_games(user: User) -> None:
    """Resign the person's running games, and stop standing in for others, so that a bot decides at once (S9)."""
    own_seats = Q(owner=user, has_given_up=False) | Q(user=user)
    running = Seat.objects.filter(own_seats, game__status=Status.RUNNING, game__lesson="", game__is_left_to_bots=False)
    for seat in running.select_related("game").order_by("game"):
        leave = handover.resign if seat.owner_id == user.pk else handover.hand_to_bot
        try:
            leave(seat=seat, user=user)
        except Over:  # it has ended in the meantime
            continue
        except Exception:  # one broken game must not keep anyone from deleting their account
            logger.exception("Cannot leave game %s.", seat.game)


def names_of(user: User, *, common: bool) -> list[str]:
    """Return the names under which the person is known from their games, also from before they changed it.

    If not `common`, leave out those that may also be words in texts of the site.
    """
    names = {user.username, *SeatName.objects.filter(user=user).values_list("name", flat=True)}
    return sorted(name for name in names if common or not is_common(name))


def longer_names(names: Sequence[str], user: User) -> list[str]:
    """Return the names of other players that contain one of these names."""
    if not names:
        return []
    containing = reduce(or_, [Q(username__contains=name) for name in names])
    return list(User.objects.filter(containing).exclude(pk=user.pk).values_list("username", flat=True))


def replace_name(
    names: Sequence[str], rows: QuerySet, *fields: str, instead: str = FORMER_PLAYER, keep: Sequence[str] = ()
) -> None:
    """Replace names in texts of these rows, by default with that of a person whose account is being deleted.

    For `keep` see `without`.
    """
    if not names:
        return
    having = [Q(**{f"{field}__contains": name}) for name in names for field in fields]
    for row in rows.filter(reduce(or_, having)).only(*fields).distinct():
        texts = {field: without(getattr(row, field), names, instead, keep) for field in fields}
        limits = {field: row._meta.get_field(field).max_length for field in fields}
        type(row)._base_manager.filter(pk=row.pk).update(**{name: texts[name][: limits[name]] for name in fields})


def commitments(user: User) -> list[str]:
    """Say what the deletion of the account means for games that have not ended."""
    running = rights.seats_of(user).filter(game__status=Status.RUNNING, game__lesson="").count()
    sentence = ngettext(
        "You are playing %(n)d game. You resign it: a bot plays your seat to the end, and the game counts for"
        " the others.",
        "You are playing %(n)d games. You resign them: bots play your seats to the end, and the games count for the"
        " others.",
        running,
    )
    return [sentence % {"n": running}] if running else []


def sweep_guests(now: datetime) -> int:
    """Delete guests who never took part in a game, and those who did and have not been seen for long.

    Return how many. A guest has been seen when they signed in, looked at a table, or sent a message.
    """
    joined_before = now - timedelta(days=settings.KEEP_GUESTS)
    newcomers = User.objects.filter(is_guest=True, date_joined__lt=joined_before).exclude(seated())
    removed = newcomers.delete()[1].get(User._meta.label, 0)
    long_ago = now - timedelta(days=settings.KEEP_GUESTS_WHO_PLAYED)
    looked = Seat.objects.filter(Q(user=OuterRef("pk")) | Q(owner=OuterRef("pk")), looked_at__gte=long_ago)
    wrote = Message.objects.filter(author=OuterRef("pk"), at__gte=long_ago)
    idle_players = User.objects.filter(seated(), is_guest=True, date_joined__lt=long_ago)
    idle_players = idle_players.exclude(last_login__gte=long_ago).exclude(Exists(looked)).exclude(Exists(wrote))
    for guest in idle_players.order_by("pk")[:MOST_GUESTS]:
        delete_account(guest)
        removed += 1
    return removed


def sweep_drafts(now: datetime) -> int:
    """Delete turns that were laid out and never sent, once the game has long gone on or ended. Return how many."""
    long_ago = now - timedelta(days=settings.KEEP_DRAFTS)
    following = Entry.objects.filter(game=OuterRef("seat__game"), seq=OuterRef("seq") + 1, at__lt=long_ago)
    dead = Q(Exists(following)) | Q(seat__game__ended_at__lt=long_ago)
    return Draft.objects.filter(dead).delete()[0]
