"""The desk page: games that wait for the player, and all their other games."""

from collections.abc import Iterable

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from accounts.services import needs_confirming
from games.home import desk as selector
from games.tables.selectors import full_game, listed
from games.tables.selectors.listed import DeskGame
from games.tables.views.lobby import invitation_url


@never_cache
@login_required
@require_safe
def desk(request: SignedInRequest) -> HttpResponse:
    """Show the whole page, or for htmx only the part that changes."""
    shown = selector.desk(user=request.user)
    latest = listed.latest([*shown.mine, *shown.others])

    def with_news(games: Iterable[DeskGame]) -> list[tuple[DeskGame, listed.News | None]]:
        return [(one, latest.get(one.game.pk)) for one in games]

    context = {
        "desk": shown,
        "waiting_count": len(shown.mine),
        "needs_confirming": needs_confirming(request),
        "mine": with_news(shown.mine),
        "others": with_news(shown.others),
        "open": [(one, one.game.players - len(one.seats), invitation_url(one.game)) for one in shown.open],
        "full_games": full_game.running([*shown.mine, *shown.others]),
    }
    return render(request, "home/desk.html#tables" if request.htmx else "home/desk.html", context)
