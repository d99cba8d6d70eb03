"""Template tags for seat marks and the people at a table.

They are tags and not included templates for speed: a desk of fifty games shows hundreds of them.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.tables.models import Seat

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=64)
def seat_mark(seat: int | str, label: str = "") -> SafeString:
    """Render the shape and colour of a seat, 0 to 7 or "third". `label` describes it if no name is next to it."""
    return format_html(
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="0 0 28 28" {} focusable="false">'
        '<use href="{}#seat-{}"></use></svg>',
        format_html('role="img" aria-label="{}"', label) if label else format_html('aria-hidden="{}"', "true"),
        static("img/icons.svg"),
        seat,
    )


@register.simple_tag
def people(seats: Iterable[Seat], me: Seat | None = None, waiting_for: Collection[int] = ()) -> SafeString:
    """Render the players of a table, the reader as “You”, and mark those whose turn it is, also for screen readers."""
    persons = []
    for one in seats:
        is_on_turn = one.number in waiting_for
        name = gettext("You") if me and one.number == me.number else one.name
        said = format_html(' <span class="visually-hidden">{}</span>', gettext("(to play)")) if is_on_turn else ""
        persons.append((" on-turn" if is_on_turn else "", seat_mark(one.number), name, said))
    inside = format_html_join("", '<span class="person{}">{} {}{}</span> ', persons)
    return format_html('<span class="people">{}</span>', inside)
