"""Admin pages for a game: what spectators see, and interventions.

Each intervention needs a reason, is confirmed once, and is carried out by a service.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.http import SignedInRequest
from games.errors import GameError
from games.staff.forms import FORMS, GameInterventionForm
from games.staff.oversight import oversight
from games.tables.models import Game, Seat
from games.tables.services import interventions, records

Note = Callable[[Game, str], object]
MAY_LOOK, MAY_INTERVENE = "tables.view_game", "tables.change_game"


def desk(request: SignedInRequest, pk: int, context: dict[str, Any]) -> HttpResponse:
    """Show the desk of a game. `?log=all` shows the whole log, `?verify=1` verifies it. `context` is the admin's."""
    _need(request, MAY_LOOK)
    return _show(request, _game(pk), context)


def intervene(
    request: SignedInRequest, pk: int, intervention: str, context: dict[str, Any], note: Note
) -> HttpResponse:
    """Ask for confirmation, then carry out the intervention and `note` it in the admin's history."""
    _need(request, MAY_INTERVENE)
    game = _game(pk)
    if intervention not in FORMS or request.method != "POST":
        raise Http404
    form = _form(request, intervention, game, request.POST)
    if not form.is_valid():
        return _show(request, game, context, {intervention: form}, status=422)
    if "sure" not in request.POST:
        return render(
            request,
            "admin/tables/game/sure.html",
            {**context, **_words(game), "form": form, "intervention": intervention},
        )
    try:
        with transaction.atomic():
            form.carry_out()
            note(game, f"{form.title}: {form.summary()} {form.cleaned_data['reason']}")
    except GameError as refusal:
        game.refresh_from_db()
        current = request.POST.copy()
        current["seq"] = str(game.seq)
        form = _form(request, intervention, game, current)
        form.is_valid()
        form.add_error(None, str(refusal))
        return _show(request, game, context, {intervention: form}, status=409)
    messages.success(request, form.done)
    return redirect("admin:tables_game_desk", pk)


def _need(request: SignedInRequest, permission: str) -> None:
    if not request.user.has_perm(permission):
        raise PermissionDenied


def _game(pk: int) -> Game:
    return get_object_or_404(Game, pk=pk)


def _form(
    request: SignedInRequest, intervention: str, game: Game, data: QueryDict | None = None
) -> GameInterventionForm:
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    return FORMS[intervention](data, intervention=intervention, game=game, seats=seats, by=request.user)


def _show(
    request: SignedInRequest, game: Game, context: dict[str, Any],
    filled: dict[str, GameInterventionForm] | None = None, status: int = 200,
) -> HttpResponse:  # fmt: skip
    shown = oversight(public_id=game.public_id, now=timezone.now(), whole=request.GET.get("log") == "all")
    is_involved = game.is_running and interventions.is_involved(game, request.user)
    can_intervene = game.is_running and request.user.has_perm(MAY_INTERVENE) and not is_involved
    forms = (
        {intervention: (filled or {}).get(intervention) or _form(request, intervention, game) for intervention in FORMS}
        if can_intervene
        else {}
    )
    more = {
        "shown": shown,
        "forms": forms,
        "is_involved": is_involved,
        "is_checked": "verify" in request.GET,
        "problems": records.verify(game=game) if "verify" in request.GET and game.seq >= 0 else [],
    }
    return render(request, "admin/tables/game/desk.html", {**context, **_words(game), **more}, status=status)


def _words(game: Game) -> dict[str, Any]:
    return {"title": _("Game {id}").format(id=game.public_id), "original": game}
