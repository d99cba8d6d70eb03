"""The privacy page, from the same source as docs/privacy.md.

Each heading, paragraph, list item and cell is one text for translators. Where the document names a number of days with
its setting, as in "90 days (`KEEP_NOTICES`)", the page shows what this site has set.
"""

import re
from collections.abc import Iterator
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
DAYS = re.compile(r"\d+ days \(`(KEEP_[A-Z_]+)`\)")


@cache
def source() -> str:
    return (settings.BASE_DIR / "docs" / "privacy.md").read_text(encoding="utf-8")


def _text(token: Token) -> str:
    return DAYS.sub(r"{\1}", " ".join(token.content.split()))


def texts() -> Iterator[str]:
    """Yield the texts for translators."""
    yield from (_text(token) for token in MARKDOWN.parse(source()) if token.type == "inline" and token.content)


@cache
def html(language: str, *kept: tuple[str, int]) -> SafeString:
    """Return the page in the language, which is active, with these numbers of days by setting."""
    days = {name: ngettext("%(n)d day", "%(n)d days", n) % {"n": n} for name, n in kept}
    tokens = MARKDOWN.parse(source())
    for token in tokens:
        if token.type == "inline" and token.content:
            said = gettext(_text(token)).format_map(days)
            token.children = MARKDOWN.parseInline(said)[0].children
    return mark_safe(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    kept = [(name, getattr(settings, name)) for name in sorted(set(DAYS.findall(source())))]
    return render(request, "empire/privacy.html", {"page": html(get_language(), *kept)})
