"""The page of a full game, running or finished."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import Request
from games.errors import NotFound
from games.tables.selectors import full_game as selector


@never_cache
@require_safe
def full_game(request: Request, pk: int) -> HttpResponse:
    try:
        full = selector.full_game(pk=pk, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "tables/full_game.html", {"full": full})
