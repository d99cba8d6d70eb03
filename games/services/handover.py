"""Seats in other hands: given to a bot or to somebody who agreed to it, and taken back.

Whatever happens at one moment, the lock on the game's row decides who was first; the other gets a sentence. Rulings:
docs/rulings.md, standing in.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.models import Draft, Game, Handover, Seat
from games.models.absence import Why
from games.models.game import STAND_IN
from games.services import commit, telling, timing
from games.services.commit import Locked
from games.services.errors import GameError, NotYours, Over
from games.services.places import need_place, remember
from games.services.reliability import need_reliable

LONGEST = timedelta(days=366)  # that a hand-over for a while can last
BATCH = 200  # seats that one sweep gives back
CHANGED = [
    "user", "owner", "name", "bot", "back_at", "has_given_up", "time_outs", "asked", "asked_until", "bank", "time_left",
    "since", "is_fixed", "has_changed_hands",
]  # fmt: skip


@transaction.atomic
def hand_to_bot(*, seat: Seat, user: User, until: datetime | None = None) -> Seat:
    """Who plays the seat leaves it to a bot: until that moment, or until its owner comes back. Raises `GameError`."""
    locked, mine, now = _lock(seat)
    if mine.user_id != user.pk:
        raise NotYours(gettext("Only who plays this seat can hand it over."))
    _check_until(until, now)
    if mine.owner_id != user.pk:  # who stands in stops doing so: what its owner has said about the time holds
        until = mine.back_at
    _change_hands(locked, mine, now, to=None, until=until, why=Why.GIVEN)
    return mine


@transaction.atomic
def give_up(*, seat: Seat, user: User) -> Seat:
    """The owner leaves the seat to a bot for good, whoever has played it meanwhile. Raises `GameError`."""
    locked, mine, now = _lock(seat)
    _need_owner(mine, user)
    mine.has_given_up = True
    _change_hands(locked, mine, now, to=None, until=None, why=Why.GOOD)
    return mine


@transaction.atomic
def pass_on(*, seat: Seat, to: User) -> Seat:
    """The seat, and with it the result, is somebody else's from now on: an organiser says so. Raises `GameError`."""
    locked, mine, now = _lock(seat)
    need_place(locked.game, to, mine)
    mine.owner, mine.name, mine.has_given_up = to, to.username, False
    _change_hands(locked, mine, now, to=to, until=None, why=Why.REPLACED)
    return mine


@transaction.atomic
def leave_to_bot(*, seat: Seat) -> Seat:
    """A bot plays the seat of a person to the end: those who run the site say so. Raises `GameError`."""
    locked, mine, now = _lock(seat)
    mine.has_given_up = True
    _change_hands(locked, mine, now, to=None, until=None, why=Why.REPLACED)
    return mine


@transaction.atomic
def ask(*, seat: Seat, user: User, name: str, until: datetime | None = None) -> Seat:
    """The owner asks somebody by name to play the seat. Whoever was asked before is not asked any more."""
    locked, mine, now = _lock(seat)
    _need_owner(mine, user)
    _check_until(until, now)
    asked = find(name)
    if asked == user:
        raise GameError(gettext("That is you."))
    need_place(locked.game, asked, mine)
    need_reliable(locked.game, asked)
    telling.ask_no_more(mine)
    mine.asked, mine.asked_until = asked, until
    mine.save(update_fields=["asked", "asked_until"])
    _show(locked.game)
    telling.tell_asked(game=locked.game, seat=mine, now=now)
    return mine


@transaction.atomic
def accept(*, seat: Seat, user: User) -> Seat:
    """Who was asked plays the seat from now on."""
    locked, mine, now = _lock(seat)
    _need_asked(mine, user)
    need_place(locked.game, user, mine)
    need_reliable(locked.game, user)
    if mine.asked_until and mine.asked_until <= now:
        raise GameError(gettext("The time that you were asked for is over."))
    _change_hands(locked, mine, now, to=user, until=mine.asked_until, why=Why.GIVEN)
    return mine


@transaction.atomic
def decline(*, seat: Seat, user: User) -> Seat:
    """Who was asked would rather not."""
    locked, mine, _now = _lock(seat)
    _need_asked(mine, user)
    return _ask_nobody(locked, mine)


@transaction.atomic
def withdraw(*, seat: Seat, user: User) -> Seat:
    """The owner does not ask any more; where that comes too late the substitute plays already."""
    locked, mine, _now = _lock(seat)
    _need_owner(mine, user)
    if mine.asked_id is None:
        raise GameError(gettext("You have not asked anybody, or it has been answered."))
    return _ask_nobody(locked, mine)


@transaction.atomic
def come_back(*, seat: Seat, user: User) -> Seat:
    """The owner plays again; nobody can refuse that, save a table where a seat that was late has given up."""
    locked, mine, now = _lock(seat)
    _need_owner(mine, user)
    if mine.user_id == user.pk:
        raise GameError(gettext("You play this seat already."))
    _change_hands(locked, mine, now, to=user, until=None, why=Why.BACK)
    return mine


def sweep_handovers(now: datetime) -> int:
    """Give back the seats whose time in other hands is over. Returns how many."""
    due = Seat.objects.filter(back_at__lte=now).order_by("back_at").values_list("pk", flat=True)
    return sum(_give_back(pk, now) for pk in list(due[:BATCH]))


@transaction.atomic
def _give_back(pk: int, now: datetime) -> bool:
    seat = Seat.objects.select_related("game").get(pk=pk)
    row = commit.lock_row(seat.game)
    if not row.is_running:
        Seat.objects.filter(pk=pk).update(back_at=None)
        return False
    locked = commit.load(row)
    mine = next(one for one in locked.seats if one.pk == pk)
    if mine.back_at is None or mine.back_at > now or mine.owner is None:
        return False
    _change_hands(locked, mine, now, to=mine.owner, until=None, why=Why.ENDED)
    return True


def _lock(seat: Seat) -> tuple[Locked, Seat, datetime]:
    """The seat as it stands behind the lock. Raises `Over`."""
    row = commit.lock_row(seat.game)
    if row.is_open:
        raise Over(gettext("The game has not begun."))
    if not row.is_running:
        raise Over(gettext("The game is over."))
    locked = commit.load(row)
    return locked, next(one for one in locked.seats if one.pk == seat.pk), timezone.now()


def _change_hands(
    locked: Locked, seat: Seat, now: datetime, *, to: User | None, until: datetime | None, why: Why
) -> None:
    """The seat is played by `to`, or by a bot, from now on. Its running clock, orders and sealed decision stay."""
    timing.hold(seat, locked.game.pace, now, is_reply=locked.was_reply)
    Draft.objects.filter(seat=seat, sealed=False).delete()
    telling.ask_no_more(seat)
    seat.user, seat.bot, seat.back_at, seat.time_outs = to, "" if to else STAND_IN, until, 0
    seat.asked, seat.asked_until, seat.has_changed_hands = None, None, True
    seat.save(update_fields=CHANGED)
    remember([seat])
    Handover.objects.create(seat=seat, at=now, to=to, bot=seat.bot, until=until, why=why)
    _show(locked.game)
    if seat.owes:
        telling.tell_who_is_asked(game=locked.game, seats=[seat], mover=None if why == Why.ENDED else seat, now=now)
        telling.wait_for(game=locked.game, seats=[seat], now=now)


def _ask_nobody(locked: Locked, seat: Seat) -> Seat:
    telling.ask_no_more(seat)
    seat.asked, seat.asked_until = None, None
    seat.save(update_fields=["asked", "asked_until"])
    _show(locked.game)
    return seat


def _show(game: Game) -> None:
    game.version += 1
    game.save(update_fields=["version"])


def find(name: str) -> User:
    """The person of that name, if it is one who can play for another. Raises `GameError`."""
    found = User.with_name(name).filter(is_active=True).first()
    if found is None:
        raise GameError(gettext("We know nobody of that name."))
    if found.is_guest:
        raise GameError(
            gettext("%(name)s is a guest: only who has an account can stand in.") % {"name": found.username}
        )
    return found


def _need_owner(seat: Seat, user: User) -> None:
    if seat.owner_id != user.pk:
        raise NotYours(gettext("This seat is not yours."))
    if seat.has_given_up:
        raise GameError(gettext("You have given this seat up: a bot plays it to the end."))


def _need_asked(seat: Seat, user: User) -> None:
    if seat.asked_id != user.pk:
        raise NotYours(gettext("You are not asked, or not any more, to play this seat."))


def _check_until(until: datetime | None, now: datetime) -> None:
    if until is not None and until <= now:
        raise GameError(gettext("That moment has passed already."))
    if until is not None and until > now + LONGEST:
        raise GameError(gettext("A year is the longest while: leave the end open instead."))
