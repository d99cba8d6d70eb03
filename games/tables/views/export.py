"""A game for other programs: its record and its position, without what the reader may not see."""

import msgspec
from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import Request
from empire.web.limits import limited
from games.errors import NotFound
from games.tables import keys
from games.tables.services import records
from games.tables.views.table import read


@never_cache
@require_safe
@limited("api", reading=True)
def view(request: Request, public_id: str) -> HttpResponse:
    """Return the position as the reader sees it, with the latest staff decisions, as JSON.

    See `games.rules.eight_minute.view.View`.
    """
    shown = read(request, public_id)
    if shown.before is None:
        raise Http404
    decided = [{"seq": line.seq, "said": line.sentences[0]} for line in shown.log if line.by_house]
    position = {**msgspec.to_builtins(shown.before), "legal": shown.before.legal, "decisions": decided}
    return HttpResponse(msgspec.json.encode(position), content_type="application/json")


@never_cache
@require_safe
@limited("api", reading=True)
def record(request: Request, public_id: str) -> HttpResponse:
    """Return the record of the game as a file. See docs/record.md."""
    try:
        content = records.export(public_id=public_id, user=keys.reader(request, public_id))
    except NotFound as unknown:
        raise Http404 from unknown
    headers = {"Content-Disposition": f'attachment; filename="{public_id}.json"'}
    return HttpResponse(content, content_type="application/json", headers=headers)
