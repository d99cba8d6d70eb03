"""Scores in a line, and taken apart by source."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext

from games.leagues.models import Score
from games.rules.registry import get
from games.selectors import options
from games.selectors.days import written
from games.selectors.history import Contest, Person
from games.templatetags.seats import seat_mark

register = template.Library()
register.simple_tag(options.short_name, name="short_name")


@register.filter
def signed(number: int) -> str:
    """`+12`, `−7`, `±0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


@register.filter
def signed_tenths(number: float) -> str:
    """`+1.5`, `−0.5`, `±0.0`."""
    sign = "+" if number > 0 else "−" if number < 0 else "±"
    return sign + number_format(abs(number), 1)


@register.simple_tag
def scorers(contest: Contest, person: Person) -> SafeString:
    """Everybody with their points, best place first; others are links to the history between the two."""
    inside = format_html_join(" ", "{}", ((_scorer(one, contest.score, person),) for one in contest.scores))
    return format_html('<span class="people">{}</span>', inside)


def _scorer(one: Score, mine: Score, person: Person) -> SafeString:
    name = one.name if one.pk == mine.pk else _linked(one, person)
    won = " winner" if one.place == 1 else ""
    mark = seat_mark(one.seat)
    return format_html('<span class="person{}">{} {} <b class="number">{}</b></span>', won, mark, name, one.points)


def _linked(one: Score, person: Person) -> SafeString | str:
    if person.has(one) or not (one.user_id or one.bot):
        return one.name
    return format_html('<a href="?against={}">{}</a>', one.bot or one.name, one.name)


@register.simple_tag
def place(place: int, players: int) -> SafeString:
    return _place(place, players, get_language())


@lru_cache(maxsize=256)
def _place(place: int, players: int, _language: str | None) -> SafeString:
    return render_to_string("games/_place.html", {"place": place, "players": players})


@register.simple_tag
def day(at: datetime) -> SafeString:
    """When something was, by the reader's clock."""
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), written(localtime(at).date()))


@register.simple_tag
def played_games(score: Score) -> SafeString:
    """Links to the games of a contest with the bids made: of a full game by their points, with a plus between."""
    links = ((_link(line, gettext("game") if score.full_game_id is None else line["points"]),) for line in score.games)
    return format_html_join(" + ", "{}", links)


def _link(line: Mapping[str, Any], words: str | int) -> SafeString:
    link = format_html('<a href="{}">{}</a>', reverse("table", args=[line["game"]]), words)
    bid = line.get("bid")
    return link if bid is None else format_html("{} ({})", link, gettext("bid {n}").format(n=bid))


@register.simple_tag
def by_source(sources: Mapping[str, int], ruleset: str) -> SafeString:
    """`Regions 6 · Islands 3`: what brought points, the most first, and what cost some."""
    name = get(ruleset).source_name
    brought = sorted(((points, gettext(name(source))) for source, points in sources.items() if points), reverse=True)
    return format_html_join(" · ", '{} <b class="number">{}</b>', ((words, points) for points, words in brought))
