"""Scores in a line."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.leagues.models import Score
from games.selectors import options
from games.selectors.history import Contest, Person
from games.templatetags.seats import seat_mark

register = template.Library()
register.simple_tag(options.short_name, name="short_name")


@register.filter
def signed(number: int) -> str:
    """`+12`, `−7`, `±0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


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
    return format_html('<a href="?against={}">{}</a>', one.name, one.name) if one.user_id and person.user else one.name
