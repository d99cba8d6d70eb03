"""The page of lessons, and buttons that begin, skip and follow up a lesson. The lesson itself is at the table."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import Request
from accounts.models import User
from empire.web.limits import limited
from games.errors import GameError
from games.tables.lessons import LESSONS
from games.tables.models import Game
from games.tables.selectors import lessons as selector
from games.tables.services import lessons, lobby
from games.tables.views.lobby import once

BACK = "lesson_back"  # in the session: the id of a lesson's game, and the address of the page that offered it
LONGEST_BACK = 200  # characters of that address, because each request reads the whole session


@never_cache
@require_safe
def learn(request: Request) -> HttpResponse:
    """Show the lessons, each to be begun, continued or repeated."""
    return render(request, "tables/learn.html", {"offers": selector.offers(request.user)})


@require_POST
@limited("open_table")
def begin(request: Request, slug: str) -> HttpResponse:
    """Begin a lesson, as a guest if need be, or continue the unfinished one.

    After the lesson a link leads `back` to the invitation or table that offered it.
    """
    _need_lesson(slug)
    back = request.POST.get("back", "")

    def start(user: User, _form: str) -> Game:
        game = lessons.begin(user=user, slug=slug)
        request.session.pop(BACK, None)
        if _leads_back(back):
            request.session[BACK] = {"lesson": game.public_id, "url": back}
        return game

    return _started(request, start)


@require_POST
def skip(request: Request, slug: str) -> HttpResponse:
    """Skip the reader's unfinished lesson, also one that the site no longer has, and go where they came from."""
    user, back = request.user, request.session.get(BACK, {})
    if isinstance(user, User) and (unfinished := lessons.begun(user).filter(lesson=slug).first()):
        lessons.skip(user=user, slug=slug)
        if unfinished.public_id != back.get("lesson"):
            back = {}
    else:
        _need_lesson(slug)
    return redirect(back.get("url", "learn"))


@require_POST
@limited("open_table")
def play(request: Request, slug: str) -> HttpResponse:
    """Start the first real game."""
    _need_lesson(slug)
    return _started(request, lambda user, form: lobby.first_game(user=user, ruleset=slug, form=form))


def _started(request: Request, start: Callable[[User, str], Game]) -> HttpResponse:
    """Go to the game that `start` returns, or say why there is none."""
    try:
        return redirect(once(request, start)[0])
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect("learn")


def _leads_back(path: str) -> bool:
    try:
        return len(path) <= LONGEST_BACK and resolve(path).url_name in ("join", "table")
    except Resolver404:
        return False


def _need_lesson(slug: str) -> None:
    if slug not in LESSONS:
        raise Http404
