"""A game for other programs: its record, and the position, each as far as the reader may know it."""

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.views.table import read


@never_cache
@require_safe
def view(request: HttpRequest, public_id: str) -> HttpResponse:
    """The position as the reader sees it; see `games.rules.empire.view.View`."""
    shown = read(request, public_id)
    if shown.before is None:
        raise Http404
    return _json(shown.before)


@never_cache
@require_safe
def record(request: HttpRequest, public_id: str) -> HttpResponse:
    """The record of the game, as a file."""
    raise Http404


def _json(value: object) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(value), content_type="application/json")
