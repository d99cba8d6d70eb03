"""Time off: a player's nights, time zone and vacations. Changes apply from now on.

All running and open games of the player are locked before the player, in the same order as turns do, so that a
simultaneous turn comes entirely before or after.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.clocks import nights, vacations
from games.clocks.clock import IllegalClock
from games.errors import GameError, Illegal
from games.tables.models import Game, Seat, Status, Vacation
from games.tables.services import commit, deadlines, notify


@transaction.atomic
def set_night(*, user: User, zone: str, window: str) -> User:
    """Set the time zone and the night, such as `23:00-07:00` or empty; time spent remains spent. Raises `GameError`."""
    now = timezone.now()
    person, seats = _lock(user)
    new = _legal(lambda: nights.change(person.nights, zone, nights.parse_window(window) if window else None, now))
    for seat in seats:
        deadlines.subtract_spent(seat, seat.game.parsed_clock, now)
    night = {name: value for name, value in msgspec.to_builtins(new).items() if name != "zone" and value is not None}
    person.time_zone = user.time_zone = zone
    person.night = user.night = night
    person.save(update_fields=["time_zone", "night"])
    _recalculate(seats, now)
    return person


def move(*, user: User, zone: str) -> User:
    """Change the time zone and keep the same night in local time. Raises `GameError`."""
    window = user.nights.window
    return set_night(user=user, zone=zone, window=nights.window_text(window) if window else "")


@transaction.atomic
def announce(*, user: User, first: date, last: date) -> Vacation:
    """Add a vacation, both days included. One that is already announced is returned. Raises `GameError`."""
    now = timezone.now()
    person, seats = _lock(user)
    rows = {row.pk: row.plain for row in Vacation.objects.filter(user=person, last__year__gte=now.year - 1)}
    vacation = _legal(lambda: vacations.announce(rows.values(), first, last, person.nights.zone, now))
    Vacation.objects.filter(pk__in=[pk for pk, earlier in rows.items() if vacations.is_void(earlier)]).delete()
    if before := Vacation.objects.filter(user=person, first=first, last=last, cancelled=None).first():
        return before
    row = Vacation.objects.create(user=person, first=first, last=last, zone=vacation.zone, announced=vacation.announced)
    person.away_until = user.away_until = max(vacations.pause(vacation).ends, person.away_until or now)
    person.save(update_fields=["away_until"])
    _recalculate(seats, now)
    _show(Game.objects.filter(seats__user=person, status=Status.RUNNING))
    return row


@transaction.atomic
def cancel(*, user: User, vacation: int) -> Vacation:
    """Cancel a vacation, or end a current one now. Repeating it changes nothing. Raises `GameError`."""
    now = timezone.now()
    person, seats = _lock(user)
    own_vacation = Vacation.objects.filter(pk=vacation, user=person).first()
    if own_vacation is None:
        raise GameError(gettext("This vacation no longer exists. Reload the page."))
    if vacations.pause(own_vacation.plain).ends <= now:
        return own_vacation  # already over
    own_vacation.cancelled = vacations.cancel(own_vacation.plain, now).cancelled
    own_vacation.save(update_fields=["cancelled"])
    _recalculate(seats, now)
    _show(Game.objects.filter(seats__user=person, status=Status.RUNNING))
    return own_vacation


def _lock(user: User) -> tuple[User, list[Seat]]:
    """Lock the player's games and the player. Return the player and their seats with clocks that run or may resume."""
    seats_there = Seat.objects.filter(Q(owner=user) | Q(user=user))  # pages of games of others are refreshed, too
    games = commit.lock_rows(
        Game.objects.filter(pk__in=seats_there.values("game"), status__in=[Status.OPEN, Status.RUNNING])
    )
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    running = Seat.objects.filter(Q(owes=True) | Q(kept_at__isnull=False), game__in=games, owner=person)
    seats = list(running.select_related("game").order_by("pk"))
    for seat in seats:
        seat.owner = person
        seat.user = person if seat.user_id == person.pk else seat.user
    return person, seats


def _legal(change: Callable[[], Any]) -> Any:
    try:
        return change()
    except IllegalClock as refusal:
        raise Illegal(refusal) from None


def _recalculate(seats: list[Seat], now: datetime) -> None:
    """Recalculate deadlines, save the seats, and refresh their pages.

    Those with sealed decisions are not refreshed, which would reveal who has to decide.
    """
    running = [seat for seat in seats if seat.owes]
    for seat in running:
        deadlines.recalculate(seat, seat.game.parsed_clock)
        notify.reschedule_reminder(game=seat.game, seat=seat, now=now)
    Seat.objects.bulk_update(seats, deadlines.CLOCK)
    _show(Game.objects.filter(pk__in=[seat.game_id for seat in running], sealed=False))


def _show(games: Any) -> None:
    Game.objects.filter(pk__in=games.values("pk")).update(version=F("version") + 1)
