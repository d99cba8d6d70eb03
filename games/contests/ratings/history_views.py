"""Score histories of oneself, other players and bots, as pages and as files."""

import csv
import json
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import Request, SignedInRequest
from accounts.models import User
from empire.web.limits import limited
from games.bots.registry import BOTS
from games.contests.leagues import badges_shown as badges
from games.contests.models import RatedPlayer
from games.contests.ratings import charts as pictures
from games.contests.ratings import history as selector
from games.contests.ratings import score_files
from games.contests.ratings.forms import HistoryForm
from games.contests.ratings.history import Person
from games.contests.ratings.score_files import COLUMNS
from games.errors import GameError
from games.tables.selectors.rights import Reader
from games.tables.services import blocking

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # characters that make spreadsheets compute a formula


@never_cache
@login_required
@require_safe
def history(request: SignedInRequest) -> HttpResponse:
    return shown(request, Person(request.user), "tables/history.html")


@never_cache
@require_safe
def player(request: Request, username: str) -> HttpResponse:
    """Show a player's page."""
    person, rated = known_player(username, request.user)
    if person.username != username:
        return redirect(person, permanent=False)
    card = None if request.GET else badges.card(person)  # only next to the whole history
    return shown(request, Person(person, rated=rated), "accounts/player.html", person=person, card=card)


@require_POST
@login_required
@limited("challenge")
def block(request: SignedInRequest, username: str) -> HttpResponse:
    """Block the player, or unblock them with `undo`."""
    person, _rated = known_player(username, request.user)
    try:
        if "undo" in request.POST:
            blocking.unblock(user=request.user, name=person.username)
        else:
            blocking.block(user=request.user, blocked=person)
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect(person)


@never_cache
@require_safe
def bot(request: Request, bot: str) -> HttpResponse:
    return shown(request, known_bot(bot), "contests/ratings/bot.html", bot=BOTS[bot], most=selector.OF_BOTS)


def known_player(name: str, reader: Reader) -> tuple[User, list[RatedPlayer]]:
    found = selector.player(name, reader)
    if found is None:
        raise Http404
    return found


def known_bot(slug: str) -> Person:
    if slug not in BOTS:
        raise Http404
    return Person(bot=slug)


def shown(request: Request, whose: Person, template: str, **more: Any) -> HttpResponse:
    form = HistoryForm(request.GET)
    found = selector.history(person=whose, reader=request.user, wish=form.wish, page=request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {"history": found, "form": form, "query": query.urlencode(), "pictures": pictures.pictures(found), **more}
    return render(request, template, context, status=422 if form.errors else 200)


@never_cache
@require_safe
@limited("api", reading=True)
def player_file(request: Request, username: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    return as_file(request, Person(known_player(username, request.user)[0]), kind)


@never_cache
@require_safe
@limited("api", reading=True)
def bot_file(request: Request, bot: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    return as_file(request, known_bot(bot), kind)


def as_file(request: Request, whose: Person, kind: str) -> HttpResponse | StreamingHttpResponse:
    """Return everything that the page would list, as CSV or JSON."""
    wanted = selector.wanted(whose, request.user, HistoryForm(request.GET).wish)
    rows = score_files.rows(whose, wanted, lambda path: settings.SITE_URL + path)
    headers = {"Content-Disposition": f'attachment; filename="scores.{kind}"'}
    if kind == "json":
        return HttpResponse(json.dumps(list(rows), indent=1), content_type="application/json", headers=headers)
    return StreamingHttpResponse(lines(rows), content_type="text/csv; charset=utf-8", headers=headers)


class Echo:
    """A file for the CSV writer whose `write` returns the text instead of storing it."""

    def write(self, text: str) -> str:
        return text


def lines(rows: Any) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow([cell(row[column]) for column in COLUMNS])


def cell(value: Any) -> str:
    """Return a value as a spreadsheet cell: lists joined with semicolons, and nothing that is computed as a formula."""
    words = text(value)
    return f"'{words}" if words.startswith(FORMULAS) and not isinstance(value, int) else words


def text(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(text, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return "" if value is None else str(value)
