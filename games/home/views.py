"""The desk page, with all games of a player, and the page for a request to replace another player."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import SignedInRequest
from accounts.services import needs_confirming
from games.contests import interventions as contest_interventions
from games.errors import GameError
from games.home import desk as selector
from games.tables.models import Replacement
from games.tables.models.absence import Answer
from games.tables.selectors import full_game, listed
from games.tables.selectors.listed import DeskGame, count_waiting
from games.tables.services import interventions
from games.tables.services import replacement as replacements
from games.tables.views.lobby import invitation_url


def waiting(request: HttpRequest) -> dict[str, Any]:
    """Return the template context of every page: `waiting_count`, computed only if a page uses it."""
    return {"waiting_count": SimpleLazyObject(lambda: count_waiting(request.user))}


@never_cache
@login_required
@require_safe
def desk(request: SignedInRequest) -> HttpResponse:
    """Show the whole page, or for htmx only the part that changes."""
    shown = selector.desk(user=request.user)
    latest = listed.latest([*shown.mine, *shown.others])

    def with_news(games: Iterable[DeskGame]) -> list[tuple[DeskGame, listed.News | None]]:
        return [(one, latest.get(one.game.pk)) for one in games]

    context = {
        "desk": shown,
        "waiting_count": len(shown.mine),
        "needs_confirming": needs_confirming(request),
        "mine": with_news(shown.mine),
        "others": with_news(shown.others),
        "open": [(one, one.game.players - len(one.seats), invitation_url(one.game)) for one in shown.open],
        "full_games": full_game.running([*shown.mine, *shown.others]),
    }
    return render(request, "home/desk.html#tables" if request.htmx else "home/desk.html", context)


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
