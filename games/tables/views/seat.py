"""The page of a player's seat: hand it to a bot or another player, take it back, give standing orders.

One page per table with small forms. A refused form comes back with its sentence and what was typed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import Request, SignedInRequest
from accounts.middleware import use_language_of
from accounts.models import User
from empire.web import limits
from games.errors import GameError, NotFound
from games.tables import keys
from games.tables.forms.table import AskForm, BotForm
from games.tables.models import Game, Mute, Seat
from games.tables.pages.clocks import handover_words, last_reason, moment_words, who_plays, who_plays_for_you
from games.tables.pages.frame import title
from games.tables.selectors import clocks, position, rights
from games.tables.selectors.options import orders_of
from games.tables.services import handover, notify
from games.tables.services.play import give_orders
from games.tables.views.enter import sign_in_first


class Action(NamedTuple):
    """An action of one button: its service, the message afterwards, and the page to redirect to."""

    do: Callable[..., object]
    done: str | Promise
    onward: str


ACTIONS = {
    "back": Action(handover.come_back, gettext_lazy("Welcome back! You are playing your seat again."), "table"),
    "accept": Action(handover.accept, gettext_lazy("You are now playing this seat."), "table"),
    "decline": Action(handover.decline, gettext_lazy("Request declined."), "desk"),
    "withdraw": Action(handover.withdraw, gettext_lazy("Request withdrawn."), "seat"),
    "stop": Action(
        handover.hand_to_bot, gettext_lazy("You are no longer the substitute. A bot is playing now."), "desk"
    ),
}


@dataclass(frozen=True)
class SeatPage:
    """The page of the seat that the reader owns, plays for someone, or was asked to play."""

    request: SignedInRequest
    game: Game
    seat: Seat

    def show(
        self, bot: BotForm | None = None, ask: AskForm | None = None, *, refusal: str = "", status: int = 200
    ) -> HttpResponse:
        """Render the page with the submitted forms."""
        seat, pk = self.seat, self.request.user.pk
        is_owner, plays = seat.owner_id == pk, seat.user_id == pk
        changes = clocks.handovers([seat])
        context = {
            "game": self.game, "title": title(self.game), "seat": seat,
            "bot": bot or BotForm(), "ask": ask or AskForm(), "refusal": refusal,
            "is_owner": is_owner, "plays": plays, "is_asked": seat.asked_id == pk,
            "now": who_plays_for_you(seat, last_reason(seat, changes)) if is_owner and seat.is_away else "",
            "for_whom": who_plays(seat, seat) if plays and seat.is_away else "",
            "asked": seat.asked, "asked_until": moment_words(seat.asked_until) if seat.asked_until else "",
            "mute": muted(seat, self.request.user), "address": self.request.path,
            "handovers": list(handover_words([seat], changes)),
        }  # fmt: skip
        return render(self.request, "tables/seat.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def seat(request: SignedInRequest, public_id: str) -> HttpResponse:
    action = request.POST.get("action", "")
    ends_all = action in ACTIONS and ACTIONS[action].onward == "desk"
    try:
        game, seats = rights.visible(public_id=public_id, user=request.user)
    except NotFound:
        if ends_all:  # sent twice: the first one hid a private table
            return redirect("desk")
        raise
    candidates = (find(request.user, seats) for find in (rights.own_seat, rights.seat_of, rights.asked_seat))
    reader_seat = next((seat for seat in candidates if seat), None)
    if reader_seat is None and ends_all:
        return redirect("desk")
    if reader_seat is None or game.is_open or game.lesson:
        raise Http404
    reader_seat.game = game
    page = SeatPage(request, game, reader_seat)
    if action == "bot":
        return _give_to_bot(page, BotForm(request.POST))
    if action == "ask":
        return _ask(page, AskForm(request.POST))
    if action == "mute":
        return _mute(page)
    if action not in ACTIONS:
        return page.show()
    do, done, onward = ACTIONS[action]
    try:
        do(seat=reader_seat, user=request.user)
    except GameError as refusal:
        reader_seat.refresh_from_db(fields=["asked", "asked_until"])  # a request may be over
        return page.show(refusal=str(refusal), status=409)
    messages.success(request, str(done))
    return redirect("desk") if onward == "desk" else redirect(onward, game.public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: Request, public_id: str, signed: str) -> HttpResponse:
    """Turn notices about one game off or on with the link in an email. GET asks, because mail scanners follow links."""
    seat = keys.read_mute(signed, public_id)
    if seat and seat.user:
        use_language_of(request, seat.user)
    if seat is None or seat.user is None:
        return render(request, "tables/mute.html", {"table": reverse("table", args=[public_id])}, status=410)
    refusal = ""
    if request.method == "POST":
        try:
            notify.mute(seat=seat, user=seat.user, choice=request.POST.get("mute", ""))
        except GameError as refused:
            refusal = str(refused)
        else:
            messages.success(request, _("Your notification settings for this game are saved."))
            return redirect(request.path)
    context = {
        "game": seat.game, "title": title(seat.game), "seat": seat, "mute": muted(seat, seat.user),
        "address": request.path, "refusal": refusal,
    }  # fmt: skip
    return render(request, "tables/mute.html", context, status=422 if refusal else 200)


def muted(seat: Seat, user: User) -> str:
    """Return which notices about this game the user has turned off, as the value of `Mute`."""
    return seat.mute if seat.muted_by_id == user.pk else Mute.NONE.value


def _mute(page: SeatPage) -> HttpResponse:
    try:
        notify.mute(seat=page.seat, user=page.request.user, choice=page.request.POST.get("mute", ""))
    except GameError as refusal:
        return page.show(refusal=str(refusal), status=422)
    messages.success(page.request, _("Your notification settings for this game are saved."))
    return redirect("seat", page.game.public_id)


def _give_to_bot(page: SeatPage, form: BotForm) -> HttpResponse:
    """Hand the seat to a bot; resigning needs confirmation first."""
    user = page.request.user
    if form.is_valid():
        try:
            if not form.is_for_good:
                handover.hand_to_bot(seat=page.seat, user=user, until=form.until)
            elif "sure" in page.request.POST:
                handover.resign(seat=page.seat, user=user)
            else:
                return page.show(form)
        except GameError as refusal:
            form.add_error(None, str(refusal))
    if form.errors:
        return page.show(form, status=422)
    if not form.is_for_good:  # otherwise the table says so
        messages.success(page.request, _("A bot is now playing your seat."))
    return redirect(page.game)


def _ask(page: SeatPage, form: AskForm) -> HttpResponse:
    if wait := limits.wait_for(page.request, "ask"):
        form.add_error(None, limits.sentence(wait))
        return limits.with_retry_after(page.show(ask=form, status=429), wait)
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            handover.ask(seat=page.seat, user=page.request.user, name=name, until=form.until)
        except GameError as refusal:
            form.add_error(None, str(refusal))
    if form.errors:
        return page.show(ask=form, status=422)
    if page.seat.user_id == page.request.user.pk:
        messages.success(page.request, _("Request sent. You keep playing until they accept."))
    else:
        messages.success(page.request, _("Request sent. Nothing changes until they accept."))
    return redirect("seat", page.game.public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def orders(request: Request, public_id: str) -> HttpResponse:
    """Show or save the reader's orders at this table. Spectators are redirected to the table."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, request.path)
    game, seats = rights.visible(public_id=public_id, user=request.user)
    own_seat = rights.seat_of(request.user, seats)
    if not game.rules.order_fields():
        raise Http404
    if own_seat is None:
        return redirect(game) if rights.is_person(request.user) else redirect_to_login(request.path)
    own_seat.game = game
    if request.method != "POST":
        return _show_orders(request, own_seat)
    answers: dict[str, bool | str] = {}
    for field in game.rules.order_fields():
        text = request.POST.get(field.name)
        if text is not None:  # the service refuses a text that matches no answer
            answers[field.name] = next((choice.value for choice in field.choices if str(choice.value) == text), text)
    try:
        saved_seat = give_orders(game=game, seat=own_seat.number, orders=answers, player=own_seat.user)
    except GameError as refusal:
        return _show_orders(request, own_seat, refusal=str(refusal), status=422)
    return _show_orders(request, saved_seat, is_kept=True)


def _show_orders(
    request: Request, own_seat: Seat, *, refusal: str = "", is_kept: bool = False, status: int = 200
) -> HttpResponse:
    """Render the form of standing orders, for htmx with status 200, because it swaps nothing else."""
    game = own_seat.game
    is_asked = own_seat.owes and game.is_running
    if is_asked:  # orders answer others, not the player's own turn
        is_asked = game.rules.is_reply(position.current(game, list(game.seats.all()), getattr(game, "snapshot", None)))
    context = {
        "game": game,
        "orders": orders_of(own_seat),
        "is_asked": is_asked,
        "refusal": refusal,
        "is_kept": is_kept,
    }
    part = "#orders" if request.htmx else ""
    return render(request, f"tables/orders.html{part}", context, status=200 if request.htmx else status)
