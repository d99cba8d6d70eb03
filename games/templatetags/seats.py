"""The mark of a seat. A tag and not a template to include, because a desk of fifty games shows hundreds of them."""

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=64)
def seat_mark(seat: int | str, label: str = "") -> SafeString:
    """Shape and colour of a seat, 0 to 4 or "third"; `label` says them where no name stands beside."""
    return format_html(
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="0 0 28 28" {} focusable="false">'
        '<use href="{}#seat-{}"></use></svg>',
        format_html('role="img" aria-label="{}"', label) if label else format_html('aria-hidden="{}"', "true"),
        static("img/icons.svg"),
        seat,
    )
