"""Pages of duplicate play, and the form for opening a duplicate."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest
from accounts.models import User
from empire.web.limits import limited
from games.contests.duplicates import selectors, services
from games.contests.duplicates.services import FEWEST, MOST
from games.errors import GameError, NotFound
from games.rules.registry import RULESETS
from games.tables.forms.game import USUAL_GAME
from games.tables.forms.pace import CLOCKS
from games.tables.models.game import USUAL_CLOCK
from games.tables.selectors.options import short_name

TABLES = [(count, str(count)) for count in range(FEWEST, MOST + 1)]


class DuplicateForm(forms.Form):
    ruleset = forms.ChoiceField(label=_("Game"), initial=USUAL_GAME)
    players = forms.TypedChoiceField(label=_("Players per table"), coerce=int, initial=2)
    tables = forms.TypedChoiceField(label=_("Tables"), choices=TABLES, coerce=int, initial=FEWEST)
    clock = forms.ChoiceField(label=_("Time per turn"), choices=CLOCKS, initial=USUAL_CLOCK)
    starts_at = forms.DateTimeField(
        label=_("Start (optional)"), required=False,
        help_text=_(
            "If seats are still free at the start, players are moved to fewer tables and bots fill the empty seats. "
            "Without a start time, the duplicate waits up to 14 days for players."
        ),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )  # fmt: skip
    full = forms.BooleanField(label=_("Full games of three games each, highest total wins"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        counts = sorted({count for rules in RULESETS.values() for count in rules.seat_counts})
        self.fields["ruleset"].choices = [(slug, short_name(slug)) for slug in RULESETS]  # type: ignore[attr-defined]
        self.fields["players"].choices = [(count, str(count)) for count in counts]  # type: ignore[attr-defined]


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    context = {
        "open": selectors.open_duplicates(), "running": selectors.running_duplicates(),
        "ended": selectors.ended_duplicates(),
    }  # fmt: skip
    return render(request, "contests/duplicates/duplicates.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("open_table")
def open_duplicate(request: SignedInRequest) -> HttpResponse:
    form = DuplicateForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(services.open_duplicate(user=request.user, **form.cleaned_data))
        except GameError as refusal:
            form.add_error(None, str(refusal))
    return render(
        request, "contests/duplicates/open_duplicate.html", {"form": form}, status=422 if form.errors else 200
    )


@never_cache
@require_safe
def duplicate_page(request: Request, public_id: str) -> HttpResponse:
    try:
        shown = selectors.duplicate_of(public_id=public_id, reader=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    link = settings.SITE_URL + shown.duplicate.get_absolute_url()
    return render(request, "contests/duplicates/duplicate.html", {"duplicate": shown, "link": link})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("join_table")
def join(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Join the duplicate. A GET request, as after signing in, shows the duplicate with its button again."""
    if request.method != "POST":
        return redirect("duplicate", public_id)
    return change(
        request, public_id, lambda user: services.join(public_id=public_id, user=user), gettext("You have joined.")
    )


@login_required
@require_POST
def leave(request: SignedInRequest, public_id: str) -> HttpResponse:
    said = gettext("You have left the duplicate.")
    return change(request, public_id, lambda user: services.leave(public_id=public_id, user=user), said)


def change(request: SignedInRequest, public_id: str, action: Callable[[User], object], said: str) -> HttpResponse:
    """Run an action and return to the duplicate with a message: `said`, or the refusal."""
    try:
        action(request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect("duplicate", public_id)
