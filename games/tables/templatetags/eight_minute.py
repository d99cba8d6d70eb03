"""Template tags for pictures of the Eight-Minute family: cards, tokens, the land of a layout, a whole position.

Cards are cached because they look the same on every page.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.boards.eight_minute import contents, describe
from games.boards.eight_minute.faces import Face
from games.boards.eight_minute.pieces import SHARED, TOKENS, shared, what_steps_change
from games.boards.themes import THEMES, land_of, shade_of
from games.tables.pages.eight_minute.pictures import drawn_position, land_url
from games.tables.templatetags.parts import DIGEST, SLOT, copied, copied_groups, digest_of, each_group, marked, named

register = template.Library()


FACE = "~face~"  # its place in the cached text of a card


@register.simple_tag(takes_context=True)
def card(context: Context, face: Face, price: int | None = None) -> SafeString:
    """Render a card, with its price if given; without its face if the page has it, wherever it lies there."""
    language = get_language()
    return mark_safe(_around(face, price, language).replace(FACE, copied(context, *_drawn(face, language))))


def whole_card(face: Face, price: int | None = None) -> SafeString:
    """Render a card for a page that is not a table."""
    language = get_language()
    return mark_safe(_around(face, price, language).replace(FACE, _drawn(face, language)[0]))


@lru_cache(maxsize=2048)
def _around(face: Face, price: int | None, language: str) -> str:
    return render_to_string("tables/eight_minute/_card.html", {"card": face, "face": FACE, "price": price}).strip()


@lru_cache(maxsize=1024)
def _drawn(face: Face, language: str) -> tuple[str, str]:
    """Draw what a card shows, and return it with its digest."""
    return marked(render_to_string("tables/eight_minute/_face.html", {"card": face, "digest": DIGEST}).strip())


@register.inclusion_tag("tables/eight_minute/_land.html")
def land(text: str, theme: str, *, later: bool = False, name: str = "") -> dict[str, Any]:
    """Render the picture of a layout text as the reader wants it; with `later` the browser loads it lazily.

    `theme` is `User.look`.
    """
    light, dark = (land_url(text, land_of(theme.replace("auto", shade, 1))) for shade in THEMES)
    shown, other = {"dark": (dark, ""), "light": (light, "")}.get(shade_of(theme), (light, dark))
    return {"land": shown, "dark": other, "later": later, "name": name}


@register.simple_tag
def map_words(text: str) -> list[list[tuple[str, list[str]]]]:
    """Describe a map in the reader's language, see `describe.map_words`."""
    return describe.map_words(text, _)


@register.simple_tag(takes_context=True)
def pieces(context: Context, drawn: str) -> SafeString:
    """Render the pieces without what the page has of shared drawings, tokens and names."""

    def token(group: str) -> str:
        return named(context, group.split('"', 2)[1], group, digest_of(group))

    for name in SHARED:
        if block := shared(drawn, name):
            remaining = each_group(block, '<g id="', token) if name == TOKENS else block
            drawn = drawn.replace(block, named(context, name, remaining, digest_of(block)), 1)
    return mark_safe(copied_groups(context, drawn, '<g class="region-name'))


@register.simple_tag(takes_context=True)
def on_land(context: Context, drawn: str, *, in_setup: bool = False) -> SafeString:
    """Render the part of the pieces that a step changes. The rest, which is larger, stays in the page."""
    return pieces(context, what_steps_change(drawn, in_setup=in_setup))


@register.simple_tag
@lru_cache(maxsize=64)
def icon(name: str) -> SafeString:
    """Render a sign from icons.svg, next to words that say the same."""
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
@lru_cache(maxsize=256)
def token_icon(token: str, label: str = "") -> SafeString:
    """Render a token, good, merchants or outpost as on the map. `label` describes it if no name is next to it."""
    return mark_safe(contents.token_icon(token, label))


@register.simple_tag(takes_context=True)
def token_sign(context: Context, token: str) -> SafeString:
    """Render a token as on the map, unless the page has it, such as in the list of tokens."""
    return copied(context, *_marked_icon(token), tag="svg")


@lru_cache(maxsize=256)
def _marked_icon(token: str) -> tuple[str, str]:
    return marked(contents.token_icon(token).replace("<svg", f"<svg {SLOT}", 1))


@register.inclusion_tag("tables/eight_minute/_showcase.html")
def showcase(theme: str) -> dict[str, Any]:
    """Render the position on the home page in the reader's theme."""
    return {"picture": drawn_position(), "theme": theme}
