"""The page that finds a game: the form, and while the player waits, their search and how long such searches take."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import Request, SignedInRequest
from accounts.services import play_as_guest
from empire.web.limits import limited
from games.contests.models import SeekState
from games.contests.seeks import selectors, services
from games.contests.seeks.forms import SeekForm
from games.errors import GameError
from games.tables.forms.pace import CLOCKS


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("open_table")
def find_game(request: Request) -> HttpResponse:
    """Show the form or the search. POST starts one, and redirects to the table if others already wait.

    htmx asks every few seconds while the page is open. It gets only the part that changes, or a redirect to the table.
    """
    last, now = selectors.latest(request.user), timezone.now()
    is_waiting = last is not None and last.state == SeekState.WAITING
    form = SeekForm(request.POST if request.method == "POST" else None, reader=request.user, last=last)
    if request.method == "POST" and form.is_valid():
        try:
            user = play_as_guest(request, lambda player: player)  # `seek` needs transactions of its own
            seek = services.seek(user=user, **form.seek())
            return redirect(seek.game or "find_game")
        except GameError as refusal:
            form.add_error(None, str(refusal))
    if request.htmx and last is not None and last.game and not is_waiting:
        answer = HttpResponse()
        answer["HX-Redirect"] = last.game.get_absolute_url()
        return answer
    if request.htmx and not is_waiting:
        return render(request, "contests/seeks/waiting.html#waiting", {"seek": None})
    if last is not None and is_waiting and not form.is_bound:
        services.stay(seek=last, now=now)
        names = dict(CLOCKS)
        context = {
            "seek": last, "games": selectors.games_of(last), "wait": selectors.wait(last, now),
            "clocks": [names.get(clock, clock) for clock in last.clocks], "few": selectors.FEWEST,
        }  # fmt: skip
        page = "contests/seeks/waiting.html"
        return render(request, f"{page}#waiting" if request.htmx else page, context)
    found_game = None
    if last is not None and last.game and last.ended_at and last.ended_at > now - selectors.SHOWN:
        found_game = last.game
    context = {"form": form, "found_game": found_game, "most": services.MOST_RUNNING}
    return render(request, "contests/seeks/find.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def leave(request: SignedInRequest) -> HttpResponse:
    """Cancel the search."""
    try:
        services.leave(user=request.user)
        messages.success(request, _("Search canceled."))
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect("find_game")
