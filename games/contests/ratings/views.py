"""Public pages: the rating list of a game, and its statistics."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.http import Request
from games.contests.ratings import selectors as selector
from games.rules.registry import RULESETS


@require_safe
def index(request: Request) -> HttpResponse:
    return redirect("ratings", next(iter(RULESETS)))


@require_safe
def ratings(request: Request, ruleset: str) -> HttpResponse:
    known(ruleset)
    shown = selector.ranking(ruleset=ruleset, reader=request.user, page=request.GET.get("page"))
    repeats = {"at_open": selector.repeats(is_open=True), "at_private": selector.repeats(is_open=False)}
    return render(
        request, "contests/ratings/ratings.html", {"ranking": shown, "rulesets": RULESETS.values(), **repeats}
    )


@require_safe
def statistics(request: Request, ruleset: str) -> HttpResponse:
    counts = known(ruleset)
    wanted = request.GET.get("players", "")
    players = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else counts[0]
    if players not in counts:
        raise Http404
    shown = selector.statistics(ruleset=ruleset, players=players)
    context = {"statistics": shown, "counts": counts, "rulesets": RULESETS.values()}
    return render(request, "contests/ratings/statistics.html", context)


def known(ruleset: str) -> tuple[int, ...]:
    """Return how many players the game is for. Raises `Http404` if there is no such game."""
    if ruleset not in RULESETS:
        raise Http404
    return RULESETS[ruleset].seat_counts
