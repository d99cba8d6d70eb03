"""A template tag for cards, cached because a card looks the same on every page."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.boards.eight_minute.faces import Face

register = template.Library()


@register.simple_tag
def card(face: Face, price: int | None = None) -> SafeString:
    """Render a card, with its price if given."""
    return mark_safe(_drawn(face, price, get_language()))


@lru_cache(maxsize=2048)
def _drawn(face: Face, price: int | None, language: str) -> str:
    return render_to_string("tables/_card.html", {"card": face, "price": price}).strip()
