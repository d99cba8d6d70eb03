"""Permanent replacements of players: by a person who is asked and accepts, or by a bot.

Staff replace players at a table (`interventions.py`), organizers in a competition (`games.contests.interventions`).
A `Replacement` is about either a seat or an entrant. Rulings: docs/rulings.md, interventions.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from accounts.moderation import newcomers
from games.errors import GameError, NotYours, Over
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import enumerated, later
from games.notices.outbox.words import gettext_later as _
from games.rules import log, staff
from games.tables.models import Block, Handover, Replacement, Seat
from games.tables.models.absence import HandoverReason, ReplacementAnswer
from games.tables.models.log import By
from games.tables.selectors import position
from games.tables.selectors.lines import intervention_sentence
from games.tables.selectors.rights import away
from games.tables.services import commit, handover, notify, places
from games.tables.services.commit import Locked

if TYPE_CHECKING:
    from games.contests.models import Entrant

NOT_OPEN = gettext_lazy("You have already answered, or the request was withdrawn.")
MOST_TO_ONE = 3  # requests from one person to another in a day
MOST_A_DAY = 60  # and to all people, as by the rate limit `ask` of requests to stand in
MOST_REPLACEMENTS = 3  # times that a seat can be given to another person, who each start with full time


# Asking


def ask(
    *, user: User, by: User, reason: str, seat: Seat | None = None, entrant: "Entrant | None" = None
) -> Replacement:
    """Ask the person to take over the locked seat or place, instead of anyone asked before. Raises `GameError`."""
    about = Replacement.objects.filter(seat=seat, entrant=entrant)
    pending = about.filter(answer=ReplacementAnswer.ASKED).first()
    if pending is not None and pending.user_id == user.pk:
        return pending
    need_askable(user, by)
    if about.filter(user=user, answer=ReplacementAnswer.DECLINED).exists():
        words = gettext("%(name)s has already declined. Ask someone else.")
        raise GameError(words % {"name": user.username})
    if pending is not None:
        withdraw(pending)
    request = Replacement.objects.create(
        seat=seat, entrant=entrant, user=user, by=by, reason=reason, asked_at=timezone.now()
    )
    title, values = _("Will you take over for %(name)s?"), dict[str, object](name=request.name)
    lead = _("If you accept, you replace %(name)s. This affects neither your rating nor your reliability.")
    if entrant is not None:
        lead = _(
            "If you accept, you replace %(name)s in %(of)s. Games that are already running affect neither your rating "
            "nor your reliability."
        )
        values["of"] = later(str, entrant.season or entrant.tournament)
    outbox.tell_user(
        kind=Kind.ASKED, user=user, about=f"replacement.{request.pk}", title=title % values, lead=lead % values,
        url=reverse("replacement", args=[request.pk]),
    )  # fmt: skip
    return request


def need_askable(user: User, by: User) -> None:
    """Raise `GameError` if `by` must not ask this person now."""
    if user == by:
        raise GameError(gettext("You can’t ask yourself. Ask someone else."))
    recent = Replacement.objects.filter(by=by, asked_at__gt=timezone.now() - timedelta(days=1))
    if recent.filter(user=user).count() >= MOST_TO_ONE:
        words = gettext("You have asked %(name)s three times today. Ask someone else, or wait until tomorrow.")
        raise GameError(words % {"name": user.username})
    if recent.count() >= MOST_A_DAY:
        words = gettext("You have asked %(n)d players in one day to take over. Ask again tomorrow.")
        raise GameError(words % {"n": MOST_A_DAY})
    earlier_requests = Replacement.objects.filter(by=by).exclude(user=user)
    newcomers.need_few_requests(by, earlier_requests, "asked_at")
    if away([user], timezone.now()) or places.is_blocked(by, by=[user.pk]):  # which of the two, nobody is told (B4)
        raise GameError(gettext("%(name)s is away. Ask someone else.") % {"name": user.username})


def need_place_at(locked: Locked, seat: Seat, user: User) -> None:
    """Raise `GameError` if this person must not get the seat in the current position."""
    places.need_place(locked.game, user, seat)
    need_no_secrets(locked, seat)
    if is_kept_apart(locked, user):
        raise GameError(gettext("%(name)s can’t play here. Ask someone else.") % {"name": user.username})
    if Handover.objects.filter(seat=seat, why=HandoverReason.REPLACED, to__isnull=False).count() >= MOST_REPLACEMENTS:
        raise GameError(
            gettext("This seat has been given to another player three times. Only a bot can take it over now.")
        )


def is_kept_apart(locked: Locked, user: User) -> bool:
    """Return whether someone at the table has blocked the person, or the person them."""
    people = [pk for seat in locked.seats for pk in (seat.user_id, seat.owner_id) if pk]
    return Block.objects.filter(Q(user=user, blocked__in=people) | Q(user__in=people, blocked=user)).exists()


def need_no_secrets(locked: Locked, seat: Seat) -> None:
    """Raise `GameError` if the seat holds, or was ever shown, hidden information.

    While decisions are sealed nobody can be replaced, so that the refusal does not reveal who has decided.
    """
    if locked.game.sealed:
        raise GameError(
            gettext("Players are making secret decisions. Wait until they are revealed, or let a bot take over.")
        )
    if log.has_shown_secrets(locked.rules, position.entries(locked.game), seat.number):
        raise GameError(gettext("The player of this seat has seen hidden cards, so only a bot can take it over."))


# Answering


def find(pk: int, user: User) -> Replacement:
    """Lock and return the request to this person. Raises `NotYours`, or `Over` if it is no longer open."""
    rows = Replacement.objects.select_for_update(of=("self",)).select_related("seat__game", "entrant", "user", "by")
    request = rows.filter(pk=pk, user=user).first()
    if request is None:
        raise NotYours(gettext("You were not asked to take over here."))
    if request.answer != ReplacementAnswer.ASKED:
        raise Over(str(NOT_OPEN))
    return request


@transaction.atomic
def decline(*, pk: int, user: User) -> Replacement:
    """Decline the request. Declining again has no effect. Nobody can ask this person about this seat or place again."""
    if before := Replacement.objects.filter(pk=pk, user=user, answer=ReplacementAnswer.DECLINED).first():
        return before
    return _answer(find(pk, user), ReplacementAnswer.DECLINED)


def withdraw(request: Replacement) -> Replacement:
    """Withdraw an open request."""
    return _answer(request, ReplacementAnswer.WITHDRAWN)


def withdraw_between(user: User, blocked: User) -> None:
    """Withdraw open requests of either to the other, and those that would seat the blocked one at the user's tables."""
    own_games = Seat.objects.filter(Q(user=user) | Q(owner=user)).values("game")
    between = Q(user=user, by=blocked) | Q(user=blocked, by=user) | Q(user=blocked, seat__game__in=own_games)
    asked = Replacement.objects.select_for_update(of=("self",)).filter(between, answer=ReplacementAnswer.ASKED)
    for request in asked.order_by("pk"):  # locked, so that an answer given now is not overwritten
        withdraw(request)


def accepted(request: Replacement) -> Replacement:
    """Mark the request as accepted after carrying it out."""
    return _answer(request, ReplacementAnswer.ACCEPTED)


def _answer(request: Replacement, answer: ReplacementAnswer) -> Replacement:
    request.answer, request.answered_at = answer, timezone.now()
    request.save(update_fields=["answer", "answered_at"])
    outbox.withdraw(kind=Kind.ASKED, about=f"replacement.{request.pk}")
    return request


# Carrying it out


def put_in(locked: Locked, seat: Seat, person: User | None, reason: str, now: datetime) -> None:
    """Give the seat permanently to a person, who starts with full time, or without one to a bot.

    This is the next entry of the log, and the people at the table are notified. Raises `GameError`.
    """
    before = {seat.owner, seat.user}
    intervention = staff.Replaced(seat.number, staff.PERSON if person else staff.BOT, reason)
    last = locked.game.seq
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=[staff.text(intervention)], events=[intervention])
    commit.settle_unchanged(locked, before=last)
    new_seat = handover.transfer(seat=seat, to=person) if person else handover.leave_to_bot(seat=seat)
    # Notify the table, the replaced player, and the new player if it is their turn
    locked.game.refresh_from_db()
    game, seats = locked.game, commit.load(locked.game).seats
    others = [other for other in seats if other.number != seat.number or person is None]
    notify.tell_decided(game=game, seats=others, sentence=later(intervention_sentence, intervention, seats))
    other_names = [other.name for other in seats if other.number != seat.number]
    sentence = _("You no longer play in the game with {players}. Reason: “{reason}”")
    sentence = sentence.format(players=later(enumerated, other_names), reason=intervention.reason)
    for replaced in before - {new_seat.owner, new_seat.user, None}:
        assert replaced is not None
        notify.tell_of_decision(game=game, user=replaced, sentence=sentence, url=reverse("desk"))
    if new_seat.user and new_seat.owes:
        outbox.tell(kind=Kind.TURN, seat=new_seat, seq=game.seq)
    notify.wait_for(game=game, seats=[other for other in seats if other.owes], now=timezone.now())
