"""Hand-overs: a seat is given to a bot or to a person who agreed, and returned.

The lock on the game's row decides which request comes first. Later ones are refused, unless what they ask for is
already done, as when a form is sent twice. Rulings: docs/rulings.md, substitutes.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from accounts.moderation import newcomers
from accounts.moderation.services import need_account
from games.errors import GameError, NotYours, Over
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.tables.models import Draft, Game, Handover, Seat
from games.tables.models.absence import HandoverReason
from games.tables.models.game import STAND_IN
from games.tables.selectors.friends import reachable
from games.tables.services import commit, deadlines, notify, places
from games.tables.services.commit import Locked
from games.tables.services.deadlines import need_reliable
from games.tables.services.places import need_place, remember

LONGEST_HANDOVER = timedelta(days=366)  # of a temporary hand-over
BATCH = 200  # most seats returned by one sweep
CHANGED = [
    "user", "owner", "name", "bot", "back_at", "has_given_up", "time_outs", "asked", "asked_until", "asks", "left_by",
    "bank", "has_changed_hands", *deadlines.CLOCK,
]  # fmt: skip
MOST_A_GAME = 20  # hand-overs of one seat in one game
MOST_A_DAY = 40  # hand-overs by one person in 24 hours, at all tables
MOST_ASKED = 3  # requests to one person to play one seat; none after they have declined
DAY = timedelta(days=1)
NOT_ASKED = gettext_lazy("You were not asked to play this seat, or the request was withdrawn.")


@transaction.atomic
def hand_to_bot(*, seat: Seat, user: User, until: datetime | None = None) -> Seat:
    """Hand the seat from its player to a bot, until that time or until its owner comes back. Raises `GameError`."""
    locked, seat, now = _lock(seat)
    is_lent = seat.owner_id == user.pk and seat.user_id is None and not seat.has_given_up
    if is_lent and seat.back_at == until:
        return seat
    if seat.user_id != user.pk:
        raise NotYours(gettext("Only the player of this seat can hand it over."))
    _check_until(until, now)
    if seat.owner_id == user.pk:
        _need_few(seat, now)
    else:  # a substitute may stop at any time; the owner's end date remains
        until = seat.back_at
    change_hands(locked, seat, now, to=None, until=until, why=HandoverReason.GIVEN)
    if seat.owner_id != user.pk:
        notify.tell_taken_over(game=locked.game, seats=[seat])
    return seat


@transaction.atomic
def resign(*, seat: Seat, user: User) -> Seat:
    """Resign: the owner leaves the seat to a bot permanently, even if someone else plays it. Raises `GameError`."""
    locked, seat, now = _lock(seat)
    if seat.owner_id == user.pk and seat.has_given_up:
        return seat
    _need_owner(seat, user)
    seat.has_given_up = True
    change_hands(locked, seat, now, to=None, until=None, why=HandoverReason.GOOD)
    return seat


@transaction.atomic
def transfer(*, seat: Seat, to: User) -> Seat:
    """Give the seat permanently to a person who agreed, with full time for a due turn. Raises `GameError`."""
    locked, seat, now = _lock(seat)
    need_place(locked.game, to, seat)
    seat.owner, seat.name, seat.has_given_up = to, to.username, False
    change_hands(locked, seat, now, to=to, until=None, why=HandoverReason.REPLACED)
    return seat


@transaction.atomic
def leave_to_bot(*, seat: Seat) -> Seat:
    """Let a bot play a person's seat to the end, by decision of staff. Raises `GameError`."""
    locked, seat, now = _lock(seat)
    seat.has_given_up = True
    change_hands(locked, seat, now, to=None, until=None, why=HandoverReason.REPLACED)
    return seat


@transaction.atomic
def leave_all_to_bots(*, game: Game) -> None:
    """Let bots play a running, locked game to the end, with nobody coming back: its time is up."""
    locked, now = commit.load(game), timezone.now()
    for seat in locked.seats:
        if seat.owner is not None and not seat.has_given_up:
            change_hands(locked, seat, now, to=None, until=None, why=HandoverReason.UNFINISHED)
    game.is_left_to_bots = True
    game.save(update_fields=["is_left_to_bots"])


@transaction.atomic
def ask(*, seat: Seat, user: User, name: str, until: datetime | None = None) -> Seat:
    """Ask a person by name to play the owner's seat. This replaces an earlier request. Raises `GameError`.

    Whether they can be asked again is checked before blocks, so that the answer stays the same if they block someone.
    """
    if user.is_guest:  # anyone can be many guests
        raise NotYours(gettext("Guests can’t do this. Sign up first."))
    locked, seat, now = _lock(seat)
    _need_owner(seat, user)
    _check_until(until, now)
    _need_few(seat, now)
    named = User.with_name(name).first()
    is_sent_twice = named is not None and seat.asked_id == named.pk and seat.asked_until == until
    if named is not None and not is_sent_twice and seat.asks.get(str(named.pk), 0) >= MOST_ASKED:
        sentence = gettext("You can’t ask %(name)s to play this seat again. Ask someone else.")
        raise GameError(sentence % {"name": named.username})
    person = find(name, user, locked.game, seat)
    if seat.asked_id == person.pk and seat.asked_until == until:
        return seat
    need_reliable(locked.game, person)
    others_asked = outbox.sent_by(user).filter(kind=Kind.ASKED).exclude(user=person)
    newcomers.need_few_requests(user, others_asked.order_by().distinct(), "created_at")  # over all channels at once
    notify.withdraw_stand_in_request(seat)
    seat.asked, seat.asked_until = person, until
    seat.asks[str(person.pk)] = seat.asks.get(str(person.pk), 0) + 1
    seat.save(update_fields=["asked", "asked_until", "asks"])
    commit.refresh_pages(locked.game)
    notify.tell_asked_to_stand_in(game=locked.game, seat=seat, now=now)
    return seat


def accept(*, seat: Seat, user: User) -> Seat:
    """Let the person who was asked play the seat from now on. Raises `GameError`.

    If someone at the table has blocked them, this ends the request and reads as if its owner had withdrawn it (B4).
    """
    with transaction.atomic():
        locked, seat, now = _lock(seat)
        if seat.user_id == user.pk and seat.is_away:
            return seat
        _need_asked(seat, user)
        if not places.is_blocked(user, by=places.people_at(locked.game)):
            _need_few(seat, now)
            need_place(locked.game, user, seat)
            need_reliable(locked.game, user)
            if seat.asked_until and seat.asked_until <= now:
                raise GameError(gettext("The time you were asked to play for is over."))
            change_hands(locked, seat, now, to=user, until=seat.asked_until, why=HandoverReason.GIVEN)
            return seat
        _ask_nobody(locked, seat, for_good=True)
    raise NotYours(str(NOT_ASKED))


@transaction.atomic
def decline(*, seat: Seat, user: User) -> Seat:
    """Decline the request to play the seat."""
    locked, seat, _now = _lock(seat)
    _need_asked(seat, user)
    return _ask_nobody(locked, seat, for_good=True)


@transaction.atomic
def withdraw(*, seat: Seat, user: User) -> Seat:
    """Withdraw the owner's request. Raises `GameError` if it was answered already."""
    locked, seat, _now = _lock(seat)
    _need_owner(seat, user)
    if seat.asked_id is None and seat.user_id == user.pk:
        return seat
    if seat.asked_id is None:
        raise GameError(gettext("There is no open request: you have not asked anyone, or they have already answered."))
    return _ask_nobody(locked, seat)


@transaction.atomic
def come_back(*, seat: Seat, user: User) -> Seat:
    """Return the seat to its owner, unless the owner has resigned."""
    need_account(user)
    locked, seat, now = _lock(seat)
    _need_owner(seat, user)
    if seat.user_id == user.pk:
        return seat
    change_hands(locked, seat, now, to=user, until=None, why=HandoverReason.BACK)
    return seat


def sweep_handovers(now: datetime) -> int:
    """Return the seats whose hand-over has ended to their owners. Return how many."""
    due = Seat.objects.filter(back_at__lte=now).order_by("back_at").values_list("pk", flat=True)
    return sum(_give_back(pk, now) for pk in list(due[:BATCH]))


@transaction.atomic
def _give_back(pk: int, now: datetime) -> bool:
    seat = Seat.objects.select_related("game").get(pk=pk)
    game = commit.lock_row(seat.game)
    if not game.is_running:
        Seat.objects.filter(pk=pk).update(back_at=None)
        return False
    locked = commit.load(game)
    seat = next(seat for seat in locked.seats if seat.pk == pk)
    if seat.back_at is None or seat.back_at > now or seat.owner is None:
        return False
    if seat.owner.is_suspended:
        seat.back_at = None if seat.owner.is_closed else seat.owner.suspended_until
        seat.save(update_fields=["back_at"])
        return False
    change_hands(locked, seat, now, to=seat.owner, until=None, why=HandoverReason.ENDED)
    return True


def _lock(seat: Seat) -> tuple[Locked, Seat, datetime]:
    """Lock the game and return it with the current seat and time. Raises `Over`."""
    game = commit.lock_row(seat.game)
    commit.need_running(game, game.seq)
    if game.lesson:
        raise GameError(gettext("Nobody else can play your lesson. Skip it if you don’t want to finish it."))
    if game.is_left_to_bots:
        raise Over(gettext("Bots play this game to the end, so nobody else can play in it."))
    locked = commit.load(game)
    return locked, locked.seat(seat.number), timezone.now()


def change_hands(
    locked: Locked, seat: Seat, now: datetime, *, to: User | None, until: datetime | None, why: HandoverReason
) -> None:
    """Let `to`, or a bot, play the seat from now on. Its orders and sealed decision remain.

    Its clock continues with the time left and with the owner's nights and weekends.
    """
    deadlines.subtract_spent(seat, locked.game.parsed_clock, now)
    if why == HandoverReason.GIVEN and seat.owes and seat.left_by is None:
        seat.left_by = seat.user
    elif why == HandoverReason.REPLACED:
        seat.left_by, seat.time_outs = None, 0
    notify.withdraw_stand_in_request(seat)
    seat.user, seat.bot, seat.back_at = to, "" if to else STAND_IN, until
    seat.asked, seat.asked_until, seat.has_changed_hands = None, None, True
    if why == HandoverReason.REPLACED:  # the next owner has asked nobody
        seat.asks = {}
    elif to is not None:
        seat.asks.pop(str(to.pk), None)
    deadlines.recalculate(seat, locked.game.parsed_clock)
    if to and why == HandoverReason.REPLACED:  # nobody should start in the last minutes of another player
        seat.bank = locked.game.parsed_clock.at_start
        if seat.owes:
            deadlines.begin(seat, locked.game.parsed_clock, locked.time_for(seat), now)
    seat.save(update_fields=CHANGED)  # waits for a step that is being laid out, which locks only the seat
    Draft.objects.filter(seat=seat, sealed=False).delete()
    remember([seat])
    Handover.objects.create(seat=seat, at=now, to=to, bot=seat.bot, until=until, why=why)
    commit.refresh_pages(locked.game)
    if seat.owes:
        mover = None if why == HandoverReason.ENDED else seat
        notify.tell_who_is_asked(game=locked.game, seats=[seat], mover=mover, now=now)
        notify.wait_for(game=locked.game, seats=[seat], now=now)


def _ask_nobody(locked: Locked, seat: Seat, *, for_good: bool = False) -> Seat:
    notify.withdraw_stand_in_request(seat)
    end_request(seat, for_good=for_good)
    commit.refresh_pages(locked.game)
    return seat


def end_request(seat: Seat, *, for_good: bool) -> None:
    """End the open request to play the seat. If `for_good`, its owner can't ask the same person again."""
    if for_good:
        seat.asks[str(seat.asked_id)] = MOST_ASKED
    seat.asked, seat.asked_until = None, None
    seat.save(update_fields=["asked", "asked_until", "asks"])


def find(name: str, by: User | None, game: Game, seat: Seat) -> User:
    """Return the person with this name, if `by` can ask them to play the seat. Raises `GameError`.

    What everyone can know comes first. Then the sentence is the same for a name that nobody has, an account that
    moderators have closed, suspended or kept from new tables, and someone who has blocked `by`. So it reveals neither
    steps of moderators nor blocks. The sentence about the others at the table doesn't either.
    """
    refusal = gettext("You can’t ask “%(name)s”. Check the spelling.") % {"name": name[:40]}
    person = player_named(name, by, game, seat, unavailable=refusal)
    if person is None or (by and not reachable(by).filter(pk=person.pk).exists()):
        raise GameError(refusal)
    places.need_unblocked(person, by=places.people_at(game), refusal=refusal)
    return person


def player_named(name: str, by: User | None, game: Game, seat: Seat, *, unavailable: str = "") -> User | None:
    """Return the person with this name, if any. Raises `GameError` if everyone can know that they can't be asked.

    `unavailable` replaces refusals that only staff may read, see `places.need_place`.
    """
    person = User.with_name(name).filter(is_active=True).first()
    if person is None:
        return None
    if person == by:
        raise GameError(gettext("You can’t ask yourself. Enter another player’s name."))
    if person.is_guest:
        sentence = gettext("%(name)s is a guest. Only players with an account can be substitutes.")
        raise GameError(sentence % {"name": person.username})
    need_place(game, person, seat, unavailable=unavailable)
    return person


def _need_owner(seat: Seat, user: User) -> None:
    if seat.owner_id != user.pk:
        raise NotYours(gettext("This is not your seat."))
    if seat.has_given_up:
        raise GameError(gettext("You have resigned. A bot plays your seat to the end."))


def _need_asked(seat: Seat, user: User) -> None:
    if seat.asked_id != user.pk:
        raise NotYours(str(NOT_ASKED))


def _need_few(seat: Seat, now: datetime) -> None:
    """Refuse a hand-over if the seat or its owner has reached the limit. Raises `GameError`."""
    handovers = Handover.objects.filter(why=HandoverReason.GIVEN)
    if handovers.filter(seat=seat).count() >= MOST_A_GAME:
        sentence = gettext("This seat has been handed over %(n)d times in this game, which is the limit.")
        raise GameError(sentence % {"n": MOST_A_GAME})
    if handovers.filter(seat__owner=seat.owner_id, at__gt=now - DAY).count() >= MOST_A_DAY:
        sentence = gettext("%(name)s has handed over seats %(n)d times in one day. Try again tomorrow.")
        raise GameError(sentence % {"name": seat.name, "n": MOST_A_DAY})


def _check_until(until: datetime | None, now: datetime) -> None:
    if until is not None and until <= now:
        raise GameError(gettext("That date is in the past. Choose a later one."))
    if until is not None and until > now + LONGEST_HANDOVER:
        raise GameError(
            gettext("You can hand over a seat for at most a year. Choose an earlier date or leave the end open.")
        )
