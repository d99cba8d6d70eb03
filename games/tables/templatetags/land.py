"""The land of a layout, or one side of a board, as a picture for light and dark pages."""

from typing import Any

from django import template

from games.tables.views.boards import land_url

register = template.Library()


@register.inclusion_tag("tables/eight_minute/_land.html")
def land(text: str, theme: str, *, later: bool = False) -> dict[str, Any]:
    """`text` says what is shown, `theme` is the reader's; a picture for `later` is fetched when it comes into sight."""
    ink = "dark" if theme == "dark" else "light"
    return {"land": land_url(text, ink), "dark": land_url(text, "dark") if theme == "auto" else "", "later": later}
