"""The desk with all games of a player, the lobby, and the page for a request to replace another player."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request, SignedInRequest
from accounts.services import address_to_confirm, asks_to_confirm
from games.contests import interventions as contest_interventions
from games.contests.seeks import selectors as seeks
from games.contests.tournaments import lists as tournaments
from games.errors import GameError
from games.home import desk as selector
from games.home.filters import MANY, DeskFilter, LobbyFilter
from games.rules.registry import RULESETS
from games.tables.models import Replacement
from games.tables.models.absence import ReplacementAnswer
from games.tables.selectors import full_game, listed, rights
from games.tables.selectors.listed import DeskGame
from games.tables.services import interventions
from games.tables.services import replacement as replacements
from games.tables.views.lobby import invitation_url


def waiting(request: HttpRequest) -> dict[str, Any]:
    """Return the template context of every page, read in one query and only if a page uses it.

    `waiting_count` is the number of games that wait for the reader, `is_looking` whether they search for a game.
    """
    counted = cache(lambda: selector.menu(request.user))
    return {
        "waiting_count": SimpleLazyObject(lambda: counted()[0]),
        "is_looking": SimpleLazyObject(lambda: counted()[1]),
    }


@never_cache
@login_required
@require_safe
def desk(request: SignedInRequest) -> HttpResponse:
    """Show the whole page, filtered and sorted by the query, or for htmx only the part that changes."""
    form = DeskFilter(request.GET)
    most_finished = selector.FINISHED if form.is_narrow else selector.FEW_FINISHED
    whole = selector.desk(user=request.user, finished=most_finished)
    narrowed = form.narrowed(whole, timezone.now())
    finished = narrowed.finished[: selector.SHOWN_FINISHED]
    latest = listed.latest([*narrowed.mine, *narrowed.others])

    def with_news(games: Iterable[DeskGame]) -> list[tuple[DeskGame, listed.LatestEntry | None]]:
        return form.ordered([(desk_game, latest.get(desk_game.game.pk)) for desk_game in games])

    context = {
        "desk": narrowed,
        "form": form,
        "can_filter": form.query or len(whole.mine) + len(whole.others) > MANY,
        "waiting_count": len(whole.mine),
        "is_looking": whole.seek is not None,
        "looking_for": seeks.games_of(whole.seek) if whole.seek else [],
        "address_to_confirm": address_to_confirm(request),
        "asks_to_confirm": lambda: asks_to_confirm(request),  # only if the whole page is rendered, with its messages
        "is_on_vacation": lambda: bool(rights.away([request.user], timezone.now())),  # only for the whole page
        "mine": with_news(narrowed.mine),
        "others": with_news(narrowed.others),
        "open": [
            (desk_game, desk_game.game.players - len(desk_game.seats), invitation_url(desk_game.game))
            for desk_game in narrowed.open
        ],
        "full_games": full_game.sums([*narrowed.mine, *narrowed.others, *finished]),
        "finished": finished,
    }
    return render(request, "home/desk.html#tables" if request.htmx else "home/desk.html", context)


@never_cache
@require_safe
def lobby(request: Request) -> HttpResponse:
    """Show what one can join, start or watch right now; for htmx only the part that changes."""
    form = LobbyFilter(request.GET)
    tables = form.ordered(listed.open_tables(user=request.user, ruleset=form.chosen("game")))
    games = listed.running_games(ruleset=form.chosen("game"))
    ended = [] if games else listed.ended_games(ruleset=form.chosen("game"))
    seats = listed.seats_by_game([game.pk for game in [*games, *ended]])
    context = {
        "form": form, "can_filter": form.query or len(tables) > MANY, "open_tables": tables,
        "running": [(game, seats[game.pk]) for game in games],
        "ended": [(game, seats[game.pk]) for game in ended],
        "tournaments": tournaments.next_open(form.chosen("game")), "rulesets": list(RULESETS),
    }  # fmt: skip
    return render(request, "tables/lobby.html#tables" if request.htmx else "tables/lobby.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replacement(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask whether the reader takes over a seat or a place in a competition permanently."""
    rows = Replacement.objects.select_related("seat__game", "entrant__season__league", "entrant__tournament", "by")
    replacement = get_object_or_404(rows, pk=pk, user=request.user)
    scope = replacement.entrant and (replacement.entrant.season or replacement.entrant.tournament)
    onward, refusal, answer = redirect("desk"), "", request.POST.get("answer", "")
    try:
        if answer == "decline":
            replacements.decline(pk=pk, user=request.user)
            messages.success(request, _("Request declined."))
            return onward
        if answer == "accept":
            accept: Callable[..., object] = interventions.accept
            if replacement.seat_id is None:
                accept = contest_interventions.accept
            accept(pk=pk, user=request.user)
            messages.success(request, _("You have taken over. We’ll notify you when it’s your turn."))
            return onward
    except GameError as refused:
        refusal = str(refused)
        replacement = get_object_or_404(rows, pk=pk, user=request.user)  # it goes with an account that is deleted
    context = {
        "replacement": replacement,
        "scope": scope,
        "refusal": refusal,
        "is_open": replacement.answer == ReplacementAnswer.ASKED,
    }
    return render(request, "tables/replacement.html", context, status=409 if refusal else 200)
