"""Pages to read: the rules of each game, and how to check that nobody cheats."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.rules.registry import RULESETS


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in RULESETS:
        raise Http404
    return render(request, f"rules/{slug}.html", {"ruleset": RULESETS[slug]})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/about.html")
