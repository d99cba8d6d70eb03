"""Pictures of the land, which never change, so browsers fetch them once, and the position on the home page."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from empire.web import languages
from games.boards.eight_minute import geometry
from games.boards.eight_minute.land import land, wording
from games.boards.eight_minute.lying import showing, without_portals
from games.boards.eight_minute.pieces import pieces
from games.boards.themes import LANDS
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.fairness import Quick
from games.rules.play import apply, begin
from games.rules.protocol import SeatInfo, State
from games.rules.registry import get

ENGLISH = "en"
LONGEST_LAYOUT = 200  # characters of a layout
A_YEAR = 365 * 24 * 3600
# The position on the home page, from a game between bots. The seed is the best of forty: a compact, well-filled map.
RULESET, BOT, SEATS, TURNS, SEED = "legends", "medium", 4, 26, 10


@cache
def drawn_by() -> str:
    """Return a short hash of drawing code and geometry, used in URLs so that changed drawings get new ones."""
    folder = Path(geometry.__file__).parent
    files = sorted([*folder.glob("*.py"), *folder.glob("geometry/*")])
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def land_url(layout: str, theme: str) -> str:
    """Return the URL of the land, which does not depend on portals, with the reader's language if it is not English.

    Its last part is a digest of the names on it, so that a corrected translation gets a new URL.
    """
    code, version = get_language() or ENGLISH, drawn_by()
    if code != ENGLISH:
        names = repr(wording(layout, gettext)).encode()
        version += f"-{code}-{sha256(names).hexdigest()[:8]}"
    return f"{reverse('land', args=[without_portals(layout), theme])}?{version}"


def _language(request: HttpRequest) -> str:
    """Return the language of the picture's URL, whatever that of the reader is: caches keep the picture by its URL."""
    code = request.META.get("QUERY_STRING", "").partition("-")[2].partition("-")[0]
    return languages.supported(code) or ENGLISH


def _is_drawable(layout: str, theme: str) -> bool:
    try:
        return theme in LANDS and len(layout) < LONGEST_LAYOUT and bool(showing(layout))
    except ValueError:
        return False


def _etag(request: HttpRequest, layout: str, theme: str) -> str | None:
    return f'"{drawn_by()}-{_language(request)}"' if _is_drawable(layout, theme) else None


@require_safe
@condition(etag_func=_etag)
@cache_control(public=True, immutable=True, max_age=A_YEAR)
def land_picture(request: HttpRequest, layout: str, theme: str) -> HttpResponse:
    if not _is_drawable(layout, theme):
        raise Http404
    with translation.override(_language(request)):
        return HttpResponse(land(layout, theme, gettext), content_type="image/svg+xml")


def drawn_position() -> dict[str, str]:
    """Return the position on the home page: the land for light and dark themes with its size, and the pieces."""
    return _drawn_position(get_language() or ENGLISH)


@cache
def _drawn_position(language: str) -> dict[str, str]:
    view = get(RULESET).view(position(), None)
    map_ = geometry.picture(view.layout)
    with translation.override(language):
        return {
            "width": f"{map_.width:.0f}",
            "height": f"{map_.height:.0f}",
            "land": land_url(view.layout, "light"),
            "dark": land_url(view.layout, "dark"),
            "pieces": mark_safe(pieces(view, translate=gettext)),
        }


@cache
def position() -> State:
    """Return a fixed position some turns into a game of bots. It is computed once, in a quarter of a second."""
    rules, chance, seats = get(RULESET), Quick(SEED), [SeatInfo(bot=True)] * SEATS
    state, _events = begin(rules, rules.options({}, SEATS), seats, chance)
    for _turn in range(SEATS + 1 + TURNS):  # the bids, the choice of the first player, and the turns
        seat = rules.to_act(state)[0]
        actions = play_turn(rules, rules.view(state, seat), BOTS[BOT], chance)
        apply(rules, state, seat, map(rules.parse, actions), chance)
    return state
