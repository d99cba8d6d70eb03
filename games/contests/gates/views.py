"""The organizer's page about who may enter, and the invitation link, for leagues and tournaments."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request, SignedInRequest, posted_id
from empire.web.limits import limited
from games.contests.gates import conditions, services
from games.contests.gates.forms import NamesForm, PairForm
from games.contests.leagues import views as leagues
from games.contests.models import Apart, League
from games.contests.organizers import Competition, Right, key_of, may_organize
from games.contests.tournaments import views as tournaments
from games.errors import GameError


@never_cache
@require_safe
def league_invited(request: Request, slug: str, token: str) -> HttpResponse:
    """Show a league to someone who has its invitation link."""
    _need_token(leagues.league_or_404(request, slug), token)
    return leagues.show(request, slug, invite=token)


@never_cache
@require_safe
def tournament_invited(request: Request, public_id: str, token: str) -> HttpResponse:
    """Show a tournament to someone who has its invitation link."""
    _need_token(tournaments.tournament_or_404(public_id), token)
    return tournaments.show(request, public_id, invite=token)


def _need_token(competition: Competition, token: str) -> None:
    """Raise `Http404` for a wrong or renewed link, as for a page that does not exist."""
    if not secrets.compare_digest(token.encode(), competition.invite_token.encode()):
        raise Http404


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_gate(request: SignedInRequest, slug: str) -> HttpResponse:
    league = leagues.league_or_404(request, slug)
    return _gate(request, league, reverse("league_invited", args=[slug, league.invite_token]))


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_gate(request: SignedInRequest, public_id: str) -> HttpResponse:
    tournament = tournaments.tournament_or_404(public_id)
    return _gate(request, tournament, reverse("tournament_invited", args=[public_id, tournament.invite_token]))


def _gate(request: SignedInRequest, competition: Competition, link: str) -> HttpResponse:
    """Show and change the list and the link. `action` is the button pressed."""
    if not may_organize(competition, request.user, Right.SETTINGS):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(competition)
    action = request.POST.get("action", "")
    form = NamesForm(request.POST if action == "admit" else None)
    pair = PairForm(request.POST if action == "apart" else None)
    try:
        match action:
            case "admit" if form.is_valid():
                n = services.admit(competition=competition, by=request.user, names=form.cleaned_data["names"])
                message = ngettext("{n} player was added to the list.", "{n} players were added to the list.", n)
                messages.success(request, message.format(n=n))
                return redirect(request.path)
            case "apart" if pair.is_valid():
                services.keep_apart(competition=competition, by=request.user, names=list(pair.cleaned_data.values()))
                messages.success(request, _("They won’t be paired from now on."))
                return redirect(request.path)
            case "meet":
                services.let_meet(competition=competition, by=request.user, pair=posted_id(request, "pair"))
                messages.success(request, _("They can be paired again."))
                return redirect(request.path)
            case "take_off":
                services.take_off(competition=competition, by=request.user, user=posted_id(request, "user"))
                messages.success(request, _("The player was removed from the list."))
                return redirect(request.path)
            case "renew":
                services.renew_link(competition=competition, by=request.user)
                messages.success(request, _("There is a new link. The old one no longer works."))
                return redirect(request.path)
    except GameError as refusal:
        if not form.is_bound and not pair.is_bound:
            messages.error(request, str(refusal))
            return redirect(request.path)
        (form if form.is_bound else pair).add_error(None, str(refusal))
    people = conditions.admitted(competition).select_related("user").order_by("user__username")
    context: dict[str, Any] = {
        "competition": competition, "form": form, "pair": pair, "people": people,
        "apart": Apart.objects.filter(**key_of(competition)).select_related("first", "second").order_by("pk"),
        "link": settings.SITE_URL + link,
        "terms": competition.declared, "is_league": isinstance(competition, League),
    }  # fmt: skip
    return render(request, "contests/gate.html", context, status=422 if form.errors or pair.errors else 200)
