"""Pages of a match: the match, its organizer's decisions about it, and taking an intervention back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request, SignedInRequest
from empire.web.limits import limited
from games.contests import corrections, interventions
from games.contests.leagues.views import sure
from games.contests.matches import selectors
from games.contests.matches.forms import AnnulForm, AwardForm, MatchForm, ReasonForm
from games.contests.matches.selectors import MatchView
from games.contests.models import Intervention, InterventionKind
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotFound
from games.notices.outbox.words import enumerated


@never_cache
@require_safe
def match(request: Request, pk: int) -> HttpResponse:
    return render(request, "contests/matches/match.html", {"shown": _found(request, pk)})


def _found(request: Request, pk: int) -> MatchView:
    try:
        return selectors.match(pk, request.user)
    except NotFound as unknown:
        raise Http404 from unknown


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: SignedInRequest, pk: int) -> HttpResponse:
    """Decide or annul a match, after a question. A refusal shows the match as it is now, with what was entered."""
    shown = _found(request, pk)
    if not shown.may_organise:
        messages.error(request, _("Only the organizer can do this."))
        return redirect("match", pk)
    action = request.POST.get("action", "")
    fresh = {"version": shown.match.version}
    award = AwardForm(request.POST if action == "award" else None, seats=shown.seats, initial=fresh)
    annul = AnnulForm(request.POST if action == "annul" else None, initial=fresh)
    form: MatchForm | None = {"award": award, "annul": annul}.get(action)
    if form is not None and form.is_valid():
        if "sure" not in request.POST:
            kept = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
            return sure(request, *_question(shown, form), reverse("decide_match", args=[pk]), kept | {"sure": "yes"})
        try:
            said = _carry_out(request, shown, form)
        except GameError as refusal:
            form.add_error(None, str(refusal))
            now = request.POST.copy()  # the next attempt is made on the match as it is now
            now["version"] = str(_found(request, pk).match.version)
            form.data = now
        else:
            messages.success(request, said)
            return redirect("match", pk)
    plays = interventions.plays_in(shown.of, request.user)
    page = {"shown": shown, "award": award, "annul": annul, "plays": plays}
    return render(request, "contests/matches/decide.html", page, status=422 if form else 200)


def _carry_out(request: SignedInRequest, shown: MatchView, form: MatchForm) -> str:
    """Run the service of the form. Return a message. Raises `GameError`."""
    reason, version = form.cleaned_data["reason"], form.cleaned_data["version"]
    if isinstance(form, AwardForm):
        corrections.award(
            match=shown.match, by=request.user, places=form.places, reason=reason, expected=version
        )  # fmt: skip
        return _("The match is decided. We have notified its players.")
    if shown.match.pool.tournament is not None:
        tournaments.annul(
            tournament=shown.match.pool.tournament, match=shown.match.pk, by=request.user, reason=reason,
            expected=version,
        )  # fmt: skip
    else:
        interventions.annul(match=shown.match, by=request.user, reason=reason, expected=version)
    return _("Match annulled.")


def _question(shown: MatchView, form: MatchForm) -> tuple[str, list[str], str]:
    """Return the heading, sentences and button that ask whether the organizer is sure."""
    sentences = []
    if isinstance(form, AwardForm):
        names = [one.entrant.name for one in form.seats]
        placed = sorted(zip(form.places, names, strict=True))
        result = enumerated([_("{name} in place {place}").format(name=name, place=place) for place, name in placed])
        heading, button = _("Decide {match}?").format(match=shown.title), _("Decide match")
        sentences.append(_("The result will be: {result}.").format(result=result))
        sentences.append(_("Standings change at once. If it is rated, the ratings of its players and of everyone they "
                           "have met since are worked out again."))  # fmt: skip
    else:
        heading, button = _("Annul {match}?").format(match=shown.title), _("Annul match")
        sentences.append(_("It counts for nobody in the standings. Ratings keep the result of its game."))
    if shown.match.state == "playing":
        sentences.append(_("Its game continues, but only for its players."))
    if shown.match.pool.tournament is not None:
        sentences.append(_("In a knockout this changes who advances. Once the next round has begun, it is final."))
    sentences.append(_("We notify its players, and everyone can read your reason: “{reason}”").format(
        reason=form.cleaned_data["reason"]))  # fmt: skip
    return heading, sentences, button


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask for a reason, then take an intervention back."""
    rows = Intervention.objects.select_related("season__league", "tournament", "by", "undone_by", "match", "person")
    row = rows.filter(pk=pk).first()
    of = (row.season or row.tournament) if row else None
    if row is None or of is None:
        raise Http404
    if not selectors.may_organise(of, request.user):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(of)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            corrections.undo(intervention=row, by=request.user, reason=form.cleaned_data["reason"])
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Taken back. We have notified everyone concerned."))
            return redirect("match", row.match_id) if row.match_id else redirect(of)
    context = {
        "row": row, "of": of, "form": form, "can_undo": selectors.undoable(row),
        "consequences": selectors.consequences(row), "kind": InterventionKind(row.kind),
    }  # fmt: skip
    return render(request, "contests/matches/undo.html", context, status=422 if form.is_bound else 200)
