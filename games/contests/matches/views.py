"""Pages of a match: the match, its organizer's decisions about it, and undoing an intervention."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request, SignedInRequest
from empire.web.limits import limited
from games.contests import corrections, interventions
from games.contests.leagues.views import confirm, league_or_404
from games.contests.matches import selectors
from games.contests.matches.forms import AnnulForm, AwardForm, ExtendForm, MatchForm, ReasonForm
from games.contests.matches.selectors import MatchView
from games.contests.models import Intervention, InterventionKind, League, Tournament
from games.contests.pairing.formats import KINDS
from games.contests.tournaments import services as tournaments
from games.contests.tournaments.views import tournament_or_404
from games.errors import GameError, Over
from games.notices.outbox.words import enumerated

ON_A_PAGE = 50


@never_cache
@require_safe
def match(request: Request, pk: int) -> HttpResponse:
    shown = selectors.match(pk, request.user)
    undoable = corrections.undoable(shown.interventions, interventions.competition_of(shown.of), request.user)
    return render(request, "contests/matches/match.html", {"shown": shown, "undoable": undoable})


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: SignedInRequest, pk: int) -> HttpResponse:
    """Decide, annul or extend a match. The first two ask for confirmation first.

    After a refusal, the page shows the match as it is now, and keeps what was typed.
    """
    shown = selectors.match(pk, request.user)
    if not shown.may_organize:
        messages.error(request, _("Only the organizer can do this."))
        return redirect("match", pk)
    action = request.POST.get("action", "")
    fresh = {"version": shown.match.version}
    award = AwardForm(request.POST if action == "award" else None, seats=shown.seats, initial=fresh)
    annul = AnnulForm(request.POST if action == "annul" else None, initial=fresh)
    extend = ExtendForm(request.POST if action == "extend" else None, initial=fresh)
    form: MatchForm | None = {"award": award, "annul": annul, "extend": extend}.get(action)
    if form is not None and form.is_valid():
        try:
            if "sure" not in request.POST and not isinstance(form, ExtendForm):  # nobody loses anything by more time
                _need_to_decide(request, shown, form)
                fields = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
                url = reverse("decide_match", args=[pk])
                return confirm(request, *_question(shown, form), url, fields | {"sure": "yes"})
            message = _carry_out(request, shown, form)
        except GameError as refusal:
            form.add_error(None, str(refusal))
            data = request.POST.copy()  # the next attempt is made on the match as it is now
            data["version"] = str(selectors.match(pk, request.user).match.version)
            form.data = data
        else:
            messages.success(request, message)
            return redirect("match", pk)
    context = {"shown": shown, "award": award, "annul": annul, "extend": extend}
    return render(request, "contests/matches/decide.html", context, status=422 if form else 200)


def _need_to_decide(request: SignedInRequest, shown: MatchView, form: MatchForm) -> None:
    """Raise `GameError` if the service would refuse this decision, before the user is asked to confirm it."""
    interventions.need_not_playing(shown.of, request.user)
    if shown.why_final:
        raise Over(shown.why_final)
    interventions.need_version(shown.match, form.cleaned_data["version"])


def _carry_out(request: SignedInRequest, shown: MatchView, form: MatchForm) -> str:
    """Run the service of the form. Return a message. Raises `GameError`."""
    reason, version = form.cleaned_data["reason"], form.cleaned_data["version"]
    if isinstance(form, AwardForm):
        corrections.award(
            match=shown.match, by=request.user, places=form.places, reason=reason, expected=version
        )  # fmt: skip
        return _("The match is decided. We have notified its players.")
    decision: dict[str, Any] = {"by": request.user, "reason": reason, "expected": version}
    if isinstance(form, ExtendForm):
        decision["days"] = form.cleaned_data["days"]
    tournament = shown.match.pool.tournament
    if tournament is not None:
        in_tournament = tournaments.extend if isinstance(form, ExtendForm) else tournaments.annul
        in_tournament(tournament=tournament, match=shown.match.pk, **decision)
    else:
        in_season = interventions.extend if isinstance(form, ExtendForm) else interventions.annul
        in_season(match=shown.match, **decision)
    return _("Match extended.") if isinstance(form, ExtendForm) else _("Match annulled.")


def _question(shown: MatchView, form: MatchForm) -> tuple[str, list[str], str]:
    """Return the heading, sentences and button of the page that asks for confirmation."""
    sentences = []
    if isinstance(form, AwardForm):
        names = [seat.entrant.name for seat in form.seats]
        by_place = sorted(zip(form.places, names, strict=True))
        result = enumerated([_("{name} in place {place}").format(name=name, place=place) for place, name in by_place])
        heading, button = _("Decide {match}?").format(match=shown.title), _("Decide match")
        sentences.append(_("The result will be: {result}.").format(result=result))
        sentences.append(
            _(
                "Standings change immediately. If the match is rated, the ratings of its players and of everyone they"
                " have met since are recalculated."
            )
        )
    else:
        heading, button = _("Annul {match}?").format(match=shown.title), _("Annul match")
        sentences.append(
            _("The match doesn’t count in the standings. The result of its game still counts for ratings.")
        )
    if shown.match.state == "playing":
        sentences.append(_("Its game continues, but no longer affects this competition."))
    tournament = shown.match.pool.tournament
    if tournament is not None and KINDS[tournament.declared.format].has_bracket:
        if isinstance(form, AnnulForm):
            sentences.append(_("The better seed advances."))
        sentences.append(_("This changes who advances. Once the next round has started, it is final."))
    sentences.append(_("We notify its players, and everyone can read your reason: “{reason}”").format(
        reason=form.cleaned_data["reason"]))  # fmt: skip
    return heading, sentences, button


# All interventions of a league or tournament, and undoing one


@never_cache
@require_safe
def league_interventions(request: Request, slug: str) -> HttpResponse:
    return _interventions(request, league_or_404(request, slug))


@never_cache
@require_safe
def tournament_interventions(request: Request, public_id: str) -> HttpResponse:
    return _interventions(request, tournament_or_404(public_id))


def _interventions(request: Request, competition: League | Tournament) -> HttpResponse:
    """List all interventions, of a league those of all seasons, after the bans that are in force."""
    page = Paginator(selectors.interventions_in(competition), ON_A_PAGE).get_page(request.GET.get("page"))
    bans = interventions.bans(competition).select_related("by", "season", "undone_by", "pool", "match").order_by("-pk")
    shown_bans = list(bans) if page.number == 1 else []
    undoable = corrections.undoable([*shown_bans, *page], competition, request.user)
    context = {"competition": competition, "page": page, "bans": shown_bans, "undoable": undoable}
    return render(request, "contests/matches/interventions.html", context)


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask for a reason, then undo an intervention."""
    rows = Intervention.objects.select_related("season__league", "tournament", "by", "undone_by", "match", "person")
    intervention = rows.filter(pk=pk).first()
    scope = (intervention.season or intervention.tournament) if intervention else None
    if intervention is None or scope is None:
        raise Http404
    if not selectors.may_organize(scope, request.user):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(scope)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            corrections.undo(intervention=intervention, by=request.user, reason=form.cleaned_data["reason"])
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Intervention undone. We have notified everyone involved."))
            return redirect("match", intervention.match_id) if intervention.match_id else redirect(scope)
    context = {
        "intervention": intervention, "scope": scope, "form": form,
        "why_not": corrections.why_not_undo(intervention, scope, request.user),
        "consequences": selectors.consequences(intervention), "kind": InterventionKind(intervention.kind),
    }  # fmt: skip
    return render(request, "contests/matches/undo.html", context, status=422 if form.is_bound else 200)
