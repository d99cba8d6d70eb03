"""What has been played: one's own games, and a full game of three."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import Request, SignedInRequest
from games.selectors import full_game as selector
from games.selectors.history import history as history_of
from games.services.errors import NotFound


@never_cache
@login_required
@require_safe
def history(request: SignedInRequest) -> HttpResponse:
    shown = history_of(person=request.user, reader=request.user, page=request.GET.get("page"))
    return render(request, "games/history.html", {"history": shown})


@never_cache
@require_safe
def full_game(request: Request, pk: int) -> HttpResponse:
    try:
        full = selector.full_game(pk=pk, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "games/full_game.html", {"full": full})
