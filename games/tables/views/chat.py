"""The chat of a table: a page, and the same as an htmx fragment. And the page that reports a player."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request
from accounts.models import User
from empire.web import limits
from empire.web.limits import limited
from empire.web.live import live_url
from games.errors import GameError, NotFound, TooOften
from games.tables import keys
from games.tables.forms.table import ReportForm
from games.tables.models.chat import PHRASES
from games.tables.pages.frame import title
from games.tables.selectors import chat as selector
from games.tables.selectors import rights
from games.tables.selectors.table import live_reader
from games.tables.services import chat as service
from games.tables.services import people
from games.tables.views.enter import sign_in_first


@never_cache
@require_safe
def chat(request: Request, public_id: str) -> HttpResponse:
    """Show the chat, with `?after=N` only the messages after the one with that id, for pages that have the others.

    `?count` answers with the number of unread messages and leaves them unread.
    """
    after = request.GET.get("after", "")
    if "count" not in request.GET and not (after.isascii() and after.isdigit() and len(after) < 19):
        return show(request, public_id)
    if keys.access(request, public_id).is_by_key:
        return HttpResponse(status=204)
    try:
        heard = selector.chat(public_id=public_id, user=request.user, after=int(after) if after else 0)
    except NotFound as unknown:
        raise Http404 from unknown
    if "count" in request.GET:
        return render(request, "tables/table/_unheard.html", {"unheard": heard.new})
    if heard.seat:
        service.hear(seat=heard.seat, upto=heard.last)
    return render(request, "tables/chat.html#lines", {"chat": heard})


def show(request: Request, public_id: str, *, refusal: str = "", draft: str = "", status: int = 200) -> HttpResponse:
    """Show the chat. A refusal keeps the draft. A key from an email does not give access."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, reverse("chat", args=[public_id]))
    try:
        heard = selector.chat(public_id=public_id, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    game = heard.game
    rooms, reader = selector.rooms(heard.seat), live_reader(game, request.user)
    live = live_url(game.public_id, game.version, reader, rooms=rooms, said=heard.last)
    phrases = [(key, _(words)) for key, words in PHRASES.items()]
    context = {
        "chat": heard,
        "phrases": phrases,
        "refusal": refusal,
        "draft": draft,
        "live": "" if request.htmx else live,
    }
    answer = render(request, "tables/chat.html#talk" if request.htmx else "tables/chat.html", context)
    answer.status_code = 200 if request.htmx else status  # htmx swaps only responses with status 200
    if heard.seat:
        service.hear(seat=heard.seat, upto=heard.last)
    return answer


@require_POST
def say(request: Request, public_id: str) -> HttpResponse:
    """Send what was typed, or the phrase whose button was pressed; then what was typed stays in the form."""
    text, to, phrase = (request.POST.get(name, "") for name in ("text", "to", "phrase"))
    whom = int(to) if to.isascii() and to.isdigit() and len(to) < 3 else None
    return _do(
        request,
        public_id,
        lambda user: service.say(public_id=public_id, user=user, text=text, to=whom, phrase=phrase),
        text,
        counts=True,
        keeps_draft=bool(phrase),
    )


@require_POST
def note(request: Request, public_id: str) -> HttpResponse:
    text = request.POST.get("note", "")
    return _do(request, public_id, lambda user: service.write_note(public_id=public_id, user=user, text=text))


@require_POST
def block(request: Request, public_id: str, message: int) -> HttpResponse:
    return _do(request, public_id, lambda user: service.block(message=message, user=user))


@require_POST
def unblock(request: Request, public_id: str) -> HttpResponse:
    return _do(request, public_id, lambda user: people.unblock(name=request.POST.get("name", ""), user=user))


@require_POST
def report(request: Request, public_id: str, message: int) -> HttpResponse:
    reason = request.POST.get("reason", "")
    return _do(request, public_id, lambda user: service.report(message=message, user=user, reason=reason), counts=True)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("report")
def report_player(request: Request, public_id: str) -> HttpResponse:
    """Show the form that reports how someone plays, or send the report to staff by POST."""
    here = reverse("report", args=[public_id])
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, here)
    if not isinstance(request.user, User):
        return redirect_to_login(here)
    game, seats = rights.visible(public_id=public_id, user=request.user)
    players = [(number, name) for number, name, _player in selector.reportable(game, seats, request.user)]
    form = ReportForm(request.POST if request.method == "POST" else None, players=players)
    if form.is_valid():
        try:
            service.report_player(public_id=public_id, user=request.user, **form.cleaned_data)
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Thank you. Staff will look at this game."))
            return redirect(game)
    context = {"game": game, "title": title(game), "form": form, "players": players}
    return render(request, "tables/report.html", context, status=422 if form.errors else 200)


def _do(
    request: Request,
    public_id: str,
    action: Callable[[User], Any],
    draft: str = "",
    *,
    counts: bool = False,
    keeps_draft: bool = False,
) -> HttpResponse:
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, reverse("chat", args=[public_id]))
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("chat", args=[public_id]))
    try:
        if counts and (wait := limits.wait_for(request, "chat")):
            raise TooOften(limits.sentence(wait), wait)
        action(request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    except TooOften as refusal:
        answer = show(request, public_id, refusal=str(refusal), draft=draft, status=429)
        return limits.patient(answer, refusal.wait)
    except GameError as refusal:
        return show(request, public_id, refusal=str(refusal), draft=draft, status=422)
    return show(request, public_id, draft=draft if keeps_draft else "")
