"""Template tags for pictures of the Eight-Minute family: cards, tokens, the land of a layout, a whole position.

Cards are cached because they look the same on every page.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.boards.eight_minute import contents
from games.boards.eight_minute.faces import Face
from games.tables.pages.eight_minute.pictures import drawn_position, land_url

register = template.Library()


@register.simple_tag
def card(face: Face, price: int | None = None) -> SafeString:
    """Render a card, with its price if given."""
    return mark_safe(_drawn(face, price, get_language()))


@lru_cache(maxsize=2048)
def _drawn(face: Face, price: int | None, language: str) -> str:
    return render_to_string("tables/eight_minute/_card.html", {"card": face, "price": price}).strip()


@register.inclusion_tag("tables/eight_minute/_land.html")
def land(text: str, theme: str, *, later: bool = False) -> dict[str, Any]:
    """Render the picture of a layout text in the reader's theme; with `later` the browser loads it lazily."""
    ink = "dark" if theme == "dark" else "light"
    return {"land": land_url(text, ink), "dark": land_url(text, "dark") if theme == "auto" else "", "later": later}


@register.simple_tag
@lru_cache(maxsize=256)
def token_icon(token: str, label: str = "") -> SafeString:
    """Render a token, good, merchants or outpost as on the map. `label` describes it if no name is next to it."""
    return mark_safe(contents.token_icon(token, label))


@register.inclusion_tag("tables/eight_minute/_showcase.html")
def showcase(theme: str) -> dict[str, Any]:
    """Render the position on the home page in the reader's theme."""
    return {"picture": drawn_position(), "theme": theme}
