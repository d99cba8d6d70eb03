"""Pages of duplicate play, and the form for opening a duplicate."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest, form_digest
from accounts.models import User
from empire.web import limits
from empire.web.limits import limited
from games.contests.duplicates import selectors, services
from games.contests.duplicates.services import FEWEST, MOST
from games.errors import GameError, NotFound
from games.rules.registry import RULESETS
from games.tables.forms.game import USUAL_GAME, nearest, number_of
from games.tables.forms.pace import CLOCKS
from games.tables.models.game import USUAL_CLOCK
from games.tables.selectors.options import short_name

TABLES = [(count, str(count)) for count in range(FEWEST, MOST + 1)]


class DuplicateForm(forms.Form):
    """The form for opening a duplicate. The numbers of players depend on the game.

    `filled_in` has values to begin with, such as those of the page on which someone has chosen another game.
    """

    ruleset = forms.ChoiceField(label=_("Game"))
    players = forms.TypedChoiceField(label=_("Players per table"), coerce=int)
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

    def __init__(self, data: Mapping[str, Any] | None = None, *, filled_in: Mapping[str, str]) -> None:
        rules = RULESETS.get((data or filled_in).get("ruleset", ""), RULESETS[USUAL_GAME])
        number = nearest(rules.seat_counts, number_of(filled_in.get("players", "")))
        initial = {name: filled_in[name] for name in self.base_fields if name in filled_in}
        super().__init__(data, initial={**initial, "ruleset": rules.slug, "players": number})
        ruleset, players = self.fields["ruleset"], self.fields["players"]
        assert isinstance(ruleset, forms.ChoiceField) and isinstance(players, forms.ChoiceField)
        ruleset.choices = [(slug, short_name(slug)) for slug in RULESETS]
        players.choices = [(count, str(count)) for count in rules.seat_counts]
        players.error_messages["invalid_choice"] = gettext(
            "%(game)s can’t be played with that many players. Choose another number."
        ) % {"game": gettext(rules.name)}

    @property
    def others(self) -> list[forms.BoundField]:
        """Return the fields that don't depend on the game."""
        return [field for field in self if field.name not in ("ruleset", "players")]


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    context = {
        "open": selectors.open_duplicates(request.user), "running": selectors.running_duplicates(request.user),
        "ended": selectors.ended_duplicates(),
    }  # fmt: skip
    return render(request, "contests/duplicates/duplicates.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("open_table")
def open_duplicate(request: SignedInRequest) -> HttpResponse:
    """Show the form, for htmx only the numbers of players, or open the duplicate."""
    form = DuplicateForm(request.POST if request.method == "POST" else None, filled_in=request.GET)
    if request.htmx and request.method != "POST":
        return render(request, "contests/duplicates/open_duplicate.html#players", {"form": form})
    if form.is_valid():
        if wait := limits.wait_for(request, "public_table"):
            return limits.too_often(request, wait)
        try:
            return redirect(services.open_duplicate(user=request.user, form=form_digest(request), **form.cleaned_data))
        except GameError as refusal:
            form.add_error(None, str(refusal))
    return render(
        request, "contests/duplicates/open_duplicate.html", {"form": form}, status=422 if form.errors else 200
    )


@never_cache
@require_safe
def duplicate_page(request: Request, public_id: str) -> HttpResponse:
    shown = selectors.duplicate_of(public_id=public_id, reader=request.user)
    link = settings.SITE_URL + shown.duplicate.get_absolute_url()
    return render(request, "contests/duplicates/duplicate.html", {"shown": shown, "link": link})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("join_table")
def join(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Join the duplicate. A GET request, as after signing in, shows the duplicate with its button again."""
    if request.method != "POST":
        return redirect("duplicate", public_id)

    def take_a_seat(user: User) -> None:
        if services.join(public_id=public_id, user=user).is_running:  # before that, the page itself says so
            messages.success(request, gettext("You have joined."))

    return change(request, public_id, take_a_seat)


@login_required
@require_POST
def leave(request: SignedInRequest, public_id: str) -> HttpResponse:
    message = gettext("You have left the duplicate.")
    return change(request, public_id, lambda user: services.leave(public_id=public_id, user=user), message)


def change(
    request: SignedInRequest, public_id: str, action: Callable[[User], object], message: str = ""
) -> HttpResponse:
    """Run an action and return to the duplicate with `message`, if any, or the refusal."""
    try:
        action(request.user)
    except NotFound:
        raise
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        if message:
            messages.success(request, message)
    return redirect("duplicate", public_id)
