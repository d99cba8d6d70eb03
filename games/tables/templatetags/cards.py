"""Template tags for pictures: a card, cached because it looks the same on every page, and the land of a layout."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.boards.eight_minute.faces import Face
from games.tables.views.boards import land_url

register = template.Library()


@register.simple_tag
def card(face: Face, price: int | None = None) -> SafeString:
    """Render a card, with its price if given."""
    return mark_safe(_drawn(face, price, get_language()))


@lru_cache(maxsize=2048)
def _drawn(face: Face, price: int | None, language: str) -> str:
    return render_to_string("tables/_card.html", {"card": face, "price": price}).strip()


@register.inclusion_tag("tables/eight_minute/_land.html")
def land(text: str, theme: str, *, later: bool = False) -> dict[str, Any]:
    """Render the picture of a layout text in the reader's theme; with `later` the browser loads it lazily."""
    ink = "dark" if theme == "dark" else "light"
    return {"land": land_url(text, ink), "dark": land_url(text, "dark") if theme == "auto" else "", "later": later}
