"""The clocks of a table: why deadlines are when they are, time banks, and who is away.

While decisions are sealed, only the seat's own player sees its clock, because it would reveal who has decided.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from accounts.models import User
from games.clocks import vacations
from games.clocks.nights import Nights
from games.clocks.running import Explanation, explain, settle
from games.clocks.zones import DAY, local_date, zone
from games.tables.models import Game, Seat, Status, Vacation
from games.tables.models.absence import Handover

Vacations = dict[int, list[vacations.Vacation]]  # by player
MOST_HANDOVERS = 10  # hand-overs shown on a page


@dataclass(frozen=True)
class Wait:
    """A seat whose clock runs, with an explanation of its deadline."""

    seat: Seat
    why: Explanation


@dataclass(frozen=True)
class Away:
    """A player's current or future vacation, first and last day included."""

    seat: Seat
    first: date
    last: date
    has_begun: bool


@dataclass(frozen=True)
class Clocks:
    """Clocks that the reader may see. `banks` is the time bank by seat, if the table has banks."""

    waits: tuple[Wait, ...]
    banks: dict[int, timedelta]
    away: tuple[Away, ...]


def clocks(
    game: Game, seats: Sequence[Seat], reader_seat: Seat | None, now: datetime, *, is_reply: bool = False
) -> Clocks:
    """Return the clocks that the player of the seat `reader_seat` may see. The seats are loaded with their users."""
    announced, clock = vacations_of(seats, now), game.parsed_clock
    waits, banks, away = [], {}, []
    for seat in seats:
        if game.sealed and seat is not reader_seat:
            continue
        if not clock.is_for_each_move:
            banks[seat.number] = seat.bank
        if seat.since is None or seat.time_left is None:
            continue
        # The owner's nights pause the clock, and the owner's vacations while the owner plays
        owner = seat.clock_owner
        pauses = (owner.nights, announced.get(owner.pk, ())) if owner else (Nights("UTC"), ())
        if seat.deadline and seat.user_id:
            waits.append(Wait(seat, explain(clock, seat.time_left, seat.since, *pauses)))
        if not clock.is_for_each_move and not is_reply and seat.owner_id:  # replies do not use the bank
            banks[seat.number] = min(seat.bank, settle(clock, seat.time_left, seat.since, now, *pauses).bank)
    for seat in seats:
        for vacation in announced.get(seat.user_id or 0, ()):
            today = local_date(zone(vacation.zone), now)
            if vacation.cancelled is None and vacation.last >= today:
                away.append(Away(seat, vacation.first, vacation.last, vacation.first <= today))
    return Clocks(tuple(waits), banks, tuple(away))


def vacations_of(seats: Iterable[Seat], now: datetime) -> Vacations:
    """Return vacations that pause or will pause these clocks, with at most one query."""
    since = {seat.user_id: min(seat.since or now, now) for seat in seats}
    mattering = [
        seat.user.pk
        for seat in seats
        if seat.user and not seat.is_away and seat.user.away_until and seat.user.away_until > since[seat.user_id]
    ]
    by_user: Vacations = defaultdict(list)
    if mattering:
        earliest = min(since.values()).date() - DAY
        for vacation in Vacation.objects.filter(user__in=mattering, last__gte=earliest).order_by("first"):
            by_user[vacation.user_id].append(vacation.plain)
    return by_user


def handovers(seats: Iterable[Seat]) -> list[Handover]:
    """Return the last hand-overs of these seats, oldest first, without a query if there were none.

    The number is limited to `MOST_HANDOVERS`, so that nobody can make the page grow for others.
    """
    changed = [seat.pk for seat in seats if seat.has_changed_hands]
    if not changed:
        return []
    return list(Handover.objects.filter(seat__in=changed).select_related("to").order_by("-pk")[:MOST_HANDOVERS])[::-1]


def count_running(user: User) -> int:
    """Count the running games, without lessons, in which the user's seat is played by the user or a substitute."""
    return Seat.objects.filter(owner=user, user__isnull=False, game__status=Status.RUNNING, game__lesson="").count()


def deadlines_of(user: User) -> dict[int, datetime]:
    """Return the deadlines of the user's running clocks, by seat id."""
    running = Seat.objects.filter(owner=user, user__isnull=False, owes=True, deadline__isnull=False)
    seats = running.filter(game__status=Status.RUNNING)
    return {seat.pk: seat.deadline for seat in seats if seat.deadline}
