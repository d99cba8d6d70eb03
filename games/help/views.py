"""Help pages: the rules and cards of each game, how clocks work, and how to check that a game was fair."""

import re
from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.clocks.clock import HOURS_A_DAY, LAST_TURNS, LONGEST
from games.clocks.nights import AWAKE, LONGEST_NIGHT, WORKING
from games.clocks.vacations import DAYS_A_YEAR
from games.clocks.zones import DAY
from games.help import glossary, pages, ruling
from games.help.families import parts_of
from games.help.timeline import kinds, timeline
from games.notices.outbox.words import enumerated
from games.rules.protocol import Ruleset
from games.rules.registry import RULESETS
from games.tables.pages.clocks import pause_words
from games.tables.services.deadlines import FEW_TURNS, IN_A_ROW
from games.tables.services.handover import MOST_A_DAY, MOST_A_GAME

EMBLEMS_KEPT = int(timedelta(days=1).total_seconds())

PUBLIC_ID = re.compile(r"[\w-]{1,40}", re.ASCII)
AN_HOUR = timedelta(hours=1)
LIMITS = {
    "longest": LONGEST // HOURS_A_DAY, "night": LONGEST_NIGHT // AN_HOUR, "awake": AWAKE // AN_HOUR,
    "working": WORKING // DAY, "vacation": DAYS_A_YEAR, "in_a_row": IN_A_ROW, "turns": LAST_TURNS, "few": FEW_TURNS,
    "given_a_game": MOST_A_GAME, "given_a_day": MOST_A_DAY,
}  # fmt: skip


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "help/index.html", {"rulesets": RULESETS.values()})


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of a game. `table` is the table that the reader comes from and can go back to."""
    ruleset, table = ruleset_or_404(slug), request.GET.get("table", "")
    context = {
        "ruleset": ruleset,
        "page": pages.rules_page(ruleset),
        "table": reverse("table", args=[table]) if PUBLIC_ID.fullmatch(table) else "",
    }
    return render(request, f"help/{slug}.html", context)


@require_safe
def cards(request: HttpRequest, slug: str) -> HttpResponse:
    ruleset = ruleset_or_404(slug)
    if not glossary.of_kind(slug, "card"):
        raise Http404
    family = parts_of(slug)
    context = {"ruleset": ruleset, "family": family, "groups": family.card_groups(slug)}
    return render(request, "help/cards.html", context)


@cache_control(public=True, max_age=EMBLEMS_KEPT)
@require_safe
def emblem(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw a game in miniature, for lists of tables whose board is not laid out yet."""
    return HttpResponse(parts_of(ruleset_or_404(slug).slug).emblem(slug), content_type="image/svg+xml")


def ruleset_or_404(slug: str) -> Ruleset:
    if slug not in RULESETS:
        raise Http404
    return RULESETS[slug]


@require_safe
def clocks(request: HttpRequest) -> HttpResponse:
    """Show how clocks work, with the limits taken from the code."""
    example = timeline()
    pauses = enumerated(list(pause_words(example.why.parts)))
    context = {"limits": LIMITS, "timeline": example, "pauses": pauses, "kinds": kinds()}
    return render(request, "help/clocks.html", context)


@require_safe
def fair_play(request: HttpRequest) -> HttpResponse:
    return render(request, "help/fair_play.html", {"rulings": ruling.RULINGS})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show who runs the site and what it stores. Name and contact come from the settings."""
    contact = settings.OPERATOR_CONTACT
    context = {"operator": settings.OPERATOR, "contact": contact, "contact_words": contact.removeprefix("mailto:")}
    return render(request, "help/about.html", context)
