"""Pages of ladders: viewing, joining and leaving, giving and answering challenges, and the history."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest, whole_number
from accounts.models import User
from empire.web.limits import limited
from games.contests.ladders import selectors, services
from games.contests.ladders.rungs import has_ladder, rung_of
from games.contests.leagues.views import is_refused, redirect_after
from games.contests.models import Challenge
from games.errors import GameError


@require_safe
def index(request: Request) -> HttpResponse:
    return redirect("ladder", selectors.ladders()[0].slug)


@never_cache
@require_safe
def ladder(request: Request, ruleset: str) -> HttpResponse:
    need_ladder(ruleset)
    shown = selectors.ladder(ruleset=ruleset, reader=request.user, page=request.GET.get("page"))
    return render(request, "contests/ladders/ladder.html", {"shown": shown, "rulesets": selectors.ladders()})


@never_cache
@require_safe
def climbs(request: Request, ruleset: str) -> HttpResponse:
    """Show the history, latest first. `player` filters it, and `before` pages it."""
    need_ladder(ruleset)
    name, before = request.GET.get("player", ""), whole_number(request.GET.get("before", ""))
    player = User.named(name) if name else None
    if name and player is None:
        raise Http404
    shown = selectors.climbs(ruleset=ruleset, player=player, before=before)
    return render(request, "contests/ladders/climbs.html", {"shown": shown, "rulesets": selectors.ladders()})


def need_ladder(ruleset: str) -> None:
    """Raise `Http404` if the game has no ladder."""
    if not has_ladder(ruleset):
        raise Http404


# Actions. Those with lasting effects ask for confirmation; refusals return to the ladder with a message.


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("challenge")
def join(request: SignedInRequest, ruleset: str) -> HttpResponse:
    need_ladder(ruleset)
    if request.method != "POST":
        ladder = selectors.find(ruleset)
        if ladder.pk and rung_of(ladder, request.user):
            messages.info(request, _("You are already on this ladder."))
            return redirect("ladder", ruleset)
        return render(request, "contests/ladders/ladder_join.html", {"ladder": ladder})

    def enter() -> str:
        if services.join(ruleset=ruleset, user=request.user).rung == 1:
            return _("You have joined the ladder. You are at the top until someone beats you.")
        return _("You have joined the ladder. Challenge someone above you.")

    return redirect_after(request, enter, "", "ladder", ruleset)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("challenge")
def leave(request: SignedInRequest, ruleset: str) -> HttpResponse:
    need_ladder(ruleset)
    if request.method != "POST":
        ladder = selectors.find(ruleset)
        if is_refused(request, lambda: services.need_to_leave(ladder, request.user)):
            return redirect("ladder", ruleset)
        return render(request, "contests/ladders/ladder_leave.html", {"ladder": ladder})
    message = _("You have left the ladder.")
    return redirect_after(
        request, lambda: services.leave(ruleset=ruleset, user=request.user), message, "ladder", ruleset
    )


@require_POST
@login_required
@limited("challenge")
def challenge(request: SignedInRequest, ruleset: str) -> HttpResponse:
    need_ladder(ruleset)
    player = request.POST.get("player", "")
    return redirect_after(
        request, lambda: services.challenge(ruleset=ruleset, user=request.user, player=player),
        _("You challenged %(player)s.") % {"player": player}, "ladder", ruleset,
    )  # fmt: skip


@require_POST
@login_required
@limited("challenge")
def accept(request: SignedInRequest, pk: int) -> HttpResponse:
    challenge = challenge_or_404(pk)
    try:
        return redirect(services.accept(pk=pk, user=request.user))
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect("ladder", challenge.ladder.ruleset)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("challenge")
def decline(request: SignedInRequest, pk: int) -> HttpResponse:
    challenge = challenge_or_404(pk)
    ruleset = challenge.ladder.ruleset
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_end(challenge, request.user, "challenged")):
            return redirect("ladder", ruleset)
        context = {"challenge": challenge, "ladder": challenge.ladder}
        return render(request, "contests/ladders/ladder_decline.html", context)
    message = _("Challenge declined. Your challenger takes your rung.")
    return redirect_after(request, lambda: services.decline(pk=pk, user=request.user), message, "ladder", ruleset)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("challenge")
def withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    challenge = challenge_or_404(pk)
    ruleset = challenge.ladder.ruleset
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_end(challenge, request.user, "challenger")):
            return redirect("ladder", ruleset)
        context = {"challenge": challenge, "ladder": challenge.ladder}
        return render(request, "contests/ladders/ladder_withdraw.html", context)
    message = _("Challenge withdrawn.")
    return redirect_after(request, lambda: services.withdraw(pk=pk, user=request.user), message, "ladder", ruleset)


def challenge_or_404(pk: int) -> Challenge:
    return get_object_or_404(Challenge.objects.select_related("ladder", "challenger", "challenged"), pk=pk)
