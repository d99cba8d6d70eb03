"""Pages of results: the rating list of a game, its statistics, and histories, also as files."""

from typing import Any

import msgspec
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import Request, SignedInRequest, whole_number
from accounts.models import User
from empire.web.limits import limited
from games.bots.registry import BOTS, current
from games.contests.achievements import selectors as achievements
from games.contests.leagues import badges
from games.contests.models import RatedPlayer
from games.contests.ratings import calibration as calibrations
from games.contests.ratings import charts, model
from games.contests.ratings import history as histories
from games.contests.ratings import selectors as selector
from games.contests.ratings import statistics as figures
from games.contests.ratings.forms import HistoryForm
from games.contests.ratings.history import Person
from games.errors import GameError
from games.rules.registry import RULESETS
from games.tables.selectors import reviews
from games.tables.selectors.rights import Reader
from games.tables.services import blocking


@require_safe
def index(request: Request) -> HttpResponse:
    return redirect("ratings", next(iter(RULESETS)))


@require_safe
def ratings(request: Request, ruleset: str) -> HttpResponse:
    sizes_or_404(ruleset)
    query = request.GET
    shown = selector.ranking(
        ruleset=ruleset,
        reader=request.user,
        page=query.get("page"),
        unsure=query.get("provisional"),
        size=query.get("size"),
    )
    repeats: dict[str, Any] = {"at_open": selector.repeats(listed=True), "at_private": selector.repeats(listed=False)}
    repeats["full_game"] = number_format(model.FULL_GAME, 1)
    return render(
        request, "contests/ratings/ratings.html", {"ranking": shown, "rulesets": RULESETS.values(), **repeats}
    )


@require_safe
def statistics_index(request: Request) -> HttpResponse:
    return redirect("statistics", next(iter(RULESETS)))


@require_safe
def calibration(request: Request, ruleset: str) -> HttpResponse:
    """Show predicted results next to the actual ones."""
    sizes_or_404(ruleset)
    shown = calibrations.calibration(ruleset)
    context = {
        "calibration": shown,
        "rules": RULESETS[ruleset],
        "picture": charts.reliability(shown.deciles),
        "fewest": calibrations.FEWEST,
        "rulesets": RULESETS.values(),
    }
    return render(request, "contests/ratings/calibration.html", context)


@require_safe
def statistics(request: Request, ruleset: str) -> HttpResponse:
    counts = sizes_or_404(ruleset)
    wanted = whole_number(request.GET.get("players", ""), digits=2)
    players = counts[0] if wanted is None else wanted
    if players not in counts:
        raise Http404
    band = request.GET.get("band", "")
    if band not in figures.BANDS:
        raise Http404
    shown = figures.statistics(ruleset=ruleset, players=players, band=band)
    context = {
        "statistics": shown, "counts": counts, "bands": figures.BANDS.items(), "few": figures.FEWEST,
        "rulesets": RULESETS.values(),
    }  # fmt: skip
    return render(request, "contests/ratings/statistics.html", context)


@require_safe
def records(request: Request, ruleset: str) -> HttpResponse:
    sizes_or_404(ruleset)
    context = {"records": achievements.records(ruleset), "rulesets": RULESETS.values()}
    return render(request, "contests/achievements/records.html", context)


def sizes_or_404(ruleset: str) -> tuple[int, ...]:
    """Return how many players the game is for. Raises `Http404` if there is no such game."""
    if ruleset not in RULESETS:
        raise Http404
    return RULESETS[ruleset].seat_counts


# Histories of oneself, other players and bots


@never_cache
@login_required
@require_safe
def history(request: SignedInRequest) -> HttpResponse:
    return render_history(request, Person(request.user), "tables/history.html")


@never_cache
@require_safe
def player(request: Request, username: str) -> HttpResponse:
    """Show a player's page."""
    person, rated = player_or_404(username, request.user)
    if person.username != username:
        return redirect(person, permanent=False)
    card = None if request.GET else badges.card(person)  # only next to the whole history
    shelf = None if request.GET else achievements.shelf(person, request.user)
    reviewed = [] if request.GET else charts.of_tallies(reviews.of_player(person, request.user))
    more: dict[str, Any] = {
        "card": card, "shelf": shelf, "reviewed": reviewed,
        "estimates": selector.estimates(person) if person.is_bot else [],
    }  # fmt: skip
    return render_history(request, Person(person, rated=rated), "accounts/player.html", person=person, **more)


@require_POST
@login_required
@limited("challenge")
def block(request: SignedInRequest, username: str) -> HttpResponse:
    """Block the player, or unblock them with `undo`."""
    person, _rated = player_or_404(username, request.user)
    try:
        if "undo" in request.POST:
            blocking.unblock(user=request.user, name=person.username)
        elif message := blocking.about_closed(blocking.block(user=request.user, blocked=person)):
            messages.info(request, message)
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect(person)


@never_cache
@require_safe
def bot(request: Request, bot: str) -> HttpResponse:
    return render_history(request, bot_or_404(bot), "contests/ratings/bot.html", bot=BOTS[bot], most=histories.OF_BOTS)


def player_or_404(name: str, reader: Reader) -> tuple[User, list[RatedPlayer]]:
    player_and_ratings = histories.player(name, reader)
    if player_and_ratings is None:
        raise Http404
    return player_and_ratings


def bot_or_404(slug: str) -> Person:
    if slug not in BOTS:
        raise Http404
    return Person(bot=current(slug))


def render_history(request: Request, whose: Person, template: str, **more: Any) -> HttpResponse:
    """Render a page with the history of a person or bot, filtered as the reader chose."""
    form = HistoryForm(request.GET)
    history = histories.history(person=whose, reader=request.user, filters=form.filters, page=request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "history": history, "form": form, "query": query.urlencode(), "pictures": charts.pictures(history), **more,
    }  # fmt: skip
    return render(request, template, context, status=422 if form.errors else 200)


@never_cache
@require_safe
@limited("scores", reading=True)
def player_file(request: Request, username: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    return as_file(request, Person(player_or_404(username, request.user)[0]), kind)


@never_cache
@require_safe
@limited("scores", reading=True)
def bot_file(request: Request, bot: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    return as_file(request, bot_or_404(bot), kind)


def as_file(request: Request, whose: Person, kind: str) -> HttpResponse | StreamingHttpResponse:
    """Return everything that the page would list, as CSV or JSON."""
    scores = histories.filtered_scores(whose, request.user, HistoryForm(request.GET).filters)
    rows = histories.rows(whose, scores, lambda path: settings.SITE_URL + path, request.user)
    headers = {"Content-Disposition": f'attachment; filename="scores.{kind}"'}
    if kind == "json":
        content = msgspec.json.format(msgspec.json.encode(list(rows)), indent=1)  # in a tenth of the time of `json`
        return HttpResponse(content, content_type="application/json", headers=headers)
    return StreamingHttpResponse(histories.csv_lines(rows), content_type="text/csv; charset=utf-8", headers=headers)
