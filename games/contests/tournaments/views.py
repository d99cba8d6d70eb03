"""Pages of tournaments: the list, opening one, one tournament, joining and leaving, and the organizer's actions."""

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
from accounts.models import User
from empire.web.limits import limited
from games.contests import corrections
from games.contests import interventions as organising
from games.contests.models import Tournament
from games.contests.organisers import Right, is_owner, may_organise
from games.contests.teams import season as team_season
from games.contests.teams import selectors as team_selectors
from games.contests.tournaments import lists as tournament_lists
from games.contests.tournaments import selectors as selector
from games.contests.tournaments import services
from games.contests.tournaments import sweep as tournament_steps
from games.contests.tournaments.forms import (
    USUAL,
    BanForm,
    BotForm,
    CallOffForm,
    ContestForm,
    InterventionForm,
    PlayerForm,
    TournamentForm,
)
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
    """Show and process the form. `GET` fills it from the query string, or for htmx the part that it asks for."""
    page = "contests/tournaments/tournament_open.html"
    if request.method != "POST":
        part = f"#{request.htmx.target}" if request.htmx and request.htmx.target in ("game", "meaning") else ""
        asked = TournamentForm({**USUAL, **request.GET.dict(), "name": request.GET.get("name", "").strip() or "–"})
        return render(request, page + part, {"form": TournamentForm.asked_for(request.GET), **_meaning(asked)})
    form = TournamentForm(request.POST)
    if form.is_valid():
        try:
            return redirect(services.open_tournament(user=request.user, terms=form.terms))
        except GameError as refusal:
            form.add_error(None, str(refusal))
    return render(request, page, {"form": form, **_meaning(form)}, status=422)


def _meaning(form: TournamentForm) -> dict[str, Any]:
    """Return the outlook of the form, or its first error."""
    if form.is_valid():
        return {"terms": form.terms, "outlook": tournament_lists.outlook(form.terms)}
    return {"does_not_fit": next((errors[0] for errors in form.errors.values()), "")}


# One tournament


@never_cache
@require_safe
def tournament(request: Request, public_id: str) -> HttpResponse:
    return show(request, public_id)


def show(request: Request, public_id: str, invite: str = "") -> HttpResponse:
    """Render a tournament. `invite` is the token of the invitation link that led here."""
    try:
        shown = selector.tournament(
            public_id=public_id, reader=request.user, number=request.GET.get("round", ""),
            page=request.GET.get("page", ""), invite=invite,
        )  # fmt: skip
    except NotFound as unknown:
        raise Http404 from unknown
    rounds = selector.bracket(shown) if shown.is_knockout and shown.row.started_at else []
    league = team_selectors.league(shown.row, request.user, shown.shown_round) if shown.terms.is_for_teams else None
    context = {"shown": shown, "row": shown.row, "bracket": rounds, "invite": invite, "league": league}
    return render(request, "contests/tournaments/tournament.html", context)


def find(public_id: str) -> Tournament:
    """Return a tournament. Raises `Http404`."""
    row = Tournament.objects.select_related("organiser").filter(public_id=public_id).first()
    if row is None:
        raise Http404
    return row


def back(request: Request, row: Tournament, action: Callable[..., Any], said: str) -> HttpResponse:
    """Run a service for the user and return to the tournament with a message, or the refusal."""
    try:
        action(tournament=row, user=request.user)
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect(row)


@require_POST
@limited("join_table")
@login_required
def join(request: SignedInRequest, public_id: str) -> HttpResponse:
    row, invite = find(public_id), request.POST.get("invite", "")
    try:
        services.join(tournament=row, user=request.user, invite=invite)
    except GameError as refusal:
        messages.error(request, str(refusal))
        is_link = invite == row.invite_token  # stay there, because the page without it can no longer let them in
        return redirect("tournament_invited", public_id, invite) if is_link else redirect(row)
    messages.success(request, _("You have signed up. We’ll notify you when it starts."))
    return redirect(row)


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
    return back(request, row, services.leave, said)


# The organizer's page


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organise(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Show and run the organizer's actions. Those with lasting effects ask for confirmation first (`sure`)."""
    row = find(public_id)
    if not may_organise(row, request.user, Right.DECIDE):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(row)
    chosen = request.POST.get("form", "")
    plays = organising.plays_in(row, request.user)
    forms = _forms(row, request.POST if request.method == "POST" else None, chosen, plays=plays)
    if not is_owner(row, request.user):
        forms.pop("close", None)
    form = forms.get(chosen)
    if form and form.is_valid():
        if form.question and "sure" not in request.POST:
            typed = [(form.add_prefix(name), form[name].value()) for name in form.fields]
            context = {"row": row, "form": form, "chosen": chosen, "question": form.question, "fields": typed}
            return render(request, "contests/tournaments/tournament_sure.html", context)
        try:
            said = _do(row, form, request.user)
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, said)
            return redirect("organise_tournament", row.public_id)
    entered = team_season.entered(row)
    context = {
        "row": row, "terms": row.declared, "forms": forms, "entered": entered, "plays": plays,
        "can_start": row.is_open and tournament_steps.can_start(row.declared, entered),
        "fewest": tournament_steps.fewest(row.declared),
    }  # fmt: skip
    return render(request, "contests/tournaments/tournament_organise.html", context, status=422 if form else 200)


def _forms(row: Tournament, data: Any, chosen: str, *, plays: bool) -> dict[str, InterventionForm]:
    """Return the forms that apply now, with the chosen one bound to the submitted data.

    An organizer who plays only gets the form they submitted, to show the refusal.
    """
    entrants = tournament_lists.to_decide_on(row)
    found: dict[str, InterventionForm] = {}
    if (row.is_open or row.is_running) and (not plays or chosen == "player"):
        mine = data if chosen == "player" else None
        found["player"] = PlayerForm(mine, entrants=entrants, is_running=row.is_running)
    if row.is_running and (not plays or chosen == "contest"):
        matches = tournament_lists.matches_to_decide_on(row)
        found["contest"] = ContestForm(data if chosen == "contest" else None, matches=matches)
    if (row.is_open or row.is_running) and (not plays or chosen == "ban"):
        found["ban"] = BanForm(data if chosen == "ban" else None)
    if row.is_open:
        found["close"] = CallOffForm(data if chosen == "close" else None)
        if row.declared.bots and not row.declared.rated:
            found["bot"] = BotForm(data if chosen == "bot" else None)
    return found


def _do(row: Tournament, form: InterventionForm, user: User) -> str:
    """Run the action and return a message. Raises `GameError`."""
    wanted = form.cleaned_data
    if isinstance(form, BotForm):
        entrant = services.enter_bot(tournament=row, user=user, bot=wanted["bot"])
        return _("{name} is signed up.").format(name=entrant.name)
    if isinstance(form, CallOffForm):
        services.call_off(tournament=row, user=user, reason=wanted["reason"])
        return _("Tournament cancelled.")
    if isinstance(form, BanForm):
        banned = corrections.ban(of=row, by=user, **wanted)
        return _("{name} is banned from the tournament.").format(name=banned.what)
    how: dict[str, Any] = {"tournament": row, "by": user, "reason": wanted["reason"]}
    match wanted["what"]:
        case "extend":
            services.extend(**how, match=wanted["match"], days=wanted["days"] or 0)
            return _("Match extended.")
        case "annul":
            services.annul(**how, match=wanted["match"])
            return _("Match annulled.")
        case "replace":
            asked = services.replace(**how, entrant=wanted["entrant"], name=wanted["name"])
            words = _("We have asked {name}. {other} keeps playing until they accept.")
            return words.format(name=asked.user.username, other=asked.name)
    services.remove(**how, entrant=wanted["entrant"])
    return _("Player removed.")


@require_POST
@limited("organise")
@login_required
def start(request: SignedInRequest, public_id: str) -> HttpResponse:
    said = _("The tournament has started. The first round is paired.")
    return back(request, find(public_id), services.start, said)
