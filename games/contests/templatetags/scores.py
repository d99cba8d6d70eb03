"""Tags for scores and their sources. A page has dozens of each, so they are written without templates."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from urllib.parse import quote

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext

from empire.web.languages import display_name
from games.contests.duplicates import services as duplicates
from games.contests.models import Score
from games.contests.ratings.forms import HistoryForm
from games.contests.ratings.history import EndedContest, Person
from games.notices.outbox.words import enumerated
from games.rules.registry import get
from games.tables.selectors import options
from games.tables.templatetags.lists import written
from games.tables.templatetags.seats import miniature, seat_mark

register = template.Library()
register.simple_tag(options.short_name, name="short_name")
register.filter("enumerated", enumerated)


def signed(number: int) -> str:
    """Format a number with its sign: `+12`, `−7`, `±0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


@register.filter
def signed_tenths(number: float) -> str:
    """Format a number with its sign and one decimal: `+1.5`, `−0.5`, `±0.0`."""
    return duplicates.signed(number)


@register.simple_tag
def filter_fields(form: HistoryForm) -> SafeString:
    """Render the fields of the filter form. An empty form is the same for everyone and cached."""
    return _fields(form) if any(name in form.data for name in form.fields) else _empty_fields(get_language())


@lru_cache(maxsize=64)
def _empty_fields(_language: str | None) -> SafeString:
    return _fields(HistoryForm({}))


def _fields(form: HistoryForm) -> SafeString:
    return format_html_join("", "{}", ((render_to_string("empire/_field.html", {"field": field}),) for field in form))


@register.simple_tag
def scorers(contest: EndedContest, person: Person) -> SafeString:
    """Render all players with what they count, best place first. Others link to the history between the two."""
    shown = []
    for score in contest.scores:
        name: str = escape(display_name(score.name))
        won = " winner" if score.final_place == 1 else ""
        if score.pk != contest.score.pk and not person.has(score) and (score.user_id or score.bot):
            name = f'<a href="?against={quote(score.bot or score.name)}">{name}</a>'
        counted = getattr(score, "counted", None)  # the points of other games are their own
        points = (
            "" if contest.hides_points else f' <b class="number">{score.points if counted is None else counted}</b>'
        )
        shown.append(f'<span class="person{won}">{seat_mark(score.seat)} {name}{points}</span>')
    return mark_safe(f'<span class="people">{" ".join(shown)}</span>')


@register.simple_tag
def place(place: int, players: int) -> SafeString:
    return _place(place, players, get_language())


@lru_cache(maxsize=256)
def _place(place: int, players: int, _language: str | None) -> SafeString:
    return render_to_string("tables/_place.html", {"place": place, "players": players})


@register.simple_tag
def day(at: datetime) -> SafeString:
    """Format a day in the reader's time zone."""
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), written(localtime(at).date()))


@register.simple_tag
def played_games(score: Score) -> SafeString:
    """Render links to the games of a contest with their bids; for a full game with their points and plus signs."""
    word = "" if score.full_game_id else escape(gettext("game"))
    links = []
    for line in score.games:
        link = f'<a href="{escape(reverse("table", args=[line["game"]]))}">{word or line["points"]}</a>'
        bid = line.get("bid")
        links.append(link if bid is None else f"{link} ({escape(gettext('bid {n}').format(n=bid))})")
    return mark_safe(" + ".join(links))


@register.simple_tag
def last_board(score: Score) -> SafeString:
    """Render the final position of a contest, of its last game, in miniature."""
    return miniature(reverse("last_thumbnail", args=[score.games[-1]["game"]]) if score.games else "")


@register.simple_tag
def rating_change(score: Score) -> SafeString | str:
    """Render the rating after a contest and its change, or that the contest was not rated."""
    change, after = score.change, score.after
    if change is not None and after is not None:
        label = f'<span class="visually-hidden">{escape(gettext("Rating"))}</span>'
        difference = f'<b class="{"down" if change < 0 else "up"}">{signed(change)}</b>'
        return mark_safe(f'<p class="change number">{label} {after.shown} {difference}</p>')
    return "" if score.is_rated else format_html('<p class="change soft small">{}</p>', gettext("unrated"))


@register.simple_tag
def by_source(sources: Mapping[str, int], ruleset: str) -> SafeString:
    """Format points by source, largest first, as in `Regions 6 · Islands 3`; negative ones last."""
    name = get(ruleset).source_name
    ranked = sorted(((points, gettext(name(source))) for source, points in sources.items() if points), reverse=True)
    return mark_safe(" · ".join(f'{escape(words)} <b class="number">{points}</b>' for points, words in ranked))
