"""Help pages: the rules and cards of each game, how clocks work, and how to check that a game was fair."""

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.clocks.clock import HOURS_A_DAY, LONGEST
from games.clocks.reliability import LAST
from games.clocks.rest import AWAKE, LONGEST_NIGHT, WORKING
from games.clocks.vacations import DAYS_A_YEAR
from games.clocks.zones import DAY
from games.help import glossary, pages, ruling, timeline
from games.help.families import parts_of
from games.notices.outbox.words import enumerated as listed
from games.rules.protocol import Ruleset
from games.rules.registry import RULESETS
from games.tables.services.deadlines import FEW_TURNS, IN_A_ROW
from games.tables.services.handover import MOST_A_DAY, MOST_A_GAME
from games.tables.views.clocks import rest_words

AN_HOUR = timedelta(hours=1)
LIMITS = {
    "longest": LONGEST // HOURS_A_DAY, "night": LONGEST_NIGHT // AN_HOUR, "awake": AWAKE // AN_HOUR,
    "working": WORKING // DAY, "vacation": DAYS_A_YEAR, "in_a_row": IN_A_ROW, "turns": LAST, "few": FEW_TURNS,
    "given_a_game": MOST_A_GAME, "given_a_day": MOST_A_DAY,
}  # fmt: skip


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "help/index.html", {"rulesets": RULESETS.values()})


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    ruleset = known(slug)
    return render(request, f"help/{slug}.html", {"ruleset": ruleset, "page": pages.rules_page(ruleset)})


@require_safe
def cards(request: HttpRequest, slug: str) -> HttpResponse:
    ruleset = known(slug)
    if not glossary.of_kind(slug, "card"):
        raise Http404
    family = parts_of(slug)
    context = {"ruleset": ruleset, "family": family, "groups": family.card_groups(slug)}
    return render(request, "help/cards.html", context)


def known(slug: str) -> Ruleset:
    if slug not in RULESETS:
        raise Http404
    return RULESETS[slug]


@require_safe
def clocks(request: HttpRequest) -> HttpResponse:
    """Show how clocks work, with the limits taken from the code."""
    example = timeline.timeline()
    rests = listed(list(rest_words(example.why.parts)))
    context = {"limits": LIMITS, "timeline": example, "rests": rests, "kinds": timeline.kinds()}
    return render(request, "help/clocks.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "help/about.html", {"rulings": ruling.RULINGS})
