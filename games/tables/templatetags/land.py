"""A template tag for the picture of a layout or a board side, for light and dark pages."""

from typing import Any

from django import template

from games.tables.views.boards import land_url

register = template.Library()


@register.inclusion_tag("tables/eight_minute/_land.html")
def land(text: str, theme: str, *, later: bool = False) -> dict[str, Any]:
    """Render the picture of a layout text in the reader's theme; with `later` the browser loads it lazily."""
    ink = "dark" if theme == "dark" else "light"
    return {"land": land_url(text, ink), "dark": land_url(text, "dark") if theme == "auto" else "", "later": later}
