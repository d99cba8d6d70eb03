"""The organizer's page of a tournament: starting or calling it off, adding bots, and interventions."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import SignedInRequest
from empire.web.limits import limited
from games.contests import interventions as organising
from games.contests.models import Tournament
from games.contests.tournaments import lists as selector
from games.contests.tournaments import services
from games.contests.tournaments import sweep as tournament_steps
from games.contests.tournaments.intervention_forms import (
    ANNUL,
    EXTEND,
    REPLACE,
    BotForm,
    CallOffForm,
    ContestForm,
    PlayerForm,
)
from games.contests.tournaments.views import back, find
from games.errors import GameError

Forms = Mapping[str, Form]


NOT_YOURS = gettext_lazy("Only the organizer can do this.")


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organise(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Show and run the organizer's actions. Those with lasting effects ask for confirmation first (`sure`)."""
    row = find(public_id)
    if not services.is_organiser(row, request.user):
        messages.error(request, NOT_YOURS)
        return redirect(row)
    chosen = request.POST.get("form", "")
    plays = organising.plays_in(row, request.user)
    forms = _forms(row, request.POST if request.method == "POST" else None, chosen, plays=plays)
    form = forms.get(chosen)
    if form is None or not form.is_valid():
        return _page(request, row, forms, plays=plays, status=422 if form else 200)
    question = "" if "sure" in request.POST else _question(form)
    if question:
        context = {"row": row, "form": form, "chosen": chosen, "question": question, "fields": _typed(form)}
        return render(request, "contests/tournaments/tournament_sure.html", context)
    try:
        said = _do(row, form, request)
    except GameError as refusal:
        form.add_error(None, str(refusal))
        return _page(request, row, forms, plays=plays, status=422)
    messages.success(request, said)
    return redirect("organise_tournament", row.public_id)


def _forms(row: Tournament, data: Any, chosen: str, *, plays: bool) -> dict[str, Form]:
    """Return the forms that apply now, with the chosen one bound to the submitted data.

    An organizer who plays only gets the form they submitted, to show the refusal.
    """
    entrants = selector.to_decide_on(row)
    found: dict[str, Form] = {}
    if (row.is_open or row.is_running) and (not plays or chosen == "player"):
        mine = data if chosen == "player" else None
        found["player"] = PlayerForm(mine, entrants=entrants, is_running=row.is_running)
    if row.is_running and (not plays or chosen == "contest"):
        matches = selector.matches_to_decide_on(row)
        found["contest"] = ContestForm(data if chosen == "contest" else None, matches=matches)
    if row.is_open:
        found["close"] = CallOffForm(data if chosen == "close" else None)
        if row.declared.bots and not row.declared.rated:
            found["bot"] = BotForm(data if chosen == "bot" else None)
    return found


def _page(request: SignedInRequest, row: Tournament, forms: Forms, *, plays: bool, status: int = 200) -> HttpResponse:
    entered = row.entrants.count()
    context = {
        "row": row, "terms": row.declared, "forms": forms, "entered": entered, "plays": plays,
        "can_start": row.is_open and tournament_steps.can_start(row.declared, entered),
        "fewest": tournament_steps.fewest(row.declared),
    }  # fmt: skip
    return render(request, "contests/tournaments/tournament_organise.html", context, status=status)


def _question(form: Form) -> str:
    """Return the confirmation question, or an empty text if none is needed."""
    if isinstance(form, CallOffForm):
        return _("Cancel the tournament? We tell everyone who signed up why.")
    if isinstance(form, ContestForm) and form.cleaned_data["what"] == ANNUL:
        return _("Annul “{contest}”? It counts for nobody. You can’t undo this.").format(contest=form.contest)
    if isinstance(form, PlayerForm) and form.cleaned_data["what"] != REPLACE:
        return _("Remove {name}? You can’t undo this.").format(name=form.player)
    return ""


def _typed(form: Form) -> list[tuple[str, str]]:
    return [(form.add_prefix(name), form[name].value()) for name in form.fields]


def _do(row: Tournament, form: Form, request: SignedInRequest) -> str:
    """Run the action and return a message. Raises `GameError`."""
    wanted, user = form.cleaned_data, request.user
    if isinstance(form, BotForm):
        entrant = services.enter_bot(tournament=row, user=user, bot=wanted["bot"])
        return _("{name} is signed up.").format(name=entrant.name)
    if isinstance(form, CallOffForm):
        services.call_off(tournament=row, user=user, reason=wanted["reason"])
        return _("Tournament cancelled.")
    if isinstance(form, ContestForm):
        return _decide_contest(row, wanted, request)
    return _decide_player(row, wanted, request)


def _decide_contest(row: Tournament, wanted: Mapping[str, Any], request: SignedInRequest) -> str:
    of: dict[str, Any] = {"tournament": row, "match": wanted["match"], "by": request.user}
    if wanted["what"] == EXTEND:
        services.extend(**of, days=wanted["days"] or 0, reason=wanted["reason"])
        return _("Match extended.")
    services.annul(**of, reason=wanted["reason"])
    return _("Match annulled.")


def _decide_player(row: Tournament, wanted: Mapping[str, Any], request: SignedInRequest) -> str:
    of: dict[str, Any] = {"tournament": row, "entrant": wanted["entrant"], "by": request.user}
    if wanted["what"] == REPLACE:
        asked = services.replace(**of, name=wanted["name"], reason=wanted["reason"])
        words = _("We have asked {name}. {other} keeps playing until they accept.")
        return words.format(name=asked.user.username, other=asked.name)
    services.remove(**of, reason=wanted["reason"])
    return _("Player removed.")


@require_POST
@limited("organise")
@login_required
def start(request: SignedInRequest, public_id: str) -> HttpResponse:
    row = find(public_id)
    action: Callable[[], Any] = lambda: services.start(tournament=row, user=request.user)  # noqa: E731
    return back(request, row, action, _("The tournament has started. The first round is paired."))
