"""Pages to create a league and edit its terms, in a form or as text."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request, SignedInRequest
from empire.web import limits
from games.contests.leagues import services
from games.contests.leagues.forms import LeagueForm
from games.contests.leagues.selectors import may_organise
from games.contests.leagues.views import known
from games.contests.models import League, LeagueState
from games.contests.terms.declaration import Terms, parse, text
from games.errors import GameError
from games.help import families
from games.rules.protocol import IllegalAction

USUAL = Terms(name="")
LONGEST = 20_000  # characters of a text


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def declare(request: SignedInRequest) -> HttpResponse:
    return _declaration(request, None)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def redeclare(request: SignedInRequest, slug: str) -> HttpResponse:
    """Edit the terms of future seasons."""
    found = known(request, slug)
    if not may_organise(found, request.user):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(found)
    return _declaration(request, found)


def _declaration(request: SignedInRequest, league: League | None) -> HttpResponse:
    """Show and save the terms. `action` is the button pressed, which decides whether the form or the text counts."""
    if request.method != "POST":
        terms = league.declared if league else USUAL
        return _page(request, league, LeagueForm.of(terms), text(terms, _))
    action, toml = request.POST.get("action", ""), request.POST.get("toml", "")[:LONGEST]
    if action == "look":
        return _page(request, league, LeagueForm(request.POST, lenient=True), toml)
    if wait := limits.wait_for(request, "open_table"):  # the simulation is expensive
        return limits.too_often(request, wait)
    if action in ("text", "fill"):
        return _from_text(request, league, toml, is_to_be_declared=action == "text")
    form = LeagueForm(request.POST)
    if not form.is_valid():
        return _page(request, league, form, toml, status=422)
    if action == "write":
        return _page(request, league, form, text(form.terms, _))
    try:
        return _declared(request, league, form.terms)
    except GameError as refusal:
        form.add_error(None, str(refusal))
    return _page(request, league, form, toml, status=422)


def _from_text(request: SignedInRequest, league: League | None, toml: str, *, is_to_be_declared: bool) -> HttpResponse:
    """Save the terms of the text, or fill them into the form."""
    try:
        terms = parse(toml)
        if not isinstance(terms, Terms):
            raise GameError(_("This text describes a tournament, not a league."))
        if is_to_be_declared:
            return _declared(request, league, terms)
        return _page(request, league, LeagueForm.of(terms), toml)
    except IllegalAction as refusal:
        wrong = refusal.say(_)
    except GameError as refusal:
        wrong = str(refusal)
    return _page(request, league, LeagueForm(request.POST, lenient=True), toml, wrong=wrong, status=422)


def _declared(request: SignedInRequest, league: League | None, terms: Terms) -> HttpResponse:
    """Save the terms and redirect to the league. Raises `GameError`."""
    if league is None:
        saved = services.declare(user=request.user, terms=terms)
    else:
        is_draft = league.state == LeagueState.DRAFT
        saved = services.redeclare(league=league, user=request.user, terms=terms)
        messages.success(
            request,
            _("League settings saved.") if is_draft else _("League settings saved. They apply from the next season."),
        )
    if words := services.warning(saved):
        messages.warning(request, words)
    return redirect(saved)


def _page(
    request: Request, league: League | None, form: LeagueForm, toml: str, *, wrong: str = "", status: int = 200
) -> HttpResponse:
    """Render the page, or for htmx the part of the form that depends on the game."""
    context: dict[str, Any] = {
        "form": form, "toml": toml, "wrong": wrong, "league": league,
        "note": families.players_note(form.rules.slug, form.number),
    }  # fmt: skip
    part = "#game" if request.htmx else ""
    return render(request, f"contests/leagues/league_declare.html{part}", context, status=status)


@never_cache
@require_safe
def file(request: Request, slug: str) -> HttpResponse:
    """Download the terms of the league's future seasons."""
    found = known(request, slug)
    headers = {"Content-Disposition": f'attachment; filename="{found.slug}.toml"'}
    return HttpResponse(text(found.declared, _), content_type="application/toml; charset=utf-8", headers=headers)
