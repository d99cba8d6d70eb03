"""Pages of tournaments: the list, opening one, one tournament, and joining and leaving."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest
from empire.web.limits import limited
from games.contests.models import Tournament
from games.contests.tournaments import lists as tournament_lists
from games.contests.tournaments import selectors as selector
from games.contests.tournaments import services
from games.contests.tournaments.bracket import bracket
from games.contests.tournaments.forms import USUAL, TournamentForm
from games.errors import GameError, NotFound


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    return render(request, "contests/tournaments/tournaments.html", {"lists": tournament_lists.lists(request.user)})


# Opening one


@never_cache
@limited("open_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_tournament(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return _look_at_form(request)
    form = TournamentForm(request.POST)
    if form.is_valid():
        try:
            return redirect(services.open_tournament(user=request.user, terms=form.terms))
        except GameError as refusal:
            form.add_error(None, str(refusal))
    return render(request, "contests/tournaments/tournament_open.html", {"form": form, **_meaning(form)}, status=422)


def _look_at_form(request: SignedInRequest) -> HttpResponse:
    """Show the form filled from the query string, or for htmx the part that it asks for. Errors are not shown yet."""
    form = TournamentForm.asked_for(request.GET)
    asked = TournamentForm({**USUAL, **request.GET.dict(), "name": request.GET.get("name", "").strip() or "–"})
    part = f"#{request.htmx.target}" if request.htmx and request.htmx.target in ("game", "meaning") else ""
    return render(request, f"contests/tournaments/tournament_open.html{part}", {"form": form, **_meaning(asked)})


def _meaning(form: TournamentForm) -> dict[str, Any]:
    """Return the outlook of the form, or its first error."""
    if form.is_valid():
        return {"terms": form.terms, "outlook": tournament_lists.outlook(form.terms)}
    return {"does_not_fit": next((errors[0] for errors in form.errors.values()), "")}


# One tournament


@never_cache
@require_safe
def tournament(request: Request, public_id: str) -> HttpResponse:
    try:
        shown = selector.tournament(
            public_id=public_id, reader=request.user, number=request.GET.get("round", ""),
            page=request.GET.get("page", ""),
        )  # fmt: skip
    except NotFound as unknown:
        raise Http404 from unknown
    rounds = bracket(shown) if shown.is_knockout and shown.row.started_at else []
    return render(
        request, "contests/tournaments/tournament.html", {"shown": shown, "row": shown.row, "bracket": rounds}
    )


def find(public_id: str) -> Tournament:
    """Return a tournament. Raises `Http404`."""
    row = Tournament.objects.select_related("organiser").filter(public_id=public_id).first()
    if row is None:
        raise Http404
    return row


def back(
    request: Request, row: Tournament, action: Callable[[], Any], said: str = "", to: str = "tournament"
) -> HttpResponse:
    """Run an action and return to the tournament, with a message if it is refused."""
    try:
        action()
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        if said:
            messages.success(request, said)
    return redirect(row)


@require_POST
@limited("join_table")
@login_required
def join(request: SignedInRequest, public_id: str) -> HttpResponse:
    row = find(public_id)
    said = _("You have signed up. We’ll notify you when it starts.")
    return back(request, row, lambda: services.join(tournament=row, user=request.user), said)


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Withdraw, or drop out after the start. Asks for confirmation first."""
    row = find(public_id)
    if request.method != "POST":
        return render(request, "contests/tournaments/tournament_leave.html", {"row": row, "terms": row.declared})
    said = _("You have withdrawn.") if row.is_open else _("You have dropped out. A bot finishes your running game.")
    return back(request, row, lambda: services.leave(tournament=row, user=request.user), said)
