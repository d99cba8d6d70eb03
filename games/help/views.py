"""Help pages: the rules and cards of each game, how clocks work, and how to check that a game was fair."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import takewhile

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.clocks.clock import HOURS_A_DAY, LAST_TURNS, LONGEST, parse
from games.clocks.nights import AWAKE, LONGEST_NIGHT, WORKING, Nights, Window, nights_after, weekends_after
from games.clocks.running import NIGHT, VACATION, WEEKEND, Explanation, explain, spent
from games.clocks.spans import Span
from games.clocks.vacations import DAYS_A_YEAR, Vacation, pause
from games.clocks.zones import DAY, dates, days, local_date, zone
from games.help import glossary, pages, ruling
from games.help.families import parts_of
from games.notices.outbox.words import enumerated
from games.rules.protocol import Ruleset
from games.rules.registry import RULESETS
from games.tables.services.deadlines import FEW_TURNS, IN_A_ROW
from games.tables.services.handover import MOST_A_DAY, MOST_A_GAME
from games.tables.views.clocks import pause_words

EMBLEMS_KEPT = int(timedelta(days=1).total_seconds())

# The worked example on the clocks page: a two-day turn, day by day, computed with the real clock code

ZONE = "Europe/Berlin"
CLOCK = parse("move 2d weekends-off")
NIGHTS = Nights(ZONE, Window(time(23), time(7)))
BEGINS = datetime(2026, 11, 19, 18, tzinfo=zone(ZONE))
AWAY = Vacation(date(2026, 11, 24), date(2026, 11, 24), ZONE, BEGINS)
RUNS, OVER = "runs", "over"

WIDTH = 284  # width of a day
LEFT, TOP, ROW = 68, 22, 30


@dataclass(frozen=True)
class Piece:
    """A stretch of a day in the picture. `kind`: the clock runs or stops, or the turn has not begun or is over."""

    kind: str
    x: float
    width: float


@dataclass(frozen=True)
class Row:
    """A day, and how many hours of the time limit have been counted by its end."""

    day: date
    y: int
    pieces: tuple[Piece, ...]
    hours: int


@dataclass(frozen=True)
class Timeline:
    """The picture. `begins` and `ends` are the x positions of the marks for the start and the deadline."""

    why: Explanation
    rows: tuple[Row, ...]
    begins: float
    ends: float

    @property
    def height(self) -> int:
        return TOP + ROW * len(self.rows)

    @property
    def hours(self) -> list[tuple[int, float]]:
        """The hours marked along the top, with their x positions."""
        return [(hour, LEFT + WIDTH * hour / 24) for hour in range(0, 25, 6)]

    @property
    def last(self) -> Row:
        return self.rows[-1]


def kinds() -> list[tuple[str, str]]:
    """Return each fill pattern with its meaning."""
    return [
        (RUNS, _("your clock runs")), (NIGHT, _("night")), (WEEKEND, _("weekend")), (VACATION, _("vacation")),
    ]  # fmt: skip


def timeline() -> Timeline:
    why = explain(CLOCK, CLOCK.at_start, BEGINS, NIGHTS, [AWAY])
    turn, here = Span(why.since, why.deadline), zone(ZONE)
    first, last = local_date(here, turn.begins), local_date(here, turn.ends)
    rows = []
    for number, day in enumerate(takewhile(lambda day: day <= last, dates(first))):
        whole = days(here, day)
        layers = (  # in drawing order: reasons that count first are drawn last, on top
            (OVER, [whole]),
            (RUNS, [turn]),
            (NIGHT, _of(nights_after(NIGHTS, whole.begins), whole, turn)),
            (WEEKEND, _of(weekends_after(NIGHTS, whole.begins), whole, turn)),
            (VACATION, [pause(AWAY).within(turn)]),
        )
        pieces = []
        for kind, spans in layers:
            for part in [span.within(whole) for span in spans]:
                if part.length:
                    pieces.append(Piece(kind, _x(whole, part.begins), round(WIDTH * (part.length / DAY), 1)))
        counted = spent(CLOCK, turn.begins, min(whole.ends, turn.ends), NIGHTS, [AWAY])
        rows.append(Row(day, TOP + number * ROW, tuple(pieces), round(counted / timedelta(hours=1))))
    return Timeline(why, tuple(rows), _x(days(here, first), turn.begins), _x(days(here, last), turn.ends))


def _of(spans: Iterable[Span], day: Span, wait: Span) -> list[Span]:
    return [span.within(wait) for span in takewhile(lambda span: span.begins < day.ends, spans)]


def _x(day: Span, moment: datetime) -> float:
    return round(LEFT + WIDTH * ((moment - day.begins) / day.length), 1)


# The pages

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
