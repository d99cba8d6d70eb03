"""The organizers' pages: the rules text and announcements of a league or tournament, and who organizes it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest, posted_id
from empire.web.limits import limited
from games.contests.leagues import views as leagues
from games.contests.models import League, LeagueState
from games.contests.organizers import Competition, Right, acts_as_staff, is_owner, rights_of
from games.contests.organizing import co_organizers, markup, selectors, services
from games.contests.organizing.forms import AnnouncementForm, HelperForm, RulesForm, SuccessorForm
from games.contests.tournaments import views as tournaments
from games.errors import GameError


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_words(request: SignedInRequest, slug: str) -> HttpResponse:
    return _words(request, leagues.league_or_404(request, slug))


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_words(request: SignedInRequest, public_id: str) -> HttpResponse:
    return _words(request, tournaments.tournament_or_404(public_id))


def _words(request: SignedInRequest, competition: Competition) -> HttpResponse:
    """Show the page and run its actions. `look` shows how a rules text will look, without saving it."""
    rights = rights_of(competition, request.user)
    if not rights & {Right.SETTINGS, Right.ANNOUNCE}:
        messages.error(request, _("Only the organizer can do this."))
        return redirect(competition)
    action = request.POST.get("action", "")
    is_rules = action in ("rules", "look")
    rules = RulesForm(
        request.POST if is_rules else None, initial={"text": competition.rules_text}, auto_id="id_rules_%s"
    )
    news = AnnouncementForm(request.POST if action == "announce" else None, auto_id="id_news_%s")
    preview = ""
    try:
        if action == "rules" and rules.is_valid():
            services.write_rules(competition=competition, by=request.user, text=rules.cleaned_data["text"])
            messages.success(request, _("Rules text saved."))
            return redirect(competition)
        if action == "announce" and news.is_valid():
            services.announce(competition=competition, by=request.user, text=news.cleaned_data["text"])
            messages.success(request, _("Announced. Everyone who takes part is notified."))
            return redirect(competition)
        if action == "look" and rules.is_valid():
            preview = markup.html(rules.cleaned_data["text"])
    except GameError as refusal:
        (rules if is_rules else news).add_error("text", str(refusal))
    context: dict[str, Any] = {
        "competition": competition, "rights": rights, "rules": rules, "news": news, "preview": preview,
        "announcements": selectors.announcements(competition),
    }  # fmt: skip
    return render(request, "contests/words.html", context, status=422 if rules.errors or news.errors else 200)


# Co-organizers, and handing over


@never_cache
@limited("ask")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_organizers(request: SignedInRequest, slug: str) -> HttpResponse:
    league = League.objects.filter(slug=slug).select_related("organizer").first()
    if league is None:
        raise Http404
    return _organizers(request, league)


@never_cache
@limited("ask")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_organizers(request: SignedInRequest, public_id: str) -> HttpResponse:
    return _organizers(request, tournaments.tournament_or_404(public_id))


def _organizers(request: SignedInRequest, competition: Competition) -> HttpResponse:
    """Show the organizers to those who are, or are asked to be, organizers. From others, hide unpublished leagues."""
    shown, action = selectors.shown_organizers(competition, request.user), request.POST.get("action", "")
    if not shown.is_owner and shown.own_row is None:
        if isinstance(competition, League) and competition.state == LeagueState.DRAFT:
            raise Http404
        if action in ("withdraw", "decline"):  # the first of two taps ended their part in it
            return redirect(competition)
        messages.error(request, _("Only the organizer can do this."))
        return redirect(competition)
    helper = HelperForm(request.POST if action == "help" else None, auto_id="id_help_%s")
    successor = SuccessorForm(
        request.POST if action == "offer" else None, auto_id="id_offer_%s",
        as_staff=acts_as_staff(competition, request.user),
    )  # fmt: skip
    message = ""
    try:
        match action:
            case "help" if helper.is_valid():
                organizer = co_organizers.ask_to_help(competition=competition, by=request.user, **helper.cleaned_data)
                asked = _("We have asked {name}.").format(name=organizer.user.username)
                message = _("Saved.") if organizer.accepted_at else asked
            case "offer" if successor.is_valid():
                user = co_organizers.offer(competition=competition, by=request.user, **successor.cleaned_data).user
                message = _("We have asked {name}. Nothing changes until they accept.").format(name=user.username)
            case "withdraw":
                co_organizers.withdraw(competition=competition, by=request.user, user=posted_id(request, "user"))
                message = _("You no longer organize this.")
                if shown.is_owner:
                    message = _("Done. They no longer organize this.")
                if shown.is_owner and competition.declared.invite_only:
                    message += " " + _(
                        "They may know the invitation link. You can create a new one under “Invite players”."
                    )
            case "notices-on" | "notices-off":
                message = co_organizers.choose_notices(
                    competition=competition, user=request.user, is_notified=action == "notices-on"
                )
            case "accept" | "decline":
                message = co_organizers.answer(
                    competition=competition, user=request.user, accepts=action == "accept",
                    question=request.POST.get("question", ""),
                )  # fmt: skip
    except GameError as refusal:
        if action in ("help", "offer"):
            (helper if action == "help" else successor).add_error(None, str(refusal))
        else:
            messages.error(request, str(refusal))
            return redirect(request.path)
    if message:
        messages.success(request, message)
        if is_owner(competition, request.user):
            return redirect(request.path)
        return redirect(
            "leagues" if isinstance(competition, League) and competition.state == LeagueState.DRAFT else competition
        )
    context = {
        "competition": competition, "organizers": shown, "helper": helper, "successor": successor,
        "rights": Right.choices, "question": co_organizers.question_to(shown.own_row) if shown.own_row else "",
        "too_new": co_organizers.why_too_new(request.user),
    }  # fmt: skip
    status = 422 if helper.errors or successor.errors else 200
    return render(request, "contests/organizers.html", context, status=status)
