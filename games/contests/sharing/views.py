"""Standings and results as files, and standings that other sites can show in a frame."""

import json
from collections.abc import Callable

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.http import Request
from empire.web.limits import limited
from games.contests.ratings.history import csv_lines
from games.contests.sharing import rows
from games.contests.sharing.rows import Embedded, Sheet

# Anyone may frame the table: it has no form, no script and no cookie, and looks the same to everyone
EMBED_POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "font-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": ["*"],
}


@never_cache
@require_safe
@limited("scores", reading=True)
def division_file(
    request: Request, slug: str, number: str, tier: str, division: str, content: str, kind: str
) -> HttpResponse | StreamingHttpResponse:
    place = {"number": int(number), "tier": int(tier), "division": int(division)}
    return _file(kind, lambda: rows.of_division(slug=slug, content=content, **place))


@never_cache
@require_safe
@limited("scores", reading=True)
def tournament_file(request: Request, public_id: str, content: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    return _file(kind, lambda: rows.of_tournament(public_id=public_id, content=content))


def _file(kind: str, read: Callable[[], Sheet]) -> HttpResponse | StreamingHttpResponse:
    sheet = read()
    headers = {"Content-Disposition": f'attachment; filename="{sheet.name}.{kind}"'}
    if kind == "json":
        text = json.dumps(sheet.about | {"rows": sheet.rows}, indent=1)
        return HttpResponse(text, content_type="application/json", headers=headers)
    lines = csv_lines(sheet.rows, sheet.columns)
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


@xframe_options_exempt
@csp(EMBED_POLICY)
@cache_control(max_age=60)
@require_safe
@limited("api", reading=True)
def league_embed(request: Request, slug: str) -> HttpResponse:
    return _embed(lambda: rows.embedded_league(slug=slug))


@xframe_options_exempt
@csp(EMBED_POLICY)
@cache_control(max_age=60)
@require_safe
@limited("api", reading=True)
def division_embed(request: Request, slug: str, number: int, tier: int, division: int) -> HttpResponse:
    return _embed(lambda: rows.embedded_division(slug=slug, number=number, tier=tier, division=division))


@xframe_options_exempt
@csp(EMBED_POLICY)
@cache_control(max_age=60)
@require_safe
@limited("api", reading=True)
def tournament_embed(request: Request, public_id: str) -> HttpResponse:
    return _embed(lambda: rows.embedded_tournament(public_id=public_id))


def _embed(read: Callable[[], Embedded]) -> HttpResponse:
    """Render without the request, so that the page cannot depend on its reader."""
    return HttpResponse(render_to_string("contests/embed.html", {"shown": read()}))
