"""The land of a layout as a separate picture, which never changes, so browsers fetch it once."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from games.boards.eight_minute import geometry
from games.boards.eight_minute.land import land
from games.boards.eight_minute.lying import showing, without_portals
from games.boards.themes import THEMES

LONGEST = 200  # characters of a layout
A_YEAR = 365 * 24 * 3600


@cache
def drawn_by() -> str:
    """Return a short hash of drawing code and geometry, used in URLs so that changed drawings get new ones."""
    folder = Path(geometry.__file__).parent
    files = sorted([*folder.glob("*.py"), *folder.glob("geometry/*")])
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def land_url(layout: str, theme: str) -> str:
    """Return the URL of the land, which does not depend on portals."""
    return f"{reverse('land', args=[without_portals(layout), theme])}?{drawn_by()}"


def _is_drawable(layout: str, theme: str) -> bool:
    try:
        return theme in THEMES and len(layout) < LONGEST and bool(showing(layout))
    except ValueError:
        return False


def _etag(request: HttpRequest, layout: str, theme: str) -> str | None:
    return f'"{drawn_by()}"' if _is_drawable(layout, theme) else None


@require_safe
@condition(etag_func=_etag)
@cache_control(public=True, immutable=True, max_age=A_YEAR)
def land_picture(request: HttpRequest, layout: str, theme: str) -> HttpResponse:
    if not _is_drawable(layout, theme):
        raise Http404
    return HttpResponse(land(layout, theme), content_type="image/svg+xml")
