"""The page on which a person who was asked to replace a player accepts or declines."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest
from games.contests import interventions as contest_interventions
from games.errors import GameError
from games.tables.models import Replacement
from games.tables.models.absence import Answer
from games.tables.services import interventions
from games.tables.services import replacement as replacements


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replacement(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask whether the reader takes over a seat or a place in a competition permanently."""
    shown = Replacement.objects.select_related("seat__game", "entrant__season__league", "entrant__tournament", "by")
    row = get_object_or_404(shown, pk=pk, user=request.user)
    onward, of = redirect("desk"), row.entrant and (row.entrant.season or row.entrant.tournament)
    refusal, answer = "", request.POST.get("answer", "")
    try:
        if answer == "decline":
            replacements.decline(pk=pk, user=request.user)
            messages.success(request, _("Request declined."))
            return onward
        if answer == "accept":
            accept: Callable[..., object] = interventions.accept if row.seat_id else contest_interventions.accept
            accept(pk=pk, user=request.user)
            messages.success(request, _("You have taken over. We’ll notify you when it’s your turn."))
            return onward
    except GameError as refused:
        refusal = str(refused)
        row.refresh_from_db(fields=["answer"])
    context = {"asked": row, "of": of, "refusal": refusal, "is_open": row.answer == Answer.ASKED}
    return render(request, "tables/replacement.html", context, status=409 if refusal else 200)
