"""Undoing a turn: a page that explains what a request involves, and the actions on requests."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import Request
from games.errors import GameError, NotYours
from games.help.takeback import RULINGS
from games.tables import keys
from games.tables.forms import StepForm
from games.tables.selectors import rights
from games.tables.services import takeback
from games.tables.services.play import need_course
from games.tables.views.enter import sign_in_first
from games.tables.views.table import read, show
from games.tables.views.words import listed

ACTIONS: Mapping[str, Callable[..., Any]] = {
    "ask": takeback.ask,
    "agree": takeback.agree,
    "refuse": takeback.refuse,
    "withdraw": takeback.withdraw,
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: Request, public_id: str) -> HttpResponse:
    """Show what an undo request involves. A POST names one of the actions and the entry."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, request.path)
    shown = read(request, public_id)
    form, seat = StepForm(request.POST), shown.seat
    if request.method == "POST":
        try:
            action = ACTIONS.get(form.cleaned_data["action"]) if form.is_valid() else None
            if action is None:
                raise GameError(_("The form was incomplete. Reload the page and try again."))
            if seat is None:
                raise NotYours(_("You are a spectator in this game, so you can’t play."))
            need_course(shown.game, form.cleaned_data["seq"], form.cleaned_data["head"])
            action(game=shown.game, seat=seat.number, expected_seq=form.cleaned_data["seq"])
        except GameError as refusal:
            return show(request, read(request, public_id), alert=str(refusal), status=409)
        return show(request, read(request, public_id)) if request.htmx else redirect(shown.game)
    if seat is None:
        return redirect(shown.game) if rights.is_person(request.user) else redirect_to_login(request.path)
    # Show the turn, who has to agree, and the button; or why it cannot be undone
    line = shown.log[-1] if shown.log else None
    context: dict[str, Any] = {"game": shown.game, "page": shown, "line": line, "rulings": RULINGS}
    try:
        context["asked"] = listed([one.name for one in takeback.prospect(game=shown.game, seat=seat.number).asked])
    except GameError as refusal:
        context["refusal"] = str(refusal)
    return render(request, "tables/take_back.html", context)
