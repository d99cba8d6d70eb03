"""The mark of a seat, the people at a table, and what lies on the map as an icon.

Tags and not templates to include, because a desk of fifty games shows hundreds of them.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.boards.eight_minute import laid_tokens
from games.tables.models import Seat

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=64)
def seat_mark(seat: int | str, label: str = "") -> SafeString:
    """Shape and colour of a seat, 0 to 7 or "third"; `label` says them where no name stands beside."""
    return format_html(
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="0 0 28 28" {} focusable="false">'
        '<use href="{}#seat-{}"></use></svg>',
        format_html('role="img" aria-label="{}"', label) if label else format_html('aria-hidden="{}"', "true"),
        static("img/icons.svg"),
        seat,
    )


@register.simple_tag
def people(seats: Iterable[Seat], me: Seat | None = None, waiting_for: Collection[int] = ()) -> SafeString:
    """Everybody at a table, the reader as such; who is to move is marked, for the ear too."""
    persons = ((" on-turn" if one.number in waiting_for else "", *_person(one, me, waiting_for)) for one in seats)
    inside = format_html_join("", '<span class="person{}">{} {}{}</span> ', persons)
    return format_html('<span class="people">{}</span>', inside)


def _person(seat: Seat, me: Seat | None, waiting_for: Collection[int]) -> tuple[SafeString, str, SafeString | str]:
    name = gettext("You") if me and seat.number == me.number else seat.name
    return seat_mark(seat.number), name, _to_move() if seat.number in waiting_for else ""


def _to_move() -> SafeString:
    return format_html(' <span class="visually-hidden">{}</span>', gettext("(to play)"))


@register.simple_tag
@lru_cache(maxsize=256)
def token_icon(token: str, label: str = "") -> SafeString:
    """A token, a good, merchants or the outpost as drawn on the map; `label` says it where no name stands beside."""
    return mark_safe(laid_tokens.token_icon(token, label))
