"""The page of the webhooks of a league or tournament, for its organizers."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest, posted_id
from accounts.proof import need_recent_proof
from empire.web import limits
from empire.web.limits import limited
from games.contests.leagues import views as leagues
from games.contests.models import CompetitionHook, Post, Subject
from games.contests.organizers import Competition, Right, key_of, may_organize
from games.contests.tournaments import views as tournaments
from games.contests.webhooks import services
from games.errors import GameError
from games.notices.models import Format

LISTED = 15  # posts of each webhook


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("URL"), max_length=1000,
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Starts with https://. Anyone who knows it can post to your channel, so we keep it secret."
        ),
    )  # fmt: skip
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=Format, widget=forms.RadioSelect)
    subjects = forms.MultipleChoiceField(
        label=gettext_lazy("We post"), choices=Subject.choices, initial=Subject.values,
        widget=forms.CheckboxSelectMultiple, error_messages={"required": gettext_lazy("Choose what to post.")},
    )  # fmt: skip


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_webhooks(request: SignedInRequest, slug: str) -> HttpResponse:
    return _webhooks(request, leagues.league_or_404(request, slug))


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_webhooks(request: SignedInRequest, public_id: str) -> HttpResponse:
    return _webhooks(request, tournaments.tournament_or_404(public_id))


def _webhooks(request: SignedInRequest, competition: Competition) -> HttpResponse:
    """Show the webhooks with their latest posts, and run the page's actions."""
    if not may_organize(competition, request.user, Right.SETTINGS):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(competition)
    action, pk = request.POST.get("action", ""), posted_id(request, "hook")
    if action == "add":
        need_recent_proof(request)
    form = WebhookForm(request.POST if action == "add" else None)
    calls_host = action == "test" or (action == "add" and form.is_valid())
    if calls_host and (wait := limits.wait_for(request, "channels")):
        return limits.too_often(request, wait)
    message = ""
    try:
        match action:
            case "add" if form.is_valid():
                hook = services.add(competition=competition, by=request.user, **form.cleaned_data)
                message = _("Added the webhook to %(host)s. Send a test to make sure it works.") % {"host": hook.host}
            case "change":
                message = services.change(
                    competition=competition, by=request.user, pk=pk, subjects=request.POST.getlist("subjects")
                )
            case "test":
                message = services.test(competition=competition, by=request.user, pk=pk)
            case "revive":
                message = services.revive(competition=competition, by=request.user, pk=pk)
            case "remove":
                message = services.remove(competition=competition, by=request.user, pk=pk)
    except GameError as refusal:
        if action != "add":
            messages.error(request, str(refusal))
            return redirect(request.path)
        form.add_error("url", str(refusal))
    if message:
        messages.success(request, message)
        return redirect(request.path)
    hooks: list[tuple[CompetitionHook, list[Post]]] = [
        (hook, list(Post.objects.filter(hook=hook).select_related("match", "pool").order_by("-pk")[:LISTED]))
        for hook in CompetitionHook.objects.filter(**key_of(competition)).order_by("pk")
    ]
    context: dict[str, Any] = {
        "competition": competition, "form": form, "hooks": hooks, "subjects": Subject.choices,
        "is_full": len(hooks) >= services.MOST,
    }  # fmt: skip
    return render(request, "contests/webhooks.html", context, status=422 if form.errors else 200)
