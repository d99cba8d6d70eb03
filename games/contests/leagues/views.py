"""Pages of leagues: the list, the home of a league, its seasons and divisions, and the members' actions."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest
from empire.web.limits import limited
from games.contests.leagues import divisions, selectors, services
from games.contests.leagues.sweep import PUT_OFF
from games.contests.models import League, Season
from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.terms.declaration import Terms
from games.errors import GameError, NotFound


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    return render(request, "contests/leagues/leagues.html", {"leagues": selectors.leagues(request.user)})


@never_cache
@require_safe
def league(request: Request, slug: str) -> HttpResponse:
    try:
        shown = selectors.home(slug=slug, reader=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "contests/leagues/league.html", {"home": shown, "paces": services.AT_ONCE})


@never_cache
@require_safe
def season(request: Request, slug: str, number: int) -> HttpResponse:
    """Show a season. `page` selects a page of its divisions, `tier` the page of a tier."""
    page, tier = request.GET.get("page"), request.GET.get("tier", "")
    try:
        shown = selectors.season(slug=slug, number=number, reader=request.user, page=page, tier=tier)
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "contests/leagues/season.html", {"shown": shown})


@never_cache
@require_safe
def division(request: Request, slug: str, number: int, tier: int, division: int) -> HttpResponse:
    try:
        found, standing = selectors.division(
            slug=slug, number=number, tier=tier, division=division, reader=request.user
        )  # fmt: skip
    except NotFound as unknown:
        raise Http404 from unknown
    context = {
        "season": found, "standing": standing, "interventions": divisions.interventions(found, standing.pool),
        "may_organise": selectors.may_organise(found.league, request.user),
    }  # fmt: skip
    return render(request, "contests/leagues/division.html", context)


# Actions. Refusals return to the league with a message; those with lasting effects ask for confirmation.


def known(request: Request, slug: str) -> League:
    """Return a league. Raises `Http404`, also for unpublished leagues of others."""
    try:
        return selectors.find(slug, request.user)
    except NotFound as unknown:
        raise Http404 from unknown


def known_season(slug: str, number: int) -> Season:
    """Return a season. Raises `Http404`."""
    try:
        return selectors.find_season(slug, number)
    except NotFound as unknown:
        raise Http404 from unknown


def back(request: Request, slug: str, action: Callable[[], Any], said: str = "") -> HttpResponse:
    """Run an action and return to the league with a message: `said`, or else what the action returns, or a refusal."""
    try:
        done = action()
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said or done)
    return redirect("league", slug)


def sure(
    request: Request, heading: str, sentences: list[str], button: str, home: str, kept: dict[str, Any] | None = None
) -> HttpResponse:
    """Ask for confirmation. `kept` are the fields that the button sends again."""
    context = {"heading": heading, "sentences": sentences, "button": button, "home": home, "kept": kept}
    return render(request, "contests/leagues/league_sure.html", context)


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: SignedInRequest, slug: str) -> HttpResponse:
    """Join the league. A GET request, as after signing in, shows the league with its button again."""
    found = known(request, slug)
    if request.method != "POST":
        return redirect(found)
    pace = wished(request)
    return back(
        request, slug, lambda: services.what_follows(services.join(league=found, user=request.user, at_once=pace))
    )  # fmt: skip


def wished(request: Request) -> int | None:
    """Return the chosen number of matches at a time. Invalid input becomes 0, which is refused."""
    wish = request.POST.get("at_once", "")
    return None if not wish else int(wish) if wish.isascii() and wish.isdigit() and len(wish) < 3 else 0


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: SignedInRequest, slug: str) -> HttpResponse:
    found = known(request, slug)
    if request.method != "POST":
        words = [_("You won’t be signed up for any more seasons. You keep your results and badges.")]
        heading = _("Leave {league}?").format(league=found.name)
        return sure(request, heading, words, _("Leave league"), found.get_absolute_url())
    said = _("You have left the league.")
    return back(request, slug, lambda: services.leave(league=found, user=request.user), said)


@require_POST
@limited("join_table")
@login_required
def rest(request: SignedInRequest, slug: str) -> HttpResponse:
    found, rests = known(request, slug), request.POST.get("rests") == "yes"
    return back(
        request, slug, lambda: services.what_follows(services.rest(league=found, user=request.user, rests=rests))
    )  # fmt: skip


@require_POST
@limited("join_table")
@login_required
def wish(request: SignedInRequest, slug: str) -> HttpResponse:
    found, said = known(request, slug), _("Your pace is saved.")
    return back(request, slug, lambda: services.wish(league=found, user=request.user, at_once=wished(request)), said)


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def drop_out(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    known(request, slug)
    found = known_season(slug, number)
    if request.method != "POST":
        words = [
            _("Your finished matches this season count. You can’t rejoin the season."),
            _("A bot plays your remaining matches, unless a late joiner takes over your place.")
            if found.declared.drop_outs == "bot"
            else _("All your unfinished matches are annulled."),
            _("You stay a member of the league. If you only need a few days off, take a vacation instead."),
        ]
        heading = _("Drop out of season {n}?").format(n=number)
        return sure(request, heading, words, _("Drop out"), reverse("league", args=[slug]))
    said = _("You have dropped out of this season.")
    return back(request, slug, lambda: services.drop_out(season=found, user=request.user), said)


@require_POST
@limited("organise")
@login_required
def open_league(request: SignedInRequest, slug: str) -> HttpResponse:
    found, said = known(request, slug), _("Sign-up is open. Everyone can now see this page, so you can share it.")
    return back(request, slug, lambda: services.open_league(league=found, user=request.user), said)


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: SignedInRequest, slug: str) -> HttpResponse:
    found = known(request, slug)
    if request.method != "POST":
        words = [_("A running season continues to its end. A season that is still open for sign-up is cancelled.")]
        words += [_("There will be no more seasons, and you can’t reopen the league. Its pages stay.")]
        heading = _("Close {league}?").format(league=found.name)
        return sure(request, heading, words, _("Close league"), found.get_absolute_url())
    said = _("The league is closed.")
    return back(request, slug, lambda: services.close_league(league=found, user=request.user), said)


@require_safe
def rules(request: Request) -> HttpResponse:
    """Explain leagues, with the actual limits."""
    context = {"tie_breaks": TIE_BREAKS.values(), "usual": Terms(name=""), "put_off": PUT_OFF}
    return render(request, "help/leagues.html", context)
